"""Whole turns at machine speed, for searching: deals as arrays of numbers, compiled (docs/adr/0017-compiled-search.md)."""
