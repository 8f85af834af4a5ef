"""Layouts: whatever a screen holds, its message keeps to Discord's limits and loses no card."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adapters.discord.emojis import CardEmojis
from adapters.discord.hand_layout import DISCARD, hand_layout, parts_of
from adapters.discord.layout import link_layout, marked_layout, packed, public_layout, text_layout
from bot import lobby, rulesets
from bot import texts as texts_module
from bot.model import Chair, Pace, Person, PlaceSettings, Status, Table
from bot.presenter import commands as words
from bot.presenter.hand import hand_screen
from bot.presenter.house_rules import house_rules_of
from bot.presenter.leaving import ending_screen, expelling_screen, leaving_screen
from bot.presenter.lobby import lobby_screen, note_screen, suspended_screen
from bot.presenter.more import menu_screen, plays_screen, words_screen
from bot.presenter.rules import rules_screen
from bot.presenter.seated import seated
from bot.presenter.table import table_screen
from bot.screens import CardOption, CardPicker, Choice, PickVerb, Role, Screen, Style
from bot.shuffling import seeded_deal
from bot.store import Record
from bot.texts import Texts, texts
from bot.tokens import Intent, Verb, base36, cards_of, from_base36, read_token, write_token
from engine import legal
from engine.cards import CODE, FACE_CODE
from engine.decide import decide, start_deal
from engine.evolve import evolve_all
from engine.ruleset import with_options
from engine.seating import Seating
from engine.state import Match, new_match
from engine.views import seat_view
from tests.bot.tables import NAMES, TABLE_ID, VARIANTS, at, mover_of, rules
from tests.discord.looks import BUTTON, GALLERY, SELECT, buttons_of, fits, of_type, pickers_of, text_of

LOCALES = sorted(texts_module.languages())
LATEST = 36**5 - 1
"""A version that takes many figures."""


class LongEmojis(CardEmojis):
    """An emoji for every card, with the longest of names."""

    def __init__(self) -> None:
        super().__init__({})

    def text(self, code: str) -> str:
        """The emoji in a text."""
        return f"<:buraco_{code}_12:1456074443980800000>"


EMOJIS = (CardEmojis({}), LongEmojis())


@pytest.fixture(params=["as it is", "three times as long"], autouse=True)
def wording(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The texts as they are, and a language that needs three times the room."""
    wording: str = request.param
    if wording != "as it is":
        once, many = Texts.gettext, Texts.ngettext
        monkeypatch.setattr(Texts, "gettext", lambda self, message: once(self, message) * 3)
        monkeypatch.setattr(Texts, "ngettext", lambda self, one, other, n: many(self, one, other, n) * 3)
    return wording


# hands of real matches


@cache
def _matches(ruleset_id: str, seating: Seating, seed: int) -> tuple[Match, ...]:
    """The positions of a random deal, with bigger hands than sensible players would have."""
    loaded = rulesets.load(ruleset_id)
    rng = random.Random(f"{ruleset_id} {seating} {seed}")
    match = new_match(loaded, seating, rng.randrange(seating.seats))
    match = evolve_all(match, start_deal(match, seeded_deal(loaded, seating, seed)))
    found = [match]
    for _ in range(150):
        if not match.in_play:
            break
        seat = mover_of(match)
        match = evolve_all(match, decide(match, seat, rng.choice(legal.actions(seat_view(match, seat)))))
        found.append(match)
    return tuple(found)


@st.composite
def _real(draw: st.DrawFn) -> Match:
    ruleset_id = draw(st.sampled_from(rulesets.ids()))
    seating = draw(st.sampled_from(rulesets.load(ruleset_id).seatings))
    return draw(st.sampled_from(_matches(ruleset_id, seating, draw(st.integers(0, 1)))))


@st.composite
def _big(draw: st.DrawFn) -> Match:
    """A hand of many cards, in play or before the draw, under any variant."""
    variant = draw(st.sampled_from(["", *VARIANTS]))
    deck = [code for code in FACE_CODE for _ in range(2)]
    draw(st.randoms(use_true_random=False)).shuffle(deck)
    count = draw(st.integers(1, 60))
    pile = [code for code in deck[count:] if code[0] not in "2J"][:1]
    others = [code for code in deck[count:] if code not in pile][:4]
    phase = draw(st.sampled_from(["draw", "play"]))
    return at(variant, hands=[" ".join(deck[:count]), " ".join(others)], pile=" ".join(pile), phase=phase)


def _place(match: Match, name: str = "Mesa de Ana", version: int = 7) -> Any:
    chairs = tuple(Chair(NAMES[seat], person=f"p{seat}") for seat in range(match.seating.seats))
    table = Table(TABLE_ID, "ABC234", name, "p0", match.rules, match.seating, status=Status.PLAYING, chairs=chairs)
    return seated(table, version, match)


_MASK = {Verb.MELD: 0, Verb.ADD: 1, Verb.PILE_MELD: 0, Verb.PILE_ADD: 1}
"""Which argument of a suggestion names its cards."""


def _picks(screen: Screen) -> st.SearchStrategy[frozenset[int]]:
    """Some of the cards, or just those that a suggestion names."""
    assert screen.picker is not None
    bits = [card.bit for card in screen.picker.cards]
    suggested = [
        frozenset(bit for bit in bits if from_base36(intent.arguments[_MASK[intent.verb]]) >> bit & 1)
        for row in screen.rows
        for choice in row
        for intent in [read_token(choice.token)]
        if intent.verb in _MASK
    ]
    some = st.frozensets(st.sampled_from(bits)) if bits else st.just(frozenset())
    return st.one_of(some, st.just(frozenset(bits)), *(st.just(cards) for cards in suggested))


def _holds_its_cards(screen: Screen, picked: frozenset[int], components: list[dict[str, Any]]) -> None:
    """Every card can be picked once, and the picked ones are marked."""
    picker = screen.picker
    assert picker is not None
    options = [option for select in pickers_of(components) for option in select["options"]]
    if any(verb.enabled for verb in picker.verbs):
        assert sorted(int(option["value"]) for option in options) == sorted(card.bit for card in picker.cards)
        assert [int(option["value"]) for option in options] == [card.bit for card in picker.cards], "in hand order"
        assert {int(option["value"]) for option in options if option["default"]} == picked
        for verb in picker.verbs:
            token = f"{verb.token}:{base36(sum(1 << bit for bit in picked))}"
            assert sum(button["custom_id"] == token for button in of_type(components, BUTTON)) == 1
    else:
        assert not options, "nothing can be done with cards, so none is offered"
    for select in of_type(components, SELECT):
        if select["custom_id"].startswith(f"{DISCARD}:"):
            kept = {str(card.bit) for card in picker.cards if card.keep}
            assert not kept & {option["value"] for option in select["options"]}
            for option in select["options"]:
                read_token(f"{select['custom_id'].partition(':')[2]}:{base36(1 << int(option['value']))}")


@settings(max_examples=120)
@given(st.data())
def test_a_hand_of_any_match_fits(data: st.DataObject) -> None:
    match = data.draw(st.one_of(_real(), _real(), _big()))
    seat = data.draw(st.integers(0, match.seating.seats - 1))
    person = Person(
        f"p{seat}",
        NAMES[seat],
        locale=data.draw(st.sampled_from(LOCALES)),
        hand_order=data.draw(st.sampled_from(["suit", "rank"])),
        suit_colours=data.draw(st.sampled_from(["two", "four"])),
    )
    place = _place(match, data.draw(st.sampled_from(["Mesa de Ana", "W" * 40])), data.draw(st.integers(0, LATEST)))
    view = seat_view(match, seat)
    screen = hand_screen(place, view, person)
    picked = data.draw(_picks(screen))
    picture = data.draw(st.booleans())
    alone = data.draw(st.booleans())
    layout = hand_layout(
        texts(person.locale),
        screen,
        data.draw(st.sampled_from(EMOJIS)),
        picked=picked,
        picture=picture,
        table=table_screen(place) if alone else None,
        note=data.draw(st.sampled_from(["", "Robaste 7♥.", "ñ" * 200])),
        place=data.draw(st.sampled_from(["", "Amigos · #mesa"])),
    )
    components = fits(layout, described=data.draw(st.integers(0, 9)) == 0)
    _holds_its_cards(screen, picked, components)
    assert len(of_type(components, GALLERY)) == picture + alone
    assert not alone or all(
        item["media"]["url"] == "attachment://mesa.png" for item in of_type(components, GALLERY)[0]["items"]
    )
    if not view.on_turn and match.in_play:
        enabled = {read_token(b["custom_id"]).verb for b in of_type(components, BUTTON) if not b["disabled"]}
        assert enabled <= {Verb.SORT, Verb.COLOURS}
    offered = {choice.token for row in screen.rows[-1:] for choice in row}
    assert offered <= {button["custom_id"] for button in of_type(components, BUTTON)}, "the foot is always there"


# hands that no rule set deals


def _token(verb: Verb, *arguments: str) -> str:
    return write_token(Intent(TABLE_ID, LATEST, verb, arguments))


def _verb(draw: st.DrawFn, verb: Verb, least: int, most: int) -> PickVerb:
    return PickVerb(verb.name * 9, _token(verb), least, most, enabled=draw(st.booleans()), why="…")


@st.composite
def _made_up(draw: st.DrawFn) -> tuple[Screen, frozenset[int]]:
    count = draw(st.integers(0, 120))
    rng = draw(st.randoms(use_true_random=False))
    bits = list(range(count))
    rng.shuffle(bits)
    heap = 0
    cards: list[CardOption] = []
    for bit in bits:
        heap += rng.random() < draw(st.sampled_from([0.02, 0.2, 0.7])) if len(cards) < 3 else rng.random() < 0.15
        keep = "No puedes tirar esta carta: " * 5 if rng.random() < 0.1 else ""
        cards.append(
            CardOption(bit, CODE[rng.randrange(52)], "carta " * rng.choice((1, 30)), heap, rng.randrange(3), keep=keep)
        )
    verbs = draw(
        st.sampled_from(
            [
                ((Verb.MELD, 3, count), (Verb.ADD_SOMEWHERE, 1, count), (Verb.DISCARD, 1, 1)),
                ((Verb.PILE_MELD, 2, count), (Verb.PILE_ADD, 0, count)),
            ]
        )
    )
    picked = frozenset(bit for bit in bits if rng.random() < draw(st.sampled_from([0.02, 0.5])))
    mask = base36(sum(1 << bit for bit in picked))
    ideas = [Choice(f"Idea {n} " * 12, _token(Verb.ADD, str(n), base36(rng.getrandbits(20)))) for n in range(12)]
    ideas += [Choice("Lo elegido", _token(verbs[0][0], mask)), Choice("Lo mismo", _token(verbs[0][0], mask))]
    rows = [(idea,) for idea in draw(st.lists(st.sampled_from(ideas), max_size=14))]
    foot = tuple(Choice(verb.name, _token(verb)) for verb in (Verb.UNDO, Verb.END, Verb.SORT, Verb.COLOURS))
    screen = Screen(
        Role.HAND,
        TABLE_ID,
        LATEST,
        draw(st.sampled_from(["Mesa", "", "# Mesa " * 900])),
        lines=tuple(draw(st.lists(st.text(max_size=40), max_size=3))),
        alternative=draw(st.sampled_from(["", "7♥ " * 600])),
        rows=(*rows, foot[: draw(st.integers(1, 4))]),
        picker=CardPicker(tuple(cards), tuple(_verb(draw, *verb) for verb in verbs)),
    )
    return screen, picked


@settings(max_examples=120)
@given(_made_up(), st.booleans(), st.booleans(), st.sampled_from(EMOJIS))
def test_a_hand_of_a_hundred_cards_fits(
    made_up: tuple[Screen, frozenset[int]], picture: bool, alone: bool, emojis: CardEmojis
) -> None:
    screen, picked = made_up
    table = msgspec.structs.replace(screen, role=Role.TABLE, picker=None) if alone else None
    layout = hand_layout(texts(), screen, emojis, picked=picked, picture=picture, table=table, note="*" * 300)
    _holds_its_cards(screen, picked, fits(layout))


@given(st.lists(st.integers(1, 120), max_size=20))
def test_heaps_are_cut_only_where_that_saves_pickers(sizes: list[int]) -> None:
    cards = [
        CardOption(bit, "7h", "7", heap, 0)
        for bit, heap in enumerate(heap for heap, size in enumerate(sizes) for _ in range(size))
    ]
    parts = parts_of(cards)
    assert [card for part in parts for card in part] == cards
    assert all(1 <= len(part) <= 25 for part in parts)
    assert len(parts) <= -(-len(cards) // 25) + 1


def test_a_suggestion_that_is_picked_already_is_not_offered_twice() -> None:
    match = at(hands=["4h 5h 6h 9c Ks Qd", "3s 4s"])
    screen = hand_screen(_place(match), seat_view(match, 0), Person("p0", "Ana"))
    idea = next(choice for row in screen.rows for choice in row if read_token(choice.token).verb is Verb.MELD)
    hand = seat_view(match, 0).hand
    cards = cards_of(hand, read_token(idea.token).arguments[0])
    picked = frozenset(hand.index(card) for card in cards)
    ids = [
        [button["custom_id"] for button in of_type(fits(layout), BUTTON)]
        for layout in (
            hand_layout(texts(), screen, EMOJIS[0], picture=True),
            hand_layout(texts(), screen, EMOJIS[0], picture=True, picked=picked),
        )
    ]
    assert [each.count(idea.token) for each in ids] == [1, 1]


def test_two_hands_that_look_alike_differ_in_their_pickers() -> None:
    match = at(hands=["4h 5h 6h 9c Ks Qd", "3s 4s"])
    ids = [
        select["custom_id"]
        for version in (7, 8)
        for select in pickers_of(
            fits(
                hand_layout(
                    texts(),
                    hand_screen(_place(match, version=version), seat_view(match, 0), Person("p0", "Ana")),
                    EMOJIS[0],
                    picture=True,
                )
            )
        )
    ]
    assert len(set(ids)) == len(ids) == 2


def test_why_a_card_stays_is_told_when_it_is_picked() -> None:
    match = at("long runs", hands=["2h Kd Ks", "3s 4s"], taken=(True, False))
    screen = hand_screen(_place(match), seat_view(match, 0), Person("p0", "Ana"))
    assert screen.picker is not None
    for card in screen.picker.cards:
        layout = hand_layout(texts(), screen, EMOJIS[0], picked=frozenset({card.bit}), picture=True)
        components = fits(layout)
        discard = next(b for b in of_type(components, BUTTON) if read_token(b["custom_id"]).verb is Verb.DISCARD)
        assert discard["disabled"] is bool(card.keep)
        assert not card.keep or card.keep[:20] in text_of(components)


# public screens


def _tables(ruleset_id: str) -> Iterator[Table]:
    """Lobbies of every size, the sides chosen and not."""
    loaded = rulesets.load(ruleset_id)
    for seating in loaded.seatings:
        empty = Table(TABLE_ID, "ABC234", "W" * 40, "p0", loaded, seating, pace=Pace.MAIL)
        for count in range(seating.seats + 1):
            chairs = tuple(Chair("W" * 20, person=f"p{seat}" if seat % 3 else None) for seat in range(count))
            yield msgspec.structs.replace(empty, chairs=chairs)
            if seating.in_pairs:
                sided = tuple(msgspec.structs.replace(chair, side=n % seating.sides) for n, chair in enumerate(chairs))
                yield msgspec.structs.replace(empty, chairs=sided)


@pytest.mark.parametrize("ruleset_id", rulesets.ids())
def test_lobbies_rules_and_digests_of_every_rule_set_fit(ruleset_id: str) -> None:
    for locale in LOCALES:
        t = texts(locale)
        for table in _tables(ruleset_id):
            for shared, viewer in ((True, None), (False, None), (False, "p0"), (False, "p1")):
                screen = lobby_screen(t, table, LATEST, viewer, shared=shared)
                components = fits(public_layout(screen, picture=False))
                shown = {button["custom_id"] for button in of_type(components, BUTTON)}
                assert shown == {choice.token for row in screen.rows for choice in row}, "no button is lost"
        table = next(_tables(ruleset_id))
        fits(public_layout(rules_screen(t, table, LATEST), picture=False, note="ñ" * 200), described=True)
        fits(public_layout(words.ruleset_screen(t, table.rules), picture=False), described=True)


def test_every_house_rule_fits_into_the_lobby() -> None:
    base = next(_tables("clasico"))
    options: dict[str, Any] = {}
    for rule in house_rules_of("es", "clasico"):
        for value in rule.values[1:]:
            one = {rule.field: msgspec.json.decode(value.value)}
            changed = msgspec.structs.replace(base, rules=with_options(base.rules, one), options=one)
            fits(public_layout(lobby_screen(texts(), changed, 3, None, shared=True), picture=False))
            options |= one
    many = msgspec.structs.replace(base, options=options)
    fits(public_layout(lobby_screen(texts(), many, 3, None, shared=True), picture=False))
    fits(public_layout(rules_screen(texts(), many, 3), picture=False))


@settings(max_examples=60)
@given(_real(), st.booleans(), st.sampled_from(LOCALES), st.sampled_from(EMOJIS), st.sampled_from(["", "ñ" * 200]))
def test_a_public_table_fits(match: Match, picture: bool, locale: str, emojis: CardEmojis, note: str) -> None:
    place = _place(match, "W" * 40, LATEST)
    place = msgspec.structs.replace(place, table=msgspec.structs.replace(place.table, locale=locale))
    t = texts(locale)
    screen = table_screen(place)
    components = fits(public_layout(screen, picture=picture, note=note, signs=emojis.text))
    assert [b["custom_id"] for b in of_type(components, BUTTON)] == [c.token for row in screen.rows for c in row]
    assert len(of_type(components, GALLERY)) == picture
    for more in (words_screen(t, place), plays_screen(t, place, [match.deal.turn.plays] * 40 if match.deal else [])):
        fits(public_layout(more, picture=False, signs=emojis.text))


def test_questions_menus_and_notes_fit() -> None:
    t = texts()
    for seating in Seating:
        match = _matches("clasico", seating, 0)[0]
        table = msgspec.structs.replace(_place(match).table, name="W" * 40)
        for status in Status:
            there = msgspec.structs.replace(table, status=status)
            for moderator in (False, True):
                menu = menu_screen(t, there, LATEST, Person("p0", "Ana"), moderator=moderator)
                fits(public_layout(menu, picture=False), described=True)
            for screen in (
                leaving_screen(t, there, LATEST),
                ending_screen(t, there, LATEST),
                expelling_screen(t, there, LATEST, Person("p0", "Ana")),
                note_screen(t, there, LATEST),
                suspended_screen(t, TABLE_ID),
            ):
                fits(public_layout(screen, picture=False))
    for threads in (False, True):
        settled = PlaceSettings(pace=Pace.MAIL, threads=threads)
        fits(public_layout(words.settings_screen(t, Person("p0", "A"), settled, has_threads=True), picture=False))


def _records(count: int) -> list[Record]:
    found = []
    for number in range(count):
        match = _matches("clasico", Seating.ONE_ON_ONE, 0)[number % 20]
        table = msgspec.structs.replace(_place(match).table, id=f"table{number:05}", name="W" * 40, code="ABC234")
        found.append(Record(table, number, match))
    return found


@pytest.mark.parametrize("count", [*range(28), 35, 40, 60])
def test_lists_of_many_tables_fit_and_offer_the_first_ones(count: int) -> None:
    records = _records(count)
    t, ana = texts(), Person("p0", "Ana")
    for screen in (words.tables_screen(t, records, ana), words.choose_table_screen(t, records[:20], Verb.LEAVE)):
        components = fits(public_layout(screen, picture=False, note="ñ" * 200), described=True)
        shown = [button["custom_id"] for button in of_type(components, BUTTON)]
        wanted = [choice.token for row in screen.rows for choice in row]
        assert len(shown) >= min(len(wanted), 25)
        kept = [token for token in wanted if token in shown]
        assert kept == shown, "in their order"
        assert not shown or shown[0] == wanted[0], "the first to wait is never cut"


@given(st.lists(st.lists(st.integers(0, 60), max_size=12), max_size=30))
@example([[1], [1], [2, 2], [], [3]])
def test_rows_are_packed_without_loss_and_without_doubles(numbers: list[list[int]]) -> None:
    rows = [tuple(Choice(str(n), _token(Verb.JOIN, str(n))) for n in row) for row in numbers]
    ready = list(packed([tuple(dict.fromkeys(row)) for row in rows]))
    assert all(1 <= len(row) <= 5 for row in ready)
    tokens = [choice.token for row in ready for choice in row]
    assert len(set(tokens)) == len(tokens)
    assert set(tokens) == {choice.token for row in rows for choice in row}


@given(st.lists(st.integers(1, 6), max_size=40), st.booleans())
def test_too_many_buttons_lose_the_least_important_and_keep_the_way_back(sizes: list[int], picture: bool) -> None:
    numbers = iter(range(1000))
    rows = [
        tuple(Choice("Algo " * 30, _token(Verb.JOIN, str(next(numbers))), Style.GOOD) for _ in range(size))
        for size in sizes
    ]
    back = Choice("Volver", _token(Verb.SHOW_TABLE))
    screen = Screen(Role.QUESTION, TABLE_ID, LATEST, "¿Qué?", alternative="…" * 5000, rows=(*rows, (back,)))
    components = fits(public_layout(screen, picture=picture))
    assert back.token in {button["custom_id"] for button in of_type(components, BUTTON)}


@given(st.text(min_size=1), st.text(min_size=1, max_size=200))
def test_texts_of_any_length_fit(text: str, label: str) -> None:
    for long in (text, text * 3000):
        if text.strip():
            fits(text_layout(long))
            fits(marked_layout(long.replace("<", "")) if long.strip("<") else marked_layout("…"))
            fits(link_layout(long, "Invitar a Buraco", "https://discord.com/oauth2/authorize?client_id=1"))
            fits(link_layout(long, "Invitar a Buraco", ""))


def test_the_table_in_words_stands_where_there_is_no_picture() -> None:
    match = _matches("clasico", Seating.TWO_PAIRS, 0)[0]
    screen = table_screen(_place(match))
    with_picture, without = (fits(public_layout(screen, picture=picture)) for picture in (True, False))
    assert len(text_of(without)) > len(text_of(with_picture)) + 50
    assert set(buttons_of(with_picture)) == set(buttons_of(without))


def test_a_lobby_that_fills_up_switches_its_buttons() -> None:
    table = Table(TABLE_ID, "ABC234", "Mesa", None, rules(), Seating.TWO_PAIRS)
    for seat in range(4):
        table = lobby.join(table, Person(f"p{seat}", NAMES[seat]))
    screen = lobby_screen(texts(), table, 4, None, shared=True)
    buttons = of_type(fits(public_layout(screen, picture=False)), BUTTON)
    off = {read_token(button["custom_id"]).verb for button in buttons if button["disabled"]}
    assert off == {Verb.JOIN, Verb.ADD_ROBOT, Verb.REMOVE_ROBOT} or Verb.ADD_ROBOT in off
