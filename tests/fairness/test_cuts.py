"""The cut: who cuts, what pack comes of it, and that a wrong salt, a wrong cut and another deal are found."""

import runpy
import tomllib
from pathlib import Path
from random import Random
from statistics import NormalDist

import msgspec
import pytest
from typer.testing import CliRunner

from bot import rulesets
from bot.cli import app as commands
from bot.cutting import FIGURES, NO_CUT, cutter_of, dealt, is_cut, offered, pack_of_cut, problem_of_cut
from bot.fairness import CUT_FORMAT, Seal, Sealer, cards_text, chance_of, cut_commitment_of, salt_of
from bot.model import Chair, Table
from bot.records import DealRecord, RecordError, digest_of, read_record, record_of, verify, write_record
from bot.shuffling import secure_deal
from engine.actions import StartDeal
from engine.cards import IS_WILD
from engine.dealing import new_pack
from engine.decide import start_deal
from engine.events import DealStarted
from engine.policies import UpCard
from engine.ruleset import Ruleset
from engine.seating import Seating
from engine.state import new_match
from tests.fairness.test_outside import SCRIPT, asked
from tests.fairness.test_seals import Notes

MATCHES = 100
SALT = "5a" * 32
CODE = "ABC234"
OTHER_PACK = "salt and cut make another pack"
OTHER_SALT = "this salt was not sealed"


def table_of(*chairs: str, seating: Seating = Seating.TWO_PAIRS) -> Table:
    """A table: people by name, ``robot``, or somebody ``away``."""
    seats = tuple(
        Chair(name, robot="normal") if name == "robot" else Chair(name, person=name, absent=name.startswith("away"))
        for name in chairs
    )
    return Table("t1", CODE, "Mesa", None, rulesets.load("clasico"), seating, chairs=seats)


def cut_record(rules: Ruleset, seating: Seating, dice: Random) -> tuple[DealRecord, DealStarted]:
    """The record of a deal that was cut, as a table would write it, with nothing played; and what was dealt."""
    number, cut, salt = dice.randrange(5), f"{dice.randrange(1000):03}", dice.randbytes(32).hex()
    before = msgspec.structs.replace(new_match(rules, seating, dice.randrange(seating.seats)), deals=number)
    started = start_deal(before, pack_of_cut(rules, seating, salt, cut, CODE, number))[0]
    assert isinstance(started, DealStarted)
    commitment = cut_commitment_of(salt, CODE, number, started.starter)
    seal = Seal(number, commitment, salt, "00" * 32, cut, dice.choice((None, 0, 1)))
    names = [f"p{seat}" for seat in range(seating.seats)]
    return record_of(before, names, chance_of(rules, seating, started), (), before, seal, CODE), started


def games() -> list[tuple[Ruleset, Seating]]:
    """Every rule set in every seating."""
    return [(rulesets.load(name), seating) for name in rulesets.ids() for seating in rulesets.load(name).seatings]


# who cuts


@pytest.mark.parametrize(
    ("chairs", "starter", "cutter"),
    [
        (("ana", "luis", "eva", "iker"), 0, 2),
        (("ana", "luis", "eva", "iker"), 1, 3),
        (("ana", "luis", "robot", "iker"), 0, 1),
        (("ana", "luis", "away", "iker"), 0, 1),
        (("robot", "robot", "robot", "iker"), 0, 3),
        (("ana", "robot", "robot", "iker"), 0, 0),
        (("away", "robot", "robot", "robot"), 0, None),
    ],
    ids=["before the dealer", "another deal", "no robot", "nobody away", "the dealer last", "the starter", "nobody"],
)
def test_the_person_before_the_dealer_cuts(chairs: tuple[str, ...], starter: int, cutter: int | None) -> None:
    assert cutter_of(table_of(*chairs), starter) == cutter


def test_of_two_who_play_alone_the_one_who_does_not_deal_cuts() -> None:
    table = table_of("ana", "luis", seating=Seating.ONE_ON_ONE)
    assert [cutter_of(table, starter) for starter in (0, 1)] == [0, 1]


def test_a_cut_is_three_figures() -> None:
    assert [is_cut(text) for text in ("000", "375", "37", "3750", "3a5", "³75", "")] == [True, True, *[False] * 5]
    assert len(NO_CUT) == FIGURES
    assert is_cut(NO_CUT)


# what comes of it


async def test_a_deal_is_offered_before_there_is_a_pack() -> None:
    notes = Notes()
    sealer = Sealer(notes)
    table = await offered(sealer, table_of("ana", "luis", "eva", "iker"), 0, 1)
    (seal,) = table.seals
    assert (seal.salt, seal.cut, seal.cutter) == ("", "", None)
    assert table.cut is not None
    done = await dealt(sealer, table, None, "375", 3)
    (cut,) = done.table.seals
    assert (cut.commitment, cut.salt, cut.cut, cut.cutter) == (seal.commitment, "", "375", 3)
    assert done.table.cut is None
    (started,) = done.events
    assert isinstance(started, DealStarted)
    assert (started.number, started.starter) == (0, 1)
    salt = await sealer.salt(table.id, 0, seal.mix)
    assert cut_commitment_of(salt, CODE, 0, 1) == seal.commitment
    before = new_match(table.rules, table.seating, 1)
    opened = msgspec.structs.replace(cut, salt=salt)
    assert problem_of_cut(before, opened, CODE, chance_of(table.rules, table.seating, started)) == ""
    with pytest.raises(ValueError, match="waits for no cut"):
        await dealt(sealer, done.table, None, "375", 3)


async def test_every_cut_is_another_pack_and_every_seal_another_salt() -> None:
    rules = rulesets.load("clasico")
    packs = {pack_of_cut(rules, Seating.TWO_PAIRS, SALT, f"{cut:03}", CODE, 0).pack for cut in range(1000)}
    assert len(packs) == 1000
    assert pack_of_cut(rules, Seating.TWO_PAIRS, SALT, "001", CODE, 1).pack not in packs
    assert pack_of_cut(rules, Seating.TWO_PAIRS, SALT, "001", "ABC235", 0).pack not in packs
    sealer, table = Sealer(Notes()), table_of("ana", "luis", "eva", "iker")
    seals = [(await offered(sealer, table, 0, 1)).seals[0] for _ in range(20)]
    assert len({seal.commitment for seal in seals}) == 20
    assert len({seal.mix for seal in seals}) == 20


def test_who_knows_the_secret_alone_does_not_know_the_salt() -> None:
    """An old copy of a database tells no salt of a deal that was sealed since."""
    secret = b"s" * 32
    assert salt_of(secret, "t1", 0, "aa" * 32) != salt_of(secret, "t1", 0, "ab" * 32) != salt_of(secret, "t1", 0)


def test_the_cards_of_all_cuts_come_to_every_place_as_often() -> None:
    rules = rulesets.load("clasico")
    pack, cuts = new_pack(rules), 1000
    counts = {card: [0] * len(pack) for card in pack}
    for cut in range(cuts):
        for place, card in enumerate(pack_of_cut(rules, Seating.TWO_PAIRS, SALT, f"{cut:03}", CODE, 0).pack):
            counts[card][place] += 1
    expected = cuts / len(pack)
    total = sum((count - expected) ** 2 / expected for row in counts.values() for count in row)
    free = (len(pack) - 1) ** 2
    chance = NormalDist(free, (2 * free) ** 0.5).cdf(total * (len(pack) - 1) / len(pack))
    assert 0.001 < chance < 0.999


def test_where_no_wild_may_lie_turned_up_none_does() -> None:
    rules = rulesets.load("parejas")
    assert rules.up_card is UpCard.TURNED_NATURAL
    for cut in range(200):
        pack = pack_of_cut(rules, Seating.TWO_PAIRS, SALT, f"{cut:03}", CODE, 0).pack
        assert not IS_WILD[pack[Seating.TWO_PAIRS.seats * rules.hand_size]]


# who checks it


def test_a_script_finds_a_hundred_cut_deals_true_and_every_lie_about_them() -> None:
    script, dice, every = runpy.run_path(str(SCRIPT)), Random(4), games()
    problem, checked = script["problem"], 0
    for number in range(MATCHES):
        rules, seating = every[number % len(every)]
        deal, _ = cut_record(rules, seating, dice)
        record = tomllib.loads(write_record(deal))
        assert record["version"] == 2
        assert problem(record) == ""
        verify(read_record(write_record(deal)))
        pack = list(deal.pack)
        # Cards that lie in nobody's hand: those are in no order.
        place = seating.seats * rules.hand_size + 1
        pack[place], pack[place + 1] = pack[place + 1], pack[place]
        lies: dict[str, tuple[dict[str, object], str]] = {
            "cut": ({"cut": f"{(int(deal.cut) + 1 + dice.randrange(998)) % 1000:03}"}, OTHER_PACK),
            "pack": ({"pack": tuple(pack)}, OTHER_PACK),
            "salt": ({"salt": dice.randbytes(32).hex()}, OTHER_SALT),
            "table": ({"table": "ABC235"}, OTHER_SALT),
            "starter": ({"first_starter": (deal.first_starter + 1) % seating.seats}, OTHER_SALT),
            "number": ({"number": deal.number + seating.seats}, OTHER_SALT),
        }
        for what, (changed, told) in lies.items():
            # The fingerprint is made to fit: whoever lies does that too.
            lie = write_record(msgspec.structs.replace(deal, **changed))
            assert problem(tomllib.loads(lie)) == told, (rules.id, seating, what)
            with pytest.raises(RecordError, match="commitment"):
                verify(read_record(lie))
        checked += 1
    assert checked == MATCHES


def test_the_script_s_pack_is_the_bot_s_in_every_game() -> None:
    script, dice = runpy.run_path(str(SCRIPT)), Random(5)
    for rules, seating in games():
        deal, started = cut_record(rules, seating, dice)
        made = script["made"](tomllib.loads(write_record(deal)))
        chance = pack_of_cut(rules, seating, deal.salt, deal.cut, CODE, deal.number)
        assert made["pack"] == cards_text(chance.pack)
        assert made["reserve"] == cards_text(chance.reserve)
        assert script["dealt"](made)["starter"] == started.starter


def test_a_record_that_was_not_cut_is_what_it_ever_was() -> None:
    rules = rulesets.load("clasico")
    before = new_match(rules, Seating.ONE_ON_ONE, 0)
    record = record_of(before, ["a", "b"], secure_deal(rules, Seating.ONE_ON_ONE), (), before, None, CODE)
    fields = tomllib.loads(write_record(record))
    assert fields["version"] == 1
    assert not {"table", "cut", "cutter"} & set(fields)


def test_the_format_is_named_in_the_script_and_in_the_notation() -> None:
    notation = SCRIPT.parent / "notation.md"
    for file in (SCRIPT, notation):
        assert CUT_FORMAT in file.read_text(encoding="utf-8")


def test_the_script_and_the_command_name_who_cut(tmp_path: Path) -> None:
    dice, rules = Random(6), rulesets.load("clasico")
    deal = cut_record(rules, Seating.ONE_ON_ONE, dice)[0]
    told = {None: "nobody", 1: "p1"}
    for cutter, name in told.items():
        record = msgspec.structs.replace(deal, cutter=cutter)
        record = msgspec.structs.replace(record, digest=digest_of(record))
        path = tmp_path / f"{name}.toml"
        path.write_text(write_record(record), encoding="utf-8")
        assert asked(str(path)) == (0, f"{path}: the seal is true, cut at {deal.cut} by {name}\n")
        result = CliRunner().invoke(commands, ["verify", str(path)])
        assert result.exit_code == 0
        assert f"the seal is true, cut at {deal.cut} by {name}" in result.output


def test_half_a_cut_is_no_cut() -> None:
    rules = rulesets.load("clasico")
    match = new_match(rules, Seating.ONE_ON_ONE, 0)
    chance = StartDeal(new_pack(rules))
    for seal in (Seal(0, "00" * 32, SALT, cut="37"), Seal(0, "00" * 32, "", cut="375"), Seal(0, "00", "zz", cut="375")):
        assert problem_of_cut(match, seal, CODE, chance) == "the salt or the cut makes no sense"
