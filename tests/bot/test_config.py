"""Settings: every problem is one clear line, the environment goes first, and no secret shows."""

from pathlib import Path

import pytest

from bot.config import NAMES, ConfigError, Settings, load_settings

TELEGRAM = "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw_"


@pytest.fixture
def env_file(tmp_path: Path) -> Path:
    return tmp_path / ".env"


def told(env_file: Path, environment: dict[str, str] | None = None) -> str:
    """What is said of a setting that cannot be used."""
    with pytest.raises(ConfigError) as error:
        load_settings(env_file, environment or {})
    text = str(error.value)
    assert "\n" not in text
    assert error.value.problem
    assert error.value.advice
    return text


def test_without_a_file_and_an_environment_everything_has_its_default(env_file: Path) -> None:
    settings = load_settings(env_file, {})
    assert (settings.web_host, settings.web_port) == ("127.0.0.1", 8642)
    assert settings.discord_token is None
    assert settings.telegram_token is None
    assert settings.database_url.startswith("sqlite:///")
    assert (settings.log, settings.log_format, settings.robot_pause) == ("warning", "text", 0.9)


def test_the_environment_goes_before_the_file(env_file: Path) -> None:
    env_file.write_text("BURACO_WEB_PORT=1\nBURACO_LOG=debug\nDISCORD_TOKEN=of-the-file\nOTHER=thing\n")
    settings = load_settings(env_file, {"BURACO_WEB_PORT": "2", "BURACO_LOG": "", "DISCORD_TOKEN": " in-env "})
    assert settings.web_port == 2
    assert settings.log == "debug", "an empty variable is none"
    assert settings.discord_token is not None
    assert settings.discord_token.get_secret_value() == "in-env"


def test_nothing_but_what_is_given_is_read(env_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BURACO_WEB_PORT", "99")
    monkeypatch.chdir(env_file.parent)
    env_file.write_text("BURACO_LOG=error\n")
    assert load_settings(env_file.parent / "none", {}).web_port == 8642
    assert load_settings(env_file.parent / "none", {}).log == "warning"
    assert load_settings().web_port == 99
    assert load_settings().log == "error"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("BURACO_WEB_PORT=8000\nthis is broken\n", ("line 2", "NAME=value")),
        ("='x'\n", ("line 1", "NAME=value")),
        ("BURACO_LOG='unclosed\n", ("line 1", "NAME=value")),
        ("BURACO_WEBPORT=1\n", ("BURACO_WEBPORT", "did you mean BURACO_WEB_PORT?")),
        ("BURACO_FLAVOUR=1\n", ("BURACO_FLAVOUR", ".env.example")),
        ("DISCORD_TOKEN\n", ("line 1", "DISCORD_TOKEN=value")),
        ("BURACO_WEB_PORT=port\n", ("BURACO_WEB_PORT cannot be used", "integer")),
        ("BURACO_WEB_PORT=65536\n", ("BURACO_WEB_PORT cannot be used", "65535")),
        ("BURACO_WEB_PORT=-1\n", ("BURACO_WEB_PORT cannot be used",)),
        ("BURACO_LOG=loud\n", ("BURACO_LOG cannot be used", "'debug'")),
        ("BURACO_ROBOT_PAUSE=61\n", ("BURACO_ROBOT_PAUSE cannot be used", "60")),
        ("BURACO_PICTURE_WORKERS=-1\n", ("BURACO_PICTURE_WORKERS cannot be used", "0")),
        ("BURACO_PICTURE_WORKERS=65\n", ("BURACO_PICTURE_WORKERS cannot be used", "64")),
        ("BURACO_PICTURE_WORKERS=many\n", ("BURACO_PICTURE_WORKERS cannot be used", "integer")),
        ("BURACO_PICTURE_WORKER=1\n", ("BURACO_PICTURE_WORKER", "did you mean BURACO_PICTURE_WORKERS?")),
        ("BURACO_ROBOT_PAUSE=nan\n", ("BURACO_ROBOT_PAUSE cannot be used",)),
    ],
)
def test_what_is_wrong_in_the_file_is_told_in_one_line(env_file: Path, text: str, parts: tuple[str, ...]) -> None:
    env_file.write_text(text)
    line = told(env_file)
    for part in parts:
        assert part in line


def test_a_bad_value_in_the_environment_is_told_too(env_file: Path) -> None:
    assert "BURACO_WEB_PORT" in told(env_file, {"BURACO_WEB_PORT": "abc"})


def test_a_file_that_is_not_text_is_told(env_file: Path) -> None:
    env_file.write_bytes(b"BURACO_LOG=\xff\xfe\n")
    assert "UTF-8" in told(env_file)


def test_a_folder_is_no_settings_file(env_file: Path) -> None:
    env_file.mkdir()
    assert "cannot be read" in told(env_file)


def test_editors_marks_quotes_comments_and_case_are_understood(env_file: Path) -> None:
    lines = ("DISCORD_TOKEN=first", "# a comment", "export BURACO_LOG=INFO", "BURACO_WEB_HOST='0.0.0.0' # everybody")
    env_file.write_bytes("\r\n".join(lines).encode("utf-8-sig"))
    settings = load_settings(env_file, {})
    assert settings.discord_token is not None
    assert settings.discord_token.get_secret_value() == "first"
    assert (settings.log, settings.web_host) == ("info", "0.0.0.0")  # noqa: S104


def test_secrets_never_show(env_file: Path) -> None:
    values = {
        "TELEGRAM_TOKEN": TELEGRAM,
        "DISCORD_TOKEN": "secret-of-discord",
        "BURACO_DATABASE_URL": "postgresql://me:secret-word@host/db",
    }
    settings = load_settings(env_file, values)
    for text in (repr(settings), str(settings)):
        assert TELEGRAM not in text
        assert "secret" not in text.replace("SecretStr", "")
    env_file.write_text(f"TELEGRAM_TOKEN {TELEGRAM}\n")
    assert TELEGRAM not in told(env_file)
    env_file.unlink()
    line = told(env_file, {**values, "BURACO_WEB_PORT": "x"})
    assert TELEGRAM not in line
    assert "secret" not in line


def test_the_example_file_names_every_setting_and_no_other() -> None:
    example = Path(__file__).parents[2] / ".env.example"
    named = {
        line.lstrip("# ").split("=")[0]
        for line in example.read_text(encoding="utf-8").splitlines()
        if "=" in line and line.lstrip("# ").split("=")[0].isupper()
    }
    assert named == set(NAMES)
    assert set(NAMES) == {str(field.validation_alias) for field in Settings.model_fields.values()}


def test_shards_are_a_range_of_all(tmp_path: Path) -> None:
    database = {"BURACO_DATABASE_URL": "postgresql://localhost/buraco"}
    for text, wanted in (("0-3/8", (range(4), 8)), ("7/8", (range(7, 8), 8)), ("0/1", (range(1), 1))):
        assert load_settings(tmp_path / "none", {**database, "BURACO_DISCORD_SHARDS": text}).shards == wanted
    assert load_settings(tmp_path / "none", database).shards is None
    for wrong in ("3-1/8", "0-8/8", "8/8", "0-3", "all", "-1/8", "0-3/0"):
        with pytest.raises(ConfigError, match="the first and the last shard"):
            load_settings(tmp_path / "none", {**database, "BURACO_DISCORD_SHARDS": wrong})


def test_shards_need_a_database_that_can_be_shared_and_the_gateway(tmp_path: Path) -> None:
    asked = {"BURACO_DISCORD_SHARDS": "0/2", "BURACO_DISCORD_PUBLIC_KEY": "a" * 64}
    with pytest.raises(ConfigError, match="needs PostgreSQL"):
        load_settings(tmp_path / "none", asked)
    with pytest.raises(ConfigError, match="goes ill with BURACO_DISCORD_INTERACTIONS"):
        load_settings(
            tmp_path / "none",
            {
                **asked,
                "BURACO_DATABASE_URL": "postgresql://localhost/buraco",
                "BURACO_DISCORD_INTERACTIONS": "127.0.0.1:8644",
            },
        )


@pytest.mark.parametrize(
    ("values", "workers"),
    [
        ({}, 0),
        ({"DISCORD_TOKEN": "token"}, 1),
        ({"TELEGRAM_TOKEN": TELEGRAM}, 1),
        ({"TELEGRAM_TOKEN": TELEGRAM, "BURACO_PICTURE_WORKERS": "0"}, 0),
        ({"BURACO_PICTURE_WORKERS": "3"}, 3),
    ],
)
def test_a_process_draws_where_there_is_a_chat_or_somebody_wants_it(
    tmp_path: Path, values: dict[str, str], workers: int
) -> None:
    assert load_settings(tmp_path / "none", values).drawing_workers == workers
