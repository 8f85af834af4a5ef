"""Deciding together in a channel: a vote and a seat that somebody takes over, through what Discord shows."""

from tests.discord.wire.looks import text_of
from tests.discord.wire.player import Company, board, boards, labels
from tests.discord.wire.product import Complaints, Product
from tests.discord.wire.server import DiscordServer
from tests.discord.wire.world import Channel


async def test_two_end_their_match_together(
    server: DiscordServer, place: Channel, product: Product, complaints: Complaints
) -> None:
    company = Company(place, server.user("Ana"), server.user("Beto"))
    await company.start(mode="1v1")
    await company.shown()
    ana, beto = company["Ana"], company["Beto"]
    menu = await ana.person.press(board(place), "⋯")
    await server.until(lambda: "Proponer algo" in labels(menu))
    asked = await ana.person.press(menu, "Proponer algo")
    await server.until(lambda: "Terminar la partida sin resultado" in labels(asked))
    await ana.person.press(asked, "Terminar la partida sin resultado")
    await company.up_to_date("Sí")
    assert "Ana propone terminar la partida sin resultado." in text_of(board(place))
    watcher = server.user("Eva")
    told = await watcher.press(board(place), "No")
    await server.until(lambda: "En esto deciden los demás" in told.text())
    said = await beto.person.press(board(place), "Sí")
    await server.until(lambda: "Decidido: sí." in said.text())
    await server.until(lambda: boards(place) == [])
    assert complaints.failures() == []


async def test_a_spectator_takes_a_seat_over(
    server: DiscordServer, place: Channel, product: Product, complaints: Complaints
) -> None:
    company = Company(place, server.user("Ana"), server.user("Beto"))
    await company.start(mode="1v1")
    await company.shown()
    left = await company["Beto"].person.slash(place, "buraco", "salir")
    await company["Beto"].person.press(left, "Sí, irme")
    await server.until(lambda: "Beto" not in text_of(board(place)))
    eva = server.user("Eva")
    menu = await eva.press(board(place), "⋯")
    await server.until(lambda: any(label.startswith("Tomar el asiento de") for label in labels(menu)))
    taking = next(label for label in labels(menu) if label.startswith("Tomar el asiento de"))
    taken = await eva.press(menu, taking)
    # In the middle of the robot's turn she waits for its end.
    await server.until(lambda: "El asiento es tuyo" in taken.text())
    await server.until(lambda: "Eva" in text_of(board(place)))
    hand = await eva.slash(place, "buraco", "mano")
    await server.until(lambda: "Tu mano" in hand.text())
    assert complaints.failures() == []
