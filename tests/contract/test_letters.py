"""What every store must do with dead letters: :class:`bot.dead_letters.LetterStore`, word for word."""

import asyncio

import pytest

from adapters.storage import letters as over_sql
from adapters.storage import letters_memory as in_memory
from bot.dead_letters import DeadLetter
from bot.store import Store, StoreError
from tests.contract.conftest import Backend


def letter(number: str, at_ms: int = 1, platform: str = "telegram") -> DeadLetter:
    """A letter."""
    return DeadLetter(platform, number, "ValueError in bot.app:7", f"id{number}", 3, at_ms, '{"message":"…"}')


async def test_there_are_none_at_first(store: Store) -> None:
    assert list(await store.letters()) == []
    assert await store.forget_letters(10) == 0


async def test_letters_are_kept_as_they_are_the_newest_first(store: Store) -> None:
    made = [letter("2", 5), letter("1", 7), letter("1", 6, "discord")]
    for one in made:
        assert await store.keep_letter(one)
    assert list(await store.letters()) == [made[1], made[2], made[0]]


async def test_an_update_that_comes_again_is_kept_once(store: Store) -> None:
    assert await store.keep_letter(letter("1"))
    assert not await store.keep_letter(letter("1", 9))
    assert sorted(await asyncio.gather(*(store.keep_letter(letter("2")) for _ in range(3)))) == [False, False, True]
    assert list(await store.letters()) == [letter("2"), letter("1")]


async def test_with_too_many_the_oldest_go(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (over_sql, in_memory):
        monkeypatch.setattr(module, "KEPT", 3)
    for number, at_ms in enumerate((4, 1, 3, 2, 5)):
        await store.keep_letter(letter(str(number), at_ms))
    assert [one.at_ms for one in await store.letters()] == [5, 4, 3]


async def test_old_letters_are_forgotten(store: Store) -> None:
    for number in range(5):
        await store.keep_letter(letter(str(number), number))
    assert await store.forget_letters(3) == 3
    assert [one.at_ms for one in await store.letters()] == [4, 3]


async def test_letters_survive_a_restart(backend: Backend) -> None:
    await backend.store.keep_letter(letter("1"))
    store = await backend.reopen()
    assert list(await store.letters()) == [letter("1")]
    await store.close()
    with pytest.raises(StoreError):
        await store.letters()
    with pytest.raises(StoreError):
        await store.keep_letter(letter("2"))
