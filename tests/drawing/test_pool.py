"""Processes that draw: the same bytes as in threads, whatever dies, hangs or comes in too great a number."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from prometheus_client import Counter

from bot import metrics
from bot.cli.drawing import probe
from bot.config import NAMES
from bot.drawing.base import Drawable, Drawing, NotDrawn
from bot.drawing.pool import Pool
from bot.drawing.threads import Threads
from bot.drawing.worker import Worker
from bot.pictures import CardRow, CardsPicture, HandPicture, SheetForm
from render import PillowRenderer
from tests.drawing.strange import FOLDER, LONGEST
from tests.render import scenes
from tests.render.test_profile import full
from tests.render.test_sheet import sheet

STRANGE = "tests.drawing.strange"
PATIENCE = 60.0
MakePool = Callable[..., Pool]


def titled(title: str) -> HandPicture:
    """A hand that a strange process takes as an order."""
    return HandPicture((), (), title, "", "")


def is_alive(pid: int) -> bool:
    """Whether there is such a process, and not only what is left of it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def children() -> list[int]:
    """The strange processes that are this one's children."""
    found = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text(encoding="ascii").split()
    alive = [int(pid) for pid in found if is_alive(int(pid))]
    return [pid for pid in alive if STRANGE.encode() in Path(f"/proc/{pid}/cmdline").read_bytes()]


async def until(true: Callable[[], object]) -> None:
    """Wait for what another process does."""
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - it is another process
            await asyncio.sleep(0.005)


def counted(counter: Counter) -> float:
    """How much a counter shows."""
    (family,) = counter.collect()
    return sum(float(sample.value) for sample in family.samples if sample.name.endswith("_total"))


@pytest.fixture
async def make_pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[MakePool]:
    """Pools of strange processes; in the end they are stopped and nothing is left of them."""
    monkeypatch.setenv(FOLDER, str(tmp_path))
    pools: list[Pool] = []

    def make(workers: int = 1, **options: object) -> Pool:
        pools.append(Pool(workers, **{"module": STRANGE, "patience": PATIENCE, **options}))  # type: ignore[arg-type]
        return pools[-1]

    yield make
    pids = [pid for pool in pools for pid in pool.pids]
    for pool in pools:
        await pool.stop()
    assert not [pid for pid in pids if is_alive(pid)]


def diary(folder: Path) -> list[str]:
    """What the processes began to draw, in order; what warmed them up is left out."""
    path = folder / "diary"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [line for line in lines if line != "Aa 0"]


async def test_the_bytes_are_those_of_threads() -> None:
    """Every kind of picture, and its mark."""
    pictures: list[tuple[Drawable, SheetForm]] = [(picture, SheetForm.PNG) for picture in scenes.tables().values()]
    pictures += [(scenes.hand(count, selected=2), SheetForm.PNG) for count in (1, 13, 60)]
    pictures += [(CardsPicture("Título", (CardRow(scenes.hand(5).groups[0], "x", good=True),), "JKR"), SheetForm.PNG)]
    pictures += [(full(), SheetForm.PNG), *((sheet("clasico"), form) for form in SheetForm)]
    pool, threads = Pool(2), Threads(PillowRenderer())

    async def all_of(place: Drawing) -> list[object]:
        return await asyncio.gather(*(place.draw(picture, form) for picture, form in pictures))

    try:
        expected = await all_of(threads)
        assert len({drawn.mark for drawn in expected}) == len(pictures)  # type: ignore[attr-defined]
        assert await all_of(pool) == expected
        assert pool.cpu_seconds > 0
        assert pool.busy_seconds > 0
    finally:
        await pool.stop()
        await threads.stop()


def test_the_doctor_tries_a_process_too() -> None:
    renderer = PillowRenderer()
    assert "process" not in probe(renderer, renderer)
    assert probe(renderer, Pool(1)).endswith("in a process of its own too")
    with pytest.raises(NotDrawn):
        probe(renderer, Pool(1, module=STRANGE))


async def test_everybody_gets_what_they_asked_for(make_pool: MakePool) -> None:
    pool = make_pool(2)
    titles = [f"picture {number}" for number in range(40)]
    drawn = await asyncio.gather(*(pool.draw(titled(title)) for title in titles))
    assert [one.data.decode().partition(" ")[2] for one in drawn] == titles
    assert {int(one.data.split()[0]) for one in drawn} <= set(pool.pids)
    assert (await pool.draw(titled("big 5000000"))).data == bytes(5_000_000)
    assert (await pool.draw(titled("print"))).data.endswith(b"print")


async def test_processes_are_started_when_they_are_needed(make_pool: MakePool, tmp_path: Path) -> None:
    """None without a picture, one for pictures one after the other, all of them for many at once."""
    pool = make_pool(3)
    assert not children()
    for _ in range(3):
        await pool.draw(titled("x"))
    assert len(children()) == 1
    many = [asyncio.create_task(pool.draw(titled("wait all"))) for _ in range(8)]
    await until(lambda: len(diary(tmp_path)) == 6)
    assert len(children()) == 3
    (tmp_path / "all").touch()
    await asyncio.gather(*many)
    assert len(pool.pids) == 3


async def test_an_idle_process_gives_its_memory_back(make_pool: MakePool) -> None:
    pool = make_pool(1, idle=0.05)
    first = int((await pool.draw(titled("x"))).data.split()[0])
    await until(lambda: not pool.pids and not is_alive(first))
    assert int((await pool.draw(titled("x"))).data.split()[0]) != first


async def test_a_killed_process_is_replaced_and_its_picture_drawn_again(make_pool: MakePool, tmp_path: Path) -> None:
    """As is what waits behind it."""
    pool = make_pool(1)
    lost = counted(metrics.PICTURE_WORKERS_LOST)
    tasks = [asyncio.create_task(pool.draw(titled("wait go")))]
    tasks += [asyncio.create_task(pool.draw(titled(f"behind {number}"))) for number in range(5)]
    await until(lambda: diary(tmp_path))
    (pid,) = pool.pids
    os.kill(pid, signal.SIGKILL)
    (tmp_path / "go").touch()
    drawn = await asyncio.gather(*tasks)
    assert [one.data.decode().partition(" ")[2] for one in drawn] == ["wait go", *(f"behind {n}" for n in range(5))]
    assert diary(tmp_path)[:3] == ["wait go", "wait go", "behind 0"], "first of all, the one that was lost"
    assert pool.pids
    assert pool.pids != (pid,)
    assert counted(metrics.PICTURE_WORKERS_LOST) == lost + 1
    assert not is_alive(pid)


async def test_nothing_is_lost_while_processes_die_again_and_again(make_pool: MakePool) -> None:
    pool = make_pool(2)
    titles = [f"die-once {number}" if number % 5 == 0 else f"picture {number}" for number in range(30)]
    drawn = await asyncio.gather(*(pool.draw(titled(title)) for title in titles))
    assert [one.data.decode().partition(" ")[2] for one in drawn] == titles


async def test_one_that_was_killed_while_nothing_was_drawn(make_pool: MakePool) -> None:
    pool = make_pool(1)
    await pool.draw(titled("x"))
    (pid,) = pool.pids
    os.kill(pid, signal.SIGKILL)
    await until(lambda: not is_alive(pid))
    assert (await pool.draw(titled("y"))).data.endswith(b"y")
    assert pool.pids != (pid,)


async def test_a_picture_that_kills_is_given_up_and_the_others_are_drawn(make_pool: MakePool, tmp_path: Path) -> None:
    pool = make_pool(1)
    fatal, good = await asyncio.gather(pool.draw(titled("die")), pool.draw(titled("good")), return_exceptions=True)
    assert isinstance(fatal, NotDrawn)
    assert not isinstance(good, BaseException)
    assert diary(tmp_path) == ["die", "die", "good"]


async def test_one_that_hangs_is_killed_and_its_picture_given_up(make_pool: MakePool, tmp_path: Path) -> None:
    pool = make_pool(1, longest=0.2)
    task = asyncio.create_task(pool.draw(titled("hang")))
    await until(lambda: pool.pids)
    (pid,) = pool.pids
    with pytest.raises(NotDrawn, match="hangs"):
        await task
    assert not is_alive(pid)
    assert (await pool.draw(titled("x"))).data.endswith(b"x")
    assert diary(tmp_path) == ["hang", "x"]


async def test_a_renderer_that_fails_costs_one_picture_and_tells_no_values(
    make_pool: MakePool, capsys: pytest.CaptureFixture[str]
) -> None:
    pool = make_pool(1)
    await pool.draw(titled("x"))
    pids = pool.pids
    with pytest.raises(NotDrawn, match=r"^ValueError$"):
        await pool.draw(titled("fail hearts"))
    assert (await pool.draw(titled("x"))).data
    assert pool.pids == pids
    told = capsys.readouterr().out
    assert "strange.py" in told
    assert "hearts" not in told


async def test_too_many_are_refused_and_the_others_drawn(make_pool: MakePool, tmp_path: Path) -> None:
    pool = make_pool(1, most=3)
    refused = counted(metrics.PICTURES_REFUSED)
    first = asyncio.create_task(pool.draw(titled("wait go")))
    await until(lambda: diary(tmp_path))
    waiting = [asyncio.create_task(pool.draw(titled(f"picture {number}"))) for number in range(3)]
    await asyncio.sleep(0)
    with pytest.raises(NotDrawn, match="too many"):
        await pool.draw(titled("one more"))
    assert counted(metrics.PICTURES_REFUSED) == refused + 1
    (tmp_path / "go").touch()
    assert len(await asyncio.gather(first, *waiting)) == 4
    assert "one more" not in diary(tmp_path)


async def test_where_many_wait_what_would_come_too_late_makes_room(make_pool: MakePool, tmp_path: Path) -> None:
    """Otherwise a queue that is too long by two seconds would have everything drawn for nobody."""
    pool = make_pool(1, patience=0.0)
    first = asyncio.create_task(pool.draw(titled("wait go")))
    await until(lambda: diary(tmp_path))
    waiting = [asyncio.create_task(pool.draw(titled(f"picture {number}"))) for number in range(12)]
    await asyncio.sleep(0)
    (tmp_path / "go").touch()
    drawn = await asyncio.gather(first, *waiting, return_exceptions=True)
    assert [number for number, one in enumerate(drawn) if isinstance(one, NotDrawn)] == [1, 2, 3]
    assert diary(tmp_path) == ["wait go", *(f"picture {number}" for number in range(3, 12))]


async def test_hands_go_before_tables_and_what_nobody_waits_for_is_not_drawn(
    make_pool: MakePool, tmp_path: Path
) -> None:
    pool = make_pool(1)
    first = asyncio.create_task(pool.draw(titled("wait go")))
    await until(lambda: diary(tmp_path))
    table = asyncio.create_task(pool.draw(scenes.early()))
    hand, gone = (asyncio.create_task(pool.draw(titled(title))) for title in ("hand", "gone"))
    await asyncio.sleep(0)
    gone.cancel()
    (tmp_path / "go").touch()
    await asyncio.gather(first, table, hand)
    assert diary(tmp_path) == ["wait go", "hand", "table"]


async def test_a_table_is_not_put_off_for_ever(
    make_pool: MakePool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was asked for long before a hand goes first."""
    pool = make_pool(1)
    first = asyncio.create_task(pool.draw(titled("wait go")))
    await until(lambda: diary(tmp_path))
    table = asyncio.create_task(pool.draw(scenes.early()))
    await asyncio.sleep(0)
    loop = asyncio.get_running_loop()
    later = loop.time() + 1.0
    monkeypatch.setattr(loop, "time", lambda: later)
    hand = asyncio.create_task(pool.draw(titled("hand")))
    await asyncio.sleep(0)
    monkeypatch.undo()
    (tmp_path / "go").touch()
    await asyncio.gather(first, table, hand)
    assert diary(tmp_path) == ["wait go", "table", "hand"]


async def test_the_end_gives_up_what_waits_and_leaves_no_process(make_pool: MakePool, tmp_path: Path) -> None:
    pool = make_pool(2)
    tasks = [asyncio.create_task(pool.draw(titled("hang"))) for _ in range(5)]
    await until(lambda: len(diary(tmp_path)) == 2)
    pids = pool.pids
    assert len(pids) == 2
    await pool.stop()
    assert not [pid for pid in pids if is_alive(pid)]
    assert all(isinstance(one, NotDrawn) for one in await asyncio.gather(*tasks, return_exceptions=True))
    await pool.stop()
    with pytest.raises(NotDrawn, match="stopped"):
        await pool.draw(titled("x"))
    assert pool.pids == ()


async def test_the_end_during_a_start_leaves_no_process(make_pool: MakePool) -> None:
    pool = make_pool(1)
    task = asyncio.create_task(pool.draw(titled("x")))
    for _ in range(20):
        await asyncio.sleep(0)
    await pool.stop()
    with pytest.raises(NotDrawn):
        await task
    assert not children()


async def test_a_program_that_cannot_start_fails_pictures_and_is_not_started_in_a_hurry(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    started = Worker.start
    sleep = asyncio.sleep

    async def slept(seconds: float) -> None:
        pauses.append(seconds)
        await sleep(0)

    async def start(module: str) -> object:
        monkeypatch.setattr(asyncio, "sleep", sleep)
        try:
            return await started(module)
        finally:
            monkeypatch.setattr(asyncio, "sleep", slept)

    monkeypatch.setattr(asyncio, "sleep", slept)
    monkeypatch.setattr(Worker, "start", start)
    pool = make_pool(1, module="tests.drawing.there_is_none")
    for _ in range(2):
        with pytest.raises(NotDrawn):
            await pool.draw(titled("x"))
    monkeypatch.undo()
    assert pauses == [0.0, 1.0, 2.0, 5.0]
    assert pool.pids == ()


async def test_no_process_is_given_the_settings(make_pool: MakePool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens above all; what is not ours, such as the path to libraries, it does get."""
    for name in NAMES:
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("SOMETHING_ELSE", "there")
    pool = make_pool(1)
    told = [(await pool.draw(titled(f"setting {name}"))).data for name in (*NAMES, "SOMETHING_ELSE")]
    assert told == [b""] * len(NAMES) + [b"there"]


async def test_signals_for_the_whole_group_are_the_bots_business(make_pool: MakePool, tmp_path: Path) -> None:
    """Ctrl+C and a service manager's SIGTERM reach the process too: it draws on."""
    pool = make_pool(1)
    task = asyncio.create_task(pool.draw(titled("wait go")))
    await until(lambda: diary(tmp_path))
    for sign in (signal.SIGINT, signal.SIGTERM):
        os.kill(pool.pids[0], sign)
    (tmp_path / "go").touch()
    assert int((await task).data.split()[0]) == pool.pids[0]


async def test_a_process_that_hangs_ends_though_nobody_ends_it(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(LONGEST, "1")
    pool = make_pool(1)
    with pytest.raises(NotDrawn, match="died"):
        await pool.draw(titled("hang"))
    assert f"status=-{signal.SIGALRM.value}" in capsys.readouterr().out


async def test_a_picture_is_measured_as_in_threads(make_pool: MakePool) -> None:
    def drawn() -> float:
        return float(metrics.RENDER_BYTES.labels("hand")._sum.get())

    before, cpu, began = drawn(), counted(metrics.PICTURE_CPU), time.perf_counter()
    pool = make_pool(1)
    picture = await pool.draw(titled("x"))
    assert drawn() == before + len(picture.data)
    assert cpu < counted(metrics.PICTURE_CPU)
    assert pool.busy_seconds <= time.perf_counter() - began


async def test_what_was_told_ahead_does_not_pay_for_what_kills(make_pool: MakePool, tmp_path: Path) -> None:
    """However often the one before it kills the process that has both."""
    pool = make_pool(1)
    first = asyncio.create_task(pool.draw(titled("wait go")))
    await until(lambda: diary(tmp_path))
    tasks = [asyncio.create_task(pool.draw(titled(title))) for title in ("die", "die", "good", "hang-not")]
    await asyncio.sleep(0)
    (tmp_path / "go").touch()
    drawn = await asyncio.gather(first, *tasks, return_exceptions=True)
    assert [isinstance(one, NotDrawn) for one in drawn] == [False, True, True, False, False]
    assert diary(tmp_path) == ["wait go", "die", "die", "die", "die", "good", "hang-not"]
