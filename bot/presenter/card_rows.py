"""Cards in a row, as pictures of the rule book show them."""

from bot.pictures import CardRow
from bot.presenter.words import face_sign
from bot.reglas.judging import Verdict
from bot.texts import Texts


def card_row(t: Texts, verdict: Verdict, told: str = "", *, judged: bool = True) -> CardRow:
    """The cards of a verdict as a row: a meld in its order with what its wild stands for, else as they were named."""
    meld = verdict.meld
    if meld is None or not judged:
        return CardRow(verdict.cards, told, good=False if judged else None)
    places = tuple(
        face_sign(t, place) if i == meld.wild and (place := meld.place_of(i)) is not None else ""
        for i in range(len(meld.cards))
    )
    return CardRow(meld.cards, told, places, good=True)
