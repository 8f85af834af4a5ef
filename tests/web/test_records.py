"""The profile in the room: behind the menu, and to read like the rules."""

from bot.tokens import Intent, Verb, write_token
from tests.web.guest import Guest


def token(verb: Verb, *arguments: str) -> str:
    """A button of what is told of finished matches."""
    return write_token(Intent("x", 0, verb, arguments))


async def test_a_guest_reads_their_own_profile(ana: Guest) -> None:
    code = await ana.open_table("Ana")
    await ana.start(code)
    reply = await ana.press(code, token(Verb.PROFILE))
    assert reply.json["reading"]["title"] == "Perfil de Ana"
    labels = [choice["label"] for row in reply.json["reading"]["rows"] for choice in row]
    assert "Mis partidas" in labels
    reply = await ana.press(code, token(Verb.HISTORY, "0"))
    assert reply.json["reading"]["title"] == "Mis partidas"
    assert not (await ana.press(code, token(Verb.TOPIC, "muerto", "nada"))).json["ok"]
    assert not (await ana.press(code, token(Verb.RANKING, "0123456789abcdef0123", "s"))).json["ok"]


async def test_a_stranger_has_no_profile(ana: Guest, eva: Guest) -> None:
    code = await ana.open_table("Ana")
    await eva.come_in()
    reply = await eva.press(code, token(Verb.PROFILE))
    assert not reply.json["ok"]
    assert reply.json["reading"] is None
