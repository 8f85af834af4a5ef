"""A value as a key of a cache: itself, and not what it is equal to."""

from typing import Generic, TypeVar

_T = TypeVar("_T")


class Itself(Generic[_T]):
    """Stands for one object. Comparing a whole match takes longer than making anew what is kept for it.

    Whoever keeps the key keeps the object, so that no other one can have its id meanwhile.
    """

    __slots__ = ("value",)

    def __init__(self, value: _T) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and self.value is other.value
