"""What people type: which table they want, and looking things up by name. Nothing here knows a platform."""

import difflib
import unicodedata
from collections.abc import Iterable, Sequence
from enum import StrEnum

import msgspec

from bot import rulesets
from bot.model import Pace, PlaceSettings
from bot.stakes.rules import LEAST_STAKE
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
    **dict.fromkeys(("livre", "libero", "free"), Pace.FREE),
    **dict.fromkeys(("rapida", "rapide", "veloce", "fast", "quick"), Pace.QUICK),
    **dict.fromkeys(("normale",), Pace.NORMAL),
    **dict.fromkeys(("correio", "posta", "mail"), Pace.MAIL),
}
"""Paces as they are typed, without accents."""
STAKE_WORDS = frozenset({"apuesta", "monedas", "aposta", "moedas", "puntata", "monete", "stake", "coins"})
"""Words that ask for a table with a stake; the amount may stand behind them."""
PRIVATE_WORDS = frozenset({"privada", "privado", "privata", "privato", "private"})
_QUOTES = {'"': '"', "«": "»", "“": "”"}
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
    NO_NEW_TABLES = "no_new_tables"
    """The bot is about to be stopped: matches go on, none begins."""
    TOO_MANY_TABLES = "too_many_tables"
    """The person has just opened several."""
    AT_MANY_TABLES = "at_many_tables"
    """The person sits at ``most`` open tables already."""
    PLACE_FULL = "place_full"
    """The place shows ``most`` open tables already."""


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
        most: int = 0,
    ) -> None:
        super().__init__(str(problem))
        self.problem = problem
        self.word = word
        self.near = near
        self.rules = rules
        self.seating = seating
        self.most = most


class WantedTable(msgspec.Struct, frozen=True):
    """The table that somebody asked for."""

    ruleset_id: str
    seating: Seating
    pace: Pace
    options: dict[str, int]
    """House rules: the target, where one was named."""
    stake: int = 0
    private: bool = False
    name: str = ""
    """What the table is to be called; empty for its usual name."""


def wanted_table(words: Iterable[str], settings: PlaceSettings) -> WantedTable:
    """The table that words ask for, in any order; the place fills the gaps.

    ``2v2``, ``cerrado``, ``2000``, ``rapido``, ``privada``, ``apuesta 6000``, ``"Los jueves"``.

    Raises:
        CommandError: a word says nothing, or they do not go together.
    """
    words, name = _named(words)
    stake: int | None = None
    private = False
    seating: Seating | None = None
    rules: Ruleset | None = None
    target: int | None = None
    pace: Pace | None = None
    for word in words:
        plain = fold(word)
        if not plain:
            continue
        if stake == 0 and _is_number(plain):
            stake = _number(plain)
        elif plain in STAKE_WORDS:
            _once(stake, word)
            stake = 0
        elif plain in PRIVATE_WORDS:
            private = True
        elif plain in _SEATINGS:
            _once(seating, word)
            seating = Seating(plain)
        elif _is_number(plain):
            _once(target, word)
            target = _number(plain)
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
    staked = LEAST_STAKE if stake == 0 else stake or 0
    return WantedTable(rules.id, seating, pace or settings.pace, options, staked, private, name)


def _named(words: Iterable[str]) -> tuple[list[str], str]:
    """The words outside quotation marks, and what stands inside them."""
    left: list[str] = []
    inside: list[str] = []
    closing = name = ""
    for word in words:
        if not closing and word[:1] in _QUOTES:
            closing, word = _QUOTES[word[0]], word[1:]
        if not closing:
            left.append(word)
            continue
        inside.append(word.removesuffix(closing))
        if word.endswith(closing):
            name, inside, closing = " ".join(inside), [], ""
    return left, name or " ".join(inside)


def _is_number(plain: str) -> bool:
    return plain.replace(".", "").isdecimal()


def _number(plain: str) -> int:
    return int(plain.replace(".", "")[:7])


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
