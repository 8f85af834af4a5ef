"""Equal input gives equal bytes: in other threads, with warm and cold caches, and in another process."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

from render import PillowRenderer
from tests.render import scenes

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
from hashlib import sha256
from render import PillowRenderer
from tests.render import scenes
renderer = PillowRenderer()
print(sha256(renderer.hand(scenes.hand(13, selected=2)) + renderer.table(scenes.late())).hexdigest())
"""


def test_threads_and_caches_do_not_change_the_bytes(renderer: PillowRenderer) -> None:
    pictures = list(scenes.tables().values())
    expected = [renderer.table(picture) for picture in pictures]
    hands = [scenes.hand(count, selected=2) for count in (5, 12, 25)]
    expected += [renderer.hand(hand) for hand in hands]
    fresh = PillowRenderer()
    with ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(fresh.table, picture) for picture in pictures]
        jobs += [pool.submit(fresh.hand, hand) for hand in hands]
        assert [job.result() for job in jobs] == expected


def test_another_process_gives_the_same_bytes(renderer: PillowRenderer) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    late = renderer.hand(scenes.hand(13, selected=2)) + renderer.table(scenes.late())
    assert done.stdout.strip() == sha256(late).hexdigest()


def test_the_scene_itself_is_built_anew(renderer: PillowRenderer) -> None:
    assert scenes.late() is not scenes.late()
    assert renderer.table(scenes.late()) == renderer.table(scenes.late())
