"""``/perfil``, ``/historial`` and ``/ranking``: asked anywhere, told in the private chat."""

from bot.results.model import Player
from tests.results.keeping import keep
from tests.results.samples import result
from tests.telegram.fake import BotApi
from tests.telegram.room import Room, until
from tests.telegram.test_commands import letter


async def test_finished_matches_are_told_in_private(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    for person in (ana, beto):
        await person.starts()
    group = api.group("Amigos", ana, beto)
    await ana.says(group, "/perfil")
    await letter(ana, "Todavía no hay partidas")
    await until(lambda: "chat privado" in (group.last.text or ""))
    await beto.says(None, "/historial")
    await letter(beto, "Todavía no hay partidas")
    people = [await room.player(person) for person in (ana, beto)]
    seats = [Player(person.name, person.id) for person in people]
    for number in range(3):
        ended = room.clock.now_ms() + number
        await keep(room.store, result(seats, number=number, origin=f"telegram:{group.id}", ended_ms=ended))
    await ana.says(None, "/perfil")
    mine = await letter(ana, "ganadas 3")
    assert mine.photo
    await ana.presses(mine, "Mis partidas")
    matches = await letter(ana, "Ganada")
    # Words come in a message of their own, and the picture goes.
    await until(lambda: mine not in ana.inbox)
    await ana.presses(matches, "Mi perfil")
    mine = await letter(ana, "Entre personas")
    assert mine.photo
    await ana.presses(mine, "Ocultar mi perfil")
    await until(lambda: "está oculto" in (mine.caption or ""))
    await ana.presses(mine, "Mostrar mi perfil")
    await until(lambda: "está oculto" not in (mine.caption or ""))
    await beto.says(group, "/ranking")
    ranking = await letter(beto, "1. Ana: 3, ganadas 3")
    await beto.presses(ranking, "La anterior")
    await until(lambda: "hacen falta" in (ranking.text or ""))
    await beto.says(None, "/ranking")
    await letter(beto, "pídelo allí")


async def test_who_cannot_be_written_to_opens_the_private_chat(api: BotApi, room: Room) -> None:
    eva = api.user("Eva")
    group = api.group("Amigos", eva)
    await eva.says(group, "/historial")
    await until(lambda: "Todavía no puedo escribirte" in (group.last.text or ""))
    await eva.opens(group.last.button("Abrir chat privado").url or "")
    await letter(eva, "Todavía no hay partidas")
