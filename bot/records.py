"""Deal records: one deal written down so that anybody can replay and check it (docs/notation.md).

A record is TOML: the resolved rule set, the seats, the pack's order, the actions in notation and the result. It holds
every card, so it is written only of deals that are over, or of games between robots.
"""

import hashlib
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
import tomli_w

from bot.cutting import problem_of_cut
from bot.fairness import Seal, problem_of
from engine.actions import StartDeal
from engine.cards import BACK, CARDS_A_PACK, CODE, JOKER, PACKS, Card, parse_face
from engine.decide import start_deal
from engine.evolve import evolve_all
from engine.judge import play
from engine.reasons import IllegalAction, IllegalDeal, NotationError
from engine.ruleset import Ruleset, RulesetError, check
from engine.seating import Seating
from engine.state import Match, SideScore, new_match

FORMAT: Final = "buraco-deal"
VERSION: Final = 1
CUT_VERSION: Final = 2
"""Of a record whose pack was cut; what was not cut is written as ever."""


class RecordError(ValueError):
    """A record that cannot be read: with the key that is wrong and why."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(f"{key}: {problem}")
        self.key = key
        self.problem = problem


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a deal came out. ``closer`` and ``winner`` are missing where nobody closed, or the match goes on."""

    ended: str
    scores: tuple[SideScore, ...]
    totals: tuple[int, ...]
    closer: int | None = None
    winner: int | None = None


class DealRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One deal, complete. ``pack`` and ``reserve`` list physical cards, first card on top: ``7h/0`` has the back 0."""

    ruleset: Ruleset
    seating: Seating
    names: tuple[str, ...]
    first_starter: int
    number: int
    totals: tuple[int, ...]
    """Match totals before the deal, a side each."""
    pack: tuple[Card, ...]
    reserve: tuple[Card, ...]
    actions: tuple[str, ...]
    """In notation, each with its seat: ``0: draw``."""
    result: Result | None = None
    """None while the deal is not over."""
    commitment: str = ""
    """The seal of the pack that was shown with the deal, 64 hexadecimal digits; empty where there was none."""
    salt: str = ""
    """What opens the seal, 64 hexadecimal digits."""
    table: str = ""
    """The code of the table, which the seal of a pack that was cut binds too; empty for others."""
    cut: str = ""
    """The number of the cut, three figures; empty where there was none."""
    cutter: int | None = None
    """The seat that cut; None where nobody did."""
    digest: str = ""
    """The fingerprint that was written with it."""


class Step(msgspec.Struct, frozen=True):
    """One step of a replay: the action (empty for the deal itself) and the match after it."""

    action: str
    match: Match


def write_card(card: Card) -> str:
    """A physical card: its notation and its back."""
    return f"{CODE[card]}/{BACK[card]}"


def _write_cards(cards: Sequence[Card]) -> str:
    return " ".join(write_card(card) for card in cards)


def _read_cards(text: str, key: str) -> tuple[Card, ...]:
    cards: list[Card] = []
    jokers = [0] * PACKS
    for word in text.split():
        code, slash, back_text = word.partition("/")
        try:
            face = parse_face(code)
        except NotationError:
            raise RecordError(key, f"no such card: {word}") from None
        if not slash or back_text not in ("0", "1", "2"):
            raise RecordError(key, f"no such card: {word}")
        back = int(back_text)
        # The two jokers of a pack look alike: the first that is named is the first.
        number = int(face) + (jokers[back] if face == JOKER else 0)
        jokers[back] += face == JOKER
        if number >= CARDS_A_PACK:
            raise RecordError(key, f"a third joker with the back {back}")
        cards.append(Card(back * CARDS_A_PACK + number))
    return tuple(cards)


def write_record(record: DealRecord) -> str:
    """The record as TOML."""
    fields: dict[str, Any] = {
        "format": FORMAT,
        "version": CUT_VERSION if record.cut else VERSION,
        "seating": str(record.seating),
        "names": list(record.names),
        "first_starter": record.first_starter,
        "number": record.number,
        "totals": list(record.totals),
        "pack": _write_cards(record.pack),
        "reserve": _write_cards(record.reserve),
        "actions": list(record.actions),
        **_seal_fields(record),
        "digest": digest_of(record),
    }
    if record.result is not None:
        result = msgspec.to_builtins(record.result)
        fields["result"] = {name: value for name, value in result.items() if value is not None}
    return tomli_w.dumps({**fields, "ruleset": msgspec.to_builtins(record.ruleset)})


_OF_SEAL: Final = ("commitment", "salt", "table", "cut", "cutter")


def _seal_fields(record: DealRecord) -> dict[str, str | int]:
    """Written only where there was a seal, or a cut, so that other records stay what they are."""
    fields = {name: getattr(record, name) for name in _OF_SEAL}
    return {name: value for name, value in fields.items() if value not in ("", None)}


def read_record(text: str) -> DealRecord:
    """Read a record; whether it is true is for :func:`verify` to say.

    Raises:
        RecordError: it is no record of this format, or something in it cannot be read.
    """
    try:
        fields = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RecordError("file", str(error)) from None
    if fields.pop("format", None) != FORMAT:
        raise RecordError("format", f"not {FORMAT}")
    version = fields.pop("version", None)
    if version not in (VERSION, CUT_VERSION):
        raise RecordError("version", f"neither {VERSION} nor {CUT_VERSION}: written by another version of Buraco")
    if (version == CUT_VERSION) is not bool(fields.get("cut")):
        raise RecordError("version", f"{version} does not go with what it says of the cut")
    for key in ("pack", "reserve", "digest"):
        if not isinstance(fields.get(key), str):
            raise RecordError(key, "a text is needed" if key in fields else "missing")
    for key in ("pack", "reserve"):
        fields[key] = _read_cards(fields[key], key)
    try:
        record = msgspec.convert(fields, type=DealRecord)
        check(record.ruleset)
    except msgspec.ValidationError as error:
        problem, _, where = str(error).partition(" - at `$")
        raise RecordError(where.strip("`.") or "file", problem) from None
    except RulesetError as error:
        raise RecordError(f"ruleset.{error.path}", error.problem) from None
    _check(record)
    return record


def _check(record: DealRecord) -> None:
    seating = record.seating
    problems = (
        ("seating", seating not in record.ruleset.seatings, f"{record.ruleset.id} is not played {seating}"),
        ("names", len(record.names) != seating.seats, f"{seating.seats} names are needed"),
        ("first_starter", not 0 <= record.first_starter < seating.seats, f"no seat {record.first_starter}"),
        ("number", record.number < 0, "must not be negative"),
        ("totals", len(record.totals) != seating.sides, f"{seating.sides} values are needed"),
        ("cutter", record.cutter is not None and not 0 <= record.cutter < seating.seats, f"no seat {record.cutter}"),
    )
    for key, wrong, problem in problems:
        if wrong:
            raise RecordError(key, problem)


def digest_of(record: DealRecord) -> str:
    """A fingerprint of everything else in the record, 64 hexadecimal digits: found wrong when anything was changed."""
    cards = {"pack": _write_cards(record.pack), "reserve": _write_cards(record.reserve)}
    fields = {**msgspec.to_builtins(record), **cards, "digest": ""}
    for name in _OF_SEAL:
        del fields[name]
    body = msgspec.json.encode({**fields, **_seal_fields(record)})
    return hashlib.sha256(body).hexdigest()


def replay(record: DealRecord) -> Iterator[Step]:
    """The deal step by step, played with the engine: first the deal itself, then each action.

    Raises:
        RecordError: the pack cannot be dealt, or an action is refused.
    """
    before = _before(record)
    try:
        match = evolve_all(before, start_deal(before, StartDeal(record.pack, record.reserve)))
    except IllegalDeal as error:
        raise RecordError("pack", str(error)) from None
    yield Step("", match)
    for number, action in enumerate(record.actions):
        try:
            match = play(match, action)
        except IllegalAction as refusal:
            raise RecordError(f"actions[{number}]", f"{action!r} is refused: {refusal.reason}") from None
        yield Step(action, match)


def verify(record: DealRecord) -> None:
    """Play the record and compare what comes of it with what it says.

    Raises:
        RecordError: the first thing that does not fit.
    """
    match: Match | None = None
    for step in replay(record):
        match = step.match
    if match is None:
        raise AssertionError("a replay begins with the deal")
    played = result_of(match)
    if played != record.result:
        raise RecordError("result", f"the actions lead to {_told(played)}, the record says {_told(record.result)}")
    broken = _seal_problem(record)
    if broken:
        raise RecordError("commitment", broken)
    if record.digest != digest_of(record):
        raise RecordError("digest", "does not fit the rest: the record was changed after it was written")


def _before(record: DealRecord) -> Match:
    """The match before the deal."""
    before = new_match(record.ruleset, record.seating, record.first_starter)
    return msgspec.structs.replace(before, totals=record.totals, deals=record.number)


def _seal_problem(record: DealRecord) -> str:
    """What is wrong with the seal of a record; empty where it is true, or where there was none."""
    chance = StartDeal(record.pack, record.reserve)
    if not record.cut:
        return problem_of(record.commitment, record.salt, chance)
    seal = Seal(record.number, record.commitment, record.salt, cut=record.cut, cutter=record.cutter)
    return problem_of_cut(_before(record), seal, record.table, chance)


def _told(result: Result | None) -> str:
    return "a deal that is not over" if result is None else msgspec.json.encode(result).decode()


def result_of(match: Match) -> Result | None:
    """How the deal of a match came out; None while it goes on."""
    deal = match.deal
    if deal is None or deal.ended is None or deal.scores is None:
        return None
    return Result(str(deal.ended), deal.scores, match.totals, deal.closer, match.winner)


def record_of(
    before: Match,
    names: Sequence[str],
    chance: StartDeal,
    actions: Sequence[str],
    after: Match,
    seal: Seal | None = None,
    code: str = "",
) -> DealRecord:
    """The record of a deal: the match ``before`` it was dealt, what was done, and the match ``after``.

    A seal is written down only when it is open; ``code`` is that of the table, for a pack that was cut.
    """
    opened = seal if seal is not None and seal.is_open else None
    record = DealRecord(
        ruleset=before.rules,
        seating=before.seating,
        names=tuple(names),
        first_starter=before.first_starter,
        number=before.deals,
        totals=before.totals,
        pack=chance.pack,
        reserve=chance.reserve,
        actions=tuple(actions),
        result=result_of(after),
        commitment=opened.commitment if opened is not None else "",
        salt=opened.salt if opened is not None else "",
        table=code if opened is not None and opened.cut else "",
        cut=opened.cut if opened is not None else "",
        cutter=opened.cutter if opened is not None else None,
    )
    return msgspec.structs.replace(record, digest=digest_of(record))
