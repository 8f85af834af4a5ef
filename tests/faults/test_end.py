"""An end that hangs: the process goes all the same, and says what every thread was doing."""

import asyncio
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import threading, time
from bot import __main__ as program

def a_thread_that_never_ends():
    time.sleep(600)

program.LONGEST_END_SECONDS = 0.3
threading.Thread(target=a_thread_that_never_ends).start()
program._watch_the_end()
"""


async def test_a_thread_that_hangs_does_not_keep_the_process() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SCRIPT, cwd=ROOT, stderr=asyncio.subprocess.PIPE
    )
    _, err = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 1
    assert b"a_thread_that_never_ends" in err
