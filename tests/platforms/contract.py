"""What every platform of the application owes: a suite over a stage, which each platform's tests set up for it."""

from typing import Any, Protocol

import msgspec
import pytest

from bot.announcing import PlaceClosed
from bot.model import Home, Vote, VoteKind
from bot.presenter.table import table_screen
from bot.presenter.words import card_name, face_sign
from bot.records import read_record, verify
from bot.screens import Screen
from bot.texts import texts
from engine.cards import FACE, Card
from engine.seating import Seating
from engine.state import Match
from tests.bot.tables import TABLE_ID, deal_of, dealt, place_of, public_of


class Stage(Protocol):
    """A platform with one open place in which everybody reads what is shown."""

    platform: Any
    """The :class:`bot.announcing.Platform`."""
    place: str
    """The place, as a home names it."""

    async def show(self, home: Home, screen: Screen) -> str | None:
        """Show a screen the way the application does."""

    def seen(self) -> list[str]:
        """Everything that is to be read in the place, a message each, pictures in words."""

    async def close(self) -> None:
        """Take the place away from the platform."""

    async def stranger(self) -> str:
        """What somebody who does not play is told in private for a press of the first button."""

    async def settings(self, *labels: str) -> str:
        """What somebody reads of their own settings after these presses, each by the beginning of a label."""

    async def profile(self) -> str:
        """What somebody who has played reads of themselves, the picture in words."""

    async def over(self) -> None:
        """Two people play a deal to its end."""

    async def replay(self, *labels: str) -> str:
        """What one of them reads and may press after these presses, the first under the table itself."""

    async def file(self, label: str) -> tuple[str, bytes]:
        """The name and the contents of the file that a press there brings, to nobody else."""

    def readers(self) -> int:
        """How many others have been told anything since :meth:`over`: those in the place, and the other player."""


class PlatformContract:
    """The suite; a subclass brings the fixture ``stage``."""

    @pytest.fixture
    def home(self, stage: Stage) -> Home:
        """A home in which nothing has been shown."""
        return Home(TABLE_ID, stage.platform.capabilities.name, stage.place)

    def test_it_says_what_it_can_do(self, stage: Stage) -> None:
        capabilities = stage.platform.capabilities
        assert capabilities.name.isalnum()
        assert capabilities.token_length >= 64
        assert capabilities.most_picks >= 20
        assert capabilities.edits_a_minute >= 0

    async def test_a_screen_is_shown_and_found_again(self, stage: Stage, home: Home) -> None:
        match = dealt(Seating.ONE_ON_ONE, 1)
        posted = await stage.show(home, public_of(match, 1))
        first = stage.seen()
        assert any("Turno de" in text for text in first)
        home = msgspec.structs.replace(home, posted=posted, shown_version=1)
        again = await stage.show(home, msgspec.structs.replace(public_of(match, 2), alternative="Algo nuevo."))
        assert len(stage.seen()) == len(first), "in the same message"
        assert any("Algo nuevo." in text for text in stage.seen())
        assert again == posted

    async def test_two_tables_in_one_place_do_not_mix(self, stage: Stage, home: Home) -> None:
        screen = public_of(dealt(Seating.ONE_ON_ONE, 1), 1)
        await stage.show(home, msgspec.structs.replace(screen, title="Una mesa"))
        before = len(stage.seen())
        other = msgspec.structs.replace(home, table_id="zyxwvutsrq")
        await stage.show(other, msgspec.structs.replace(screen, title="Otra mesa", table_id="zyxwvutsrq"))
        seen = "\n".join(stage.seen())
        assert len(stage.seen()) > before
        assert "Una mesa" in seen
        assert "Otra mesa" in seen

    async def test_a_place_that_is_gone_is_closed(self, stage: Stage, home: Home) -> None:
        screen = public_of(dealt(Seating.ONE_ON_ONE, 1), 1)
        posted = await stage.show(home, screen)
        await stage.close()
        for shown in (home, msgspec.structs.replace(home, posted=posted, shown_version=1)):
            with pytest.raises(PlaceClosed):
                await stage.show(shown, screen)

    async def test_no_hidden_card_is_shown(self, stage: Stage, home: Home) -> None:
        match = dealt(Seating.TWO_PAIRS, 3)
        await stage.show(home, public_of(match, 1))
        assert named_in("\n".join(stage.seen())) <= {FACE[deal_of(match).pile[-1]]}

    async def test_a_vote_is_asked_in_the_place(self, stage: Stage, home: Home) -> None:
        match = dealt(Seating.TWO_PAIRS, 3)
        vote = Vote(1, VoteKind.END, "p0", "Ana", until_ms=10**15, yes=("p1",))
        await stage.show(home, table_screen(place_of(match, 1, vote=vote)))
        seen = "\n".join(stage.seen())
        assert "Ana propone terminar la partida sin resultado." in seen
        assert "Van 1 a favor y 0 en contra" in seen
        assert {"Sí", "No"} <= set(seen.split("\n"))

    async def test_hands_are_brought_up_to_date_where_there_are_none(self, stage: Stage) -> None:
        await stage.platform.refresh_hands(TABLE_ID, 1)

    async def test_settings_are_one_s_own_and_stay(self, stage: Stage) -> None:
        before = stage.seen()
        told = await stage.settings()
        for part in ("por palo", "en cuatro colores", "en cada turno tuyo", "siempre"):
            assert part in told
        await stage.settings("Por valor", "Dos colores", "Solo sin tiempo", "No preguntar")
        told = await stage.settings()
        for part in ("por valor", "en dos colores", "solo si se te acaba el tiempo", "canasta: nunca"):
            assert part in told
        assert stage.seen() == before

    async def test_a_profile_is_drawn_and_told(self, stage: Stage) -> None:
        told = await stage.profile()
        assert "Entre personas: 1, ganadas 1" in told
        assert "Mis partidas" in told

    async def test_a_deal_is_looked_at_again_turn_by_turn(self, stage: Stage) -> None:
        await stage.over()
        told = await stage.replay("Repetición")
        assert "Ronda 1 · turno 0 de" in told
        assert "Se repartió." in told
        told = await stage.replay("Siguiente")
        assert "turno 1 de" in told
        assert "tiró" in told
        told = await stage.replay("Siguiente", "Ver las manos")
        assert "turno 2 de" in told
        assert "Ana: " in told
        assert "Luis: " in told
        assert "turno 1 de" in await stage.replay("‹ Anterior")
        last = await stage.replay("Final")
        first, _, rest = last.partition("· turno ")[2].partition(" de ")
        assert rest.startswith(first)
        assert "turno 0 de" in await stage.replay("« Inicio")
        assert stage.readers() == 0, "whoever looks disturbs nobody"

    async def test_a_deal_is_taken_along_as_a_file(self, stage: Stage) -> None:
        await stage.over()
        await stage.replay("Repetición")
        name, body = await stage.file("Descargar la ronda")
        assert name.startswith("buraco-")
        record = read_record(body.decode())
        verify(record)
        assert sorted(record.names) == ["Ana", "Luis"]
        assert record.result is not None
        assert stage.readers() == 0

    async def test_strangers_are_answered(self, stage: Stage) -> None:
        before = stage.seen()
        assert await stage.stranger()
        assert stage.seen()[: len(before)] == before


def named_in(text: str) -> set[Any]:
    """The faces of the cards that a text names."""
    t = texts()
    by_face = {FACE[card]: card for card in _every_card()}
    return {face for face, card in by_face.items() if card_name(t, card) in text or face_sign(t, face) in text}


def _every_card() -> list[Card]:
    deal = deal_of(_any_match())
    return [card for pile in (deal.stock, deal.pile, *deal.hands, *deal.muertos) for card in pile]


def _any_match() -> Match:
    return dealt(Seating.ONE_ON_ONE, 1)
