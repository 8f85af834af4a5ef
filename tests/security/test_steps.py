"""What is hidden from somebody does not show in how long they wait: an answer takes the same steps whatever it is.

No clock is asked: every call of a function of the program is counted while a press is answered, and the store's among
them. Two matches that differ only in what the presser must not see lead to the very same calls.
"""

import functools
import random
import sys
from collections import Counter
from collections.abc import Sequence
from types import FrameType

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.storage.codec import encode_record
from bot.model import Person
from bot.tokens import Verb
from engine.seating import Seating
from engine.state import Match
from tests.bot.fakes import settled
from tests.bot.hiding import redealt
from tests.bot.rooms import House
from tests.bot.tables import deal_of

PAIRS = 1_000 if settings.default is not None and settings.default.max_examples >= 2000 else 30
OURS = ("adapters.", "bot.", "engine.", "render.")
Steps = Counter[str]
CHANCE = "engine.views._Itself.__eq__"
"""Asked as often as other matches are remembered under the same mark, which is made of what everybody sees."""
LOOKING = (Verb.SHOW_TABLE, Verb.SHOW_HAND, Verb.PLAYS, Verb.WORDS, Verb.RULES, Verb.FINAL_HANDS, Verb.MENU, Verb.SORT)


class Counting:
    """Counts the calls of the program's functions, as a profiler does."""

    def __init__(self) -> None:
        self.steps: Steps = Counter()

    def __enter__(self) -> Steps:
        sys.setprofile(self._called)
        return self.steps

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _called(self, frame: FrameType, event: str, _: object) -> None:
        module = str(frame.f_globals.get("__name__", ""))
        name = f"{module}.{frame.f_code.co_qualname}"
        if event == "call" and module.startswith(OURS) and name != CHANCE:
            self.steps[name] += 1


async def table(seed: int) -> tuple[House, str, list[Person]]:
    """A match in its middle."""
    house = House(seed=seed)
    table_id, people = await house.started(4, Seating.TWO_PAIRS)
    for _ in range(seed % 5):
        await house.play_out_turn(table_id, people)
    await settled()
    return house, table_id, people


async def put(house: House, table_id: str, match: Match) -> None:
    """Let a table stand otherwise, as if it had been dealt so."""
    record = await house.record(table_id)
    house.put(table_id, encode_record(msgspec.structs.replace(record, match=match)))


def forget() -> None:
    """Let the program remember nothing: what is looked up the second time would hide what the first time took."""
    for name, module in list(sys.modules.items()):
        if name.startswith(OURS):
            for part in vars(module).values():
                if isinstance(part, functools._lru_cache_wrapper):
                    part.cache_clear()


async def steps_of(house: House, table_id: str, person: Person, matches: Sequence[Match], verb: Verb) -> list[Steps]:
    """What answering a press takes in each of some matches, of which nothing is remembered."""
    found: list[Steps] = []
    for _ in range(2):  # the first time, libraries load what they need
        found.clear()
        for match in matches:
            await put(house, table_id, match)
            forget()
            with Counting() as steps:
                await house.press(person, table_id, verb)
            found.append(steps)
            await settled()
    return found


@settings(max_examples=PAIRS)
@given(st.integers(0, 10**6), st.integers(0, 3), st.sampled_from(LOOKING))
async def test_an_answer_takes_the_same_steps_whatever_others_hold(seed: int, who: int, verb: Verb) -> None:
    house, table_id, people = await table(seed)
    person, record = people[who], await house.record(table_id)
    assert record.match is not None
    seat = next(seat for seat, chair in enumerate(record.table.chairs) if chair.person == person.id)
    other = redealt(record.match, random.Random(seed), seat)
    assert deal_of(other).hands != deal_of(record.match).hands
    one, two = await steps_of(house, table_id, person, (record.match, other), verb)
    assert one["bot.app.App.press"]
    assert {name: (one[name], two[name]) for name in one | two if one[name] != two[name]} == {}


async def test_the_count_sees_what_one_s_own_hand_takes() -> None:
    """Another hand of one's own makes the program do something else: that is for its holder to know."""
    house, table_id, people = await table(3)
    record = await house.record(table_id)
    assert record.match is not None
    seat = next(seat for seat, chair in enumerate(record.table.chairs) if chair.person == people[0].id)
    other = redealt(record.match, random.Random(3), (seat + 1) % 4)
    one, two = await steps_of(house, table_id, people[0], (record.match, other), Verb.SHOW_HAND)
    assert one["bot.keeper.Keeper.load_for_press"] == two["bot.keeper.Keeper.load_for_press"] > 0
    assert one != two
