"""A bounded cache for sprites and masks, shared by the threads that draw."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Lru(Generic[K, V]):
    """Keeps the values used last, up to a total cost.

    Keys are values themselves (cards, flags, sizes), so equal input finds the same sprite; an identity is a key only of
    a value that keeps what it belongs to. A value is made outside the lock: two threads may make the same one at once,
    which costs time and nothing else.
    """

    def __init__(self, limit: int, cost: Callable[[V], int]) -> None:
        """``limit`` and ``cost`` count the same thing, such as bytes."""
        self._limit = limit
        self._cost = cost
        self._total = 0
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The value of ``key``, made if it is not kept."""
        with self._lock:
            try:
                # Asked once: a key of nested values takes a while to hash.
                value = self._values[key]
            except KeyError:
                pass
            else:
                self._values.move_to_end(key)
                return value
        value = make()
        with self._lock:
            if key not in self._values:
                self._values[key] = value
                self._total += self._cost(value)
            while self._total > self._limit and len(self._values) > 1:
                _, old = self._values.popitem(last=False)
                self._total -= self._cost(old)
        return value

    @property
    def total(self) -> int:
        """The cost of all that is kept."""
        return self._total

    def __len__(self) -> int:
        return len(self._values)
