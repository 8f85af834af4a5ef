#!/usr/bin/env python3
"""Check the sealed pack of a deal record, with nothing of the bot: Python 3.11's own library is all it needs.

    python3 check_seal.py deal.toml …              is the pack the one that was sealed, or that seal and cut make?
    python3 check_seal.py --shown 0123456789ab …   … and is it the seal that the table showed when it dealt?
    python3 check_seal.py --hands …                what was dealt, by the written order of dealing

It says what docs/notation.md says, in other words: whoever does not trust the bot writes their own from there.
Exit status 0: all true; 1: one is not, or has no seal; 2: one cannot be read.
"""

# ruff: noqa: T201 - a program that prints

import argparse
import hashlib
import hmac
import itertools
import json
import sys
import tomllib
from pathlib import Path

SIDES = {"1v1": (2, 2), "1v1v1": (3, 3), "2v2": (2, 4), "2v2v2": (3, 6)}
"""Sides and seats."""


def commitment(record):
    """SHA-256 over lines: the format's name, the salt, the pack and the reserve.

    Where somebody cut, there was no pack yet: instead the table's code, the deal's number and the seat that begins.
    """
    if record.get("cut"):
        lines = ("buraco-seal-2", record["salt"], record["table"], str(record["number"]), str(starter_of(record)))
    else:
        lines = ("buraco-seal-1", record["salt"], record["pack"], record.get("reserve", ""))
    return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()


def starter_of(record):
    """The seat that begins the deal."""
    return (record["first_starter"] + record["number"]) % SIDES[record["seating"]][1]


def factory(packs, jokers):
    """Some packs as they come from the factory: by back, then by suit, in it from the ace to the king, jokers last."""
    faces = [rank + suit for suit, rank in itertools.product("shdc", "A23456789TJQK")] + ["JK"] * jokers
    return [f"{face}/{back}" for back in packs for face in faces]


def words(key):
    """Numbers of 64 bits without end: HMAC-SHA256 over 0, 1, 2 … (eight bytes each), cut into pieces of eight bytes."""
    for block in itertools.count():
        piece = hmac.digest(key, block.to_bytes(8, "big"), "sha256")
        yield from (int.from_bytes(piece[at : at + 8], "big") for at in range(0, 32, 8))


def shuffle(cards, numbers):
    """Fisher and Yates: from the last place down, each card changes with one of those up to it, all equally likely."""
    for last in range(len(cards) - 1, 0, -1):
        size = last + 1
        number = next(word for word in numbers if word < 2**64 - 2**64 % size)
        cards[last], cards[number % size] = cards[number % size], cards[last]


def made(record):
    """The pack and the reserve that the salt and the cut make."""
    rules, seats = record["ruleset"], SIDES[record["seating"]][1]
    jokers = rules.get("jokers", 4) // 2
    told = f"{record['cut']}:{record['table']}:{record['number']}"
    seed = hmac.digest(bytes.fromhex(record["salt"]), told.encode(), "sha256").hex()
    numbers = words(seed.encode())
    while True:
        pack, reserve = factory((0, 1), jokers), factory((2,), jokers) if record.get("reserve") else []
        shuffle(pack, numbers)
        shuffle(reserve, numbers)
        # Some rule sets do not let a wild lie turned up: all is shuffled again, with the numbers that follow.
        turned = pack[seats * rules["hand_size"]]
        if rules["up_card"] != "turned_natural" or not turned.startswith(("2", "JK")):
            return {**record, "pack": " ".join(pack), "reserve": " ".join(reserve)}


def sorted_hands(record):
    """What is dealt, and the reserve, with the cards of each hand in no order: a record has its hands sorted."""
    deal = dealt(record)
    return {**deal, "hands": [sorted(hand) for hand in deal["hands"]], "reserve": record.get("reserve", "").split()}


def problem(record, shown=""):
    """What is wrong with a record's pack; empty where nothing is."""
    if not record.get("commitment") or not record.get("salt"):
        return "it has no seal"
    if commitment(record) != record["commitment"]:
        return "this salt was not sealed" if record.get("cut") else "the pack was not sealed in this order"
    if not record["commitment"].startswith(shown):
        return f"the table showed another seal, which began {shown}"
    jokers = record["ruleset"].get("jokers", 4) // 2
    if sorted(record["pack"].split()) != sorted(factory((0, 1), jokers)):
        return "the pack does not hold every card of two packs once"
    if record.get("reserve") and sorted(record["reserve"].split()) != sorted(factory((2,), jokers)):
        return "the third pack does not hold every card once"
    if record.get("cut") and sorted_hands(made(record)) != sorted_hands(record):
        return "salt and cut make another pack"
    return ""


def dealt(record):
    """What the pack deals: hands by seat, muertos, what lies open, and the stock with its top first."""
    rules, (sides, seats) = record["ruleset"], SIDES[record["seating"]]
    pack, starter = record["pack"].split(), starter_of(record)
    muertos = 3 if rules["muertos"] == "three" else sides
    hands = {}
    for turn in range(seats):
        hands[(starter + turn) % seats] = [pack[turn + seats * card] for card in range(rules["hand_size"])]
    bottom = pack[::-1][: muertos * rules["muerto_size"]]
    rest = pack[seats * rules["hand_size"] : len(pack) - len(bottom)]
    opened = 0 if rules["up_card"] == "none" else 1
    return {
        "starter": starter,
        "hands": [hands[seat] for seat in range(seats)],
        "muertos": [bottom[number::muertos] for number in range(muertos)],
        "open": rest[:opened],
        "stock": rest[opened:],
    }


def cut_text(record):
    """Who cut, and where."""
    if not record.get("cut"):
        return ""
    cutter = record["names"][record["cutter"]] if "cutter" in record else "nobody"
    return f", cut at {record['cut']} by {cutter}"


def main(arguments=None):
    """Check each file and say so."""
    parser = argparse.ArgumentParser(description="Check the sealed packs of deal records.")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--shown", default="", help="what the table showed of the seal, from its beginning")
    parser.add_argument("--hands", action="store_true", help="print what was dealt, as JSON")
    asked = parser.parse_args(arguments)
    wrong = False
    for name in asked.files:
        try:
            record = tomllib.loads(Path(name).read_text(encoding="utf-8"))
            found = problem(record, asked.shown.lower())
            if asked.hands:
                print(json.dumps(dealt(record)))
        except (OSError, ValueError, KeyError, IndexError) as error:
            print(f"{name}: cannot be read: {error!r}")
            return 2
        if not asked.hands or found:
            print(f"{name}: {'WRONG: ' + found if found else 'the seal is true' + cut_text(record)}")
        wrong = wrong or bool(found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
