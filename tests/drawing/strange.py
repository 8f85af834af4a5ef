"""A process that draws strangely: what it does stands in the title of the hand that it is to draw."""

import os
import sys
import time
from pathlib import Path

from bot.pictures import CardsPicture, HandPicture, Renderer, TablePicture
from render.worker import main

FOLDER = "STRANGE_FOLDER"
LONGEST = "STRANGE_LONGEST"


class StrangeRenderer(Renderer):
    """Does as it is told, and keeps a diary of what it drew."""

    def __init__(self) -> None:
        self.folder = Path(os.environ[FOLDER])

    def hand(self, picture: HandPicture) -> bytes:
        """Draw a title, or do what it says."""
        what, _, rest = picture.title.partition(" ")
        with (self.folder / "diary").open("a", encoding="utf-8") as diary:
            diary.write(f"{picture.title}\n")
        match what:
            case "die":
                os._exit(9)
            case "die-once" if not (self.folder / rest).exists():
                (self.folder / rest).touch()
                os._exit(9)
            case "wait":
                while not (self.folder / rest).exists():
                    time.sleep(0.005)
            case "hang":
                time.sleep(600)
            case "fail":
                raise ValueError(rest)
            case "print":
                print("in between", flush=True)  # it must not come between the answers
            case "setting":
                return os.environ.get(rest, "").encode()
            case "big":
                return bytes(int(rest))
            case _:
                pass
        return f"{os.getpid()} {picture.title}".encode()

    def table(self, picture: TablePicture) -> bytes:
        """Nothing but an entry in the diary."""
        with (self.folder / "diary").open("a", encoding="utf-8") as diary:
            diary.write("table\n")
        return b"table"

    def cards(self, picture: CardsPicture) -> bytes:
        """Only for warming up."""
        return b""


if __name__ == "__main__":
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - it lasts as long as the process
    main(StrangeRenderer, int(os.environ.get(LONGEST, "60")))
