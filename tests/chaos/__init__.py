"""Chaos: the bot killed at random while people press."""
