"""People who play through what Discord shows them: the buttons and menus of the table and of their hand."""

import re
from collections.abc import Awaitable, Sequence

from bot.tokens import TokenError, read_token
from tests.discord.wire.looks import Button, buttons, selects, text_of
from tests.discord.wire.people import Outcome, Person
from tests.discord.wire.world import V2, Channel, Message

GOOD = 3
"""The style of what is suggested."""
_MOVER = re.compile(r"Turno de (\w+):|^(\w+) elige ", re.MULTILINE)


def boards(place: Channel) -> list[Message]:
    """The messages that show a table with its buttons, oldest first."""
    return [message for message in place.messages.values() if message.flags & V2 and buttons(message)]


def board(place: Channel) -> Message:
    """The one message that shows the table."""
    found = boards(place)
    assert len(found) == 1, [text_of(message) for message in found]
    return found[0]


def notices(place: Channel) -> list[Message]:
    """The messages that call somebody, oldest first."""
    return [message for message in place.messages.values() if message.author.bot and message.content]


def labels(where: Message | Outcome, *, enabled: bool = True) -> list[str]:
    """The labels of the buttons; those that are off too, where not only the ``enabled`` ones are asked for."""
    found = buttons(where) if isinstance(where, Message) else where.buttons
    return [button.label for button in found if not (enabled and button.disabled)]


def mover(message: Message) -> str:
    """Whose turn a table's message shows; empty where it is nobody's."""
    match = _MOVER.search(text_of(message))
    return (match[1] or match[2]) if match else ""


def version(message: Message) -> int:
    """The version of the table that a message shows."""
    found = []
    for button in buttons(message):
        try:
            found.append(read_token(button.custom_id).version)
        except TokenError:
            continue
    return max(found, default=-1)


class Player:
    """Somebody at a table, with a hand on the screen and a count of the taps."""

    def __init__(self, person: Person, place: Channel) -> None:
        self.person = person
        self.server = person.server
        self.place = place
        self.taps = 0
        self.hand: Message | None = None

    @property
    def name(self) -> str:
        """What they are called."""
        return self.person.name

    @property
    def text(self) -> str:
        """What their hand says."""
        return "" if self.hand is None else text_of(self.hand)

    @property
    def on_turn(self) -> bool:
        """Whether their hand has something to do for them."""
        waiting = ("Mientras tanto, aquí tienes tu mano", "La ronda terminó")
        return self.hand is not None and not any(words in self.text for words in waiting)

    @property
    def over(self) -> bool:
        """Whether their hand says that the deal is over."""
        return "La ronda terminó" in self.text

    async def press(self, where: Message | Outcome, label: str) -> Outcome:
        """Press a button; a hand that comes with the answer is the one to play from."""
        return await self._tap(where, self.person.press(where, label))

    async def pick(self, where: Message | Outcome, menu: str, values: Sequence[str]) -> Outcome:
        """Choose in a menu."""
        return await self._tap(where, self.person.pick(where, menu, values))

    async def _tap(self, where: Message | Outcome, doing: Awaitable[Outcome]) -> Outcome:
        self.taps += 1
        private = where if isinstance(where, Message) and where.ephemeral else None
        edits = private.edits if private is not None else 0
        outcome = await doing
        if private is not None:
            await self.server.until(lambda: private.edits > edits or private.deleted or bool(outcome.followups))
        hand = outcome.ephemeral
        if hand is not None and "Tu mano" in text_of(hand):
            self.hand = hand
        return outcome

    async def look(self, where: Message | None = None) -> Message:
        """Take the hand up: from the notice that calls, or else from the table."""
        calling = [notice for notice in notices(self.place) if self.person in notice.pinged]
        outcome = await self.press(where or (calling[-1] if calling else board(self.place)), "Mi mano")
        await self.server.until(lambda: outcome.ephemeral is not None)
        self.hand = outcome.ephemeral
        assert self.hand is not None
        return self.hand

    async def mano(self, place: Channel | None = None) -> Outcome:
        """Ask for the hand with the command."""
        outcome = await self.person.slash(place or self.place, "buraco", "mano")
        self.hand = outcome.ephemeral
        return outcome

    async def turn(self) -> int:
        """Play a turn out from the hand on the screen; returns how many taps it took."""
        before = self.taps
        for _ in range(60):
            if not self.on_turn:
                return self.taps - before
            await self.step()
        raise AssertionError(f"the turn of {self.name} does not end: {self.text} {labels(self._hand)}")

    async def step(self) -> Outcome:
        """Do the next thing: answer what is asked, draw, lay what is suggested, discard."""
        hand = self._hand
        button = _next(buttons(hand))
        if button is not None:
            return await self.press(hand, button.label)
        discarding = next((select for select in selects(hand) if select.custom_id.startswith("d:")), None)
        if discarding is not None:
            return await self.pick(hand, discarding.custom_id, discarding.values[:1])
        if "Terminar el turno" in labels(hand):
            return await self.press(hand, "Terminar el turno")
        return await self._discard_from_many()

    async def _discard_from_many(self) -> Outcome:
        """With more cards than a menu holds: pick one that may go, then discard it."""
        menu = selects(self._hand)[0]
        for value in menu.values:
            await self.pick(self._hand, menu.custom_id, [value])
            if "Descartar (1)" in labels(self._hand):
                return await self.press(self._hand, "Descartar (1)")
        raise AssertionError(f"{self.name} can do nothing: {self.text} {labels(self._hand)}")

    @property
    def _hand(self) -> Message:
        assert self.hand is not None, f"{self.name} has no hand on the screen"
        return self.hand


def _next(found: Sequence[Button]) -> Button | None:
    """The button to press; None where a card has to be discarded."""
    free = [button for button in found if not button.disabled]
    if any(button.label == "Volver" for button in free):
        return free[0]
    for first in ("Robar", "Tomar ", "El "):
        chosen = next((button for button in free if button.label.startswith(first)), None)
        if chosen is not None:
            return chosen
    return next((button for button in free if button.style == GOOD), None)


class Company:
    """The people at a table, whoever of them is on turn."""

    def __init__(self, place: Channel, *people: Person) -> None:
        self.place = place
        self.server = people[0].server
        self.players = [Player(person, place) for person in people]

    def __getitem__(self, name: str) -> Player:
        return next(player for player in self.players if player.name == name)

    @property
    def over(self) -> bool:
        """Whether the deal is over."""
        return any(player.over for player in self.players)

    async def open(self, *, mode: str = "2v2", **options: str | bool) -> Outcome:
        """The first one opens a table, in the place or wherever that puts it."""
        return await self.players[0].person.slash(self.place, "buraco", "nueva", modo=mode, **options)

    async def sit_down(self) -> None:
        """The others take the seats that are left, one after the other."""
        for player in self.players[1:]:
            before = version(board(self.place))
            await player.press(board(self.place), "Sentarme")
            await self.server.until(lambda before=before: version(board(self.place)) > before)  # type: ignore[misc]
            assert player.name in text_of(board(self.place))

    async def start(self, *, mode: str = "2v2") -> None:
        """Open a table, sit down, begin, and take up the hands."""
        await self.open(mode=mode)
        await self.server.until(lambda: bool(boards(self.place)))
        await self.sit_down()
        await self.players[0].press(board(self.place), "Empezar")
        await self.take_up()

    async def take_up(self) -> None:
        """Everybody takes up the hand."""
        await self.up_to_date("Robar")
        for player in self.players:
            await player.look()

    async def up_to_date(self, label: str) -> None:
        """Wait until there is one message with a table, and it has a button."""
        await self.server.until(lambda: [label in labels(item, enabled=False) for item in boards(self.place)] == [True])

    async def on_turn(self) -> Player | None:
        """Whoever's hand has something to do; None where the deal is over."""
        await self.server.until(lambda: self.over or any(player.on_turn for player in self.players))
        return None if self.over else next(player for player in self.players if player.on_turn)

    async def play(self, turns: int) -> None:
        """Play some turns, fewer where the deal ends before."""
        for _ in range(turns):
            player = await self.on_turn()
            if player is None:
                return
            await player.turn()

    async def shown(self) -> Message:
        """The table's message once it shows what the newest hand shows."""
        newest = max((version(player.hand) for player in self.players if player.hand is not None), default=0)
        await self.server.until(lambda: len(boards(self.place)) == 1 and version(board(self.place)) >= newest)
        await self.server.settle()
        return board(self.place)
