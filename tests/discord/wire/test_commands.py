"""The commands and where they may be used: servers, threads, direct messages, and apps of one's own."""

import pytest

from tests.discord.wire.looks import text_of
from tests.discord.wire.player import Company, Player, board, boards, labels, notices
from tests.discord.wire.product import Complaints, Product
from tests.discord.wire.server import DiscordServer
from tests.discord.wire.world import (
    ATTACH_FILES,
    MANAGE_MESSAGES,
    PUBLIC_THREADS,
    SEND_IN_THREADS,
    SEND_MESSAGES,
    USER_PERMISSIONS,
    Channel,
)

MANAGE_GUILD = 1 << 5


@pytest.fixture
async def duel(server: DiscordServer, place: Channel, product: Product) -> Company:
    """Two people in the middle of a match."""
    company = Company(place, server.user("Ana"), server.user("Beto"))
    await company.start(mode="1v1")
    await company.shown()
    return company


async def code_of(place: Channel, player: Player) -> str:
    """The code of the one table at which somebody sits."""
    told = (await player.person.slash(place, "buraco", "mistandas")).text()
    return told.split(" · ")[1]


async def test_joining_and_leaving_by_command(
    server: DiscordServer, place: Channel, product: Product, complaints: Complaints
) -> None:
    ana, beto = (Player(server.user(name), place) for name in ("Ana", "Beto"))
    assert "No tienes cartas" in (await ana.mano()).text()
    assert "No juegas en ninguna mesa" in (await ana.person.slash(place, "buraco", "salir")).text()
    assert "Aquí no hay ninguna mesa" in (await ana.person.slash(place, "buraco", "mesa")).text()
    await ana.person.slash(place, "buraco", "nueva", modo="1v1", variante="cerrado", meta="3000", ritmo="quick")
    await server.until(lambda: bool(boards(place)))
    code = await code_of(place, ana)
    assert code in text_of(board(place))
    assert "No encuentro esa mesa" in (await beto.person.slash(place, "buraco", "unirse", codigo="NADA")).text()
    joined = await beto.person.slash(place, "buraco", "unirse", codigo=code.lower())
    assert "Te sentaste a la mesa." in joined.text()
    await server.until(lambda: "Beto" in text_of(board(place)))
    assert "Ya estás en esta mesa." in (await beto.person.slash(place, "buraco", "unirse", codigo=code)).text()
    assert "Dejaste la mesa." in (await beto.person.slash(place, "buraco", "salir")).text()
    await server.until(lambda: "Beto" not in text_of(board(place)))
    assert complaints.failures() == []


async def test_what_was_typed_is_explained(server: DiscordServer, place: Channel, product: Product) -> None:
    ana = server.user("Ana")
    assert "No entiendo «raro»" in (await ana.slash(place, "buraco", "nueva", variante="raro")).text()
    assert boards(place) == []


async def test_hand_tables_and_rules(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    ana, eva = duel["Ana"], server.user("Eva")
    hand = await ana.mano()
    assert "Tu mano · " in hand.text()
    assert hand.message is hand.ephemeral
    mine = await ana.person.slash(duel.place, "buraco", "mistandas")
    assert labels(mine) == ["1. Mesa de Ana"]
    opened = await ana.press(mine, "1. Mesa de Ana")
    assert "Tu mano · " in opened.text()
    assert "Clásico" in (await eva.slash(duel.place, "buraco", "reglas-de-la-mesa")).text()
    assert "Clásico" in (await eva.slash(duel.place, "reglas")).text()
    assert "Cerrado" in (await eva.slash(duel.place, "reglas", variante="cerrado")).text()
    assert "No entiendo" in (await eva.slash(duel.place, "reglas", variante="xyz")).text()
    assert complaints.failures() == []


async def test_leaving_a_match_is_asked_first(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    beto = duel["Beto"]
    asked = await beto.person.slash(duel.place, "buraco", "salir")
    assert "un robot sigue con tus cartas" in asked.text()
    assert labels(asked) == ["Sí, irme", "Volver"]
    left = await beto.press(asked, "Sí, irme")
    assert "Dejaste la mesa." in left.text()
    await server.until(lambda: "Beto" not in text_of(board(duel.place)))
    assert complaints.failures() == []


async def test_only_moderators_of_its_server_end_a_table(
    duel: Company, server: DiscordServer, complaints: Complaints
) -> None:
    eva = server.user("Eva")
    code = await code_of(duel.place, duel["Ana"])
    refused = "solo puede terminarla quien modera aquí"
    assert refused in (await eva.slash(duel.place, "buraco", "terminar")).text()
    assert refused in (await duel["Ana"].person.slash(duel.place, "buraco", "terminar")).text()
    eva.permissions = USER_PERMISSIONS | MANAGE_MESSAGES
    elsewhere = server.channel(server.guild("Otra"), "general")
    assert refused in (await eva.slash(elsewhere, "buraco", "terminar", codigo=code)).text()
    asked = await eva.slash(duel.place, "buraco", "terminar")
    assert labels(asked) == ["Sí, terminarla", "Volver"]
    # Whoever is no moderator any more when the question is answered ends nothing.
    eva.permissions = USER_PERMISSIONS
    assert refused in (await eva.press(asked, "Sí, terminarla")).text()
    eva.permissions = USER_PERMISSIONS | MANAGE_MESSAGES
    asked = await eva.slash(duel.place, "buraco", "terminar")
    ended = await eva.press(asked, "Sí, terminarla")
    assert "La mesa se terminó." in ended.text()
    await server.until(lambda: boards(duel.place) == [] and notices(duel.place) == [])
    assert complaints.failures() == []


async def test_settings(server: DiscordServer, place: Channel, product: Product, complaints: Complaints) -> None:
    ana = server.user("Ana")
    shown = await ana.slash(place, "buraco", "ajustes", orden="rank", colores="two")
    assert "Guardado." in shown.text()
    assert "por valor, palos en dos colores" in shown.text()
    refused = await ana.slash(place, "buraco", "ajustes", hilos=True)
    assert "Eso solo puede hacerlo quien modera aquí." in refused.text()
    ana.permissions = USER_PERMISSIONS | MANAGE_GUILD
    kept = await ana.slash(place, "buraco", "ajustes", hilos=True, variante="cerrado", ritmo="mail")
    assert "Cada mesa abre su hilo." in kept.text()
    assert "Cerrado" in (await ana.slash(place, "buraco", "ajustes")).text()
    opened = await ana.slash(place, "buraco", "nueva")
    thread = next(channel for channel in server.channels.values() if channel.is_thread)
    assert f"<#{thread.id}>" in opened.text()
    await server.until(lambda: bool(boards(thread)))
    assert "Cerrado" in text_of(board(thread)) or "cerrado" in text_of(board(thread))
    elsewhere = server.channel(server.guild("Otra"), "general")
    assert "Las mesas se quedan en el canal." in (await ana.slash(elsewhere, "buraco", "ajustes")).text()
    assert complaints.failures() == []


async def test_a_thread_of_its_own(
    server: DiscordServer, place: Channel, product: Product, complaints: Complaints
) -> None:
    company = Company(place, server.user("Ana"), server.user("Beto"))
    opened = await company.open(mode="1v1", hilo=True)
    thread = next(channel for channel in server.channels.values() if channel.is_thread)
    assert thread.parent is place
    assert f"se juega en <#{thread.id}>." in opened.text()
    await server.until(lambda: bool(boards(thread)))
    assert boards(place) == []
    for player in company.players:
        player.place = thread
    company.place = thread
    await company.sit_down()
    await company.players[0].press(board(thread), "Empezar")
    await company.take_up()
    await company.play(2)
    shown = await company.shown()
    thread.archived = True
    await company.play(1)
    after = await company.shown()
    assert thread.archived is False
    assert shown.deleted or after is shown
    assert complaints.failures() == []


async def test_alone_in_a_direct_message(server: DiscordServer, product: Product, complaints: Complaints) -> None:
    place = server.dm(server.user("Ana"))
    ana = Player(server.user("Ana"), place)
    opened = await ana.person.slash(place, "buraco", "nueva", modo="1v1")
    assert opened.message is not None
    assert [item.filename for item in opened.message.attachments] == ["mesa.png", "mano.png"]
    assert "Aquí juegas contra robots." in opened.text()
    invitation = opened.buttons[-1]
    assert invitation.label == "Invitar a Buraco"
    assert f"client_id={server.bot.id}" in invitation.url
    assert place.messages == {}
    ana.hand = opened.message
    for _ in range(6):
        await server.until(lambda: ana.on_turn or ana.over)
        if ana.on_turn:
            await ana.step()
    assert "Mesa de Ana" in (await ana.person.slash(place, "buraco", "mesa")).text()
    await ana.mano()
    assert "Tu mano · " in ana.text
    leaving = await ana.person.slash(place, "buraco", "salir")
    assert "si te vas, la partida se acaba" in leaving.text()
    assert complaints.failures() == []


@pytest.mark.parametrize(
    ("in_server", "told"),
    [(True, "alguien que lo administre tiene que invitar a Buraco"), (False, "Aquí juegas contra robots.")],
)
async def test_an_app_of_ones_own(
    server: DiscordServer, product: Product, complaints: Complaints, in_server: bool, told: str
) -> None:
    """Where only the user has installed the app: in somebody else's server, or in a message to a friend."""
    ana = Player(server.user("Ana"), server.private(server.user("Ana"), server.user("Beto")))
    if in_server:
        ana.place = server.channel(server.guild("Ajena", installed=False), "general")
    opened = await ana.person.slash(ana.place, "buraco", "nueva", modo="1v1")
    assert opened.message is not None
    assert "Tu mano · " in text_of(opened.message)
    assert all(message.ephemeral for message in opened.shown)
    assert told in opened.text()
    ana.hand = opened.message
    for _ in range(4):
        await server.until(lambda: ana.on_turn or ana.over)
        if ana.on_turn:
            await ana.step()
    assert ana.place.messages == {}
    assert complaints.failures() == []


@pytest.mark.parametrize(
    ("lost", "options", "named"),
    [
        (SEND_MESSAGES, {}, "Enviar mensajes"),
        (ATTACH_FILES, {}, "Adjuntar archivos"),
        (PUBLIC_THREADS, {"hilo": True}, "Crear hilos públicos"),
        (SEND_IN_THREADS, {"hilo": True}, "Enviar mensajes en hilos"),
    ],
)
async def test_missing_rights_are_named(
    server: DiscordServer,
    place: Channel,
    product: Product,
    complaints: Complaints,
    lost: int,
    options: dict[str, bool],
    named: str,
) -> None:
    place.bot_permissions &= ~lost
    told = await server.user("Ana").slash(place, "buraco", "nueva", **options)
    assert f"me falta permiso para jugar: «{named}»" in told.text()
    assert "Aquí no hay ninguna mesa" in (await server.user("Ana").slash(place, "buraco", "mesa")).text()
    assert place.messages == {}
    assert complaints.failures() == []


async def test_autocompletion(server: DiscordServer, place: Channel, product: Product, complaints: Complaints) -> None:
    ana = server.user("Ana")
    everything = await ana.autocomplete(place, "buraco", "nueva", focus="variante")
    assert everything.ack == 8
    assert len(everything.choices) > 3
    typed = await ana.autocomplete(place, "buraco", "nueva", focus="variante", variante="cerr")
    assert typed.choices[0]["value"] == "cerrado"
    assert all(choice["value"].startswith("cerr") for choice in typed.choices)
    points = await ana.autocomplete(place, "buraco", "nueva", focus="meta", variante="cerrado", meta="3.")
    assert [choice["value"] for choice in points.choices] == ["3000"]
    assert (await ana.autocomplete(place, "buraco", "nueva", focus="variante", variante="zzz")).choices == []
    assert (await ana.autocomplete(place, "reglas", focus="variante", variante="cla")).choices != []
    assert complaints.failures() == []


async def test_languages(server: DiscordServer, place: Channel, product: Product, complaints: Complaints) -> None:
    ana = server.user("Ana")
    ana.locale = "en-US"
    assert (await ana.slash(place, "buraco", "mano")).ack == 5
    ana.locale = "xx"
    assert "No tienes cartas" in (await ana.slash(place, "buraco", "mano")).text()
    assert complaints.failures() == []
