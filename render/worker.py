"""A process that draws: ``python -m render.worker`` takes orders on standard input and gives pictures on its output.

It ends with its input, so that nothing is left of it when the bot dies, however it dies.
"""

import gc
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from typing import BinaryIO, Final

from bot.drawing.base import draw
from bot.drawing.wire import Answer, Done, Failed, Ready, next_body, read_order, write_answer
from bot.pictures import CardRow, CardsPicture, HandPicture, Renderer
from engine.cards import CARDS_A_PACK, Card
from render import PillowRenderer

LONGEST_SECONDS: Final = 60
"""Twice what the bot waits for a picture: what still draws then hangs, and nobody is there who would end it."""


def serve(renderer: Renderer, orders: BinaryIO, answers: BinaryIO, longest: int = LONGEST_SECONDS) -> None:
    """Draw what is ordered, one picture after the other, until the orders end.

    A picture that takes longer than ``longest`` seconds ends the process, where the system can do that.

    Raises:
        BrokenPipeError: nobody takes the answers any more.
    """
    used = 0.0

    def cpu() -> float:
        nonlocal used
        before, used = used, time.process_time()
        return used - before

    def tell(answer: Answer) -> None:
        answers.write(write_answer(answer))
        answers.flush()

    tell(Ready(cpu()))
    while (body := next_body(orders)) is not None:
        began = time.perf_counter()
        _ring_in(longest)
        try:
            drawn = draw(renderer, *read_order(body))
        except Exception as error:  # noqa: BLE001 - whatever it is, the other side decides
            # Without the message, which may hold what somebody wrote.
            tell(Failed(type(error).__name__, "".join(traceback.format_tb(error.__traceback__)), cpu()))
        else:
            tell(Done(drawn.data, drawn.mark, time.perf_counter() - began, cpu()))
        finally:
            _ring_in(0)


def _ring_in(seconds: int) -> None:
    """Let the system end the process in so many seconds; 0 for never."""
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


def warm_up(renderer: Renderer) -> None:
    """Read the fonts and draw every card once, so that the first picture takes no longer than others."""
    pack = tuple(Card(card) for card in range(CARDS_A_PACK))
    renderer.hand(HandPicture((pack[:13],), pack[:1], "Aa 0", "Aa", "JKR"))
    renderer.cards(CardsPicture("Aa", (CardRow(pack[-13:], "Aa"),), "JKR"))


def main(make: Callable[[], Renderer] = PillowRenderer, longest: int = LONGEST_SECONDS) -> None:
    """Serve whoever started the process."""
    # Ctrl+C and a service manager's SIGTERM reach every process of the bot. It alone decides: pictures are still drawn
    # for presses that it finishes, and the end of the input comes with its own.
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, signal.SIG_IGN)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever is printed must not come between the answers.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    renderer = make()
    try:
        warm_up(renderer)
    except Exception:  # noqa: BLE001 - each picture will tell that it cannot be drawn
        traceback.print_exc()
    gc.collect()
    gc.freeze()
    try:
        serve(renderer, sys.stdin.buffer, answers, longest)
        answers.close()
    except BrokenPipeError:
        # What is left in the buffer has no reader either.
        os._exit(0)


if __name__ == "__main__":
    main()
