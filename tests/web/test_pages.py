"""The pages and their files."""

import json
import re

import pytest

from bot.presenter.web import page_words
from bot.texts import texts
from tests.web.conftest import Room
from tests.web.guest import Guest

WORDS = page_words(texts())


async def test_the_start_page_says_what_it_is(ana: Guest) -> None:
    page = await ana.get("/")
    assert page.status == 200
    assert page.headers["Content-Type"].startswith("text/html")
    for word in ("tagline", "how", "name", "open", "enter_title"):
        assert WORDS[word] in page.text


async def test_the_start_page_offers_rules_seatings_and_targets(ana: Guest) -> None:
    start = await ana.come_in()
    classic = next(rule for rule in start["rules"] if rule["value"] == "clasico")
    assert {option["value"] for option in classic["seatings"]} == {"1v1", "1v1v1", "2v2", "2v2v2"}
    assert [option["value"] for option in classic["targets"] if option["chosen"]] == ["3000"]
    assert start["tables"] == []


async def test_the_start_page_leads_back_to_ones_own_tables(ana: Guest) -> None:
    code = await ana.open_table("Ana")
    start = await ana.come_in()
    assert start["name"] == "Ana"
    assert [table["code"] for table in start["tables"]] == [code]


async def test_an_unknown_code_has_a_friendly_page(ana: Guest) -> None:
    page = await ana.get("/mesa/NADIE1")
    assert page.status == 404
    assert WORDS["not_found_title"] in page.text
    assert 'href="/"' in page.text


@pytest.mark.parametrize("path", ["/nada", "/mesa/", "/mesa/a%2Fb", "/mesa/../../etc/passwd", "/static/..%2froom.py"])
async def test_other_addresses_have_that_page_too(ana: Guest, path: str) -> None:
    assert (await ana.get(path)).status == 404


@pytest.mark.parametrize("path", ["/api/mesas/NADIE1", "/api/nada", "/api/mesas/NADIE1/avisos"])
async def test_unknown_tables_are_told_as_data(ana: Guest, path: str) -> None:
    reply = await ana.get(path)
    assert reply.status == 404
    assert reply.json["ok"] is False
    assert reply.json["text"]


async def test_a_code_may_be_written_in_small_letters(ana: Guest) -> None:
    code = await ana.open_table()
    assert (await ana.get(f"/mesa/{code.lower()}")).status == 200
    assert (await ana.state(code.lower()))["code"] == code


@pytest.mark.parametrize("path", ["/", "/mesa/NADIE1", "/api/inicio", "/static/room.js", "/api/nada"])
async def test_every_answer_is_dressed(ana: Guest, path: str) -> None:
    headers = (await ana.get(path)).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] in ("no-store", "no-cache")


async def test_pages_hold_no_inline_script_and_nothing_from_elsewhere(room: Room, ana: Guest) -> None:
    code = await ana.open_table()
    for path in ("/", f"/mesa/{code}", "/mesa/NADIE1"):
        text = (await ana.get(path)).text
        for attributes, body in re.findall(r"<script([^>]*)>(.*?)</script>", text, re.DOTALL):
            assert 'type="application/json"' in attributes or ("src=" in attributes and not body)
        assert not re.search(r"\son\w+=|\sstyle=|https?://", text)


async def test_everything_that_the_pages_name_is_there(ana: Guest) -> None:
    code = await ana.open_table()
    pages = [(await ana.get(path)).text for path in ("/", f"/mesa/{code}", "/mesa/NADIE1")]
    wanted = {path for page in pages for path in re.findall(r'(?:src|href)="(/static/[^"]+)"', page)}
    scripts = [path for path in wanted if path.endswith(".js")]
    while scripts:
        script = await ana.get(scripts.pop())
        for name in re.findall(r'from "\./([^"]+)"', script.text):
            if f"/static/{name}" not in wanted:
                wanted.add(f"/static/{name}")
                scripts.append(f"/static/{name}")
    wanted |= set(re.findall(r'url\("(/static/[^"]+)"\)', (await ana.get("/static/base.css")).text))
    assert len(wanted) >= 10
    for path in wanted:
        assert (await ana.get(path)).status == 200, path


async def test_files_are_asked_after_not_sent_again(ana: Guest) -> None:
    first = await ana.get("/static/room.js")
    assert first.headers["Content-Type"].startswith("text/javascript")
    again = await ana.get("/static/room.js", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status == 304
    assert again.body == b""


async def test_the_scripts_get_the_words_as_data(ana: Guest) -> None:
    text = (await ana.get("/")).text
    block = re.search(r'<script type="application/json" id="words">(.*?)</script>', text, re.DOTALL)
    assert block is not None
    assert json.loads(block[1]) == dict(WORDS)


async def test_the_scripts_use_no_word_that_there_is_not(ana: Guest) -> None:
    for name in ("api", "buttons", "cards", "dom", "hand", "room", "start", "table"):
        script = (await ana.get(f"/static/{name}.js")).text
        assert set(re.findall(r"\bwords\.([a-z]\w+)", script)) <= {*WORDS, "length"}
        assert "innerHTML" not in script
        assert "insertAdjacentHTML" not in script
