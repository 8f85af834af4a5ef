"""Settings: from the environment and from ``.env``, every one optional (``.env.example`` tells about each)."""

import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Final, Literal

import platformdirs
from dotenv.parser import parse_stream
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

ENV_FILE: Final = Path(".env")
OFF: Final = "off"
_PREFIX: Final = "BURACO_"
_ADDRESS: Final = re.compile(
    r"(?:\[[0-9A-Fa-f:.]+\]|[^\s:\[\]]+):(?:\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])"
)

_SHARDS: Final = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})")


class ConfigError(Exception):
    """Settings that cannot be used: what is wrong with each, and what to do; all of them at once, a line each."""

    def __init__(self, problem: str, advice: str, *more: tuple[str, str]) -> None:
        self.problems = ((problem, advice), *more)
        super().__init__("\n".join(f"{wrong}: {todo}" for wrong, todo in self.problems))
        self.problem = problem
        self.advice = advice


def address_of(text: str) -> tuple[str, int]:
    """The host and the port of a checked ``host:port``."""
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)


def shards_of(text: str) -> tuple[range, int] | None:
    """The shards that ``first-last/all`` names and how many there are in all; None where it names none."""
    found = _SHARDS.fullmatch(text)
    if found is None:
        return None
    first, last, count = int(found[1]), int(found[2] or found[1]), int(found[3])
    return (range(first, last + 1), count) if first <= last < count else None


def default_database_url() -> str:
    """A SQLite file in the user's data folder."""
    return f"sqlite:///{Path(platformdirs.user_data_dir('buraco', appauthor=False)) / 'buraco.sqlite3'}"


class Settings(BaseSettings):
    """Everything that can be set. Tokens never show in logs or tracebacks."""

    model_config = SettingsConfigDict(extra="ignore", case_sensitive=True, env_ignore_empty=True, populate_by_name=True)

    discord_token: SecretStr | None = Field(default=None, validation_alias="DISCORD_TOKEN")
    telegram_token: SecretStr | None = Field(default=None, validation_alias="TELEGRAM_TOKEN")
    discord_api: str | None = Field(
        default=None, validation_alias="BURACO_DISCORD_API", pattern=r"^https?://[^\s/]+\S*$"
    )
    discord_interactions: str | None = Field(default=None, validation_alias="BURACO_DISCORD_INTERACTIONS")
    discord_public_key: str | None = Field(
        default=None, validation_alias="BURACO_DISCORD_PUBLIC_KEY", pattern=r"^[0-9a-fA-F]{64}$"
    )
    discord_shards: str | None = Field(default=None, validation_alias="BURACO_DISCORD_SHARDS")
    telegram_api: str | None = Field(
        default=None, validation_alias="BURACO_TELEGRAM_API", pattern=r"^https?://[^\s/]+\S*$"
    )
    telegram_webhook: str | None = Field(
        default=None, validation_alias="BURACO_TELEGRAM_WEBHOOK", pattern=r"^https://[^\s/]+\S*$"
    )
    telegram_key: SecretStr | None = Field(default=None, validation_alias="BURACO_TELEGRAM_SECRET")
    telegram_host: str = Field(default="127.0.0.1", validation_alias="BURACO_TELEGRAM_HOST")
    telegram_port: int = Field(default=8643, ge=1, le=65535, validation_alias="BURACO_TELEGRAM_PORT")
    telegram_peeks: bool = Field(default=False, validation_alias="BURACO_TELEGRAM_PEEKS")
    # A database's address may hold a password.
    database_url: str = Field(default_factory=default_database_url, validation_alias="BURACO_DATABASE_URL", repr=False)
    web_host: str = Field(default="127.0.0.1", validation_alias="BURACO_WEB_HOST")
    web_port: int = Field(default=8642, ge=0, le=65535, validation_alias="BURACO_WEB_PORT")
    log: Literal["debug", "info", "warning", "error"] = Field(default="warning", validation_alias="BURACO_LOG")
    log_format: Literal["text", "json"] = Field(default="text", validation_alias="BURACO_LOG_FORMAT")
    keep_days: int = Field(default=365, ge=0, le=36500, validation_alias="BURACO_KEEP_DAYS")
    health: str = Field(default="127.0.0.1:9090", validation_alias="BURACO_HEALTH")
    drain: bool = Field(default=False, validation_alias="BURACO_DRAIN")
    person_tables: int = Field(default=6, ge=0, le=1000, validation_alias="BURACO_PERSON_TABLES")
    place_tables: int = Field(default=10, ge=0, le=1000, validation_alias="BURACO_PLACE_TABLES")
    robot_pause: float = Field(default=0.9, ge=0, le=60, validation_alias="BURACO_ROBOT_PAUSE")
    robot_workers: int = Field(default=1, ge=0, le=64, validation_alias="BURACO_ROBOT_WORKERS")
    picture_workers: int | None = Field(default=None, ge=0, le=64, validation_alias="BURACO_PICTURE_WORKERS")

    @field_validator("log", "log_format", mode="before")
    @classmethod
    def _in_any_case(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value

    @field_validator("telegram_key")
    @classmethod
    def _as_telegram_takes_it(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not re.fullmatch(r"[A-Za-z0-9_-]{32,256}", value.get_secret_value()):
            raise ValueError("it takes 32 to 256 letters, figures, _ and -")
        return value

    @field_validator("health", "discord_interactions")
    @classmethod
    def _as_an_address(cls, value: str | None) -> str | None:
        if value is not None and value != OFF and not _ADDRESS.fullmatch(value):
            raise ValueError("it takes a host and a port, such as 127.0.0.1:9090")
        return value

    @field_validator("discord_shards")
    @classmethod
    def _as_a_range(cls, value: str | None) -> str | None:
        if value is not None and shards_of(value) is None:
            raise ValueError("it takes the first and the last shard and how many there are in all, such as 0-3/8")
        return value

    @property
    def shards(self) -> tuple[range, int] | None:
        """Discord's shards that this process serves, and how many there are; None where it serves whatever there is."""
        return None if self.discord_shards is None else shards_of(self.discord_shards)

    @property
    def drawing_workers(self) -> int:
        """How many processes draw; 0 for threads of this one. Left to itself, one where there is a chat, else none."""
        if self.picture_workers is not None:
            return self.picture_workers
        return int(self.discord_token is not None or self.telegram_token is not None)

    @property
    def health_address(self) -> tuple[str, int] | None:
        """Where health is told; None where it is not."""
        return None if self.health == OFF else address_of(self.health)

    @property
    def interactions_address(self) -> tuple[str, int] | None:
        """Where Discord's interactions are listened for; None where they come through the gateway."""
        chosen = self.discord_interactions
        return None if chosen in (None, OFF) else address_of(str(chosen))

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Nothing but what :func:`load_settings` has read and checked."""
        del settings_cls, env_settings, dotenv_settings, file_secret_settings
        return (init_settings,)


def _alias(name: str) -> str:
    alias = Settings.model_fields[name].validation_alias
    return alias if isinstance(alias, str) else name


NAMES: Final = tuple(_alias(name) for name in Settings.model_fields)
"""The names of all settings, as they stand in the environment."""


def load_settings(env_file: Path = ENV_FILE, environment: Mapping[str, str] | None = None) -> Settings:
    """The settings; the environment goes before the file.

    Raises:
        ConfigError: the file cannot be read, names a setting that there is not, or a value makes no sense; all that
            is wrong at once.
    """
    found = os.environ if environment is None else environment
    file, problems = _read_env_file(env_file)
    values = {name: (found.get(name) or "").strip() or file.get(name, "").strip() for name in NAMES}
    problems += _missing(values)
    try:
        settings = Settings.model_validate({name: value for name, value in values.items() if value})
    except ValidationError as error:
        for wrong in error.errors():
            name = str(wrong["loc"][0]) if wrong["loc"] else "settings"
            problems.append((f"{name} cannot be used", wrong["msg"]))
    else:
        if not problems:
            return settings
    (problem, advice), *more = problems
    raise ConfigError(problem, advice, *more)


def _missing(values: Mapping[str, str]) -> list[tuple[str, str]]:
    """Settings that another one needs, or that go ill with another one."""
    problems = [
        (f"{name} needs {needed}", advice)
        for name, needed, advice in (
            ("BURACO_TELEGRAM_WEBHOOK", "BURACO_TELEGRAM_SECRET", "make up a long random one"),
            (
                "BURACO_DISCORD_INTERACTIONS",
                "BURACO_DISCORD_PUBLIC_KEY",
                "copy the public key of the Developer Portal (General Information)",
            ),
        )
        if values[name] and not values[needed]
    ]
    if values["BURACO_DISCORD_SHARDS"]:
        if values["BURACO_DISCORD_INTERACTIONS"] not in ("", OFF):
            problems.append(
                ("BURACO_DISCORD_SHARDS goes ill with BURACO_DISCORD_INTERACTIONS", "interactions need no shards")
            )
        if not values["BURACO_DATABASE_URL"].startswith("postgres"):
            problems.append(("BURACO_DISCORD_SHARDS needs PostgreSQL", "set BURACO_DATABASE_URL; see docs/scaling.md"))
    return problems


def _read_env_file(path: Path) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """What stands in the file, and what is wrong with it.

    Raises:
        ConfigError: it cannot be read at all.
    """
    if not path.exists():
        return {}, []
    try:
        with path.open(encoding="utf-8") as stream:
            bindings = list(parse_stream(stream))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read", f"{error}; make it a readable UTF-8 text file") from None
    values: dict[str, str] = {}
    problems: list[tuple[str, str]] = []
    for binding in bindings:
        # The line itself stays unsaid: it may hold a token.
        where = f"line {binding.original.line} of {path}"
        if binding.error:
            problems.append((f"{where} cannot be read", "write it as NAME=value"))
        elif binding.key is None:
            continue
        elif not _is_known(binding.key):
            problems.append((f"{path} names {binding.key}, which is no setting", _advice(binding.key)))
        elif binding.value is None and binding.key in NAMES:
            problems.append((f"{where} cannot be read", f"write {binding.key}=value"))
        else:
            values[binding.key] = binding.value or ""
    return values, problems


def _is_known(name: str) -> bool:
    """Names of ours that are misspelt would be ignored in silence; other programs' names are none of our business."""
    return name in NAMES or not name.startswith(_PREFIX)


def _advice(name: str) -> str:
    ours = [known.removeprefix(_PREFIX) for known in NAMES if known.startswith(_PREFIX)]
    near = get_close_matches(name.removeprefix(_PREFIX), ours, n=1)
    return f"did you mean {_PREFIX}{near[0]}?" if near else "see .env.example for the settings there are"
