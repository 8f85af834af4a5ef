"""Answering what is asked about finished matches: typed, or by the buttons of what was shown. Always in private."""

from collections.abc import Sequence
from typing import Final

import msgspec

from bot.clock import Clock
from bot.model import Person
from bot.presenter.notices import unknown_button_text
from bot.presenter.profile import (
    EVERY,
    PLACES_SHOWN,
    Period,
    Profile,
    achievements_screen,
    hidden_profile_text,
    history_screen,
    no_place_text,
    profile_screen,
    ranking_screen,
    shared_text,
)
from bot.results.achievements import achievements
from bot.results.form import Form, lighter, main_rating, moved, placed, played_with, recent
from bot.results.model import Result
from bot.results.places import place_mark
from bot.results.seasons import Standing, ranking, season_at
from bot.results.statistics import Partners, Rivals, partners, partners_of, rivals, rivals_of, statistics
from bot.screens import Answer
from bot.store import Store
from bot.texts import Texts
from bot.tokens import Intent, TokenError, Verb
from engine.seating import Seating

RECORD_VERBS: Final = frozenset({Verb.PROFILE, Verb.HISTORY, Verb.ACHIEVEMENTS, Verb.RANKING, Verb.SHARE})
_PARTNERS_NAMED: Final = 3
_SEATINGS: Final = {seating.value: seating for seating in Seating}


class RecordsDesk:
    """Shows profiles, histories and rankings."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def press(self, t: Texts, person: Person, intent: Intent) -> Answer:
        """What a press leads to.

        Raises:
            TokenError: it makes no sense.
        """
        first, *others = intent.arguments or ("",)
        match intent.verb:
            case Verb.PROFILE:
                return await self.profile(t, person, first)
            case Verb.HISTORY:
                if not first.isdecimal() or len(first) > 6:
                    raise TokenError(first)
                return await self.history(t, person, int(first))
            case Verb.ACHIEVEMENTS:
                earned = achievements(await self._store.results_of(person.id), person.id)
                return Answer(screen=achievements_screen(t, earned))
            case Verb.SHARE:
                return await self._share(t, person, first)
            case Verb.RANKING:
                return await self._browse(t, person, first, others)
            case _:
                raise TokenError(intent.verb)

    async def profile(self, t: Texts, viewer: Person, person_id: str = "") -> Answer:
        """A person's profile, one's own if nobody is named; others' unless they hide it."""
        own = person_id in ("", viewer.id)
        person = viewer if own else await self._store.person(person_id)
        if person is None or not (own or person.public_record):
            return Answer(hidden_profile_text(t), ok=False)
        results = await self._store.results_of(person.id)
        if not own and not results:
            return Answer(hidden_profile_text(t), ok=False)
        profile = Profile(
            person,
            statistics(results, person.id),
            await self._store.ratings_of(person.id),
            achievements(results, person.id),
            await self._named(partners_of(results, person.id)[: 3 * _PARTNERS_NAMED]),
            together=None if own else partners(results, viewer.id, person.id),
            against=None if own else rivals(results, viewer.id, person.id),
            form=await self._form(results, person),
            rival=await self._rival(rivals_of(results, person.id)[: 3 * _PARTNERS_NAMED]),
        )
        return Answer(screen=profile_screen(t, profile, viewer))

    async def _form(self, results: Sequence[Result], person: Person) -> Form:
        """How the person does of late; whoever hides what they play is not compared with."""
        rating = main_rating(await self._store.ratings_of(person.id))
        if rating is None:
            return Form(recent(results, person.id))
        change, over = moved(results, person.id, rating.seating)
        others = [
            other
            for other in await self._store.ratings(played_with(results, person.id, rating.seating), rating.seating)
            if (known := await self._store.person(other.person)) is not None and known.public_record
        ]
        place, among = placed(rating, others)
        light = lighter(results, person.id, rating.seating)
        return Form(recent(results, person.id), rating, change, over, place, among, light)

    async def _rival(self, pairs: tuple[tuple[str, Rivals], ...]) -> tuple[str, Rivals] | None:
        """The rival of most matches by name, of those who do not hide what they play."""
        for person_id, pair in pairs:
            person = await self._store.person(person_id)
            if person is not None and person.public_record:
                return person.name, pair
        return None

    async def _named(self, pairs: tuple[tuple[str, Partners], ...]) -> tuple[tuple[str, Partners], ...]:
        """Partners by name, without those who hide what they play."""
        found: list[tuple[str, Partners]] = []
        for person_id, pair in pairs:
            person = await self._store.person(person_id)
            if person is not None and person.public_record and len(found) < _PARTNERS_NAMED:
                found.append((person.name, pair))
        return tuple(found)

    async def history(self, t: Texts, person: Person, page: int = 0) -> Answer:
        """A person's own matches."""
        results = await self._store.results_of(person.id)
        return Answer(screen=history_screen(t, results, person, page))

    async def _share(self, t: Texts, person: Person, wanted: str) -> Answer:
        if wanted not in ("0", "1"):
            raise TokenError(wanted)
        current = await self._store.person(person.id)
        if current is None:
            return Answer(unknown_button_text(t), ok=False)
        person = msgspec.structs.replace(current, public_record=wanted == "1")
        await self._store.save_person(person)
        answer = await self.profile(t, person)
        return msgspec.structs.replace(answer, text=shared_text(t, public=person.public_record))

    async def ranking(self, t: Texts, viewer: Person, origin: str, *chosen: str) -> Answer:
        """The ranking of a place, asked for there: of this season, or as ``chosen`` by one of its buttons.

        Raises:
            TokenError: there is no such time or seating.
        """
        mark = place_mark(origin)
        if not mark:
            return Answer(no_place_text(t), ok=False)
        if chosen:
            key, seating = _chosen(list(chosen))
            return await self._ranking(t, viewer, mark, key, seating, browses=True)
        return await self._ranking(t, viewer, mark, "s", None, browses=await self._plays_at(viewer, mark))

    async def _browse(self, t: Texts, person: Person, mark: str, others: list[str]) -> Answer:
        """Another time or seating of a ranking: only for those who have played there, because anybody may make up a
        token."""
        key, seating = _chosen(others)
        if not await self._plays_at(person, mark):
            return Answer(no_place_text(t), ok=False)
        return await self._ranking(t, person, mark, key, seating, browses=True)

    async def _plays_at(self, person: Person, mark: str) -> bool:
        return any(place_mark(result.origin) == mark for result in await self._store.results_of(person.id))

    async def _ranking(
        self, t: Texts, viewer: Person, mark: str, key: str, seating: Seating | None, *, browses: bool
    ) -> Answer:
        season = season_at(self._clock.now_ms())
        period = Period(key, {"s": season, "p": season.previous}.get(key))
        if period.season is None:
            results = await self._store.results_at(mark)
        else:
            results = await self._store.results_at(mark, period.season.start_ms, period.season.end_ms)
        shown = await self._shown(ranking(results, period.least, seating), viewer)
        return Answer(screen=ranking_screen(t, shown, mark, period, seating, viewer, browses=browses))

    async def _shown(self, standings: tuple[Standing, ...], viewer: Person) -> tuple[Standing, ...]:
        """The standings by the names that people have now, without those who hide what they play."""
        found: list[Standing] = []
        for one in standings:
            if len(found) > PLACES_SHOWN and one.person != viewer.id:
                # Nobody sees these places; they only count.
                found.append(one)
                continue
            person = await self._store.person(one.person)
            if person is not None and person.public_record:
                found.append(msgspec.structs.replace(one, name=person.name))
        return tuple(found)


def _chosen(arguments: list[str]) -> tuple[str, Seating | None]:
    """The time and the seating that a ranking's button names.

    Raises:
        TokenError: there is no such time or seating.
    """
    key, chosen = arguments[0] if arguments else "s", arguments[1] if len(arguments) > 1 else EVERY
    if key not in ("s", "p", "a") or (chosen != EVERY and chosen not in _SEATINGS):
        raise TokenError(key)
    return key, _SEATINGS.get(chosen)
