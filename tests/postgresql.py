"""Where answers of judges are kept: in a file, and in a PostgreSQL that tests start, where the same must hold."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest

Places = Callable[[], str]
"""Gives an address that nothing is kept at yet."""
_SETTINGS = {"listen_addresses": "", "fsync": "off", "max_connections": "300", "shared_buffers": "16MB"}


class PostgreSQL:
    """A server that listens on a socket in its folder, and nowhere else."""

    def __init__(self, folder: str) -> None:
        self.address = f"postgresql:///postgres?host={quote(folder, safe='')}&user=postgres"
        self.numbers = itertools.count()

    def place(self) -> str:
        """Return the address of an empty place for a project."""
        import psycopg

        name = f"place{next(self.numbers)}"
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}")
        return f"{self.address}&options={quote(f'-csearch_path={name}', safe='')}"


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """Return the one server of all tests."""
    with _running() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def places(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Places:
    """Return what gives addresses for projects, of either kind."""
    if request.param == "postgresql":
        server: PostgreSQL = request.getfixturevalue("postgresql")
        return server.place
    return lambda: str(tmp_path_factory.mktemp("answers") / "project.db")


@contextmanager
def _running() -> Iterator[PostgreSQL]:
    """Start a server, or skip the test and say what is absent."""
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'karat[judge-postgresql]'")
    programs = _programs()
    owner = "postgres" if os.geteuid() == 0 else None  # the server refuses to be started by root
    folder = Path(tempfile.mkdtemp(prefix="karat-pg-"))
    try:
        if owner:
            shutil.chown(folder, owner)

        def call(program: str, *words: str) -> None:
            command = [programs / program, "--pgdata", folder / "data", *words]
            with (folder / "log").open("ab") as log:
                subprocess.run(command, user=owner, cwd="/", stdout=log, stderr=log, check=True)

        call("initdb", "--auth", "trust", "--username", "postgres", "--encoding", "UTF8", "--no-sync")
        settings = " ".join(f"-c {name}={value!r}" for name, value in _SETTINGS.items())
        call("pg_ctl", "start", "--wait", "-o", f"-k {folder} {settings}")
        try:
            yield PostgreSQL(str(folder))
        finally:
            call("pg_ctl", "stop", "--mode", "immediate")
    finally:
        shutil.rmtree(folder)


def _programs() -> Path:
    """Return the folder of the server's programs, where Debian keeps them or where they are found."""
    found = shutil.which("initdb")
    folders = [*Path("/usr/lib/postgresql").glob("*/bin"), *([Path(found).parent] if found else [])]
    if not folders:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    return max(folders)
