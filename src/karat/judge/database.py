"""The database of a project: an SQLite file, or a PostgreSQL server by its address.

Both take the same statements, with ``?`` for parameters; values are never formatted into a statement.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Self

from karat.errors import InputError, needing
from karat.io import remember_input

StoredRow = tuple[Any, ...]


def open_database(address: str) -> Database:
    """Open the database at an address (``postgresql://…``) or in a file, which is created if it is missing."""
    return _PostgreSQL(address) if address.startswith(("postgresql://", "postgres://")) else _SQLite(address)


def has_table(path: str, name: str) -> bool:
    """Return whether a file has a table of that name, without changing it; True for a file that is not a database."""
    import sqlite3

    try:
        with closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return bool(connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [name]).fetchall())
    except (sqlite3.Error, UnicodeDecodeError):  # opening it for work fails again, with a sentence for the user
        return True


class Database:
    """A database with a pool of connections that threads share.

    A connection on which a statement failed is closed, which rolls back its unfinished transaction.
    """

    BEGIN: tuple[str, ...]
    """The statements that begin a transaction and lock out other writers."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.idle = deque[Any]()
        self.local = threading.local()
        weakref.finalize(self, _close, self.idle)
        with self._connection():
            pass

    def _connect(self) -> Any:
        raise NotImplementedError

    def _run(self, connection: Any, statement: str, values: Sequence[object]) -> list[StoredRow]:
        raise NotImplementedError

    @contextmanager
    def _connection(self) -> Iterator[Any]:
        """Yield the connection of this thread's open transaction, or else an idle one."""
        writing = getattr(self.local, "writing", None)
        if writing is not None:
            yield writing
            return
        try:
            connection = self.idle.pop()
        except IndexError:
            connection = self._connect()
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        self.idle.append(connection)

    def ask(self, statement: str, values: Sequence[object] = ()) -> list[StoredRow]:
        """Return the rows of a query."""
        with self._connection() as connection:
            return self._run(connection, statement, values)

    @contextmanager
    def writing(self) -> Iterator[Self]:
        """Yield within a transaction that locks out other writers and is committed, durably, when the context ends.

        Nested in another transaction of the same thread, it is part of that one.
        """
        if getattr(self.local, "writing", None) is not None:
            yield self
            return
        with self._connection() as connection:
            self.local.writing = connection
            try:
                for statement in self.BEGIN:
                    self.ask(statement)
                yield self
                self.ask("COMMIT")
            finally:
                del self.local.writing

    def define(self, statements: Iterable[str]) -> None:
        """Run the statements that create missing tables."""
        with self.writing():
            for statement in statements:
                self.ask(statement)

    def close(self) -> None:
        """Close all idle connections."""
        _close(self.idle)


def _close(connections: deque[Any]) -> None:
    while connections:
        connections.pop().close()


class _SQLite(Database):
    """An SQLite file: readers never wait, and a commit returns only when the change is on disk."""

    BEGIN = ("BEGIN IMMEDIATE",)

    def __init__(self, path: str) -> None:
        super().__init__(path)
        remember_input(path)

    def _connect(self) -> Any:
        import sqlite3

        try:
            connection = sqlite3.connect(self.address, timeout=30, isolation_level=None, check_same_thread=False)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA cache_size = -256")  # KiB for each connection: the system caches the file, too
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise InputError(f"cannot be used as a project: {error}", path=self.address) from error
        return connection

    def _run(self, connection: Any, statement: str, values: Sequence[object]) -> list[StoredRow]:
        import sqlite3

        try:
            rows: list[StoredRow] = connection.execute(statement, values).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise InputError(f"cannot be used as a project: {error}", path=self.address) from error
        return rows


class _PostgreSQL(Database):
    """A PostgreSQL server: an advisory lock of the project serialises writers."""

    BEGIN = ("BEGIN", f"SELECT pg_advisory_xact_lock({0x6B61726174})")

    def _connect(self) -> Any:
        with needing("a project in PostgreSQL", "judge-postgresql"):
            import psycopg
        try:
            return psycopg.connect(self.address, autocommit=True)
        except psycopg.Error as error:
            raise InputError(f"the database cannot be reached: {str(error).strip()}") from error

    def _run(self, connection: Any, statement: str, values: Sequence[object]) -> list[StoredRow]:
        import psycopg

        try:
            cursor = connection.execute(statement.replace("?", "%s"), values)
        except psycopg.Error as error:
            raise InputError(f"the database reports an error: {str(error).strip()}") from error
        return cursor.fetchall() if cursor.description else []
