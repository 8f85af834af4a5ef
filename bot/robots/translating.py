"""From what is decided on the fast form of a deal to the engine's actions."""

from collections.abc import Callable, Sequence

from engine.actions import Action, AddToMeld, Discard, DrawStock, EndTurn, LayMeld, NamedCard, TakePile
from engine.cards import Face
from engine.fast import FastDeal


class _Decided(Exception):
    def __init__(self, action: Action) -> None:
        super().__init__()
        self.action = action


class Announcing(FastDeal):
    """A deal whose first move is told instead of made."""

    __slots__ = ("_taking",)

    @classmethod
    def of(cls, deal: FastDeal) -> "Announcing":
        """The same deal, telling."""
        new: Announcing = object.__new__(cls)
        for name in FastDeal.__slots__:
            setattr(new, name, getattr(deal, name))
        new._taking = False
        return new

    def draw(self) -> None:
        """Told."""
        raise _Decided(DrawStock())

    def take_pile(self) -> None:
        """Told; where its top has to be used at once, with the use."""
        if not self.rules.at_once:
            raise _Decided(TakePile())
        self._taking = True

    def lay(self, faces: Sequence[int], number: int, muerto: int = 0) -> None:
        """Told."""
        del number, muerto
        self._use_told(LayMeld(_named(faces)))

    def add(self, index: int, faces: Sequence[int], grown: tuple[int, int], muerto: int = 0) -> None:
        """Told."""
        del grown, muerto
        self._use_told(AddToMeld(index, _named(faces)))

    def _use_told(self, use: LayMeld | AddToMeld) -> None:
        raise _Decided(TakePile(use) if self._taking else use)

    def discard(self, face: int, muerto: int = 0) -> None:
        """Told."""
        del muerto
        raise _Decided(Discard(Face(face)))

    def end_turn(self) -> None:
        """Told."""
        raise _Decided(EndTurn())


def _named(faces: Sequence[int]) -> tuple[NamedCard, ...]:
    return tuple(NamedCard(Face(face)) for face in faces)


def first_action(deal: FastDeal, play: Callable[[FastDeal], None]) -> Action | None:
    """The first thing that ``play`` does for the seat on turn; None where it does nothing. The deal stays as it is."""
    try:
        play(Announcing.of(deal))
    except _Decided as decided:
        return decided.action
    return None
