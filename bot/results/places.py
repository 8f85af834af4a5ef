"""Places in tokens: a short mark instead of a platform's key."""

from hashlib import blake2b


def place_mark(origin: str) -> str:
    """The mark of a server or group: 20 letters and figures; empty for no place."""
    return blake2b(origin.encode(), digest_size=10, person=b"buraco.place").hexdigest() if origin else ""
