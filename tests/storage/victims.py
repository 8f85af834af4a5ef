"""Processes that are killed while they write, again and again."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

MOTHER = """
# Imports cost a second: one process makes them and is the mother of all victims.
for line in sys.stdin:
    pid = os.fork()
    if not pid:
        try:
            asyncio.run(main(int(line)))
        finally:
            os._exit(1)
    say("victim", pid)
    os.waitpid(pid, 0)
    say("dead", pid)
"""
"""Behind a script that defines ``main(seed)``, which works until it dies, and ``say(*words)``, which prints a line."""


async def kill_often(
    script: str,
    arguments: Sequence[str],
    dice: random.Random,
    *,
    kills: int,
    acks: tuple[int, int],
    pause: float,
    patience: float,
    heard: Callable[[list[str]], None],
    after: Callable[[], Awaitable[None]],
) -> None:
    """Let a script work and kill it, over and over.

    Args:
        script: what :data:`MOTHER` is put behind.
        arguments: its arguments.
        dice: decides when it dies.
        kills: how often.
        acks: after at least and fewer than so many lines ``ack …``.
        pause: and up to so many seconds more.
        patience: the longest silence, in seconds.
        heard: told of the words behind each ``ack``.
        after: looks at what is left, each time.
    """
    command = [sys.executable, "-c", script + MOTHER, *arguments]
    root = Path(__file__).parents[2]
    mother = await asyncio.create_subprocess_exec(*command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert mother.stdin is not None
    assert mother.stdout is not None
    try:
        for number in range(kills):
            mother.stdin.write(f"{number}\n".encode())
            victim, until, dead = 0, dice.randrange(*acks), False
            while not dead:
                words = (await asyncio.wait_for(mother.stdout.readline(), patience)).decode().split()
                if words[0] == "victim":
                    victim = int(words[1])
                elif words[0] == "ack":
                    heard(words[1:])
                    until -= 1
                elif words[0] == "dead":
                    dead = True
                if until <= 0 and victim:
                    await asyncio.sleep(dice.random() * pause)
                    os.kill(victim, signal.SIGKILL)
                    victim = 0
            await after()
    finally:
        mother.stdin.close()
        await mother.communicate()
