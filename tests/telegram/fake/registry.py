"""The methods of the Bot API that are simulated, by name."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.telegram.fake.calls import Call

if TYPE_CHECKING:
    from tests.telegram.fake.world import World

Handler = Callable[["World", Call], Any]
METHODS: dict[str, Handler] = {}
# Methods that count against the budget of a chat.
COUNTED: set[str] = set()


def method(*names: str, counted: bool = False) -> Callable[[Handler], Handler]:
    """Register a function as the method(s) of these names."""

    def register(handler: Handler) -> Handler:
        METHODS.update(dict.fromkeys(names, handler))
        if counted:
            COUNTED.update(names)
        return handler

    return register
