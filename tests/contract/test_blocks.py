"""What every store must do with block lists: :class:`bot.blocks.BlockStore`, word for word."""

import pytest

from bot.blocks import Block, personal
from bot.store import Store, StoreError
from tests.contract.conftest import Backend

CASA, OTRA = "discord:server:1", "telegram:-5"


async def listed(store: Store, owner: str) -> list[str]:
    """Who is on a list, the oldest first."""
    return [block.person for block in await store.blocked(owner)]


async def test_nobody_is_blocked_at_first(store: Store) -> None:
    assert await listed(store, CASA) == []
    assert not await store.is_blocked(CASA, "ana")
    assert list(await store.blocks_of("ana")) == []
    assert not await store.unblock(CASA, "ana")


async def test_a_list_keeps_who_was_put_on_it_and_nobody_twice(store: Store) -> None:
    assert await store.block(Block(CASA, "beto", 2))
    assert await store.block(Block(CASA, "ana", 1))
    assert await store.block(Block(OTRA, "ana", 3))
    assert not await store.block(Block(CASA, "ana", 9))
    assert await listed(store, CASA) == ["ana", "beto"]
    assert list(await store.blocks_of("ana")) == [Block(CASA, "ana", 1), Block(OTRA, "ana", 3)]
    assert await store.is_blocked(CASA, "ana")
    assert not await store.is_blocked(OTRA, "beto")
    assert await store.unblock(CASA, "ana")
    assert await listed(store, CASA) == ["beto"]
    assert await store.is_blocked(OTRA, "ana")


async def test_a_list_counts_under_the_new_name_of_its_place_too(store: Store) -> None:
    await store.block(Block(OTRA, "ana", 1))
    await store.block(Block("telegram:-100", "ana", 5))
    await store.block(Block(OTRA, "beto", 2))
    await store.copy_blocks(OTRA, "telegram:-100")
    assert await listed(store, "telegram:-100") == ["beto", "ana"]
    assert await listed(store, OTRA) == ["ana", "beto"]


async def test_a_person_is_forgotten_on_all_lists_with_their_own(store: Store) -> None:
    for block in (Block(CASA, "ana", 1), Block(personal("ana"), "beto", 2), Block(personal("beto"), "ana", 3)):
        await store.block(block)
    await store.block(Block(CASA, "beto", 4))
    await store.forget_blocks("ana")
    await store.forget_blocks("ana")
    assert await listed(store, CASA) == ["beto"]
    assert await listed(store, personal("ana")) == []
    assert await listed(store, personal("beto")) == []


async def test_lists_survive_a_restart(backend: Backend) -> None:
    await backend.store.block(Block(CASA, "ana", 1))
    store = await backend.reopen()
    assert await store.is_blocked(CASA, "ana")
    await store.close()
    with pytest.raises(StoreError):
        await store.is_blocked(CASA, "ana")
