"""Turns at machine speed, for searching: deals as arrays of numbers, compiled (docs/adr/0016-compiled-search.md)."""
