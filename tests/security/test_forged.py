"""Whatever a client makes up: every press is answered, and nothing changes but by the one whose turn it is."""

import random

import msgspec
import structlog.testing

from bot.model import Person, Status
from bot.tokens import base36
from engine.evolve import evolve_all
from engine.seating import Seating
from engine.state import Phase, new_match
from tests.bot.rooms import House
from tests.bot.tables import choices, deal_of
from tests.security.forging import Forger

SHORT, LONG = 3_000, 1_000_000


async def test_forged_presses_do_nothing_that_is_not_ones_own_to_do(long_run: bool) -> None:
    dice = random.Random(17)
    house = House()
    table_id, people = await house.started(4, Seating.TWO_PAIRS)
    stranger = Person(id="stranger", name="Eva")
    forger, changed = Forger(dice), 0
    with structlog.testing.capture_logs() as logs:
        for number in range(LONG if long_run else SHORT):
            before = await house.record(table_id)
            if before.table.status is not Status.PLAYING:
                table_id, people = await house.started(4, Seating.TWO_PAIRS)
                forger.genuine.clear()
                continue
            if number % 20 == 0:
                await forger.look(house.app, table_id, people)
            presser = dice.choice([*people, stranger])
            answer = await house.app.press(presser, forger.token(), f"forged-{number}", via="web")
            assert answer.text or answer.screen is not None or answer.file or answer.document, "nobody is left alone"
            after = await house.record(table_id)
            if after.match == before.match:
                continue
            changed += 1
            assert answer.ok
            assert before.match is not None
            assert before.match.deal is not None
            if before.match.in_play:
                chair = before.table.chairs[deal_of(before.match).turn.seat]
                assert presser.id == chair.person, "only whoever is on turn moves the match"
            else:
                assert presser in people
            if number % 50 == 0:
                logs.clear()
        assert [line for line in logs if line["event"] in ("press.failed", "table.listener_failed")] == []
    assert changed > 3, "some were genuine"
    record = await house.record(table_id)
    if record.match is not None:
        begun = new_match(record.table.rules, record.table.seating, record.match.first_starter)
        replayed = evolve_all(begun, await house.store.events(table_id))
        assert msgspec.json.encode(replayed) == msgspec.json.encode(record.match)


async def test_every_seat_is_moved_by_its_own_person_alone() -> None:
    """Every seat, before and after it has drawn: its buttons and cards move nothing in anybody else's hands."""
    house = House()
    table_id, people = await house.started(4, Seating.TWO_PAIRS)
    moved: set[tuple[str, Phase]] = set()
    tried = 0
    while len(moved) < 2 * len(people):
        mover = await house.mover(table_id, people)
        screen = await house.app.hand_screen(table_id, mover)
        assert screen is not None
        tokens = [choice.token for choice in choices(screen) if choice.enabled]
        if screen.picker is not None:
            bits = [base36(1 << card.bit) for card in screen.picker.cards]
            tokens += [f"{verb.token}:{bit}" for verb in screen.picker.verbs for bit in bits]
        strangers = [Person(id="stranger", name="Eva"), Person(id=f"{mover.id} ", name=mover.name)]
        others = [person for person in people if person != mover] + strangers
        for person in others:
            before = await house.record(table_id)
            for number, token in enumerate(tokens):
                await house.app.press(person, token, f"{before.version}-{person.id}-{number}")
            tried += len(tokens)
            after = await house.record(table_id)
            assert (after.match, after.table.chairs) == (before.match, before.table.chairs), person
        moved.add((mover.id, deal_of(await house.match(table_id)).turn.phase))
        await house.play_on(table_id, people)
    assert tried > 500
