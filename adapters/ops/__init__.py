"""For whoever runs the bot: health, readiness, figures, and a word to open no new tables."""

from adapters.ops.server import OpsServer, OpsUnavailable

__all__ = ["OpsServer", "OpsUnavailable"]
