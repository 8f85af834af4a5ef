"""The pins: every version is exact, in both places the same, and names no host."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)


def _project() -> dict[str, object]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _constraints() -> dict[str, str]:
    tool = _project()["tool"]
    assert isinstance(tool, dict)
    return dict(pin.split("==") for pin in tool["uv"]["constraint-dependencies"])


def test_constraints_and_hashed_lock_name_the_same_versions() -> None:
    locked = {name.lower(): version for name, version in PIN.findall(_lock())}
    assert locked == _constraints()
    assert len(locked) > 40


def test_every_locked_version_has_hashes() -> None:
    entries = re.split(r"^(?=[A-Za-z0-9._-]+==)", _lock(), flags=re.MULTILINE)
    assert all("--hash=sha256:" in entry for entry in entries if "==" in entry)


def test_nothing_committed_names_a_download_host() -> None:
    assert "://" not in _lock()
    assert "index-url" not in _lock()
    tool = _project()["tool"]
    assert isinstance(tool, dict)
    assert "index" not in tool["uv"]
    assert "uv.lock" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_every_dependency_is_pinned() -> None:
    project = _project()
    groups = project["dependency-groups"]
    described = project["project"]
    assert isinstance(groups, dict)
    assert isinstance(described, dict)
    wanted = [*described["dependencies"], *groups["dev"]]
    names = {re.split(r"[\[<>=!~ ]", requirement)[0].lower() for requirement in wanted}
    assert names <= set(_constraints())


def _lock() -> str:
    return (ROOT / "requirements.lock").read_text(encoding="utf-8")
