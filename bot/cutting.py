"""The cut: a person picks a number between the seal and the deal, and the pack follows from both.

Whoever runs the bot could try many packs and keep the one that they like. So the seal of a deal that is cut is shown
first; it binds a salt, and as long as nobody has cut there is no pack. The cut then makes the order
(:func:`pack_of_cut`), and nobody could have known it before. docs/notation.md says the same for those who check it.

The one who cuts is the player before the dealer, who sits at the dealer's left where play runs to the right. Robots do
not cut: the next person in that direction does. Who lets the time pass leaves the cut at :data:`NO_CUT`, which was
known before, so that such a deal is no better sealed than one without a cut: the table says so, and so does its record.
"""

import hmac
import secrets
from typing import Final

import msgspec

from bot.fairness import Seal, Sealer, cards_text, chance_of, cut_commitment_of, seal_of
from bot.model import AwaitedCut, Table
from bot.shuffling import SeededChance, shuffled_deal
from engine.actions import StartDeal
from engine.decide import Events, start_deal
from engine.events import DealStarted
from engine.ruleset import Ruleset
from engine.seating import Seating
from engine.state import Match, new_match

FIGURES: Final = 3
"""A cut is a number of so many decimal figures."""
NO_CUT: Final = "0" * FIGURES
"""The cut of a deal for which nobody cut in time."""
_MIX_BYTES: Final = 32

_replace = msgspec.structs.replace


class Dealt(msgspec.Struct, frozen=True):
    """What a table becomes by a cut."""

    table: Table
    match: Match
    """The match before the deal, which a first deal begins."""
    events: Events


def is_cut(text: str) -> bool:
    """Whether a text is the number of a cut."""
    return len(text) == FIGURES and text.isascii() and text.isdecimal()


def cutter_of(table: Table, starter: int) -> int | None:
    """The seat that cuts before the deal that ``starter`` begins; None while everybody is away.

    It is the seat before the dealer's; where no person is there, the next one against the turn order, the dealer last.
    """
    seats = table.seating.seats
    for before in range(2, seats + 2):
        seat = (starter - before) % seats
        chair = table.chairs[seat]
        if chair.person is not None and not chair.absent:
            return seat
    return None


async def offered(sealer: Sealer, table: Table, deal: int, starter: int) -> Table:
    """The table with a deal sealed, waiting for its cut."""
    mix = secrets.token_hex(_MIX_BYTES)
    salt = await sealer.salt(table.id, deal, mix)
    seal = Seal(deal, cut_commitment_of(salt, table.code, deal, starter), mix=mix)
    return _replace(table, seals=(*table.seals, seal), cut=AwaitedCut(deal, starter))


async def dealt(sealer: Sealer, table: Table, match: Match | None, cut: str, cutter: int | None) -> Dealt:
    """What a table that waits for a cut becomes by it; ``cutter`` is the seat that cut, None where nobody did.

    Raises:
        ValueError: the table waits for no cut.
    """
    awaited = table.cut
    seal = None if awaited is None else seal_of(table.seals, awaited.deal)
    if awaited is None or seal is None:
        raise ValueError(f"{table.id} waits for no cut")
    salt = await sealer.salt(table.id, awaited.deal, seal.mix)
    chance = pack_of_cut(table.rules, table.seating, salt, cut, table.code, awaited.deal)
    cut_seal = _replace(seal, cut=cut, cutter=cutter)
    seals = tuple(cut_seal if known is seal else known for known in table.seals)
    before = match or new_match(table.rules, table.seating, awaited.starter)
    events = start_deal(before, chance)
    return Dealt(_replace(table, seals=seals, cut=None), before, events)


def pack_of_cut(rules: Ruleset, seating: Seating, salt: str, cut: str, code: str, deal: int) -> StartDeal:
    """The pack that a salt and a cut make, at the table of a code.

    HMAC-SHA256 with the salt's bytes as the key, over ``cut:code:deal``, is the seed; in hexadecimal it is a seed as
    :mod:`bot.shuffling` knows them.
    """
    seed = hmac.digest(bytes.fromhex(salt), f"{cut}:{code}:{deal}".encode(), "sha256").hex()
    return shuffled_deal(rules, seating, SeededChance(seed))


def problem_of_cut(match: Match, seal: Seal, code: str, dealt_pack: StartDeal) -> str:
    """What is wrong with the opened seal of a deal that was cut; empty where it is true.

    Args:
        match: the match before the deal.
        seal: the seal, with salt and cut.
        code: the table's code.
        dealt_pack: the pack as a record has it, every hand sorted.
    """
    deal, starter = match.deals, match.next_starter
    try:
        salt = bytes.fromhex(seal.salt)
    except ValueError:
        salt = b""
    if not salt or not is_cut(seal.cut):
        return "the salt or the cut makes no sense"
    found = cut_commitment_of(seal.salt, code, deal, starter)
    if not hmac.compare_digest(seal.commitment.encode(), found.encode()):
        return "the salt is not the one that was sealed for this deal"
    made = pack_of_cut(match.rules, match.seating, seal.salt, seal.cut, code, deal)
    started = start_deal(match, made)[0]
    if not isinstance(started, DealStarted):
        raise AssertionError("a deal begins with its cards")
    if _written(chance_of(match.rules, match.seating, started)) != _written(dealt_pack):
        return "salt and cut make another pack"
    return ""


def _written(chance: StartDeal) -> tuple[str, str]:
    """As it is written down, where the two jokers of a pack look alike."""
    return cards_text(chance.pack), cards_text(chance.reserve)
