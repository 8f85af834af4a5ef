"""What people type: which table they want, and looking things up by name. Nothing here knows a platform."""

import difflib
import unicodedata
from collections.abc import Iterable, Sequence
from enum import StrEnum

import msgspec

from bot import rulesets
from bot.model import Pace, PlaceSettings
from engine.ruleset import Ruleset
from engine.seating import Seating

DEFAULT_RULESET = "clasico"
FIRST_SEATING = Seating.TWO_PAIRS
PACE_WORDS = {
    "libre": Pace.FREE,
    "rapido": Pace.QUICK,
    "rapida": Pace.QUICK,
    "normal": Pace.NORMAL,
    "correo": Pace.MAIL,
}
"""Paces as they are typed, without accents."""
_SEATINGS = frozenset(seating.value for seating in Seating)
_MOST_SHOWN = 25


class CommandProblem(StrEnum):
    """Why a typed command cannot be done."""

    UNKNOWN_WORD = "unknown_word"
    """``word``; ``near`` is what it may have meant."""
    TWICE = "twice"
    """``word`` says something again that was said before."""
    NOT_SEATED_SO = "not_seated_so"
    """``rules`` are not played ``seating``."""
    NO_SUCH_TARGET = "no_such_target"
    """``rules`` are not played to that many points."""
    BLOCKED = "blocked"
    """Those who keep order in the place do not let them open tables there."""


class CommandError(Exception):
    """A typed command that cannot be done, and what it is about."""

    def __init__(
        self,
        problem: CommandProblem,
        *,
        word: str = "",
        near: str = "",
        rules: Ruleset | None = None,
        seating: Seating | None = None,
    ) -> None:
        super().__init__(str(problem))
        self.problem = problem
        self.word = word
        self.near = near
        self.rules = rules
        self.seating = seating


class WantedTable(msgspec.Struct, frozen=True):
    """The table that somebody asked for."""

    ruleset_id: str
    seating: Seating
    pace: Pace
    options: dict[str, int]
    """House rules: the target, where one was named."""


def wanted_table(words: Iterable[str], settings: PlaceSettings) -> WantedTable:
    """The table that words ask for, in any order: ``2v2``, ``cerrado``, ``2000``, ``rapido``; the place fills the gaps.

    Raises:
        CommandError: a word says nothing, or they do not go together.
    """
    seating: Seating | None = None
    rules: Ruleset | None = None
    target: int | None = None
    pace: Pace | None = None
    for word in words:
        plain = fold(word)
        if not plain:
            continue
        if plain in _SEATINGS:
            _once(seating, word)
            seating = Seating(plain)
        elif plain.replace(".", "").isdecimal():
            _once(target, word)
            target = int(plain.replace(".", "")[:7])
        elif plain in PACE_WORDS:
            _once(pace, word)
            pace = PACE_WORDS[plain]
        else:
            found = find_ruleset(plain)
            if found is None:
                raise CommandError(CommandProblem.UNKNOWN_WORD, word=word[:40], near=nearest(plain))
            _once(rules, word)
            rules = found
    rules = rules or default_rules(settings)
    if seating is None:
        seating = FIRST_SEATING if FIRST_SEATING in rules.seatings else rules.seatings[0]
    elif seating not in rules.seatings:
        raise CommandError(CommandProblem.NOT_SEATED_SO, rules=rules, seating=seating)
    if target is not None and target not in targets_of(rules):
        raise CommandError(CommandProblem.NO_SUCH_TARGET, rules=rules)
    options = {} if target is None or target == rules.target else {"target": target}
    return WantedTable(rules.id, seating, pace or settings.pace, options)


def default_rules(settings: PlaceSettings) -> Ruleset:
    """The rule set that a place plays where none is named; one that is gone falls back to the program's own."""
    known = settings.ruleset_id in rulesets.ids()
    return rulesets.load(settings.ruleset_id if known else DEFAULT_RULESET)


def targets_of(rules: Ruleset) -> tuple[int, ...]:
    """The points to which a match may be played, highest first."""
    return tuple(sorted({*rules.target_options, rules.target}, reverse=True))


def find_ruleset(text: str) -> Ruleset | None:
    """The rule set of an id or a name, whatever its accents and capitals."""
    wanted = _slug(text)
    every = (rulesets.load(name) for name in rulesets.ids())
    return next((rules for rules in every if wanted in (rules.id, _slug(rules.name))), None)


def _slug(text: str) -> str:
    return "-".join(fold(text).replace(",", " ").split())


def matching_rulesets(text: str) -> Sequence[Ruleset]:
    """The rule sets that a typed beginning may mean, the likeliest first; all of them where nothing is typed."""
    wanted = fold(text)
    every = [rulesets.load(name) for name in sorted(rulesets.ids(), key=lambda name: (name != DEFAULT_RULESET, name))]
    ranked = [(rank, rules) for rules in every if (rank := _rank(wanted, rules)) is not None]
    return [rules for _, rules in sorted(ranked, key=lambda pair: pair[0])][:_MOST_SHOWN]


def _rank(wanted: str, rules: Ruleset) -> int | None:
    names = (fold(rules.name), rules.id)
    if any(name.startswith(wanted) for name in names):
        return 0
    return 1 if any(wanted in name for name in names) else None


def nearest(word: str) -> str:
    """What an unknown word may have meant: a rule set, a seating or a pace; empty where nothing comes near."""
    near = difflib.get_close_matches(fold(word), [*rulesets.ids(), *_SEATINGS, *PACE_WORDS], n=1)
    return near[0] if near else ""


def _once(known: object, word: str) -> None:
    if known is not None:
        raise CommandError(CommandProblem.TWICE, word=word[:40])


def fold(text: str) -> str:
    """A text without accents, capitals and outer blanks, for comparing what people type."""
    parts = unicodedata.normalize("NFKD", text.strip().casefold())
    return "".join(character for character in parts if not unicodedata.combining(character))
