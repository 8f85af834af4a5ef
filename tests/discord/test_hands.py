"""Open hands: the newest message of each person at each table, as long as it can be edited."""

from types import SimpleNamespace
from typing import Any

import discord
import msgspec
import pytest

from adapters.discord import hands as hands_module
from adapters.discord.hands import OpenHands, look_of
from adapters.discord.limits import TOKEN_SECONDS
from adapters.discord.picks import Picks
from bot.model import Person
from bot.presenter.hand import hand_screen
from bot.screens import Role, Screen
from engine.views import seat_view
from tests.bot.tables import at, person, place_of
from tests.discord.test_emojis import http_error


class Interaction:
    """An interaction, and what is done through it."""

    def __init__(self, fault: BaseException | None = None) -> None:
        self.fault = fault
        self.done: list[tuple[str, Any]] = []
        self.followup = SimpleNamespace(
            edit_message=lambda number, **_: self._do("edit follow-up", number),
            delete_message=lambda number: self._do("delete follow-up", number),
        )

    async def _do(self, what: str, number: Any = None) -> None:
        self.done.append((what, number))
        if self.fault is not None:
            raise self.fault

    async def edit_original_response(self, **_: Any) -> None:
        """Edit the interaction's own message."""
        await self._do("edit")

    async def delete_original_response(self) -> None:
        """Delete it."""
        await self._do("delete")


class Clock:
    """Seconds."""

    now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def screen(table_id: str = "t", version: int = 1) -> Screen:
    """A hand."""
    return Screen(Role.HAND, table_id, version, "Mesa")


ANA, LUIS = Person("a", "Ana"), Person("l", "Luis")


async def opened(hands: OpenHands, number: int, who: Person = ANA, table: str = "t", **options: Any) -> Interaction:
    """Open a hand; its interaction is returned."""
    interaction = Interaction(options.pop("fault", None))
    shown: Any = interaction
    await hands.opened(screen(table), who, shown, number, followup=options.pop("followup", False))
    return interaction


async def test_each_person_has_one_hand_a_table_and_the_older_message_goes() -> None:
    hands = OpenHands(Clock())
    first = await opened(hands, 1)
    await opened(hands, 2, LUIS)
    await opened(hands, 3, ANA, "other")
    assert not first.done
    second = await opened(hands, 4, followup=True)
    assert first.done == [("delete", None)]
    assert [hand.message_id for hand in hands.of_table("t")] == [2, 4]
    await opened(hands, 5)
    assert second.done == [("delete follow-up", 4)]
    assert [hand.message_id for hand in hands.of_table("other")] == [3]


async def test_the_same_message_shown_again_is_not_deleted() -> None:
    hands = OpenHands(Clock())
    first = await opened(hands, 1)
    await opened(hands, 1)
    assert not first.done


@pytest.mark.parametrize("fault", [http_error(404, 10008), http_error(401, 50027), http_error(500, 0)])
async def test_an_older_message_that_cannot_go_is_left(fault: Exception) -> None:
    hands = OpenHands(Clock())
    first = await opened(hands, 1, fault=fault)
    await opened(hands, 2)
    assert first.done
    assert [hand.message_id for hand in hands.of_table("t")] == [2]


async def test_hands_are_forgotten_when_their_token_dies() -> None:
    clock = Clock()
    hands = OpenHands(clock)
    first = await opened(hands, 1)
    clock.now = TOKEN_SECONDS
    await opened(hands, 2, LUIS)
    assert len(hands.of_table("t")) == 2
    clock.now = TOKEN_SECONDS + 1
    assert [hand.person.id for hand in hands.of_table("t")] == ["l"]
    assert not first.done
    clock.now = 3 * TOKEN_SECONDS
    assert not hands.of_table("t")


async def test_too_old_a_message_is_not_even_tried() -> None:
    clock = Clock()
    hands = OpenHands(clock)
    first = await opened(hands, 1)
    clock.now = TOKEN_SECONDS + 1
    await opened(hands, 2)
    assert not first.done


async def test_only_so_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands_module, "HANDS_OPEN", 3)
    hands = OpenHands(Clock())
    for number in range(5):
        await opened(hands, number, Person(str(number), "x"))
    assert [hand.message_id for hand in hands.of_table("t")] == [2, 3, 4]


async def test_who_holds_no_hand_any_more_is_forgotten() -> None:
    hands = OpenHands(Clock())
    await opened(hands, 1)
    hands.forget("t", "nobody")
    hands.forget("t", "a")
    assert not hands.of_table("t")


@pytest.mark.parametrize("followup", [False, True])
async def test_a_hand_is_edited_the_way_it_was_sent(followup: bool) -> None:
    hands = OpenHands(Clock())
    interaction = await opened(hands, 9, followup=followup)
    (hand,) = hands.of_table("t")
    await hand.edit(discord.ui.LayoutView(), ())
    assert interaction.done == [("edit follow-up", 9) if followup else ("edit", None)]


# looks


def hand_of(version: int = 7, seat: int = 0, **position: Any) -> Screen:
    """A hand in a position."""
    match = at(hands=["4h 5h 6h 9c Ks Qd", "3s 4s 5d"], **position)
    return hand_screen(place_of(match, version), seat_view(match, seat), person(seat))


def test_a_version_alone_does_not_change_the_look() -> None:
    assert look_of(hand_of(7)) == look_of(hand_of(8))
    assert look_of(hand_of(7, 1)) == look_of(hand_of(8, 1))


def test_what_can_be_done_changes_it() -> None:
    assert look_of(hand_of()) != look_of(hand_of(phase="draw"))
    assert look_of(hand_of(mover=1, seat=0)) != look_of(hand_of(mover=0, seat=0))


def test_out_of_turn_words_about_the_others_do_not_count_and_on_turn_they_do() -> None:
    for mover, counts in ((1, False), (0, True)):
        shown = hand_of(mover=mover)
        other = msgspec.structs.replace(shown, lines=("Otra cosa.",))
        assert (look_of(shown) != look_of(other)) is counts


# picks


def message(number: int, *picked: tuple[int, list[int]], hand: str = "t:1") -> Any:
    """A message with pickers."""
    from discord.components import SelectMenu

    rows = []
    for part, bits in picked:
        options = [{"label": str(n), "value": str(n), "default": n in bits} for n in range(part * 10, part * 10 + 10)]
        data: Any = {"type": 3, "custom_id": f"p:{part}:{hand}", "options": options, "max_values": 10}
        rows.append(SimpleNamespace(children=[SelectMenu(data)]))
    return SimpleNamespace(id=number, components=[SimpleNamespace(children=rows)])


def test_what_the_message_shows_counts_where_nothing_is_remembered() -> None:
    picks = Picks()
    shown = message(1, (0, [1, 2]), (1, [15]), (2, []))
    assert picks.change(shown, "p:1:t:1", ["11", "12"]) == {1, 2, 11, 12}
    assert picks.change(shown, "p:0:t:1", []) == {11, 12}, "the message has not been drawn anew yet"
    assert picks.change(shown, "p:2:t:1", ["20", "x", "-1"]) == {11, 12, 20}
    assert Picks().change(shown, "p:2:t:1", ["20"]) == {1, 2, 15, 20}, "a process later"


def test_another_hand_and_another_message_are_another_matter() -> None:
    picks = Picks()
    assert picks.change(message(1, (0, [])), "p:0:t:1", ["1"]) == {1}
    assert picks.change(message(1, (0, []), (1, []), hand="t:2"), "p:1:t:2", ["11"]) == {11}
    assert picks.change(message(2, (0, []), (1, [])), "p:1:t:1", ["12"]) == {12}


def test_what_is_drawn_anew_is_forgotten() -> None:
    picks = Picks()
    blank = message(1, (0, []), (1, []))
    picks.change(blank, "p:0:t:1", ["1"])
    picks.change(message(2, (0, [])), "p:0:t:1", ["2"])
    picks.forget(1)
    assert picks.change(blank, "p:1:t:1", ["11"]) == {11}
    assert picks.change(message(2, (0, []), (1, [])), "p:1:t:1", ["12"]) == {2, 12}


def test_only_so_many_messages_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    from adapters.discord import picks as picks_module

    monkeypatch.setattr(picks_module, "PICKS_KEPT", 2)
    picks = Picks()
    for number in range(3):
        picks.change(message(number, (0, []), (1, [])), "p:0:t:1", ["1"])
    assert picks.change(message(0, (0, []), (1, [])), "p:1:t:1", ["11"]) == {11}
    assert picks.change(message(2, (0, []), (1, [])), "p:1:t:1", ["11"]) == {1, 11}
