"""What a computer player is."""

from typing import Protocol

from engine.actions import Action
from engine.views import SeatView


class Robot(Protocol):
    """A computer player: a pure function of a seat's view.

    It is given a view and nothing else, so it cannot know more than the person in its place would. The same view
    always leads to the same action; chance, where a robot wants it, comes from its seed and the view.
    """

    @property
    def name(self) -> str:
        """The id under which the registry knows it."""
        ...

    def choose(self, view: SeatView) -> Action:
        """An action that the engine accepts.

        Raises:
            ValueError: it is not this seat's turn.
        """
        ...
