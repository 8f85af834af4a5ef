"""The game of Buraco: pure values and functions.

Nothing here reads a clock, a file, a socket or a random source, and nothing writes a sentence. A pack's order comes in
as data, actions come in as values, events come out as values; a refusal is a :class:`~engine.reasons.Reason`.
"""
