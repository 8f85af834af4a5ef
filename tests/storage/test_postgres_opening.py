"""Opening a PostgreSQL database: how it is set up, and how it refuses: with advice, and without its password."""

import sys
from pathlib import Path

import pytest
from sqlalchemy import Connection
from structlog.testing import capture_logs

from adapters.storage import backup, open_store, postgres
from adapters.storage.postgres import PostgresStore
from adapters.storage.postgres_address import Address
from bot.store import Committed, Record, StoreError, StoreUnreachable, StoreUnusable
from tests.contract.playing import lobby
from tests.postgres import EXISTING, LOCKED, PASSWORD, Server
from tests.storage.conftest import at_noon
from tests.storage.patience import opened

SOON = 0.3


async def refused(url: str, patience: float = SOON) -> StoreUnusable:
    """How opening is refused: always with advice."""
    with capture_logs() as logs, pytest.raises(StoreUnusable) as caught:
        await PostgresStore.open(url, at_noon, patience_seconds=patience)
    assert caught.value.advice
    shown = f"{caught.value!r} {caught.value.__cause__!r} {logs}"
    assert "open sesame" not in shown
    assert "open%20sesame" not in shown
    return caught.value


class TestSettings:
    async def test_every_connection_is_durable_and_patient_for_so_long(self, postgres: str, server: Server) -> None:
        name = postgres.rpartition("@")[2].partition("?")[0].rpartition("/")[2]
        await server.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
        await server.execute(f"ALTER DATABASE {name} SET default_transaction_isolation = 'serializable'")

        def ask(connection: Connection) -> dict[str, object]:
            names = ("synchronous_commit", "lock_timeout", "statement_timeout", "application_name")
            more = ("transaction_isolation", "idle_in_transaction_session_timeout")
            return {name: connection.exec_driver_sql(f"SHOW {name}").scalar() for name in (*names, *more)}

        expected = {
            "synchronous_commit": "on",
            "lock_timeout": "5s",
            "statement_timeout": "30s",
            "application_name": "buraco",
            "transaction_isolation": "read committed",
            "idle_in_transaction_session_timeout": "10s",
        }
        try:
            async with opened(postgres) as store:
                assert await store._writer.write(ask) == expected
                of_one_moment = await store._writer.view(ask)
                assert of_one_moment == {
                    **expected,
                    "transaction_isolation": "repeatable read",
                    "statement_timeout": "15min",
                }
            await server.execute(f"ALTER DATABASE {name} SET synchronous_commit = remote_apply")
            async with opened(postgres) as store:
                assert (await store._writer.write(ask))["synchronous_commit"] == "remote_apply", "stricter stays"
        finally:
            await server.execute(f"ALTER DATABASE {name} RESET ALL")

    async def test_a_server_that_does_not_flush_is_told(self, postgres: str, server: Server) -> None:
        with capture_logs() as logs:
            async with opened(postgres):
                pass
        events = {entry["event"]: entry["log_level"] for entry in logs}
        assert events["storage.opened"] == "info"
        flushes = await server.value("SHOW fsync") == "on"
        assert ("storage.not_durable" in events) is not flushes

    async def test_it_is_opened_by_its_address(self, postgres: str) -> None:
        for url in (postgres, postgres.replace("postgresql:", "postgres:"), postgres.replace("l:", "l+asyncpg:", 1)):
            store = await open_store(url)
            assert isinstance(store, PostgresStore)
            await store.close()

    async def test_several_processes_may_have_it_open(self, postgres: str) -> None:
        async with opened(postgres) as one, opened(postgres) as other:
            assert await one.create(Record(lobby()), None) == Committed()
            assert await other.load("t1") == Record(lobby())

    async def test_closing_leaves_no_connection(self, postgres: str, server: Server) -> None:
        name = postgres.rpartition("@")[2].partition("?")[0].rpartition("/")[2]
        async with opened(postgres) as store:
            await store.open_tables()
        query = "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'buraco'"
        assert await server.value(query, name) == 0


class TestRefusals:
    async def test_no_server(self, tmp_path: Path) -> None:
        for where in (f"@/db?host={tmp_path}", "@localhost:1/db", "@nowhere.invalid/db"):
            error = await refused(f"postgresql://ana:open%20sesame{where}")
            assert isinstance(error, StoreUnreachable)
            assert "no PostgreSQL server" in error.problem
            assert "start it" in error.advice

    async def test_a_wrong_password(self, server: Server) -> None:
        if EXISTING:
            pytest.skip("needs a server of its own")
        await server.execute(f"CREATE ROLE {LOCKED} LOGIN PASSWORD '{PASSWORD}'")
        name = await server.empty()
        await server.execute(f"ALTER DATABASE {name} OWNER TO {LOCKED}")
        right = "open%20sesame%2F%40%3F%23"
        async with opened(server.url(name, LOCKED, right)):
            pass
        for url in (server.url(name, LOCKED, "open%20sesame"), server.url(name, LOCKED), server.url(name, "nobody")):
            error = await refused(url)
            assert "does not let this user in" in error.problem
            assert "password" in error.advice

    async def test_a_missing_database(self, server: Server) -> None:
        error = await refused(server.url("not_there"))
        assert "there is no database not_there" in error.problem
        assert "createdb" in error.advice

    async def test_the_database_of_another_program(self, server: Server) -> None:
        name = await server.empty()
        await server.execute("CREATE TABLE recipes (name text)", name)
        assert "other tables" in (await refused(server.url(name))).problem

    async def test_a_newer_schema(self, server: Server) -> None:
        name = await server.empty("ENCODING 'UTF8' TEMPLATE template0")
        async with opened(server.url(name)):
            pass
        await server.execute("UPDATE alembic_version SET version_num = '9999'", name)
        error = await refused(server.url(name))
        assert "newer version" in error.problem
        assert "update" in error.advice

    async def test_another_encoding(self, server: Server) -> None:
        name = await server.empty("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
        error = await refused(server.url(name))
        assert "LATIN1" in error.problem
        assert "UTF8" in error.advice

    async def test_a_server_that_is_too_old(self, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(postgres, "OLDEST", 99)
        assert "too old" in (await refused(server.url(await server.empty()))).problem

    async def test_a_standby(self, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(postgres, "_ABOUT", postgres._ABOUT.replace("pg_is_in_recovery()", "true"))
        assert "standby" in (await refused(server.url(await server.empty()))).problem

    async def test_no_right_to_make_tables(self, server: Server) -> None:
        role = f"reader_{id(server)}"
        await server.execute(f"CREATE ROLE {role} LOGIN")
        name = await server.empty()
        try:
            await server.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC", name)
            if EXISTING:
                pytest.skip("its users need passwords")
            error = await refused(server.url(name, role))
            assert "may not make tables" in error.problem
            assert "OWNER" in error.advice
        finally:
            await server.execute(f"DROP OWNED BY {role}", name)
            await server.execute(f"DROP ROLE {role}")

    async def test_an_option_that_the_server_does_not_know(self, server: Server) -> None:
        url = server.url(await server.empty())
        error = await refused(f"{url}{'&' if '?' in url else '?'}loudness=11")
        assert "loudness" in error.problem
        assert "?" in error.advice

    @pytest.mark.parametrize(
        "url",
        [
            "postgresql://ana:open sesame@host:port/db",
            "postgresql://ana:open%20sesame@[host/db",
            "postgresql://ana:1/open sesame@host/db",
            "postgresql://ana:1?open sesame@host/db",
            "postgresql://ana:1#open sesame@host/db",
            "postgresql://ana:open sesame@ho st/db",
            "postgresql://ana:open%20sesame@host/db?sslmode=perhaps",
            "postgres:///open sesame@db",
        ],
    )
    async def test_an_address_that_makes_no_sense_is_not_repeated(self, url: str) -> None:
        assert "address" in (await refused(url)).problem

    async def test_without_its_driver(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "adapters.storage.postgres", None)
        with pytest.raises(StoreUnusable, match="--extra postgres"):
            await open_store("postgresql://ana:open%20sesame@host/db")

    async def test_a_closed_store_says_so(self, postgres: str) -> None:
        async with opened(postgres) as store:
            pass
        for work in (store.open_tables(), store.write_note("a", "b")):
            with pytest.raises(StoreError, match="closed"):
                await work


class TestAddresses:
    @pytest.mark.parametrize(
        ("url", "host", "database", "shown"),
        [
            ("postgresql://ana:secret@host:5433/buraco", "host:5433", "buraco", "postgresql://ana@host:5433/buraco"),
            ("postgres://host/b%20c", "host", "b c", "postgresql://host/b%20c"),
            ("postgresql://a:s@[::1]:1/b?sslmode=require", "[::1]:1", "b", "postgresql://a@[::1]:1/b?sslmode=require"),
            ("postgresql+asyncpg://a:s@h1:1,h2:2/b", "h1:1,h2:2", "b", "postgresql://a@h1:1,h2:2/b"),
            ("postgresql://a@/b?host=/run/pg&password=s", "/run/pg", "b", "postgresql://a@/b?host=/run/pg"),
            ("postgresql:///b?host=/run/pg", "/run/pg", "b", "postgresql:///b?host=/run/pg"),
            ("postgresql://", "this computer", "", "postgresql://"),
        ],
    )
    def test_what_is_shown_holds_no_password(self, url: str, host: str, database: str, shown: str) -> None:
        address = Address(url)
        assert (address.host, address.database, address.shown) == (host, database, shown)
        assert f"{address}" == f"{address!r}" == f"Address({shown})"

    def test_copies_are_made_by_the_server_s_own_tools(self) -> None:
        with pytest.raises(StoreUnusable) as caught:
            backup.file_of("postgresql://ana:open%20sesame@host/buraco?sslmode=require")
        assert "pg_dump --format=custom --file=buraco.dump 'postgresql://ana@host/buraco?sslmode=require'" in str(
            caught.value
        )
        assert "sesame" not in str(caught.value)
