"""What goes between the bot and a process that draws: values as MessagePack, each after its length."""

import struct
from typing import BinaryIO, Final

import msgspec

from bot.drawing.base import KINDS, Drawable
from bot.pictures import SheetForm

LENGTH: Final = struct.Struct(">I")
"""Before every value: how many bytes it has."""


class Order(msgspec.Struct, frozen=True, array_like=True):
    """A picture to draw."""

    kind: str
    form: SheetForm
    picture: msgspec.Raw


class Ready(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """The process has started and warmed up."""

    cpu: float
    """Seconds of processor time that this took."""


class Done(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A picture that was drawn."""

    data: bytes
    mark: str
    seconds: float
    """How long the drawing took by the clock."""
    cpu: float
    """Seconds of processor time since the last answer."""


class Failed(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A picture that the renderer failed at."""

    error: str
    """The kind of error: its message may hold what somebody wrote."""
    trace: str
    """Where it happened, without values."""
    cpu: float


Answer = Ready | Done | Failed

_TYPES: Final[dict[str, type[Drawable]]] = {name: kind for kind, name in KINDS.items()}
_ENCODER: Final = msgspec.msgpack.Encoder()
_ORDERS: Final = msgspec.msgpack.Decoder(Order)
_PICTURES: Final = {name: msgspec.msgpack.Decoder(kind) for name, kind in _TYPES.items()}
_ANSWERS: Final[msgspec.msgpack.Decoder[Answer]] = msgspec.msgpack.Decoder(Answer)


def framed(body: bytes) -> bytes:
    """A value's bytes after their length."""
    return LENGTH.pack(len(body)) + body


def write_order(picture: Drawable, form: SheetForm) -> bytes:
    """An order, with its length."""
    raw = msgspec.Raw(_ENCODER.encode(picture))
    return framed(_ENCODER.encode(Order(KINDS[type(picture)], form, raw)))


def read_order(body: bytes) -> tuple[Drawable, SheetForm]:
    """An order, from its bytes without the length.

    Raises:
        msgspec.ValidationError: it is none.
        LookupError: there is no such kind of picture.
    """
    order = _ORDERS.decode(body)
    return _PICTURES[order.kind].decode(order.picture), order.form


def write_answer(answer: Answer) -> bytes:
    """An answer, with its length."""
    return framed(_ENCODER.encode(answer))


def read_answer(body: bytes) -> Answer:
    """An answer, from its bytes without the length.

    Raises:
        msgspec.MsgspecError: it is none.
    """
    return _ANSWERS.decode(body)


def next_body(stream: BinaryIO) -> bytes | None:
    """The bytes of the next value of a stream that is waited for; None at its end, be it in the middle of a value."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    body = stream.read(length)
    return body if len(body) == length else None
