"""Custom ids that no message holds: every press is acknowledged, and nobody moves what is not theirs."""

import random
from typing import Any

from adapters.discord.hand_layout import DISCARD, PICK
from bot.model import Person, Status
from tests.discord.wire.people import Person as Somebody
from tests.discord.wire.player import Company, board
from tests.discord.wire.product import Complaints, Product
from tests.discord.wire.server import DiscordServer
from tests.discord.wire.world import Channel, Interaction, Message
from tests.security.forging import Forger, Watch

SHORT, LONG, AT_ONCE = 600, 100_000, 20
KEPT = 1000
"""So many of the newest presses, and of what came of them, the fake remembers."""
_COMPONENT, _BUTTON, _SELECT = 3, 2, 3


def forged(server: DiscordServer, person: Somebody, message: Message, custom_id: str, values: list[str]) -> Interaction:
    """A press of something that the message need not have, as Discord would tell of it."""
    kind: dict[str, Any] = {"component_type": _SELECT, "values": values} if values else {"component_type": _BUTTON}
    data = {"custom_id": custom_id, "id": 1, **kind}
    made = Interaction(server.snowflake(), server.token(), _COMPONENT, person, message.channel, server.now(), message)
    server.begin(made)
    server.gateway.dispatch("INTERACTION_CREATE", person._payload(made, data))
    return made


async def test_forged_ids_are_acknowledged_and_move_nothing_that_is_not_ones_own(
    server: DiscordServer, place: Channel, product: Product, complaints: Complaints, long_run: bool
) -> None:
    dice, server.patience = random.Random(29), 20.0
    # Whether a busy machine acknowledges twenty presses in three seconds is not what is asked here.
    server.ack_window = server.patience
    ana, beto, eva = (server.user(name, *server.guilds.values()) for name in ("Ana", "Beto", "Eva"))
    forger, watch = Forger(dice, kinds=(PICK, DISCARD)), Watch(product.store)
    company = Company(place, ana, beto)

    async def begin() -> tuple[str, list[Person], list[Message]]:
        await company.start(mode="1v1")
        hands = [(await player.mano()).ephemeral for player in company.players]
        await company.shown()
        people = [await product.app.person(f"discord:{user.id}") for user in (ana, beto)]
        there = [hand for hand in hands if hand is not None]
        assert len(there) == 2
        return (await product.record(place)).table.id, [person for person in people if person is not None], there

    table_id, people, hands = await begin()
    for _ in range((LONG if long_run else SHORT) // AT_ONCE):
        if (await product.app.record(table_id)).table.status is not Status.PLAYING:
            table_id, people, hands = await begin()
        await forger.look(product.app, table_id, people)
        shown = [board(place), *(hand for hand in hands if not hand.deleted)]
        made = []
        for _ in range(AT_ONCE):
            values = [str(dice.randrange(130)) for _ in range(dice.randrange(4))]
            person = dice.choice((ana, beto, eva))
            made.append(forged(server, person, dice.choice(shown), forger.token()[:100] or "x", values))
        await server.until(lambda made=made: all(one.acknowledged.is_set() for one in made))  # type: ignore[misc]
        await server.settle(0.005)
        assert complaints.failures() == []
        complaints.clear()
        server.forget(KEPT)
    await server.settle(0.1)
    assert watch.problems == []
    assert watch.moves > 0, "some were genuine"
    assert complaints.failures() == []
