"""Answering presses: the one path of everything that a person does at a table.

The table's lock, the stored state, the engine, one transaction, and only then an answer. A press that is delivered
twice has one effect and one answer; a stale one is answered with the fresh screen; nobody is left without an answer.
"""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from random import Random

import msgspec

from bot.advice import hint, why
from bot.blocking import Blocking
from bot.cautions import Asking
from bot.clock import Clock
from bot.clocks import came_back
from bot.cutting import FIGURES, cutter_of, dealt, offered
from bot.failures import answered
from bot.history import last_turns
from bot.intents import TURN_VERBS
from bot.keeper import CannotPay, Keeper
from bot.lobby import LobbyError
from bot.model import Person, Status, Table
from bot.moves import Move, resolve
from bot.presenter import notices
from bot.presenter.advice import hint_later_text, hint_text, why_screen
from bot.presenter.coins import cannot_pay_text, too_few_text
from bot.presenter.cutting import already_cut_text, cut_awaited_text, done_cut_text, figures_screen
from bot.presenter.more import final_hands_screen, menu_screen, plays_screen, words_screen
from bot.presenter.rules import rules_screen
from bot.presenter.seated import seated
from bot.presenter.verdicts import rule_choice
from bot.presenter.votes import decision_text
from bot.presenter.yours import done_text
from bot.reading import BOOK_VERBS, Reading, book_of
from bot.replaying import REPLAY_VERBS, ReplayDesk
from bot.results.desk import RECORD_VERBS, RecordsDesk
from bot.screening import private_screen, public_screen, screen_of
from bot.screens import Answer, Screen
from bot.settling import SettingsDesk
from bot.shuffling import seeded_deal
from bot.stakes.desk import COIN_VERBS, CoinsDesk
from bot.store import Record, Repeated, StoreBusy
from bot.table_moves import TABLE_VERBS, changed_table, table_question
from bot.texts import Texts, texts
from bot.tokens import NO_TABLE, Intent, TokenError, Verb, base36, read_token
from engine.actions import StartDeal
from engine.decide import Events, start_deal
from engine.events import Event
from engine.evolve import evolve_all
from engine.reasons import IllegalAction
from engine.ruleset import Ruleset
from engine.seating import Seating
from engine.state import Match, new_match
from engine.views import final_hands, seat_view

Shuffle = Callable[[Ruleset, Seating], StartDeal]
"""Where chance comes from: a shuffled pack for a rule set and seating."""

_TO_READ = frozenset({Verb.SHOW_TABLE, Verb.RULES, Verb.PLAYS, Verb.MENU, Verb.WORDS, Verb.FINAL_HANDS})
_MOST_CONFLICTS = 5
Thought = Callable[[], Answer]
"""An answer that takes thinking: done in a thread, once the table's lock is free again."""
LESSON_SEED = 322
"""The guided first deal is always the same: one with something to lay at once, and soon a canasta in sight."""


class Presses:
    """Answers the presses of people."""

    def __init__(self, keeper: Keeper, clock: Clock, shuffle: Shuffle, lot: Random | None = None) -> None:
        self._keeper = keeper
        self._clock = clock
        self._shuffle = shuffle
        self._lot = lot or secrets.SystemRandom()
        self.reading = Reading(keeper, self._lot)
        self.records = RecordsDesk(keeper.store, clock)
        self.coins = CoinsDesk(keeper, clock)
        self.settings = SettingsDesk(keeper.store)
        self._replays = ReplayDesk(keeper)
        self.blocking = Blocking(keeper.store, clock)

    async def press(self, person: Person, token: str, press_id: str, *, moderates: str = "") -> Answer:
        """What a press comes to. ``press_id`` is unique for each press: delivered again, it changes nothing more.

        ``moderates`` is the server or group in which the person keeps order: they may end the tables opened there,
        and send people away from them.
        """
        t = texts(person.locale)
        try:
            intent = read_token(token)
        except TokenError:
            return Answer(notices.unknown_button_text(t), ok=False)
        # Whoever makes up the id of somebody else's press neither reads its answer nor takes its place.
        work = self._press(t, person, intent, f"{person.id}:{press_id}", moderates)
        return await answered(t, work, intent.table_id, verb=str(intent.verb))

    async def _press(self, t: Texts, person: Person, intent: Intent, press_id: str, moderates: str) -> Answer:
        if intent.verb in BOOK_VERBS:
            record = None if intent.table_id == NO_TABLE else await self._keeper.load(intent.table_id)
            return await self.reading.press(t, person, intent, record)
        if intent.verb in RECORD_VERBS:
            return await self.records.press(t, person, intent)
        if intent.verb in COIN_VERBS:
            return await self.coins.press(t, person, intent)
        if intent.verb in REPLAY_VERBS:
            return await self._replays.press(t, person, intent)
        if intent.verb is Verb.SETTINGS:
            return await self.settings.press(person, intent)
        if intent.verb in (Verb.SORT, Verb.COLOURS):
            person = await self.settings.of_hand(person, intent)
        for _ in range(_MOST_CONFLICTS):
            async with self._keeper.lock(intent.table_id):
                record, repeated = await self._keeper.load_for_press(intent.table_id, press_id)
                if repeated is not None:
                    return _stored_answer(repeated, record, person)
                moderator = bool(moderates) and moderates == record.table.origin
                answer = await self._answer(t, person, record, intent, press_id, moderator=moderator)
            if isinstance(answer, Answer):
                return answer
            if answer is not None:
                return await asyncio.to_thread(answer)
        raise StoreBusy("the table keeps changing elsewhere")

    async def _answer(
        self, t: Texts, person: Person, record: Record, intent: Intent, press_id: str, *, moderator: bool
    ) -> Answer | Thought | None:
        """The answer under the table's lock; None where another process changed the table meanwhile."""
        verb, table, match = intent.verb, record.table, record.match
        if verb in TABLE_VERBS:
            return await self._of_table(t, person, record, intent, press_id, moderator=moderator)
        if verb is Verb.SHUN:
            return await self.blocking.press(t, person, table, record.version, intent)
        if verb in (Verb.FINAL_HANDS, Verb.WHY) and (match is None or match.in_play):
            return Answer(notices.hands_hidden_text(t), ok=False)
        if verb is Verb.WHY and match is not None:
            return self._why(t, record, match, await self._keeper.store.events(table.id))
        if verb in _TO_READ:
            return Answer(screen=await self._to_read(t, person, record, verb, moderator=moderator))
        seat = table.seat_of(person.id)
        if verb is Verb.CUT:
            return await self._cut(t, person, record, intent, press_id)
        told = _barred(t, table, seat, match)
        if told or seat is None or match is None:
            # A hand stays to be seen after the match; whoever has none is shown the table.
            shows = verb not in TURN_VERBS and verb not in (Verb.NEXT_DEAL, Verb.BACK)
            shows = shows and (table.status is Status.OVER or table.awaited_cut is not None)
            hand = private_screen(record, person) if shows else None
            return Answer(screen=hand) if hand else Answer(told, ok=False, screen=public_screen(record, person.id))
        present = came_back(table, seat)
        if verb is Verb.BACK:
            told = notices.back_text(t)
            return await self._commit(record, person, Answer(told), press_id, table=present)
        if verb is Verb.HINT:
            return self._hint(t, record, person, match, seat)
        if verb not in TURN_VERBS and verb is not Verb.NEXT_DEAL:
            return Answer(screen=private_screen(record, person))
        if intent.version != record.version:
            return Answer(notices.stale_text(t), ok=False, reason="stale", screen=screen_of(record, person))
        place = seated(table, record.version, match)
        if verb is Verb.NEXT_DEAL:
            return await self._next_deal(t, person, record, match, present, press_id)
        try:
            resolved = resolve(t, place, match, seat, intent, Asking(person.cautions))
        except IllegalAction as refusal:
            told, reason = notices.refusal_text(t, place, refusal), str(refusal.reason)
            more = rule_choice(t, book_of(record), reason)
            return Answer(told, ok=False, reason=reason, screen=screen_of(record, person), more=more)
        if not isinstance(resolved, Move):
            return Answer(screen=resolved)
        after = seated(table, record.version, evolve_all(match, resolved.events))
        told = done_text(t, seat_view(match, seat), after, resolved.events)
        return await self._commit(record, person, Answer(told), press_id, table=present, events=resolved.events)

    async def _next_deal(
        self, t: Texts, person: Person, record: Record, match: Match, present: Table, press_id: str
    ) -> Answer | None:
        """The next deal, or the wait for its cut; ``present`` is the table with the presser there."""
        if match.in_play or present.awaited_cut is not None:
            told = notices.deal_goes_on_text(t) if match.in_play else cut_awaited_text(t, present)
            return Answer(told, ok=False, screen=screen_of(record, person))
        # What was decided before has been read by now.
        table = msgspec.structs.replace(present, past_vote=None)
        if table.cutting:
            table = await offered(self._keeper.sealer, table, match.deals, match.next_starter)
            return await self._commit(record, person, Answer(cut_awaited_text(t, table)), press_id, table=table)
        events: Events = start_deal(match, self._shuffle(table.rules, table.seating))
        told = notices.next_deal_text(t, seated(table, record.version, evolve_all(match, events)))
        return await self._commit(record, person, Answer(told), press_id, table=table, events=events)

    async def _cut(self, t: Texts, person: Person, record: Record, intent: Intent, press_id: str) -> Answer | None:
        """Somebody cuts, figure by figure: only the last one changes anything.

        Raises:
            TokenError: the press makes no sense.
        """
        table, awaited = record.table, record.table.awaited_cut
        seat = table.seat_of(person.id)
        if len(intent.arguments) != 2 or not intent.arguments[1].isdecimal() or len(intent.arguments[1]) > FIGURES:
            raise TokenError(intent.verb)
        deal, figures = intent.arguments
        told = notices.closed_text(t, table.status) or (notices.not_seated_text(t) if seat is None else "")
        if told or seat is None:
            return Answer(told, ok=False, screen=public_screen(record, person.id))
        if awaited is None or deal != base36(awaited.deal):
            return Answer(already_cut_text(t), ok=False, reason="stale", screen=screen_of(record, person))
        # Whoever cuts is there.
        present = came_back(table, seat)
        if cutter_of(present, awaited.starter) != seat:
            return Answer(cut_awaited_text(t, table), ok=False, screen=screen_of(record, person))
        if len(figures) < FIGURES:
            return Answer(screen=figures_screen(t, table, record.version, awaited.deal, figures))
        done = await dealt(self._keeper.sealer, present, record.match, figures, seat)
        told = done_cut_text(t, figures, seated(table, record.version, evolve_all(done.match, done.events)))
        return await self._commit(
            record, person, Answer(told), press_id, table=done.table, match=done.match, events=done.events
        )

    @staticmethod
    def _hint(t: Texts, record: Record, person: Person, match: Match, seat: int) -> Answer | Thought:
        view = seat_view(match, seat)
        screen = private_screen(record, person)
        if not view.on_turn:
            return Answer(hint_later_text(t), ok=False, screen=screen)
        return lambda: Answer(hint_text(t, view, hint(view)), screen=screen)

    @staticmethod
    def _why(t: Texts, record: Record, match: Match, events: Sequence[Event]) -> Thought:
        place = seated(record.table, record.version, match)
        return lambda: Answer(screen=why_screen(t, place, why(match, record.table, events)))

    async def _commit(
        self,
        record: Record,
        person: Person,
        answer: Answer,
        press_id: str,
        *,
        table: Table | None = None,
        match: Match | None = None,
        events: Events = (),
        public: bool = False,
    ) -> Answer | None:
        result = await self._keeper.commit(
            record,
            table=table,
            match=match,
            events=events,
            press_id=press_id,
            answer=msgspec.json.encode(answer).decode(),
        )
        if result is None:
            return None
        if isinstance(result, Repeated):
            return _stored_answer(result.answer, await self._keeper.load(record.table.id), person)
        # A vote stands under the public table, and leaves the hand as it is.
        screen = public_screen(result, person.id) if public else screen_of(result, person)
        return msgspec.structs.replace(answer, screen=screen)

    async def _of_table(
        self, t: Texts, person: Person, record: Record, intent: Intent, press_id: str, *, moderator: bool
    ) -> Answer | None:
        """Sitting down, starting, leaving and the like."""
        match: Match | None = None
        events: Events = ()
        try:
            if intent.verb in (Verb.JOIN, Verb.TAKE_SEAT):
                await self.blocking.check_seat(record.table, person)
            now = self._clock.now_ms()
            question = table_question(t, record.table, record.version, person, intent, now, moderator=moderator)
            if question is not None:
                return Answer(screen=question)
            table = changed_table(record, person, intent, self._lot, now, moderator=moderator)
        except LobbyError as error:
            told = notices.lobby_problem_text(t, error.problem, record.table.status)
            return Answer(told, ok=False, reason=str(error.problem), screen=screen_of(record, person))
        if intent.verb is Verb.START and table.lesson:
            match = new_match(table.rules, table.seating, table.seat_of(person.id) or 0)
            events = start_deal(match, seeded_deal(table.rules, table.seating, LESSON_SEED))
        elif intent.verb is Verb.START and table.cutting:
            table = await offered(self._keeper.sealer, table, 0, self._lot.randrange(table.seating.seats))
        elif intent.verb is Verb.START:
            match = new_match(table.rules, table.seating, self._lot.randrange(table.seating.seats))
            events = start_deal(match, self._shuffle(table.rules, table.seating))
        lacking = await self.coins.lacks(person.id, table) if intent.verb is Verb.JOIN else None
        if lacking is not None:
            told = too_few_text(t, table.stake, lacking)
            return Answer(told, ok=False, reason="too_few_coins", screen=screen_of(record, person))
        told = notices.table_text(t, intent.verb) or decision_text(t, record.table, table, intent)
        public = intent.verb is Verb.VOTE
        try:
            return await self._commit(
                record, person, Answer(told), press_id, table=table, match=match, events=events, public=public
            )
        except CannotPay as error:
            told = cannot_pay_text(t, table.chairs[table.seat_of(error.person_id) or 0].name)
            return Answer(told, ok=False, reason="cannot_pay", screen=screen_of(record, person))

    async def _to_read(self, t: Texts, person: Person, record: Record, verb: Verb, *, moderator: bool) -> Screen:
        """What anybody may read about a table."""
        table, match = record.table, record.match
        if verb is Verb.RULES:
            return rules_screen(t, table, record.version)
        if verb is Verb.MENU:
            return menu_screen(t, table, record.version, person, moderator=moderator)
        if match is None or verb is Verb.SHOW_TABLE:
            return public_screen(record, person.id)
        place = seated(table, record.version, match)
        if verb is Verb.WORDS:
            return words_screen(t, place)
        if verb is Verb.FINAL_HANDS:
            return final_hands_screen(t, place, final_hands(match))
        return plays_screen(t, place, last_turns(match, await self._keeper.store.events(table.id)))


def _stored_answer(answer: str, record: Record, person: Person) -> Answer:
    stored = msgspec.json.decode(answer, type=StoredAnswer)
    return Answer(stored.text, ok=stored.ok, reason=stored.reason, screen=screen_of(record, person))


class StoredAnswer(msgspec.Struct, frozen=True):
    """What is kept of an answer: its screen is made anew, so that a repeated press shows the table as it is now."""

    text: str = ""
    ok: bool = True
    reason: str = ""


def _barred(t: Texts, table: Table, seat: int | None, match: Match | None) -> str:
    """Why somebody cannot play at a table, whatever they press; empty where they can."""
    closed = notices.closed_text(t, table.status)
    if closed:
        return closed
    if seat is None:
        return notices.not_seated_text(t)
    return notices.not_started_text(t) if match is None else ""
