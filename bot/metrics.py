"""What is measured, for Prometheus: one registry of the process, with labels of few values.

No label and no value names a person, a table, a place or a card: whoever reads the figures learns how the bot fares and
nothing about anybody who plays.
"""

from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
REGISTRY: Final = CollectorRegistry()
ProcessCollector(registry=REGISTRY)
PlatformCollector(registry=REGISTRY)
GCCollector(registry=REGISTRY)

_QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_SLOW: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.5, 5.0, 10.0, 30.0)
_BYTES: Final = (10_000, 20_000, 40_000, 60_000, 80_000, 100_000, 250_000, 1_000_000)

PRESSES: Final = Counter(
    "buraco_presses_total",
    "Presses by what came of them: ok, refused, stale, busy, failed, too_fast, restarting.",
    ("platform", "result"),
    registry=REGISTRY,
)
PRESS_SECONDS: Final = Histogram(
    "buraco_press_seconds", "From a press to its answer.", ("platform",), buckets=_QUICK, registry=REGISTRY
)
PRESSES_UNDER_WAY: Final = Gauge("buraco_presses_under_way", "Presses being answered now.", registry=REGISTRY)
COMMIT_SECONDS: Final = Histogram(
    "buraco_commit_seconds", "One committed change of a table, the wait for its turn included.", (),
    buckets=_QUICK, registry=REGISTRY,
)  # fmt: skip
SHOWN: Final = Counter(
    "buraco_shown_total",
    "Tables shown in a place: shown, held, closed, failed.",
    ("platform", "result"),
    registry=REGISTRY,
)
SHOW_SECONDS: Final = Histogram(
    "buraco_show_seconds", "Until a place shows a table's newest version, further attempts included.", ("platform",),
    buckets=_SLOW, registry=REGISTRY,
)  # fmt: skip
RENDER_SECONDS: Final = Histogram(
    "buraco_render_seconds", "Drawing one picture.", ("kind",),
    buckets=_QUICK, registry=REGISTRY,
)  # fmt: skip
RENDER_BYTES: Final = Histogram(
    "buraco_render_bytes", "The size of one picture.", ("kind",), buckets=_BYTES, registry=REGISTRY
)
RENDER_WAIT: Final = Histogram(
    "buraco_render_wait_seconds", "Until a process has time for a picture.", ("kind",),
    buckets=_QUICK, registry=REGISTRY,
)  # fmt: skip
PICTURES_WAITING: Final = Gauge(
    "buraco_pictures_waiting", "Pictures that wait for a process that draws.", registry=REGISTRY
)
PICTURES_REFUSED: Final = Counter(
    "buraco_pictures_refused_total", "Pictures that were not drawn because too many waited.", registry=REGISTRY
)
PICTURE_WORKERS: Final = Gauge("buraco_picture_workers", "Processes that draw.", registry=REGISTRY)
PICTURE_WORKERS_LOST: Final = Counter(
    "buraco_picture_workers_lost_total", "Processes that died or hung while they drew.", registry=REGISTRY
)
PICTURE_CPU: Final = Counter(
    "buraco_picture_workers_cpu_seconds_total", "Processor time of the processes that draw.", registry=REGISTRY
)
LOOP_LAG: Final = Histogram(
    "buraco_loop_lag_seconds", "How much later than asked for the event loop comes round.", (),
    buckets=_QUICK, registry=REGISTRY,
)  # fmt: skip
LOOP_BLOCKED: Final = Counter(
    "buraco_loop_blocked_total", "Times that the event loop stood still for long.", registry=REGISTRY
)
PROBE_SECONDS: Final = Histogram(
    "buraco_store_probe_seconds", "One write that only tests whether the store writes.", (),
    buckets=_QUICK, registry=REGISTRY,
)  # fmt: skip
OPEN_TABLES: Final = Gauge("buraco_open_tables", "Tables in the lobby or playing.", registry=REGISTRY)
LAGGING_HOMES: Final = Gauge("buraco_lagging_homes", "Places that show an older version.", registry=REGISTRY)
CONNECTED: Final = Gauge(
    "buraco_platform_connected", "Whether a platform is connected.", ("platform",), registry=REGISTRY
)
READY: Final = Gauge("buraco_ready", "Whether the bot is ready, as /readyz tells.", registry=REGISTRY)
DRAINING: Final = Gauge("buraco_draining", "Whether no new tables are opened.", registry=REGISTRY)
BAD_SIGNATURES: Final = Counter(
    "buraco_bad_signatures_total", "Calls from outside that were not signed as they must be.", ("platform",),
    registry=REGISTRY,
)  # fmt: skip

REFUSED_CALLS: Final = Counter(
    "buraco_refused_calls_total", "Calls that a platform refused: 401, 403, 429.", ("platform", "result"),
    registry=REGISTRY,
)  # fmt: skip
HELD_BACK: Final = Gauge(
    "buraco_held_back", "Whether calls that can wait are held back, after too many refusals.", ("platform",),
    registry=REGISTRY,
)  # fmt: skip
SESSIONS_LEFT: Final = Gauge(
    "buraco_sessions_left", "Sessions of Discord's gateway that may still be begun today.", registry=REGISTRY
)
DEAD_LETTERS: Final = Counter(
    "buraco_dead_letters_total", "Updates that failed and were passed over.", ("platform",), registry=REGISTRY
)

PLATFORMS: Final = frozenset({"web", "discord", "telegram"})


def platform_label(name: str) -> str:
    """A platform's name as a label: whatever else comes in is one and the same."""
    return name if name in PLATFORMS else "other"


def exposition() -> bytes:
    """All figures in Prometheus' text format."""
    return generate_latest(REGISTRY)
