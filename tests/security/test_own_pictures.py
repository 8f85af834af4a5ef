"""A picture of a hand is for whoever holds it: none is kept, and nobody gets another's."""

import asyncio

from bot.desk import PictureDesk
from bot.pictures import HandPicture
from engine.cards import Card
from tests.telegram.room import FlatRenderer


async def test_many_who_ask_at_once_and_again_each_get_their_own_cards() -> None:
    renderer = FlatRenderer()
    desk = PictureDesk(renderer)
    hands = [
        HandPicture(groups=((Card(seat),),), new=(), title=f"Tu mano {seat}", corner="", joker="★") for seat in range(6)
    ]
    own = [FlatRenderer().hand(hand) for hand in hands]
    assert len(set(own)) == len(hands)
    try:
        for _ in range(3):
            assert await asyncio.gather(*(desk.hand(hand) for hand in hands)) == own
    finally:
        await desk.close()
