"""Text: whatever people type or choose as a name, Discord shows it as nothing but text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.layout import public_layout
from adapters.discord.text import fit, no_signs, plain, with_emojis
from bot.commands import CommandError, CommandProblem
from bot.model import Chair, Person, Status, Table
from bot.names import safe_name
from bot.presenter.commands import choose_table_screen, command_problem_text, tables_screen
from bot.presenter.leaving import ending_screen, expelling_screen
from bot.presenter.lobby import lobby_screen
from bot.presenter.more import menu_screen, plays_screen, words_screen
from bot.presenter.seated import seated
from bot.presenter.table import table_screen
from bot.screens import Role, Screen
from bot.store import Record
from bot.texts import texts
from bot.tokens import Verb
from engine.seating import Seating
from tests.bot.tables import TABLE_ID, dealt
from tests.discord.looks import fits, text_of

NASTY = [
    "",
    " ",
    "@everyone",
    "@here",
    "@@everyone",
    "@everyone@here",
    "<@123456789012345678>",
    "<@!123456789012345678>",
    "<@&123456789012345678>",
    "@123456789012345678",
    "<#123456789012345678>",
    "<t:1:R>",
    "<:x:123456789012345678>",
    "<a:x:123456789012345678>",
    "</buraco nueva:123456789012345678>",
    "<id:browse>",
    "<https://evil.example>",
    "[a](http://b.example)",
    "[a](http://b.example) [c](http://d.example)",
    "[**a**](http://b.example)",
    "[a](<http://b.example>)",
    "[a](http://b.example 'title')",
    "http://evil.example",
    "https://evil.example/_x_*y*",
    "HTTPS://EVIL.EXAMPLE",
    "_https://evil.example",
    "xhttps://evil.example",
    "https:////evil.example",
    "https:///////evil.example",
    "steam://run/1_2_3",
    "discord://-/channels/1/2",
    "ftp://evil.example",
    "discord.gg/abc",
    "https://discord.gg/abc",
    "evil.example",
    "# title",
    "## title",
    "### title",
    "-# small",
    "  # title",
    "- item",
    "* item",
    "+ item",
    "  - item",
    "1. item",
    "23. item",
    "> quote",
    ">>> quote",
    "a\n# title",
    "a\n\n- item",
    "a\r# title",
    "a\x0b# title",
    "a\u2028# title",
    "||spoiler||",
    "**bold**",
    "*it* _it_ __under__ ~~gone~~",
    "***all***",
    "`code`",
    "``code``",
    "```code```",
    "```py\ncode\n```",
    "\\",
    "\\*a\\*",
    "\\\\**a**",
    "a\\",
    ":smile:",
    ":white_check_mark:",
    ":+1:",
    "¯\\_(ツ)_/¯",
    "שלום",
    "\u202eevil",
    "\u2066evil\u2069",
    "Z̸̢̧̛͎̹͓͖̤̱̺͚͍a̷̛̛̓̈́̿l̴͙̂g̷͝o",
    "👩‍👩‍👧‍👦" * 3,
    "🃏",
    "\u200b\u200c\u200d",
    "\ufeff",
    "W" * 500,
    "*" * 500,
    "\x00\x1b[31m",
]

_ESCAPED = re.compile(r"\\[^0-9A-Za-z\s]")
"""Discord shows a sign behind a backslash as it is."""
_LIVE = {
    "emphasis, code or spoiler": re.compile(r"[*_~`|]"),
    "tag": re.compile("[<>]"),
    "named link": re.compile(r"\[[^\]]*\]\("),
    "address": re.compile("://"),
    "everybody": re.compile(r"@(everyone|here)"),
    "somebody": re.compile(r"@[!&]?\d{17,20}"),
    "emoji": re.compile(r":[\w+-]+:"),
    "heading or list": re.compile(r"(?m)^\s*(#{1,3}|-#|[-*]|\d+\.)\s"),
    "break that Discord would make a line of": re.compile("[\r\v\f\u2028\u2029]"),
}


def live(text: str) -> list[str]:
    """What Discord would show as more than text, or nothing."""
    # An escaped sign shows, but means nothing: another one stands for it.
    seen = _ESCAPED.sub("·", text)
    return [f"{name}: {text!r}" for name, pattern in _LIVE.items() if pattern.search(seen)]


def test_what_is_live_is_recognised() -> None:
    for text in ("<@1>", "@here", "a **b** c", "a\n# b", " - b", "1. b", "x :b: y", "[a](b)", "http://b", "||b||"):
        assert live(text), text
    for text in ("a\\_b", "\\# b", "1\\. b", "12:30", "C# 7", "a - b", "@\u200bhere", "\\[a](b)"):
        assert not live(text), text


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts_are_nothing_but_text(text: str) -> None:
    assert not live(plain(text))
    for around in ("No entiendo «{}».", "{}, {}", "a\n{}\nb", "*{}*", "1. {}", "[{}]({})"):
        assert not live(plain(around.replace("{}", text)))
    name = safe_name(text, "Jugador")
    assert 1 <= len(name) <= 20
    assert not live(plain(name))
    assert not re.search(r"[@<>`*#~\\\[\]_|/]", name)


@given(st.text() | st.text(alphabet=" \n\r\\*_~`|[]()<>@#-+.:/1hteveryonps"))
def test_any_text_is_nothing_but_text(text: str) -> None:
    assert not live(plain(text))
    assert not live(plain(f"https{text}://{text}"))


@given(st.text(alphabet="abcñ 7♥,;!¿?()=%&"))
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert plain(text) == "\n".join(text.splitlines())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1. Ana", "1\\. Ana"),
        ("−60 puntos", "−60 puntos"),
        ("-60 puntos", "-60 puntos"),
        ("12:30", "12:30"),
        ("a_b", "a\\_b"),
        ("<3", "‹3"),
        ("Código: 7X4K2M.", "Código: 7X4K2M."),
        ("C# y F#", "C# y F#"),
        ("a\n\nb", "a\n\nb"),
    ],
)
def test_what_is_shown_reads_as_it_was_meant(text: str, shown: str) -> None:
    assert plain(text) == shown


@given(st.text() | st.text(alphabet="ab\\*_"), st.integers(1, 60))
def test_a_cut_keeps_the_limit_and_no_half_escape(text: str, longest: int) -> None:
    cut = fit(plain(text), longest)
    assert len(cut) <= longest
    assert cut == plain(text) or cut.endswith("…")
    body = cut.removesuffix("…") if cut != plain(text) else cut
    assert not live(re.sub(r"\d+$", "", body))


@given(st.lists(st.sampled_from(["7♥", "10♣", "JKR", "Ana", "K♠.", "17♥", "2♦"])), st.integers(1, 400))
def test_cards_become_emojis_and_no_emoji_is_cut_in_two(words: list[str], longest: int) -> None:
    text = " ".join(words)
    drawn = with_emojis(text, lambda code: f"<:buraco_{code}_1:1456074443980800000>")
    assert drawn.count("<:buraco_Tc_1:") == words.count("10♣")
    assert "17♥" not in words or "17♥" in drawn
    assert with_emojis(text, no_signs) == text
    rest = re.sub(r"<:buraco_\w\w_1:\d+>", "", fit(drawn, longest))
    assert "<" not in rest


def screens_about(name: str) -> list[Screen]:
    """Every kind of screen that shows names, with this one everywhere."""
    t = texts()
    match = dealt(Seating.TWO_PAIRS, 1)
    chairs = tuple(Chair(name, person=f"p{seat}", side=seat % 2) for seat in range(4))
    lobby = Table(TABLE_ID, "ABC234", name, "p0", match.rules, match.seating, chairs=chairs[:3])
    playing = Table(TABLE_ID, "ABC234", name, "p0", match.rules, match.seating, status=Status.PLAYING, chairs=chairs)
    place = seated(playing, 5, match)
    ana = Person("p0", name)
    record = Record(playing, 5, match)
    return [
        lobby_screen(t, lobby, 3, None, shared=True),
        table_screen(place),
        words_screen(t, place),
        plays_screen(t, place, []),
        menu_screen(t, playing, 5, ana, moderator=True),
        expelling_screen(t, lobby, 3, ana),
        ending_screen(t, playing, 5),
        tables_screen(t, [record, record], ana),
        choose_table_screen(t, [record], Verb.LEAVE),
    ]


@pytest.mark.parametrize("name", [text for text in NASTY if text.strip()])
def test_whole_screens_show_names_as_text(name: str) -> None:
    # Even where a name has come past the house's own cleaning.
    for screen in screens_about(name):
        components = fits(public_layout(screen, picture=screen.role is Role.TABLE, note=name))
        # Our own markup: the note in bold, the title as a heading.
        bold, text = f"**{plain(name)}**", text_of(components)
        assert text.startswith((f"{bold}\n### ", f"{bold.strip()}\n### "))
        assert not live(text.removeprefix(bold).replace("### ", "", 1))


@pytest.mark.parametrize("word", NASTY)
def test_what_was_typed_is_repeated_as_text(word: str) -> None:
    for near in ("", "cerrado"):
        error = CommandError(CommandProblem.UNKNOWN_WORD, word=word[:40], near=near)
        assert not live(plain(command_problem_text(texts(), error)))
