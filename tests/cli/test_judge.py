"""``buraco judge``: answers in order, exit statuses, and lines that cannot be read."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.cli import app

RIGHT = (
    '{"id": "right", "ruleset": "clasico", "seating": "1v1", "position": {"mover": 0, "phase": "play",'
    ' "hands": [["Qs", "Ks", "As", "4d", "6c"], ["9c"]]}, "do": ["meld Qs Ks As"], "expect": {"refused": null}}'
)
WRONG = RIGHT.replace('"refused": null', '"refused": [0, "not_a_meld"]').replace('"right"', '"wrong"')
PLAIN = RIGHT.replace(', "expect": {"refused": null}', "").replace('"right"', '"plain"')


def judge(*arguments: str, text: str | None = None) -> Result:
    """The command with its exit status and both streams."""
    return CliRunner().invoke(app, ["judge", *arguments], input=text)


def answers(result: Result) -> list[dict[str, object]]:
    """What it printed, a JSON object a line."""
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    ("lines", "code"),
    [([RIGHT], 0), ([PLAIN], 0), ([RIGHT, WRONG, RIGHT], 1), ([], 0), (["", RIGHT, "  "], 0)],
    ids=["held", "nothing expected", "one wrong", "empty", "blank lines"],
)
def test_exit_status(tmp_path: Path, lines: list[str], code: int) -> None:
    """0 when every expectation held, 1 otherwise; blank lines are no cases."""
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    result = judge(str(path))
    assert result.exit_code == code
    assert len(answers(result)) == len([line for line in lines if line.strip()])
    assert result.stderr == ""


def test_notes_of_ones_own(tmp_path: Path) -> None:
    """A case may carry further keys, such as where it comes from."""
    path = tmp_path / "cases.jsonl"
    path.write_text(RIGHT.replace('"id"', '"source": "a letter", "id"'), encoding="utf-8")
    assert judge(str(path)).exit_code == 0


def test_answers(tmp_path: Path) -> None:
    """The id, what it got with every key, and ``ok`` only where something was expected; files in order."""
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    one.write_text(f"{RIGHT}\n{WRONG}\n", encoding="utf-8")
    two.write_text(f"{PLAIN}\n", encoding="utf-8")
    told = answers(judge(str(one), str(two)))
    assert [(case["id"], case.get("ok")) for case in told] == [("right", True), ("wrong", False), ("plain", None)]
    keys = {"refused", "mover", "phase", "hands", "melds", "kinds", "taken", "score", "match"}
    assert all(isinstance(case["got"], dict) and set(case["got"]) == keys for case in told)
    assert "ok" not in told[2]


UNREADABLE = {
    "no JSON": ("{", "cases.jsonl:2: "),
    "no object": ("[1]", "cases.jsonl:2: "),
    "a missing key": ('{"id": "x"}', "missing required field `ruleset`"),
    "an unknown key": (RIGHT.replace('"mover"', '"more": 1, "mover"'), "unknown field `more`"),
    "an unknown rule set": (RIGHT.replace('"clasico"', '"nada"'), "no rule set 'nada'"),
    "an unknown seating": (RIGHT.replace('"1v1"', '"3v3"'), "3v3"),
    "an unknown option": (RIGHT.replace('"do"', '"options": {"colour": 1}, "do"'), "colour: no such option"),
    "a wrong option": (RIGHT.replace('"do"', '"options": {"closing": "maybe"}, "do"'), "closing"),
    "no such card": (RIGHT.replace('"4d"', '"1x"'), "hands: no such card: 1x"),
    "more copies than there are": (RIGHT.replace('"4d"', '"4d", "4d", "4d"'), "hands: more copies of 4d than"),
    "no such seat": (RIGHT.replace('"mover": 0', '"mover": 2'), "mover: no seat 2"),
    "too few hands": (RIGHT.replace(', ["9c"]', ""), "hands: 2 hands are needed"),
    "no such phase": (RIGHT.replace('"play"', '"think"'), "think"),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_cannot_be(tmp_path: Path, what: str) -> None:
    """Status 2, with file, line and reason; the lines before are answered, those after are not read."""
    line, told = UNREADABLE[what]
    path = tmp_path / "cases.jsonl"
    path.write_text(f"{WRONG}\n{line}\n{RIGHT}\n", encoding="utf-8")
    result = judge(str(path))
    assert result.exit_code == 2
    assert [case["id"] for case in answers(result)] == ["wrong"]
    assert f"{path}:2: " in result.stderr
    assert told in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """Missing, a folder, or no text."""
    noise = tmp_path / "noise.jsonl"
    noise.write_bytes(b"\xff\xfe\n")
    for path in (tmp_path / "missing.jsonl", tmp_path, noise):
        result = judge(str(path))
        assert result.exit_code == 2
        assert str(path) in result.stderr
        assert result.stdout == ""
    assert judge().exit_code == 2


def test_standard_input() -> None:
    """``-`` reads it, like a file."""
    result = judge("-", text=f"{RIGHT}\n\n{WRONG}\n")
    assert [case["id"] for case in answers(result)] == ["right", "wrong"]
    assert result.exit_code == 1
    assert "-:2: " in judge("-", text=f"{RIGHT}\nnonsense\n").stderr


def test_each_line_is_answered_at_once() -> None:
    """A program may ask case by case over a pipe: the answer comes before the next line is sent."""
    program = "from bot.cli import app; app()"
    with subprocess.Popen(  # noqa: S603 - our own interpreter and text
        [sys.executable, "-c", program, "judge", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line, name in ((RIGHT, "right"), (WRONG, "wrong"), (PLAIN, "plain")):
            process.stdin.write(line + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == name
        process.stdin.close()
        assert process.wait(timeout=60) == 1
