"""Limits of the browser room."""

from typing import Final

BODY_BYTES: Final = 64 * 1024
BODY_SECONDS: Final = 10.0
"""How long a request may take to arrive."""

PRESSES_A_SECOND: Final = 10.0
PRESSES_AT_ONCE: Final = 30
READS_A_SECOND: Final = 20.0
READS_AT_ONCE: Final = 80
"""Several pages of one person, each fetching what robots change."""
ADDRESS_TIMES: Final = 10
"""How many times a person's share one address has, for people behind one address."""

STREAMS_A_PERSON: Final = 4
"""A browser keeps at most six connections to one host open; some must be left for requests."""
STREAMS: Final = 500
HEARTBEAT_SECONDS: Final = 15.0
WRITE_SECONDS: Final = 10.0

FEEDS_KEPT: Final = 200
FEED_LINES: Final = 40

PRESS_ID: Final = r"[A-Za-z0-9_-]{8,64}"
CODE: Final = r"[A-Za-z0-9]{1,16}"
