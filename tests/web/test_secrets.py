"""What nobody but its owner can have: a hand, and what the hidden cards are."""

import json
from random import Random
from typing import Final

import aiohttp
import pytest

from adapters.web.identity import COOKIE
from bot.shuffling import seeded_deal
from engine.actions import StartDeal
from engine.cards import BACK, CODE, Card
from engine.ruleset import Ruleset
from engine.seating import Seating
from render import PillowRenderer
from tests.web.conftest import Room, RoomMaker
from tests.web.guest import Guest, button, next_token

MANY: Final = 4


async def hand_of(room: Room, code: str, name: str) -> tuple[Card, ...]:
    """The cards that somebody holds, from the store."""
    record = await room.app.record(await room.app.find(code))
    assert record.match is not None
    assert record.match.deal is not None
    seat = next(seat for seat, chair in enumerate(record.table.chairs) if chair.name == name)
    return record.match.deal.hands[seat]


async def test_the_cookie_is_kept_from_scripts_and_other_sites(ana: Guest) -> None:
    reply = await ana.get("/api/inicio")
    cookie = reply.cookies[COOKIE]
    assert len(cookie.value) == 43
    assert cookie["httponly"]
    assert cookie["samesite"] == "Strict"
    assert cookie["path"] == "/"
    assert not cookie["secure"]
    assert int(cookie["max-age"]) > 10_000_000


async def test_behind_https_the_cookie_stays_there(room: Room) -> None:
    guest = await room.guest()
    reply = await guest.get("/api/inicio", headers={"X-Forwarded-Proto": "https"})
    assert reply.cookies[COOKIE]["secure"]


async def test_a_page_never_replaces_the_cookie(ana: Guest) -> None:
    # A link from a chat opens the page without the cookie, though the browser has one.
    code = await ana.open_table()
    for path in ("/", f"/mesa/{code}", f"/mesa/{code}/tabla.png", "/static/room.js"):
        bare = await ana.get(path, headers={"Cookie": ""})
        assert COOKIE not in bare.cookies
    assert COOKIE not in (await ana.get("/api/inicio")).cookies


@pytest.mark.parametrize("value", ["", "short", "x" * 44, "a" * 42 + "!", "../" * 14 + "a"])
async def test_a_cookie_of_another_make_is_nobody(room: Room, value: str) -> None:
    async with aiohttp.ClientSession(cookies={COOKIE: value}, cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        reply = await Guest(session, room.address).get("/api/inicio")
        assert len(reply.cookies[COOKIE].value) == 43


async def test_the_store_knows_no_cookie(room: Room) -> None:
    guest = await room.guest()
    secret = (await guest.get("/api/inicio")).cookies[COOKIE].value
    await guest.open_table("Ana")
    assert secret not in repr(vars(room.app._store))


async def test_without_a_cookie_nobody_sits_down(room: Room) -> None:
    jar = aiohttp.DummyCookieJar()
    async with aiohttp.ClientSession(cookie_jar=jar) as session:
        guest = Guest(session, room.address)
        reply = await guest.post("/api/mesas", {"name": "Ana", "ruleset": "clasico", "seating": "1v1"})
        assert reply.status == 403
        assert "cookies" in reply.json["text"]


async def test_another_cookie_sees_no_hand_and_moves_nothing(room: Room, ana: Guest, eva: Guest) -> None:
    thief = await room.guest()
    code = await ana.open_table("Ana", "1v1")
    await eva.join(code, "Eva")
    await ana.start(code)
    mover = ana if (await ana.state(code))["hand"]["active"] else eva
    state = await mover.state(code)
    token = next_token(state)
    assert token is not None
    await thief.come_in()
    assert (await thief.state(code))["hand"] is None
    stolen = (await thief.press(code, token)).json
    assert not stolen["ok"]
    assert stolen["state"]["hand"] is None
    assert (await mover.state(code))["version"] == state["version"]
    assert (await mover.press(code, token)).json["ok"]


async def test_a_stolen_button_moves_the_thiefs_own_cards_at_most(room: Room, ana: Guest, eva: Guest) -> None:
    code = await ana.open_table("Ana", "1v1")
    await eva.join(code, "Eva")
    states = {guest: (await ana.start(code) if guest is ana else await eva.state(code)) for guest in (ana, eva)}
    mover, other = (ana, eva) if states[ana]["hand"]["active"] else (eva, ana)
    token = next_token(states[mover])
    assert token is not None
    before = await hand_of(room, code, states[mover]["name"])
    reply = (await other.press(code, token)).json
    assert not reply["ok"]
    assert await hand_of(room, code, states[mover]["name"]) == before


async def test_each_person_gets_only_their_own_cards(room: Room, ana: Guest, eva: Guest) -> None:
    code = await ana.open_table("Ana", "1v1")
    await eva.join(code, "Eva")
    await ana.start(code)
    for guest, name in ((ana, "Ana"), (eva, "Eva")):
        cards = (await guest.state(code))["hand"]["cards"]
        held = await hand_of(room, code, name)
        assert sorted((card["code"], card["back"]) for card in cards) == sorted(
            (CODE[card], BACK[card]) for card in held
        )


class Dealer:
    """Deals one pack, or the same with what is hidden from one seat and from all lying otherwise."""

    def __init__(self, known: frozenset[Card] | None = None, seed: int = 0) -> None:
        self._known = known
        self._seed = seed

    def __call__(self, rules: Ruleset, seating: Seating) -> StartDeal:
        dealt = seeded_deal(rules, seating, 7)
        if self._known is None:
            return dealt
        return StartDeal(self._mixed(dealt.pack), self._mixed(dealt.reserve))

    def _mixed(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Hidden cards change places with others of the same back; backs are in view."""
        assert self._known is not None
        row, chance = list(cards), Random(self._seed)
        for back in range(3):
            places = [i for i, card in enumerate(row) if BACK[card] == back and card not in self._known]
            mixed = [row[i] for i in places]
            chance.shuffle(mixed)
            for i, card in zip(places, mixed, strict=True):
                row[i] = card
        return tuple(row)


async def seen(room: Room) -> tuple[list[str], bytes, frozenset[Card]]:
    """What a watcher and a player get of a match that has just begun; and the cards that the player may know."""
    ana, watcher = await room.guest(), await room.guest()
    code = await ana.open_table("Ana", "2v2")
    await ana.press(code, button(await ana.state(code), "Empezar")["token"])
    table_id = await room.app.find(code)
    told = []
    for guest in (watcher, ana):
        state = await guest.state(code)
        told.append(json.dumps(state, sort_keys=True).replace(code, "CODE").replace(table_id, "table"))
    # The seal is of these very cards, and nobody can read them from it: its salt is as good as any 32 bytes.
    seal = (await room.app.record(table_id)).table.seals[0]
    assert not seal.is_open
    told = [text.replace(seal.short, "SEAL") for text in told]
    picture = await watcher.get(f"/mesa/{code}/tabla.png")
    assert picture.headers["Content-Type"] == "image/png"
    record = await room.app.record(table_id)
    assert record.match is not None
    assert record.match.deal is not None
    seat = next(seat for seat, chair in enumerate(record.table.chairs) if chair.person)
    known = frozenset((*record.match.deal.hands[seat], *record.match.deal.pile))
    return told, picture.body, known


async def test_nothing_that_is_sent_depends_on_hidden_cards(make_room: RoomMaker) -> None:
    renderer = PillowRenderer()
    told, picture, known = await seen(await make_room(renderer, shuffle=Dealer(), pause=60))
    for seed in range(MANY):
        other = await make_room(renderer, shuffle=Dealer(known, seed), pause=60)
        told_there, picture_there, known_there = await seen(other)
        assert known_there == known
        assert told_there == told
        assert picture_there == picture


async def test_a_watchers_answer_names_no_card_of_a_hand(ana: Guest, eva: Guest) -> None:
    code = await ana.open_table("Ana")
    await ana.start(code)
    await eva.come_in()
    for reply in (await eva.get(f"/api/mesas/{code}"), await eva.press(code, "x")):
        state = reply.json.get("state", reply.json)
        assert state["hand"] is None
        assert set(state) == {"code", "version", "public", "feed", "name", "hand", "join"}
        assert set(state["public"]) == {
            "role", "version", "title", "headline",
        "left_ms", "lines", "words", "picture", "over", "won", "rows",
            "rules",
        }  # fmt: skip
