"""How the robots' numbers were found: ``docs/robots.md`` tells how to find them again (``uv sync --extra tune``)."""
