"""How long pictures take, from the view to the bytes (about 4 ms for a late table with warm caches)."""

from pytest_benchmark.fixture import BenchmarkFixture

from render import PillowRenderer
from tests.render import scenes

RENDERER = PillowRenderer()


def test_late_table(benchmark: BenchmarkFixture) -> None:
    picture = scenes.late()
    data = benchmark(RENDERER.table, picture)
    assert len(data) <= 100 * 1024


def test_open_pile_of_sixty(benchmark: BenchmarkFixture) -> None:
    benchmark(RENDERER.table, scenes.open_pile(60))


def test_late_table_with_cold_sprites(benchmark: BenchmarkFixture) -> None:
    picture = scenes.late()
    benchmark(lambda: PillowRenderer().table(picture))


def test_hand_of_25(benchmark: BenchmarkFixture) -> None:
    benchmark(RENDERER.hand, scenes.hand(25))
