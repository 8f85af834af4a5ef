"""Screens as JSON, field by field: what is public from the public screen alone, and the hand from its own screen."""

from collections.abc import Container

import msgspec

from bot.pictures import CardsPicture, HandPicture, ProfilePicture, StillPicture, SuitColours, TablePicture
from bot.screens import Choice, Role, Screen
from bot.tokens import TokenError, Verb, read_token
from engine.cards import BACK, CODE

_BESIDE_THE_HAND = frozenset(
    {Verb.DRAW, Verb.TAKE_PILE, Verb.SHOW_HAND, Verb.SHOW_TABLE, Verb.RULES, Verb.PLAYS, Verb.WORDS}
)
"""What a chat needs under the public table; here the hand lies beside it and has these itself, the bar the rules."""
_BESIDE_THE_SEATS = frozenset({Verb.RULES})
_BEFORE_SITTING = frozenset({Verb.RULES, Verb.JOIN})
"""The page asks for a name first, and then sits the visitor down; changing over to a side comes after."""
_OF_CHATS = frozenset({Verb.PUBLISH, Verb.SHOW_TABLE})
_OF_THE_BOOK = frozenset({Verb.SHEET, Verb.LESSON})
"""What leads to a page of its own, and so away from a table: the book's page has it, a room does not."""
PICTURES = "/api/lectura/imagen.png"
FILES = "/api/lectura/archivo"
"""Where pictures of what is read, and files, are fetched: ``?b=`` and the token."""
_SLOTS = {Verb.SORT: "sort", Verb.COLOURS: "look"}


class Button(msgspec.Struct, frozen=True):
    """A choice. ``slot`` is where it goes, for what only changes how the hand looks: ``sort`` or ``look``."""

    label: str
    token: str
    style: str
    enabled: bool
    why: str
    slot: str = ""


class PickButton(msgspec.Struct, frozen=True):
    """What can be done with picked cards."""

    label: str
    token: str
    style: str
    enabled: bool
    why: str
    least: int
    most: int


class CardButton(msgspec.Struct, frozen=True):
    """A card of the hand."""

    bit: int
    code: str
    label: str
    group: int
    back: int
    new: bool
    keep: str


class PublicTable(msgspec.Struct, frozen=True):
    """What everybody sees."""

    role: str
    version: int
    title: str
    headline: str
    lines: tuple[str, ...]
    words: str
    picture: bool
    over: bool
    won: bool
    rows: tuple[tuple[Button, ...], ...]
    rules: Button | None
    """What shows the rules of the table."""
    left_ms: int | None = None
    """How long the turn still lasts; None without a clock. Clocks of browsers differ, so no time of day."""


class PrivateHand(msgspec.Struct, frozen=True):
    """What one person sees."""

    version: int
    title: str
    heading: str
    order: str
    joker: str
    suits: str
    lines: tuple[str, ...]
    words: str
    active: bool
    """Whether there is something to do now."""
    rows: tuple[tuple[Button, ...], ...]
    cards: tuple[CardButton, ...]
    verbs: tuple[PickButton, ...]


class Question(msgspec.Struct, frozen=True):
    """What has to be chosen before a press is done."""

    version: int
    title: str
    rows: tuple[tuple[Button, ...], ...]


class FaceUp(msgspec.Struct, frozen=True):
    """A card of an example."""

    code: str
    back: int
    place: str
    """What a wild stands for; empty where it stands for itself."""


class Example(msgspec.Struct, frozen=True):
    """Cards in a row and what is said about them."""

    cards: tuple[FaceUp, ...]
    caption: str
    good: bool | None


class Reading(msgspec.Struct, frozen=True):
    """Something to read, such as the rules: text, examples, and where to read on."""

    title: str
    lines: tuple[str, ...]
    rows: tuple[tuple[Button, ...], ...] = ()
    examples: tuple[Example, ...] = ()
    sheet: str = ""
    """The address of the page to print; empty for none."""
    picture: str = ""
    """The address of a picture for the reader alone; empty for none."""
    words: str = ""
    """The picture in words."""


class RoomState(msgspec.Struct, frozen=True):
    """Everything that a page of a room shows."""

    code: str
    version: int
    public: PublicTable
    feed: tuple[str, ...]
    name: str
    """The visitor's name; empty where they have given none."""
    hand: PrivateHand | None = None
    join: Button | None = None
    """Where the visitor may sit down."""


class Pressed(msgspec.Struct, frozen=True):
    """What a press came to."""

    text: str
    ok: bool
    reason: str
    state: RoomState
    question: Question | None = None
    reading: Reading | None = None
    more: Button | None = None
    """The rule that explains a refusal."""
    go: str = ""
    """The code of another table to which the press has led."""
    file: str = ""
    """The address of a file that the press has asked for."""


def room_state(
    code: str, public: Screen, hand: Screen | None, feed: tuple[str, ...] = (), name: str = "", now_ms: int = 0
) -> RoomState:
    """What a visitor sees of a room; without a hand, what everybody sees."""
    # The two screens may be of two versions when something is committed between them: the older one counts, so that
    # the page takes the next notice for news.
    version = public.version if hand is None else min(public.version, hand.version)
    return RoomState(
        code=code,
        version=version,
        public=public_table(public, seated=hand is not None, now_ms=now_ms),
        feed=feed,
        name=name,
        hand=None if hand is None else private_hand(hand),
        join=_join_button(public),
    )


def public_table(screen: Screen, *, seated: bool = False, now_ms: int = 0) -> PublicTable:
    """The public screen; somebody who only watches gets no buttons but those of free seats."""
    picture = screen.picture if isinstance(screen.picture, TablePicture) else None
    sits = _button_of(screen, Verb.LEAVE) is not None
    beside: Container[Verb | None] = _BESIDE_THE_SEATS if sits else _BEFORE_SITTING
    played = screen.role is Role.TABLE
    rows = _rows(screen, _BESIDE_THE_HAND if played else beside)
    if played and not seated:
        # Of what stands under the table, whoever only watches may ask for a robot's seat.
        rows = _rows(screen, frozenset(Verb) - {Verb.TAKE_SEAT})
    return PublicTable(
        role=screen.role.value,
        version=screen.version,
        title=screen.title,
        headline="" if picture is None else picture.texts.banner,
        lines=screen.lines,
        words=screen.alternative,
        picture=picture is not None,
        over=picture is not None and picture.view.ended is not None,
        won=picture is not None and picture.view.winner is not None,
        rows=rows,
        rules=_button_of(screen, Verb.RULES),
        left_ms=None if screen.until_ms is None else max(0, screen.until_ms - now_ms),
    )


def private_hand(screen: Screen) -> PrivateHand:
    """A hand. It goes to the person whom the screen was made for, and to nobody else."""
    picture = screen.picture if isinstance(screen.picture, HandPicture) else None
    picker = screen.picker
    rows = _rows(screen)
    verbs = () if picker is None else picker.verbs
    return PrivateHand(
        version=screen.version,
        title=screen.title,
        heading=screen.title if picture is None else picture.title,
        order="" if picture is None else picture.corner,
        joker="" if picture is None else picture.joker,
        suits=(SuitColours.FOUR if picture is None else picture.suits).value,
        lines=screen.lines,
        words=screen.alternative,
        active=any(verb.enabled for verb in verbs) or any(not one.slot for row in rows for one in row),
        rows=rows,
        cards=()
        if picker is None
        else tuple(
            CardButton(card.bit, card.code, card.label, card.group, card.back, card.new, card.keep)
            for card in picker.cards
        ),
        verbs=tuple(
            PickButton(verb.label, verb.token, verb.style.value, verb.enabled, verb.why, verb.least, verb.most)
            for verb in verbs
        ),
    )


def question(screen: Screen | None) -> Question | None:
    """The question of an answer; None where it asks nothing."""
    if screen is None or screen.role is not Role.QUESTION:
        return None
    return Question(screen.version, screen.title, _rows(screen))


def reading(screen: Screen | None) -> Reading | None:
    """What an answer gives to read; None where it gives nothing."""
    if screen is None or screen.role not in (Role.RULES, Role.READING):
        return None
    # A page has its own way back, and nobody else to publish something to.
    rows = _rows(screen, _OF_CHATS | _OF_THE_BOOK if screen.table_id else _OF_CHATS)
    if not isinstance(screen.picture, ProfilePicture | StillPicture):
        return Reading(screen.title, screen.lines, rows, _examples(screen))
    address = f"{PICTURES}?b={screen.again}"
    return Reading(screen.title, screen.lines, rows, picture=address, words=screen.alternative)


def _examples(screen: Screen) -> tuple[Example, ...]:
    if not isinstance(screen.picture, CardsPicture):
        return ()
    return tuple(
        Example(
            cards=tuple(
                FaceUp(CODE[card], BACK[card], place)
                for card, place in zip(row.cards, (*row.places, *("" for _ in row.cards)), strict=False)
            ),
            caption=row.caption,
            good=row.good,
        )
        for row in screen.picture.rows
    )


def plain_button(choice: Choice) -> Button:
    """A choice that stands alone."""
    return _button(choice)


def more_button(choice: Choice | None) -> Button | None:
    """Where to read on about an answer."""
    return None if choice is None else _button(choice)


def _join_button(screen: Screen) -> Button | None:
    """The button that sits a visitor down where the lot puts them."""
    joins = (choice for row in screen.rows for choice in row if _verb(choice) is Verb.JOIN)
    return next((_button(choice) for choice in joins if not read_token(choice.token).arguments), None)


def _button_of(screen: Screen, verb: Verb) -> Button | None:
    return next((_button(choice) for row in screen.rows for choice in row if _verb(choice) is verb), None)


def _rows(screen: Screen, hidden: Container[Verb | None] = ()) -> tuple[tuple[Button, ...], ...]:
    rows = (tuple(_button(choice) for choice in row if _verb(choice) not in hidden) for row in screen.rows)
    return tuple(row for row in rows if row)


def _button(choice: Choice) -> Button:
    verb = _verb(choice)
    slot = "" if verb is None else _SLOTS.get(verb, "")
    return Button(choice.label, choice.token, choice.style.value, choice.enabled, choice.why, slot)


def _verb(choice: Choice) -> Verb | None:
    try:
        return read_token(choice.token).verb
    except TokenError:
        return None
