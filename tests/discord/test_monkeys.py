"""Monkeys: people who press and pick anything they see, while every message keeps its limits and every secret."""

import random
from typing import Any

import pytest

from tests.discord.looks import BUTTON, SELECT, TEXT, of_type, walk
from tests.discord.world import Shown, World

FAILED = "Algo falló"
_SELDOM = ("Cancelar", "Salir", "Sí, irme", "Sí, terminarla", "Terminar la mesa", "Expulsar")


class Monkey:
    """Somebody without a plan."""

    def __init__(self, world: World, actor: Any, rng: random.Random) -> None:
        self.world = world
        self.actor = actor
        self.rng = rng
        self.mine: list[Shown] = []

    async def act(self) -> None:
        """Do one thing."""
        self.mine = [shown for shown in self.mine if shown.is_there][-3:]
        if self.rng.random() < 0.05 or not self.world.messages():
            command = self.rng.choice(("mano", "mesa", "mistandas", "reglas-de-la-mesa", "ajustes"))
            answer = await self.world.slash(self.actor, f"buraco {command}")
            self.mine.append(answer.shown)
            return
        shown = self.rng.choice([*self.mine[-1:] * 3, *self.world.messages()])
        components = [
            component
            for component in shown.components
            if component["type"] in (BUTTON, SELECT) and component.get("custom_id") and not component.get("disabled")
        ]
        if self.rng.random() < 0.9:
            components = [c for c in components if not str(c.get("label")).startswith(_SELDOM)]
        if not components:
            return
        await self._use(shown, self.rng.choice(components))

    async def _use(self, shown: Shown, component: dict[str, Any]) -> None:
        custom_id = component["custom_id"]
        if component["type"] == BUTTON:
            result = await self.actor.click(shown.message, custom_id=custom_id)
        else:
            values = [option["value"] for option in component["options"]]
            most = component.get("max_values", 1)
            count = self.rng.randint(component.get("min_values", 1), min(most, 6))
            result = await self.actor.select(shown.message, self.rng.sample(values, count), custom_id=custom_id)
        assert result.acknowledged
        for followup in result.followups:
            assert followup.ephemeral
            self.mine.append(Shown(self.world, followup.channel_id, followup.id))


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_is_pressed_nothing_breaks_and_nothing_leaks(world: World, seed: int) -> None:
    rng = random.Random(seed)
    crowd = [world.member(name) for name in ("Ana", "Luis", "Marta")]
    mode, variant = rng.choice([("1v1", "clasico"), ("2v2", "burraco"), ("1v1", "fibur"), ("2v2", "abierto")])
    await world.slash(crowd[0], "buraco new", modo=mode, variante=variant)
    await world.board.press(crowd[1], "Sentarme")
    await world.board.press(crowd[0], "Empezar")
    monkeys = [Monkey(world, actor, rng) for actor in (*crowd[:2] * 3, crowd[2])]
    for _ in range(60):
        await rng.choice(monkeys).act()
    for request in world.env.http_requests:
        if not isinstance(request.json, dict):
            continue
        told = str(request.json)
        assert FAILED not in told, request
        components = list(walk(request.json.get("components") or []))
        assert len(components) <= 40
        assert sum(len(text["content"]) for text in of_type(components, TEXT)) <= 4000
        if request.path.startswith("/channels/"):
            assert not of_type(components, SELECT), "cards are picked in private"
            assert not any(word in told for word in ("Tu mano", "Robaste", "mano.png"))
    for shown in world.messages():
        assert set(shown.files) <= {"mesa.png"}
