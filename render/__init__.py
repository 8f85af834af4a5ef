"""Pictures: from views and cards to PNG bytes.

:class:`PillowRenderer` is all that others need; it takes the values of :mod:`bot.pictures`.
"""

from render.renderer import PillowRenderer

__all__ = ["PillowRenderer"]
