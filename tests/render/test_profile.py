"""The picture of a profile."""

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.pictures import Outcome, ProfileFact, ProfilePicture, SuitColours
from render import PillowRenderer
from render.canvas import Box
from render.layout import HIGHEST, MARGIN, WIDTH
from render.profile import MOST_RECENT, SMALLEST, plan_profile
from tests.render.png import chunks, decode
from tests.render.watch import watching

RENDERER = PillowRenderer()
LONG = "Maximiliana Ñandúez del Campo"
TELEGRAM_SIDES = 10_000


def full(**changed: object) -> ProfilePicture:
    """A profile with everything in it."""
    picture = ProfilePicture(
        name=LONG,
        alias="Jugador",
        note="Clásico",
        rating=ProfileFact("2v2", "1.124"),
        standing=("Clasificación", "puesto 3 de 12 con quienes jugaste", "+38 en las últimas 5 partidas"),
        trend=1,
        facts=(
            ProfileFact("partidas", "1.042", "18 con robots"),
            ProfileFact("ganadas", "625", "60 % entre personas"),
            ProfileFact("seguidas", "3", "la mejor racha: 17"),
            ProfileFact("puntos por ronda", "412", "la mejor: 1.240"),
            ProfileFact("canastas", "1.120", "limpias: 880"),
            ProfileFact("cierres", "333", "de 1.104 rondas"),
        ),
        people=(
            ProfileFact("pareja favorita", LONG, "112 partidas, ganadas 70"),
            ProfileFact("rival favorito", "李雷", "9 partidas, ganadas 5"),
        ),
        recent_title="Últimas partidas",
        recent=(Outcome.WON, Outcome.LOST, Outcome.LEFT) * 5,
        awards_title="Logros: 9 de 20",
        awards=("Estreno", "Primera victoria", "Veterano", "En racha", "Diez canastas", "Cien canastas", "Maratón"),
    )
    return msgspec.structs.replace(picture, **changed)


def new() -> ProfilePicture:
    """Somebody who has not played yet."""
    return ProfilePicture("Ana", "Jugador", empty="Todavía no hay partidas terminadas.", awards_title="Logros: 0 de 20")


def boxes(picture: ProfilePicture) -> list[Box]:
    plan = plan_profile(picture)
    found = [plan.head, plan.empty, plan.rating, plan.recent, plan.awards, *(box for box, _ in plan.facts)]
    return [box for box in (*found, *(box for box, _ in plan.people)) if box.h]


@pytest.mark.parametrize("picture", [full(), new(), full(name="W" * 60)], ids=["full", "new", "wide"])
def test_a_profile_is_a_plain_png_that_chats_show_whole(picture: ProfilePicture) -> None:
    data = RENDERER.profile(picture)
    image = decode(data)
    assert set(chunks(data)) == {"IHDR", "PLTE", "IDAT", "IEND"}
    assert image.width == WIDTH
    assert image.height == plan_profile(picture).height <= HIGHEST
    assert len(data) < 100_000


def test_a_profile_shows_everything_in_letters_that_a_phone_can_show() -> None:
    with watching() as seen:
        PillowRenderer().profile(full())
    assert seen.outside == []
    assert min(size for size in seen.sizes) >= SMALLEST
    assert SMALLEST * 400 / WIDTH >= 13
    told = " ".join(seen.texts)
    for part in ("Maximiliana", "1.124", "puesto 3 de 12", "+38", "60 %", "cierres", "1.104", "Veterano", "Jugador"):
        assert part in told
    assert "…" not in "".join(text for text in seen.texts if not text.startswith("Maxi"))


def test_nothing_lies_on_anything_else() -> None:
    for picture in (full(), new(), full(name="W" * 60), full(facts=full().facts[:4])):
        found = boxes(picture)
        for one, other in combinations(found, 2):
            apart = one.bottom <= other.y or other.bottom <= one.y or one.right <= other.x or other.right <= one.x
            assert apart, (one, other)
        assert max(box.bottom for box in found) == plan_profile(picture).height - MARGIN
        awards = plan_profile(picture)
        for label in awards.award_labels:
            assert awards.awards.x < label.box.x
            assert label.box.right < awards.awards.right
            assert label.box.bottom < awards.awards.bottom


def test_what_is_empty_takes_no_room() -> None:
    assert plan_profile(new()).height < plan_profile(full()).height // 2
    without = plan_profile(full(rating=None, people=(), recent=(), awards=(), awards_title=""))
    assert [box.h for box in (without.rating, without.recent, without.awards)] == [0, 0, 0]


def test_trend_outcome_and_suits_are_told_by_shape_too() -> None:
    greys = {decode(RENDERER.profile(full(trend=trend))).convert("L").tobytes() for trend in (-1, 0, 1)}
    assert len(greys) == 3
    greys = {decode(RENDERER.profile(full(recent=(one,)))).convert("L").tobytes() for one in Outcome}
    assert len(greys) == 3
    assert RENDERER.profile(full(suits=SuitColours.TWO)) != RENDERER.profile(full())


def test_the_last_matches_are_those_that_are_shown() -> None:
    lost = (Outcome.LOST,) * 5
    won = (Outcome.WON,) * MOST_RECENT
    assert RENDERER.profile(full(recent=lost + won)) == RENDERER.profile(full(recent=won))


def test_a_name_that_cannot_be_drawn_has_its_stand_in() -> None:
    assert RENDERER.profile(full(name="李雷")) == RENDERER.profile(full(name="Jugador"))


TEXTS = st.one_of(
    st.text(max_size=80),
    st.sampled_from(["", "W" * 200, "a " * 100, "10♥ y ★", "\u202eabc\n\ndef", "李雷 🎉", "ñ" * 99, "−1.240"]),
)
FACTS = st.lists(st.builds(ProfileFact, TEXTS, TEXTS, TEXTS), max_size=7).map(tuple)
PROFILES = st.builds(
    ProfilePicture,
    TEXTS,
    st.just("Jugador"),
    TEXTS,
    TEXTS,
    st.none() | st.builds(ProfileFact, TEXTS, TEXTS),
    st.lists(TEXTS, max_size=3).map(tuple),
    st.sampled_from((-1, 0, 1)),
    FACTS,
    FACTS,
    TEXTS,
    st.lists(st.sampled_from(Outcome), max_size=14).map(tuple),
    TEXTS,
    st.lists(TEXTS, max_size=12).map(tuple),
    st.sampled_from(SuitColours),
)


@given(PROFILES)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_a_profile_never_overflows(picture: ProfilePicture) -> None:
    with watching() as seen:
        image = decode(RENDERER.profile(picture))
    assert seen.outside == []
    assert image.width == WIDTH
    assert image.width + image.height <= TELEGRAM_SIDES
    # The rim of the picture stays felt, whatever is inside.
    pixels = image.convert("RGB")
    felt = pixels.getpixel((0, 0))
    for box in ((0, 0, 12, image.height), (image.width - 12, 0, image.width, image.height)):
        assert pixels.crop(box).getcolors() == [(12 * image.height, felt)]


def test_a_profile_is_the_same_in_every_thread(renderer: PillowRenderer) -> None:
    pictures = [full(), new(), full(trend=-1)]
    expected = [renderer.profile(picture) for picture in pictures] * 3
    fresh = PillowRenderer()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(fresh.profile, pictures * 3)) == expected
