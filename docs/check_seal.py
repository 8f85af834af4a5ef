#!/usr/bin/env python3
"""Check the sealed pack of a deal record, with nothing of the bot: Python 3.11's own library is all it needs.

    python3 check_seal.py deal.toml …              is the pack the one that was sealed?
    python3 check_seal.py --shown 0123456789ab …   … and is it the seal that the table showed when it dealt?
    python3 check_seal.py --hands …                what was dealt, by the written order of dealing

It says what docs/notation.md says, in other words: whoever does not trust the bot writes their own from there.
Exit status 0: all true; 1: one is not, or has no seal; 2: one cannot be read.
"""

# ruff: noqa: T201 - a program that prints

import argparse
import hashlib
import itertools
import json
import sys
import tomllib
from pathlib import Path

SIDES = {"1v1": (2, 2), "1v1v1": (3, 3), "2v2": (2, 4), "2v2v2": (3, 6)}
"""Sides and seats."""


def commitment(record):
    """SHA-256 over four lines: the format's name, the salt, the pack and the reserve."""
    lines = ("buraco-seal-1", record["salt"], record["pack"], record.get("reserve", ""))
    return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()


def whole(packs, jokers):
    """Every card of some packs, written with its back."""
    faces = [rank + suit for rank, suit in itertools.product("A23456789TJQK", "shdc")] + ["JK"] * jokers
    return sorted(f"{face}/{back}" for back in packs for face in faces)


def problem(record, shown=""):
    """What is wrong with a record's pack; empty where nothing is."""
    if not record.get("commitment") or not record.get("salt"):
        return "it has no seal"
    if commitment(record) != record["commitment"]:
        return "the pack was not sealed in this order"
    if not record["commitment"].startswith(shown):
        return f"the table showed another seal, which began {shown}"
    jokers = record["ruleset"].get("jokers", 4) // 2
    if sorted(record["pack"].split()) != whole((0, 1), jokers):
        return "the pack does not hold every card of two packs once"
    if record.get("reserve") and sorted(record["reserve"].split()) != whole((2,), jokers):
        return "the third pack does not hold every card once"
    return ""


def dealt(record):
    """What the pack deals: hands by seat, muertos, what lies open, and the stock with its top first."""
    rules, (sides, seats) = record["ruleset"], SIDES[record["seating"]]
    pack = record["pack"].split()
    starter = (record["first_starter"] + record["number"]) % seats
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
            print(f"{name}: {'WRONG: ' + found if found else 'the seal is true'}")
        wrong = wrong or bool(found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
