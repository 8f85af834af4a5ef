"""A whole deal of four people in a group, played in their private chats, to its result and the next deal."""

import asyncio

from bot.screens import Role
from bot.tokens import Verb, read_token
from tests.bot.rooms import discard_token
from tests.bot.tables import choices, verb_of
from tests.telegram.fake import BotApi, Group, Person
from tests.telegram.room import Room, board, hand_of, hands_of, have_hands, until
from tests.telegram.test_playing import started

_DRAWING = (Verb.DRAW, Verb.TAKE_PILE, Verb.MUERTO)


async def press_on(room: Room, table_id: str, person: Person, few: int = 0) -> None:
    """One press in the private chat: draw, lay what is suggested, discard; what is asked is answered.

    With ``few`` cards or less nothing more is laid.
    """
    screen = await room.hand(table_id, person)
    version = screen.version
    drawing = [choice for choice in choices(screen) if choice.enabled and verb_of(choice) in _DRAWING]
    assert screen.picker is not None
    laying = [choice for choice in choices(screen) if verb_of(choice) in (Verb.MELD, Verb.ADD)]
    if len(screen.picker.cards) <= few:
        laying = []
    token = next((choice.token for choice in (*drawing, *laying)), None) or discard_token(screen)
    assert (await person.presses(hand_of(person), data=token)).answered
    async with asyncio.timeout(25):
        while (await room.app.record(table_id)).version == version:
            hand = hand_of(person)
            asked = [button for button in hand.buttons if button.label == "Volver"]
            if asked and hand.buttons[0].data is not None:
                assert read_token(hand.buttons[0].data).verb
                await person.presses(hand, hand.labels[0])
            await asyncio.sleep(0.01)


async def play_deal(room: Room, table_id: str, people: list[Person]) -> None:
    """Until the deal is over."""
    for _ in range(600):
        record = await room.app.record(table_id)
        assert record.match is not None
        if not record.match.in_play:
            return
        mover = await room.mover(table_id, people)
        assert mover is not None
        await press_on(room, table_id, mover)
    raise AssertionError("the deal does not end")


def photos(group: Group) -> list[int]:
    """The messages with tables, and how many buttons they have."""
    return [len(message.buttons) for message in group.messages if message.photo]


async def test_four_people_play_a_deal_and_begin_the_next(api: BotApi, room: Room) -> None:
    people = [api.user(name) for name in ("Ana", "Beto", "Caro", "Dani")]
    group, table_id = await started(api, room, people)
    await until(lambda: have_hands(*people))
    await play_deal(room, table_id, people)
    await until(lambda: "Siguiente ronda" in board(group).labels)
    assert len(photos(group)) == 1
    over = board(group)
    assert len(over.caption or "") <= 1024
    for person in people:
        await until(lambda person=person: "terminó" in (hand_of(person).caption or ""))  # type: ignore[misc]
        assert len(hands_of(person)) == 1
    await api.quiet()
    # The last notice goes with the last turn.
    assert [message for message in group.messages if not message.photo and "toca" in (message.text or "")] == []
    assert (await people[0].presses(over, "Siguiente ronda")).text.startswith("Se repartió")
    await until(lambda: len(photos(group)) == 2 and "Robar" in board(group).labels)
    await until(lambda: over.keyboard == [])
    for person in people:
        await until(lambda person=person: len(hands_of(person)) == 1 and person.inbox[-1].photo)  # type: ignore[misc]
    screen = await room.app.shared_screen(table_id)
    assert screen is not None
    assert screen.role is Role.TABLE
