"""Chance that a seed and a view fix: the same in every process."""

import hashlib

import msgspec

from engine.views import SeatView


def seed_of(seed: int, view: SeatView) -> int:
    """A number of 64 bits for what a seat sees at one decision."""
    table = view.table
    known = (seed, view.seat, view.hand, table.number, table.stock_count, table.pile_count, table.pile[-1:])
    text = msgspec.json.encode((*known, table.turns_without_draw, table.plays, table.last_plays))
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
