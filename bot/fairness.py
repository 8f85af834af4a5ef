"""The sealed pack: its order is committed to before anybody has seen a card, and laid open when the deal is over.

The seal of a deal is SHA-256 over a salt and the order of the pack (:func:`commitment_of` says exactly of what). It is
stored in the same transaction as the deal and shown with it. The salt stays out of everything that a screen is made
from: while the deal goes on it is stored nowhere, but derived (HMAC-SHA256) from one random secret of the database,
the table and the number of the deal. So it survives restarts without a column of its own, old saves load as they are,
and a ``Table`` never holds the salt of a deal that is not over.

The order that is sealed is that in which the cards are dealt out, with every hand sorted, as deal records have it.

Where a person cuts before each deal there is no order yet when the seal is shown: it is over the salt, and over the
deal that it is for (:func:`cut_commitment_of`), and the order follows from salt and cut (:mod:`bot.cutting`).
"""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import Final, Protocol

import msgspec

from engine.actions import StartDeal
from engine.cards import BACK, CODE, Card
from engine.events import DealEnded, DealStarted, Event
from engine.ruleset import Ruleset
from engine.seating import Seating

FORMAT: Final = "buraco-seal-1"
"""The first line of what is sealed."""
CUT_FORMAT: Final = "buraco-seal-2"
"""The same, of a seal that is shown before somebody cuts."""
SECRET_NOTE: Final = "seal-secret"  # noqa: S105 - the name of the note, not what stands in it
"""The note in which the database keeps its secret."""
SECRET_BYTES: Final = 32
SHORT: Final = 12
"""Characters of a commitment that are shown where there is little room."""


class Seal(msgspec.Struct, frozen=True):
    """The seal of a deal, as its table keeps it."""

    deal: int
    """The number of the deal in its match, 0 for the first."""
    commitment: str
    """64 hexadecimal digits."""
    salt: str = ""
    """64 hexadecimal digits; empty until the deal is over."""
    mix: str = ""
    """Of a seal that is cut: 64 hexadecimal digits drawn for it, from which alone nobody finds the salt."""
    cut: str = ""
    """The number of the cut, three figures; empty before it, and of a seal that is not cut."""
    cutter: int | None = None
    """The seat that cut; None where nobody did in time."""

    @property
    def short(self) -> str:
        """The beginning of the commitment, enough to recognise it."""
        return self.commitment[:SHORT]

    @property
    def is_open(self) -> bool:
        """Whether the salt is known to everybody."""
        return bool(self.salt)


class Notes(Protocol):
    """The part of a store that the sealer needs."""

    async def note(self, key: str) -> str | None:
        """A small fact."""

    async def settle_note(self, key: str, text: str) -> str:
        """Write a small fact down where nothing stands yet; what stands there then."""


class Sealer:
    """Seals the deals of a store's tables, and opens the seals of those that are over."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._secret = b""

    async def seals_after(
        self,
        seals: tuple[Seal, ...],
        table_id: str,
        rules: Ruleset,
        seating: Seating,
        events: Sequence[Event],
        *,
        in_play: int | None,
        fixed: bool = False,
    ) -> tuple[Seal, ...]:
        """A table's seals after some events: one more for a deal that begins, open for one that ends.

        ``in_play`` is the number of the deal that goes on before the events; ``fixed`` says that what is dealt is
        known to all, so that there is nothing to seal.
        """
        number = in_play
        for event in events:
            if isinstance(event, DealStarted):
                number = event.number
                # A pack that was cut was sealed before.
                if not fixed and seal_of(seals, number) is None:
                    salt = await self.salt(table_id, number)
                    seals = (*seals, sealed(number, salt, chance_of(rules, seating, event)))
            elif isinstance(event, DealEnded) and number is not None:
                seal = seal_of(seals, number)
                if seal is not None and not seal.is_open:
                    opened = _opened(seal, await self.salt(table_id, number, seal.mix))
                    seals = tuple(opened if known is seal else known for known in seals)
        return seals

    async def salt(self, table_id: str, deal: int, mix: str = "") -> str:
        """The salt of a deal, of which nothing that is shown before its end may be made."""
        return salt_of(await self._known_secret(), table_id, deal, mix)

    async def _known_secret(self) -> bytes:
        """The secret, made up by the first process that needs it: kept before anything is sealed with it."""
        if not self._secret:
            known = await self._notes.note(SECRET_NOTE)
            if known is None:
                known = await self._notes.settle_note(SECRET_NOTE, secrets.token_hex(SECRET_BYTES))
            self._secret = bytes.fromhex(known)
        return self._secret


def _opened(seal: Seal, salt: str) -> Seal:
    return msgspec.structs.replace(seal, salt=salt)


def salt_of(secret: bytes, table_id: str, deal: int, mix: str = "") -> str:
    """The salt of a deal: to whoever does not know the secret as good as drawn by lot.

    Where the cards follow from it, ``mix`` was drawn for this deal: who has got hold of the secret once, such as with
    an old copy of the database, cannot find the salts to come.
    """
    named = f"{table_id}:{deal}:{mix}" if mix else f"{table_id}:{deal}"
    return hmac.digest(secret, named.encode(), "sha256").hex()


def sealed(deal: int, salt: str, chance: StartDeal) -> Seal:
    """The closed seal of what is dealt."""
    return Seal(deal, commitment_of(salt, chance))


def commitment_of(salt: str, chance: StartDeal) -> str:
    """SHA-256, 64 hexadecimal digits, over four lines, each with its line break: the format, salt, pack and reserve.

    Pack and reserve are written as in a deal record, so that ``sha256sum`` finds the same.
    """
    lines = (FORMAT, salt, cards_text(chance.pack), cards_text(chance.reserve))
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def cut_commitment_of(salt: str, code: str, deal: int, starter: int) -> str:
    """SHA-256, 64 hexadecimal digits, of a seal that is shown before the cut.

    It is over five lines, each with its line break: the format, the salt, the table's code, the number of the deal and
    the seat that begins it.
    """
    lines = (CUT_FORMAT, salt, code, deal, starter)
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def cards_text(cards: Sequence[Card]) -> str:
    """Physical cards as a deal record lists them: ``7h/0 JK/1``."""
    return " ".join(f"{CODE[card]}/{BACK[card]}" for card in cards)


def chance_of(rules: Ruleset, seating: Seating, started: DealStarted) -> StartDeal:
    """A pack that deals out exactly what was dealt (the order inside a hand never matters)."""
    seats = seating.seats
    hands = [started.hands[(started.starter + turn) % seats] for turn in range(seats)]
    top = [hand[i] for i in range(rules.hand_size) for hand in hands]
    bottom: list[Card] = [muerto[i] for i in range(rules.muerto_size) for muerto in started.muertos]
    rest = [*started.pile, *reversed(started.stock)]
    return StartDeal((*top, *rest, *reversed(bottom)), tuple(reversed(started.reserve)))


def problem_of(commitment: str, salt: str, chance: StartDeal) -> str:
    """What is wrong with an opened seal; empty where it is true, or where a deal has none."""
    if not commitment and not salt:
        return ""
    if not commitment or not salt:
        return "commitment and salt go together, and one is missing"
    if not hmac.compare_digest(commitment.encode(), commitment_of(salt, chance).encode()):
        return "the pack was not sealed in this order: salt and cards lead to another commitment"
    return ""


def seal_of(seals: Sequence[Seal], deal: int) -> Seal | None:
    """The seal of a deal; None where it has none."""
    return next((seal for seal in seals if seal.deal == deal), None)
