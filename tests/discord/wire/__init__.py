"""A small Discord on the loopback: REST and gateway, for tests with the real discord.py client."""
