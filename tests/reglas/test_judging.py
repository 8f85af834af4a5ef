"""What people lay in words is judged as the engine judges it at the table."""

import pytest

from bot import rulesets
from bot.presenter.book import Book
from bot.presenter.verdicts import count_screen, verdict_screen
from bot.reglas.judging import judge_cards, worth_of
from engine.reasons import NotationError, Reason
from tests.bot.rooms import words
from tests.bot.tables import SPANISH

CLASICO = rulesets.load("clasico")


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("3h 4h 2s", ("Vale: escalera de corazones", "El 2♠ hace de 5♥.", "Sus cartas valen 30.")),
        ("4h 2s 6h", ("El 2♠ hace de 5♥.",)),
        ("9h 9s JK", ("Vale: grupo de 9", "El joker es el comodín del grupo.")),
        ("Ah 2h 3h 4h 5h 6h 7h", ("canasta limpia", "Todas sus cartas son naturales.", "65", "200", "265 en total")),
        ("As Ad Ac Ah As Ad Ac", ("de ases limpia", "640 en total")),
        ("JK JK JK JK 2s 2h 2d", ("de comodines", "1.760 en total")),
        ("9h 2s JK", ("No vale", "comodines")),
        ("4d 5d 7d", ("No vale",)),
        ("4d 5d", ("No vale",)),
        ("JK=5h 6h 7h", ("El joker hace de 5♥.",)),
    ],
)
def test_a_verdict_says_as_what_and_why(cards: str, told: tuple[str, ...]) -> None:
    screen = verdict_screen(SPANISH, Book(CLASICO), judge_cards(CLASICO, cards.split()))
    for part in told:
        assert part in words(screen), words(screen)
    assert screen.picture is not None


def test_the_same_cards_are_judged_by_each_rule_set() -> None:
    verdicts = {name: judge_cards(rulesets.load(name), ["9h", "9s", "9d"]) for name in rulesets.ids()}
    assert verdicts["clasico"].meld is not None
    assert verdicts["abierto"].reason is Reason.SETS_NOT_ALLOWED


def test_melds_are_counted_together() -> None:
    melds = ["3d 4d 5d 6d 7d 8d 9d", "Jh Js Jd", "9h 2s JK"]
    verdicts = [judge_cards(CLASICO, meld.split()) for meld in melds]
    screen = count_screen(SPANISH, Book(CLASICO), verdicts)
    assert worth_of(CLASICO, verdicts) == 45 + 200 + 30
    assert "En la mesa: 275 puntos." in words(screen)
    assert "3. 9♥ 2♠ joker: no vale." in words(screen)
    alone = [judge_cards(CLASICO, ["Jh", "Js", "Jd"])]
    assert "En la mesa: −30 puntos." in words(count_screen(SPANISH, Book(CLASICO), alone))
    assert "lo bajado resta" in words(count_screen(SPANISH, Book(CLASICO), alone))


def test_a_card_that_is_no_wild_takes_no_other_place() -> None:
    with pytest.raises(NotationError):
        judge_cards(CLASICO, ["7h=8h", "9h", "Th"])
