"""The files by which the bot is run elsewhere: they name nothing that there is not, and promise nothing they do not do.

Neither Docker nor systemd is needed here, and nothing is built or started: docs/scaling.md tells what was not tried.
"""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot import __main__ as wired
from bot.cli import app as commands
from bot.cli.exits import CONFIG
from bot.config import NAMES, load_settings

ROOT = Path(__file__).resolve().parents[2]
UNIT = ROOT / "docs" / "deploy" / "buraco.service"
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
BOTS = {name: service for name, service in SERVICES.items() if service["image"] == "buraco"}
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
STEPS = [(word, rest) for word, rest in re.findall(r"^([A-Z]+) +(.*)$", DOCKERFILE, flags=re.MULTILINE)]
OTHERS = {"PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}


def known_commands() -> set[str]:
    """The program's commands."""
    assert wired.health in [command.callback for command in commands.registered_commands]
    return {str(command.name or getattr(command.callback, "__name__", "")) for command in commands.registered_commands}


def settings_of(name: str, tmp_path: Path, **more: str) -> Any:
    """The settings that a service of the compose file runs with."""
    given = {key: str(value) for key, value in BOTS[name].get("environment", {}).items()}
    given = {key: value.replace("${WEBHOOK_DOMAIN:-}", "buraco.example") for key, value in given.items()}
    return load_settings(tmp_path / "none", {**of_image(), **given, **more})


def of_image() -> dict[str, str]:
    """The environment that the image sets."""
    last = DOCKERFILE.rpartition("\nFROM ")[2]
    found = re.findall(r"^ENV (.*)$", last, flags=re.MULTILINE)
    return dict(pair.split("=", 1) for line in found for pair in shlex.split(line))


# the image


def test_the_image_is_built_from_the_lock_and_runs_as_nobody_in_particular() -> None:
    words = [word for word, _ in STEPS]
    assert words.count("FROM") == 2, "what is needed to build it is not in it"
    assert all("slim" in rest for word, rest in STEPS if word == "FROM")
    assert any(word == "RUN" and "--constraint requirements.lock" in rest for word, rest in STEPS)
    last = STEPS[max(i for i, (word, _) in enumerate(STEPS) if word == "FROM") :]
    assert ("USER", "10001:10001") in last
    assert ("VOLUME", "/data") in last
    assert ("STOPSIGNAL", "SIGTERM") in last
    assert any(word == "RUN" and "--uid 10001" in rest and "/data" in rest for word, rest in last)
    assert not [rest for word, rest in last if word == "RUN" and "pip" in rest]


def test_the_image_s_commands_and_settings_are_the_program_s(tmp_path: Path) -> None:
    steps = dict(STEPS)
    assert steps["ENTRYPOINT"] == '["buraco"]'
    assert yaml.safe_load(steps["CMD"])[0] in known_commands()
    check = yaml.safe_load(steps["HEALTHCHECK"].partition("CMD ")[2])
    assert check[0] == "buraco"
    assert check[1] in known_commands()
    assert set(of_image()) <= {*NAMES, *OTHERS}
    assert load_settings(tmp_path / "none", of_image()).database_url == "sqlite:////data/buraco.sqlite3"


def test_everything_that_the_image_copies_is_let_in_and_nothing_else() -> None:
    copied = {name for word, rest in STEPS if word == "COPY" and "--from" not in rest for name in rest.split()[:-1]}
    let_in = {
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line.startswith("!")
    }
    assert copied == let_in
    assert all((ROOT / name).exists() for name in copied)
    assert not {".env", "tests", ".git"} & let_in


# the compose file


def test_each_way_to_run_has_its_services() -> None:
    by_profile: dict[str, set[str]] = {}
    for name, service in SERVICES.items():
        for profile in service["profiles"]:
            by_profile.setdefault(profile, set()).add(name)
    assert by_profile == {
        "default": {"buraco"},
        "postgres": {"buraco-postgres", "database"},
        "cluster": {"discord-0", "discord-1", "telegram-0", "telegram-1", "database", "proxy"},
    }


@pytest.mark.parametrize("name", BOTS)
def test_every_bot_is_locked_in(name: str) -> None:
    service = BOTS[name]
    assert service["user"] == "10001:10001"
    assert service["read_only"]
    assert service["init"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["tmpfs"] == ["/tmp"]  # noqa: S108 - in the container
    assert service["stop_grace_period"] == "20s", "longer than the program's own fifteen seconds"
    assert service["restart"].startswith("on-failure")
    assert service["logging"]["options"]
    assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ())), "TLS is somebody else's"


@pytest.mark.parametrize("name", BOTS)
def test_every_name_is_a_setting_and_every_value_is_taken(name: str, tmp_path: Path) -> None:
    assert set(BOTS[name].get("environment", {})) <= set(NAMES)
    tokens = {"BURACO_TELEGRAM_SECRET": "s" * 32} if "telegram" in name else {}
    settings = settings_of(name, tmp_path, **tokens)
    if "postgres" in name or "cluster" in BOTS[name]["profiles"]:
        assert settings.database_url.startswith("postgresql://buraco:")
        assert "database" in BOTS[name]["depends_on"]
    else:
        assert BOTS[name]["volumes"] == ["data:/data"]


def test_the_discord_clusters_have_every_shard_once(tmp_path: Path) -> None:
    parts = [settings_of(name, tmp_path).shards for name in BOTS if name.startswith("discord")]
    counts = {count for _, count in parts}
    assert len(counts) == 1
    assert sorted(shard for ids, _ in parts for shard in ids) == list(range(counts.pop()))


def test_each_worker_of_the_cluster_serves_one_platform() -> None:
    for name, service in BOTS.items():
        given = service.get("environment", {})
        assert (given.get("TELEGRAM_TOKEN") == "") is name.startswith("discord")
        assert (given.get("DISCORD_TOKEN") == "") is name.startswith("telegram")


def test_the_proxy_knows_every_webhook_worker_and_where_its_health_is_told(tmp_path: Path) -> None:
    config = COMPOSE["configs"]["proxy"]["content"]
    workers = [name for name in BOTS if name.startswith("telegram")]
    settings = [settings_of(name, tmp_path, BURACO_TELEGRAM_SECRET="s" * 32) for name in workers]
    for name, found in zip(workers, settings, strict=True):
        assert f"{name}:{found.telegram_port}" in config
        assert found.telegram_host == "0.0.0.0"  # noqa: S104 - the container has a network of its own
        assert f"health_port {found.health_address[1]}" in config
        assert f"handle {found.telegram_webhook.removeprefix('https://buraco.example')} " in config
    assert "/readyz" in config
    assert set(SERVICES["proxy"]["depends_on"]) == set(workers)
    assert all(wanted["condition"] == "service_healthy" for wanted in SERVICES["proxy"]["depends_on"].values())


def test_the_database_is_waited_for_and_kept() -> None:
    database = SERVICES["database"]
    assert "pg_isready" in database["healthcheck"]["test"]
    assert "ports" not in database
    named = {volume.partition(":")[0] for service in SERVICES.values() for volume in service.get("volumes", ())}
    assert named == set(COMPOSE["volumes"])
    for name, service in BOTS.items():
        for condition in service.get("depends_on", {}).values():
            assert condition == {"condition": "service_healthy"}, name


# the unit


def _unit() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in UNIT.read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def test_the_unit_says_what_the_program_does(tmp_path: Path) -> None:
    unit = _unit()
    assert unit["ExecStart"][0].split()[1] in known_commands()
    assert unit["RestartPreventExitStatus"] == [str(CONFIG)]
    assert unit["Type"] == ["notify"]
    assert unit["StateDirectory"] == ["buraco"]
    given = dict(line.split("=", 1) for line in unit["Environment"])
    assert set(given) <= set(NAMES)
    assert "/var/lib/buraco/" in load_settings(tmp_path / "none", given).database_url
    assert float(unit["TimeoutStopSec"][0].removesuffix("s")) > wired.LONGEST_END_SECONDS
    assert {"ProtectSystem", "NoNewPrivileges", "SystemCallFilter", "RestrictAddressFamilies"} <= set(unit)
    assert "--constraint requirements.lock" in UNIT.read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / UNIT.name
    text = UNIT.read_text(encoding="utf-8")
    unit.write_text(text.replace("/opt/buraco/bin/buraco", sys.executable), encoding="utf-8")
    analyze = shutil.which("systemd-analyze") or ""
    done = subprocess.run([analyze, "verify", str(unit)], capture_output=True, text=True, check=False)  # noqa: S603
    ours = [line for line in done.stderr.splitlines() if UNIT.name in line]
    assert (done.returncode, ours) == (0, []), done.stderr
