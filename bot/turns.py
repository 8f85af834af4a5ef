"""Turns as the application tells them apart: whose it is, and which one."""

import hashlib

import msgspec

from engine.state import Match
from engine.views import PublicView


def turn_key(view: PublicView) -> str:
    """The same text for as long as a turn lasts, and another one for the next."""
    # What was done before a turn stays the same while it lasts.
    before = msgspec.json.encode((view.number, view.mover, view.last_plays))
    return hashlib.blake2s(before, digest_size=6).hexdigest()


def seat_on_turn(match: Match | None) -> int | None:
    """The seat on turn in a deal that goes on; None where none is."""
    if match is None or match.deal is None or not match.in_play:
        return None
    return match.deal.turn.seat
