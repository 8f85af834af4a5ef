"""A press draws the hand of whoever pressed once, and the others' hands only where they look different."""

from tests.discord.world import World


async def test_the_presser_s_hand_is_drawn_once(world: World) -> None:
    actors = await world.playing("Ana", "Luis")
    deal = (await world.record()).match
    assert deal is not None
    assert deal.deal is not None
    seats = {await world.seat(actor): actor for actor in actors}
    mover = seats[deal.deal.turn.seat]
    hands = {actor.id: (await world.board.press(actor, "Mi mano")).shown for actor in actors}
    await world.settle()
    drawn = world.bot.renderer.hands
    drawn.clear()
    told = await hands[mover.id].press(mover, "Robar")
    await world.settle()
    assert len(drawn) == 1, "by the answer alone, not once more by what is committed beside it"
    assert "Tu mano · 12 cartas" in told.shown.alternatives[0]


async def test_a_hand_that_the_answer_left_alone_is_brought_up_to_date(world: World) -> None:
    """Pressed under the public message, the answer is another message; nothing stays behind."""
    actors = await world.playing("Ana", "Luis")
    match = (await world.record()).match
    assert match is not None
    assert match.deal is not None
    seats = {await world.seat(actor): actor for actor in actors}
    mover = seats[match.deal.turn.seat]
    await world.board.press(mover, "Mi mano")
    told = await world.board.press(mover, "Robar")
    await world.settle()
    assert "Tu mano · 12 cartas" in told.shown.alternatives[0]
    assert not world.bot.client.answers._left
    assert not world.bot.client.answers._answering
