"""A value as a key of a cache: itself, and not what it is equal to."""

from typing import Generic, TypeVar

_T = TypeVar("_T")


class Itself(Generic[_T]):
    """Stands for one object, which takes longer to compare than what is kept for it takes to be made anew.

    ``mark`` tells it from most others; whoever keeps the key keeps the object.
    """

    __slots__ = ("mark", "value")

    def __init__(self, value: _T, mark: int) -> None:
        self.value = value
        self.mark = mark

    def __hash__(self) -> int:
        return self.mark

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and self.value is other.value
