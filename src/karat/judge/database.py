"""The one file, or the one database of a team, that a project lives in: SQLite, or PostgreSQL by its address.

Statements are the same for both, with ``?`` for a parameter; values never become part of a statement.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from karat.errors import InputError, MissingExtraError
from karat.files import remember_input

Row = tuple[Any, ...]


class Database(Protocol):
    """A database that answers statements; each thread has a connection of its own."""

    def ask(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """Return the rows of a query."""

    def writing(self) -> Any:
        """Return a context for one change: nobody else writes meanwhile; it is durable when the context ends."""

    def close(self) -> None:
        """Let go of this thread's connection."""


def open_database(address: str) -> Database:
    """Open the database of an address (``postgresql://…``), or of a file, which is made if it is missing."""
    return _PostgreSQL(address) if address.startswith(("postgresql://", "postgres://")) else _SQLite(address)


class _SQLite:
    """A file. Readers never wait; an answer is on the disk before it counts as given."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.local = threading.local()
        self.connection()
        remember_input(path)

    def connection(self) -> Any:
        import sqlite3

        if not hasattr(self.local, "connection"):
            try:
                connection = sqlite3.connect(self.path, timeout=30, isolation_level=None)
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
                connection.execute("PRAGMA trusted_schema = OFF")
            except sqlite3.Error as error:
                raise InputError(f"cannot be used as a project: {error}", path=self.path) from error
            self.local.connection = connection
        return self.local.connection

    def ask(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        import sqlite3

        try:
            rows: list[Row] = self.connection().execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise InputError(f"cannot be used as a project: {error}", path=self.path) from error
        return rows

    @contextmanager
    def writing(self) -> Iterator[_SQLite]:
        self.ask("BEGIN IMMEDIATE")
        try:
            yield self
        except BaseException:
            self.ask("ROLLBACK")
            raise
        self.ask("COMMIT")

    def close(self) -> None:
        if hasattr(self.local, "connection"):
            self.local.connection.close()
            del self.local.connection


class _PostgreSQL:
    """A server. One lock of the project's own makes changes wait for each other."""

    LOCK = 0x6B61726174

    def __init__(self, address: str) -> None:
        self.address = address
        self.local = threading.local()
        self.connection()

    def connection(self) -> Any:
        try:
            import psycopg
        except ImportError as error:
            raise MissingExtraError("a project in PostgreSQL", "judge-postgresql") from error
        if not hasattr(self.local, "connection") or self.local.connection.closed:
            try:
                self.local.connection = psycopg.connect(self.address, autocommit=True)
            except psycopg.Error as error:
                raise InputError(f"the database cannot be reached: {str(error).strip()}") from error
        return self.local.connection

    def ask(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        cursor = self.connection().execute(statement.replace("?", "%s"), values)
        return cursor.fetchall() if cursor.description else []

    @contextmanager
    def writing(self) -> Iterator[_PostgreSQL]:
        with self.connection().transaction():
            self.ask("SELECT pg_advisory_xact_lock(?)", [self.LOCK])
            yield self

    def close(self) -> None:
        if hasattr(self.local, "connection"):
            self.local.connection.close()
            del self.local.connection
