"""What the tests of pictures share."""

import pytest

from render import PillowRenderer


@pytest.fixture(scope="session")
def renderer() -> PillowRenderer:
    """One renderer with warm caches, as the application has it."""
    return PillowRenderer()
