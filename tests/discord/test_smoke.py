from tests.discord.world import World, walk


async def test_smoke(world: World) -> None:
    ana = world.member("Ana")
    result = await ana.slash(world.channel, "buraco nueva", modo="1v1")
    print(result.response.components)
    m = world.channel.last_message
    print([(c.get("content"), c.get("label")) for c in walk([x.to_dict() for x in m.components])])
    for req in world.env.http_requests:
        print(req)
    r = await ana.click(m, label="Empezar")
    print(r.followups[0].components)
    await world.env.advance_time(10)
