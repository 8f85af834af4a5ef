"""A private hand as a layout: picture, suggestions, pickers for a hundred cards, and what to do with them."""

from collections.abc import Sequence
from itertools import groupby

import discord
from discord import ui

from adapters.discord.emojis import CardEmojis
from adapters.discord.layout import (
    FELT,
    HAND_FILE,
    TABLE_FILE,
    YOURS,
    add_rows,
    button,
    container_count,
    finished,
    gallery,
    told,
)
from adapters.discord.limits import COMPONENTS, OPTION_LABEL, OPTIONS, PLACEHOLDER, TEXT
from adapters.discord.text import fit, plain, with_emojis
from bot.presenter.chat import card_note, card_sign, counted, discard_placeholder, pick_placeholder, picked_line
from bot.screens import CardOption, CardPicker, Choice, PickVerb, Screen
from bot.texts import Texts
from bot.tokens import Verb, base36, read_token

PICK = "p"
"""``p:<number>:<table>:<version>``: a picker of some of the cards."""
DISCARD = "d"
"""``d:<token>``: a picker of one card, with which the token is pressed."""


def hand_layout(
    t: Texts,
    screen: Screen,
    emojis: CardEmojis,
    *,
    picked: frozenset[int] = frozenset(),
    picture: bool,
    table: Screen | None = None,
    note: str = "",
    place: str = "",
) -> ui.LayoutView:
    """A hand with the cards of the bits ``picked`` chosen.

    ``picture`` says that :data:`HAND_FILE` goes with it; ``table`` is the public screen where it has no other place,
    with :data:`TABLE_FILE`; ``place`` names where the table is shown.
    """
    picker = screen.picker or CardPicker((), ())
    active = any(verb.enabled for verb in picker.verbs) or any(
        choice.enabled and read_token(choice.token).verb not in (Verb.SORT, Verb.COLOURS)
        for row in screen.rows
        for choice in row
    )
    container: ui.Container[ui.LayoutView] = ui.Container(accent_colour=YOURS if active else FELT)
    chosen = [card for card in picker.cards if card.bit in picked]
    words = "" if picture else screen.alternative
    lines = [
        told(screen, note=note, more=words, signs=emojis.text),
        with_emojis(plain(picked_line(t, chosen)), emojis.text),
        _kept(picker, chosen),
    ]
    if place:
        lines.append(f"-# {plain(place)}")
    container.add_item(ui.TextDisplay(fit("\n".join(line for line in lines if line), TEXT)))
    if table is not None:
        container.add_item(gallery(TABLE_FILE, table.alternative))
    if picture:
        container.add_item(gallery(HAND_FILE, screen.alternative))
    *offered, foot = screen.rows or ((),)
    below: list[ui.ActionRow[ui.LayoutView]] = []
    if any(verb.enabled for verb in picker.verbs):
        below += [
            _picker(t, screen, number, part, picked, emojis) for number, part in enumerate(parts_of(picker.cards))
        ]
        discarding = next((verb for verb in picker.verbs if read_token(verb.token).verb is Verb.DISCARD), None)
        if discarding is not None and discarding.enabled and len(picker.cards) <= OPTIONS:
            below += _discard_picker(t, picker.cards, discarding, emojis)
        below.append(ui.ActionRow(*(button(_with_cards(verb, picker, chosen)) for verb in picker.verbs)))
    if foot:
        below.append(ui.ActionRow(*(button(choice) for choice in foot)))
    needed = sum(1 + len(row.children) for row in below)
    # Who has picked just what is suggested has the same button below; an id may stand in a message only once.
    taken = {item.custom_id for row in below for item in row.children if isinstance(item, ui.Button)}
    offered = [fresh for row in offered if (fresh := tuple(choice for choice in row if choice.token not in taken))]
    add_rows(container, offered, room=COMPONENTS - 1 - container_count(container) - needed)
    for row in below:
        container.add_item(row)
    return finished(container)


def parts_of(cards: Sequence[CardOption]) -> list[tuple[CardOption, ...]]:
    """The cards in as few pickers as may be, heaps kept together where they fit."""
    parts: list[tuple[CardOption, ...]] = []
    full = -(-len(cards) // OPTIONS)
    for _, heap in groupby(cards, key=lambda card: card.group):
        pieces = tuple(heap)
        if parts and len(parts[-1]) + len(pieces) <= OPTIONS:
            parts[-1] += pieces
        else:
            parts += [pieces[start : start + OPTIONS] for start in range(0, len(pieces), OPTIONS)]
    if len(parts) > full + 1:
        # Heaps that leave much room unused: better cut them than need more pickers.
        return [tuple(cards[start : start + OPTIONS]) for start in range(0, len(cards), OPTIONS)]
    return parts


def _picker(
    t: Texts, screen: Screen, number: int, cards: Sequence[CardOption], picked: frozenset[int], emojis: CardEmojis
) -> "ui.ActionRow[ui.LayoutView]":
    select: ui.Select[ui.LayoutView] = ui.Select(
        custom_id=f"{PICK}:{number}:{screen.table_id}:{base36(screen.version)}",
        placeholder=fit(pick_placeholder(t, cards[0], cards[-1]), PLACEHOLDER),
        min_values=0,
        max_values=len(cards),
        options=[_option(t, card, emojis, default=card.bit in picked) for card in cards],
    )
    return ui.ActionRow(select)


def _discard_picker(
    t: Texts, cards: Sequence[CardOption], verb: PickVerb, emojis: CardEmojis
) -> "list[ui.ActionRow[ui.LayoutView]]":
    free = [card for card in cards if not card.keep]
    if not free:
        return []
    select: ui.Select[ui.LayoutView] = ui.Select(
        custom_id=f"{DISCARD}:{verb.token}",
        placeholder=fit(discard_placeholder(t), PLACEHOLDER),
        options=[_option(t, card, emojis) for card in free],
    )
    return [ui.ActionRow(select)]


def _option(t: Texts, card: CardOption, emojis: CardEmojis, *, default: bool = False) -> discord.SelectOption:
    emoji = emojis.of(card.code)
    label = card.label if emoji else f"{card_sign(t, card)} · {card.label}"
    return discord.SelectOption(
        label=fit(label, OPTION_LABEL),
        value=str(card.bit),
        description=fit(card_note(t, card), OPTION_LABEL),
        emoji=emoji,
        default=default,
    )


def _with_cards(verb: PickVerb, picker: CardPicker, chosen: Sequence[CardOption]) -> Choice:
    count = len(chosen)
    mask = base36(sum(1 << card.bit for card in chosen))
    fits = verb.least <= count <= min(verb.most, len(picker.cards))
    return Choice(
        counted(verb.label, count),
        f"{verb.token}:{mask}",
        verb.style,
        enabled=verb.enabled and fits and not _is_kept(verb, chosen),
    )


def _is_kept(verb: PickVerb, chosen: Sequence[CardOption]) -> bool:
    return read_token(verb.token).verb is Verb.DISCARD and any(card.keep for card in chosen)


def _kept(picker: CardPicker, chosen: Sequence[CardOption]) -> str:
    """Why the one card that is picked may not be discarded."""
    if len(chosen) != 1 or not any(_is_kept(verb, chosen) for verb in picker.verbs if verb.enabled):
        return ""
    return plain(chosen[0].keep)
