"""The rule book in the browser: what it answers, to whom, and to what it does not."""

import re

import pytest

from bot.pictures import SheetForm, SheetPicture
from bot.presenter.web import page_words
from bot.texts import texts
from tests.web.conftest import FlatRenderer, Room, RoomMaker
from tests.web.guest import Guest, Json, button, buttons

WORDS = page_words(texts())
LESSON = "1:x:0:ls:clasico"
PAGE_SCRIPTS = ("api", "buttons", "cards", "dom", "hand", "reading", "room", "rules", "start")


class SheetRenderer(FlatRenderer):
    """Prints the title and the form."""

    def __init__(self) -> None:
        super().__init__()
        self.broken = False

    def sheet(self, picture: SheetPicture, form: SheetForm) -> bytes:
        if self.broken:
            raise RuntimeError("out of ink")
        return f"{form.value} {picture.title}".encode()


async def ask(guest: Guest, q: str, rules: str = "") -> Json:
    reply = await guest.get("/api/libro", params={"q": q, "reglas": rules})
    assert reply.status == 200, reply.text
    return dict(reply.json)


async def tap(guest: Guest, token: str) -> Json:
    reply = await guest.post("/api/libro/pulsar", {"token": token})
    assert reply.status == 200, reply.text
    return dict(reply.json)


def labelled(reading: Json, label: str) -> str:
    return str(next(one["token"] for one in buttons(reading) if one["label"] == label))


async def at_table(ana: Guest, eva: Guest) -> tuple[str, Json]:
    """A match of two people, which stands still until one of them plays; and what Ana sees."""
    code = await ana.open_table("Ana")
    await eva.join(code, "Eva")
    return code, await ana.start(code)


# the page


async def test_the_page_is_plain_and_dressed(ana: Guest) -> None:
    page = await ana.get("/reglas")
    assert page.status == 200
    assert page.headers["Content-Type"].startswith("text/html")
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    for word in ("book", "book_how", "book_search", "book_hint", "book_rules", "book_loading"):
        assert WORDS[word] in page.text
    assert not re.search(r"\son\w+=|\sstyle=|https?://", page.text)
    for attributes, body in re.findall(r"<script([^>]*)>(.*?)</script>", page.text, re.DOTALL):
        assert 'type="application/json"' in attributes or ("src=" in attributes and not body)


async def test_everything_that_the_page_names_is_there(ana: Guest) -> None:
    wanted = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', (await ana.get("/reglas")).text))
    scripts = [path for path in wanted if path.endswith(".js")]
    while scripts:
        script = await ana.get(scripts.pop())
        for name in re.findall(r'from "\./([^"]+)"', script.text):
            if f"/static/{name}" not in wanted:
                wanted.add(f"/static/{name}")
                scripts.append(f"/static/{name}")
    assert {"/static/rules.js", "/static/reading.js", "/static/book.css", "/static/cards.css"} <= wanted
    for path in wanted:
        assert (await ana.get(path)).status == 200, path


@pytest.mark.parametrize("name", PAGE_SCRIPTS)
async def test_the_scripts_use_words_that_there_are_and_no_markup(ana: Guest, name: str) -> None:
    script = (await ana.get(f"/static/{name}.js")).text
    assert set(re.findall(r"\bwords\.([a-z]\w+)", script)) <= {*WORDS, "length"}
    for danger in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert danger not in script


async def test_the_start_page_leads_to_the_book_and_to_the_lesson(ana: Guest) -> None:
    page = (await ana.get("/")).text
    assert 'href="/reglas"' in page
    assert WORDS["lesson"] in page


# looking up


async def test_without_a_question_there_is_the_index(ana: Guest) -> None:
    reading = (await ask(ana, ""))["reading"]
    assert len(reading["rows"]) > 5
    assert LESSON in [one["token"] for one in buttons(reading)]


async def test_a_topic_is_read_and_leads_on(ana: Guest) -> None:
    reading = (await ask(ana, "muerto"))["reading"]
    assert "muerto" in reading["title"]
    assert any(line.startswith("• ") for line in reading["lines"])
    following = buttons(reading)[0]
    read_on = await tap(ana, following["token"])
    assert read_on["ok"]
    assert read_on["reading"]["title"] == following["label"]
    back = await tap(ana, labelled(read_on["reading"], "Índice"))
    assert back["reading"]["rows"] == (await ask(ana, ""))["reading"]["rows"]


async def test_every_title_finds_its_own_topic(ana: Guest) -> None:
    """The page puts the title of an opened topic into its address."""
    index = (await ask(ana, ""))["reading"]
    for chapter in [one for one in buttons(index) if ":ix:" in one["token"]]:
        topic = buttons((await tap(ana, chapter["token"]))["reading"])[0]
        assert (await ask(ana, topic["label"]))["reading"]["title"] == topic["label"]


async def test_nothing_is_offered_that_only_chats_need(ana: Guest) -> None:
    for q in ("", "muerto", "vale 3♥ 4♥ 2♠"):
        tokens = [one["token"] for one in buttons((await ask(ana, q))["reading"])]
        assert tokens
        assert not [token for token in tokens if ":pu:" in token or ":tb" in token]


async def test_a_verdict_shows_the_cards_and_the_place_of_the_wild(ana: Guest) -> None:
    reading = (await ask(ana, "vale 3♥ 4♥ 2♠"))["reading"]
    (example,) = reading["examples"]
    assert [(card["code"], card["place"]) for card in example["cards"]] == [("3h", ""), ("4h", ""), ("2s", "5♥")]
    assert example["good"] is True


async def test_what_is_no_meld_is_crossed_and_explained(ana: Guest) -> None:
    reading = (await ask(ana, "vale 3♥ 9♣ J♦"))["reading"]
    (example,) = reading["examples"]
    assert example["good"] is False
    assert len(example["cards"]) == 3
    rule = buttons(reading)[0]
    assert (await tap(ana, rule["token"]))["reading"]["title"] == rule["label"]


async def test_points_are_counted(ana: Guest) -> None:
    reading = (await ask(ana, "puntos 3h 4h 5h; 7s 7h 7d"))["reading"]
    assert [example["good"] for example in reading["examples"]] == [True, True]
    assert any(re.search(r"\d", line) for line in reading["lines"])


async def test_words_that_are_no_cards_are_told_so(ana: Guest) -> None:
    answer = await ask(ana, "vale zz")
    assert answer["ok"] is False
    assert "zz" in answer["text"]
    assert answer["reading"] is None


async def test_the_rule_set_changes_what_is_read(ana: Guest) -> None:
    start = await ana.come_in()
    told = set()
    for rule in start["rules"]:
        reading = (await ask(ana, "cerrar", rule["value"]))["reading"]
        mark = rule["value"].replace("-", "")
        assert all(one["token"].endswith(f":{mark}") for one in buttons(reading))
        told.add(tuple(reading["lines"]))
    assert len(told) > 1


@pytest.mark.parametrize("rules", ["ninguna", "../clasico", "CLASICO", "clasico\x00", "x" * 5000])
async def test_an_unknown_rule_set_is_told_so(ana: Guest, rules: str) -> None:
    reply = await ana.get("/api/libro", params={"q": "muerto", "reglas": rules})
    assert reply.status == 404
    assert reply.json["text"]
    assert reply.json["ok"] is False


@pytest.mark.parametrize(
    "q", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "vale <b>3♥</b>", "{{7*7}}", "\u202e☠", "%00"]
)
async def test_markup_comes_back_as_text(ana: Guest, q: str) -> None:
    reply = await ana.get("/api/libro", params={"q": q})
    assert reply.status == 200
    assert reply.headers["Content-Type"].startswith("application/json")
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    assert reply.json["text"] or reply.json["reading"]["lines"]
    page = await ana.get("/reglas", params={"q": q})
    assert q not in page.text


@pytest.mark.parametrize("q", ["muerto " * 900, "x" * 6000, "vale " + "3h " * 1500, "puntos " + "3h 4h 5h;" * 500])
async def test_long_questions_are_cut_and_answered(ana: Guest, q: str) -> None:
    reply = await ana.get("/api/libro", params={"q": q})
    assert reply.status == 200
    assert len(reply.text) < 50_000


# exercises


def quiz_answers(reading: Json) -> list[str]:
    return [one["token"] for one in buttons(reading) if one["style"] in ("good", "danger")]


async def test_an_exercise_is_answered_and_followed_by_another(ana: Guest) -> None:
    task = (await ask(ana, "prueba"))["reading"]
    (example,) = task["examples"]
    assert example["good"] is None, "the answer is not shown with the question"
    assert not any(card["place"] for card in example["cards"])
    answers = [await tap(ana, token) for token in quiz_answers(task)]
    assert len({answer["reading"]["title"] for answer in answers}) == 2
    following = next(one for one in buttons(answers[0]["reading"]) if one["style"] == "primary")
    assert len(quiz_answers((await tap(ana, following["token"]))["reading"])) == 2


async def right_answer(guest: Guest, task: Json) -> Json:
    """Answer an exercise rightly, by asking the book itself."""
    cards = " ".join(card["code"].replace("T", "10") for card in task["examples"][0]["cards"])
    good = (await ask(guest, f"vale {cards}"))["reading"]["examples"][0]["good"]
    yes, no = quiz_answers(task)
    return dict((await tap(guest, yes if good else no))["reading"])


def streak(reading: Json) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", reading["lines"][-1])]


async def test_exercises_work_without_keeping_anything_of_a_stranger(room: Room, ana: Guest, eva: Guest) -> None:
    for guest in (ana, eva):
        for number in ("0", "1"):
            task = (await tap(guest, f"1:x:0:qz:{number}:clasico"))["reading"]
            assert streak(await right_answer(guest, task)) == [1, 1], "nothing goes from one exercise to the next"
    assert (await ana.come_in())["name"] == ""


async def test_the_streak_of_a_known_visitor_is_kept(ana: Guest) -> None:
    await ana.open_table("Ana")
    for number in (1, 2):
        task = (await tap(ana, f"1:x:0:qz:{number}:clasico"))["reading"]
        assert streak(await right_answer(ana, task)) == [number, number]


# presses that make no sense


@pytest.mark.parametrize(
    "token",
    [
        "",
        "x",
        "1:x:0",
        "1:x:0:zz:clasico",
        "2:x:0:ix:clasico",
        "1:x:0:re:../../etc:clasico",
        "1:x:!:ix:clasico",
        "1:x:0:ix:<b>:clasico",
        "1:x:0:re:muerto:clasico" + "a" * 200,
        "♥" * 20,
    ],
)
async def test_what_is_no_token_is_refused(ana: Guest, token: str) -> None:
    reply = await ana.post("/api/libro/pulsar", {"token": token})
    assert reply.status == 400
    assert reply.json["text"]


@pytest.mark.parametrize(
    "token",
    [
        "1:x:0:re:clasico",
        "1:x:0:re:nada:clasico",
        "1:x:0:re:muerto:ninguna",
        "1:x:0:re",
        "1:x:0:ix:ninguna",
        "1:x:0:qz:zzzzzzzzzzzz:clasico",
        "1:x:0:qz",
        "1:x:0:sh:ninguna",
        "1:x:0:dr",
        "1:x:0:st",
        "1:x:0:ml:7",
        "1:x:0:te",
    ],
)
async def test_tokens_that_lead_nowhere_are_answered(ana: Guest, token: str) -> None:
    answer = await tap(ana, token)
    assert answer["ok"] is False
    assert answer["text"]
    assert answer["reading"] is None
    assert answer["code"] == ""


async def test_tokens_of_tables_are_refused(ana: Guest, eva: Guest) -> None:
    code, state = await at_table(ana, eva)
    tokens = [one["token"] for one in (*buttons(state["public"]), *buttons(state["hand"]))]
    rules = state["public"]["rules"]["token"]
    for token in (*tokens, rules, rules.replace(":ru", ":ix"), rules.replace(":ru", ":ls")):
        for guest in (ana, eva):
            reply = await guest.post("/api/libro/pulsar", {"token": token})
            assert reply.status == 400
            assert reply.json["text"]
    assert (await ana.state(code))["version"] == state["version"]


@pytest.mark.parametrize(
    "body", ["", "[]", "{", '{"token": 3, "press_id": "abcdefgh"}', '{"token": "1:x:0:ix:clasico"}']
)
async def test_bodies_that_make_no_sense_are_refused(ana: Guest, body: str) -> None:
    reply = await ana.ask("POST", "/api/libro/pulsar", data=body, headers={"Content-Type": "application/json"})
    assert reply.status == 400
    assert reply.json["text"]


@pytest.mark.parametrize("press_id", ["", "short", "x" * 65, "with spaces in it", "a:b:c:d:e"])
async def test_a_press_has_a_proper_id(ana: Guest, press_id: str) -> None:
    await ana.come_in()
    for token in (LESSON, "1:x:0:ix:clasico"):
        reply = await ana.post("/api/libro/pulsar", {"token": token, "press_id": press_id})
        assert reply.status == 400


async def test_other_sites_may_not_press(ana: Guest) -> None:
    await ana.come_in()
    headers = {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"}
    reply = await ana.post("/api/libro/pulsar", {"token": LESSON}, headers=headers)
    assert reply.status == 403
    assert (await ana.come_in())["tables"] == []


# the guided deal


async def test_a_lesson_gives_a_table_with_hints(ana: Guest) -> None:
    await ana.come_in()
    answer = await tap(ana, LESSON)
    assert answer["ok"]
    state = await ana.state(answer["code"])
    assert len(state["hand"]["cards"]) == 11
    assert any(line.startswith("🎓") for line in state["hand"]["lines"])
    assert [table["code"] for table in (await ana.come_in())["tables"]] == [answer["code"]]


async def test_a_lesson_that_is_sent_twice_is_one_table(ana: Guest) -> None:
    await ana.come_in()
    body = {"token": LESSON, "press_id": "0123456789abcdef"}
    codes = {(await ana.post("/api/libro/pulsar", body)).json["code"] for _ in range(2)}
    assert len(codes) == 1
    assert len((await ana.come_in())["tables"]) == 1


async def test_nobody_gets_into_somebody_elses_lesson_by_its_press(ana: Guest, eva: Guest) -> None:
    codes = set()
    for guest in (ana, eva):
        await guest.come_in()
        reply = await guest.post("/api/libro/pulsar", {"token": LESSON, "press_id": "0123456789abcdef"})
        codes.add(reply.json["code"])
    assert len(codes) == 2
    (own,) = [table["code"] for table in (await ana.come_in())["tables"]]
    assert (await eva.state(own))["hand"] is None


async def test_a_lesson_needs_a_browser_that_comes_back(ana: Guest) -> None:
    reply = await ana.post("/api/libro/pulsar", {"token": LESSON})
    assert reply.status == 403
    assert reply.json["text"]


# the page to print


async def test_the_page_to_print_comes_as_pdf_and_as_picture(make_room: RoomMaker) -> None:
    renderer = SheetRenderer()
    guest = await (await make_room(renderer)).guest()
    reading = (await ask(guest, "hoja"))["reading"]
    assert reading["sheet"] == "/reglas/hoja/clasico"
    for form, kind in (("pdf", "application/pdf"), ("png", "image/png")):
        reply = await guest.get(f"{reading['sheet']}.{form}")
        assert reply.status == 200
        assert reply.headers["Content-Type"] == kind
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
        assert f"buraco-clasico.{form}" in reply.headers["Content-Disposition"]
        assert reply.body.startswith(form.encode())


async def test_each_rule_set_has_its_page_to_print(make_room: RoomMaker) -> None:
    guest = await (await make_room(SheetRenderer())).guest()
    for rule in (await guest.come_in())["rules"]:
        index = (await ask(guest, "", rule["value"]))["reading"]
        pressed = (await tap(guest, labelled(index, "Hoja para imprimir")))["reading"]["sheet"]
        asked = (await ask(guest, "hoja", rule["value"]))["reading"]["sheet"]
        assert pressed == asked == f"/reglas/hoja/{rule['value']}"
        assert (await guest.get(f"{asked}.pdf")).status == 200


@pytest.mark.parametrize("path", ["ninguna.pdf", "clasico.exe", "clasico", "..%2fclasico.pdf", "CLASICO.pdf"])
async def test_there_are_no_other_pages_to_print(ana: Guest, path: str) -> None:
    assert (await ana.get(f"/reglas/hoja/{path}")).status == 404


async def test_a_page_that_cannot_be_printed_is_told_so(make_room: RoomMaker) -> None:
    renderer = SheetRenderer()
    renderer.broken = True
    guest = await (await make_room(renderer)).guest()
    reply = await guest.get("/reglas/hoja/clasico.pdf")
    assert reply.status == 503
    assert reply.json["text"]


# over a table


async def test_the_book_is_read_over_a_table(ana: Guest, eva: Guest) -> None:
    code, state = await at_table(ana, eva)
    index = (await ana.press(code, state["public"]["rules"]["token"].replace(":ru", ":ix"))).json["reading"]
    verbs = {one["token"].split(":")[3] for one in buttons(index)}
    assert verbs == {"ix", "qz"}, "what leads away from the table is left to the page of the book"
    chapter = (await ana.press(code, buttons(index)[0]["token"])).json["reading"]
    topic = buttons(chapter)[0]
    reply = (await ana.press(code, topic["token"])).json
    assert reply["reading"]["title"] == topic["label"]
    assert reply["state"]["version"] == state["version"]


async def test_a_refusal_leads_to_its_rule(ana: Guest, eva: Guest) -> None:
    code, state = await at_table(ana, eva)
    mover = ana if state["hand"]["active"] else eva
    draw = button(await mover.state(code), "Robar")
    hand = (await mover.press(code, draw["token"])).json["state"]["hand"]
    meld = next(verb["token"] for verb in hand["verbs"] if ":ml" in verb["token"])
    refused = (await mover.press(code, f"{meld}:1")).json
    assert refused["ok"] is False
    assert refused["more"]["label"] == WORDS["why"]
    reading = (await mover.press(code, refused["more"]["token"])).json["reading"]
    assert reading["lines"]
    assert reading["rows"]
