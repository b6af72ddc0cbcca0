"""A project: a pool, a scheme of questions, and the journal of answers, which cannot be exchanged one by one."""

from __future__ import annotations

import os
import uuid
from pathlib import Path
from typing import Self

import msgspec

from karat.errors import InputError
from karat.io import digest
from karat.judge.database import Database, has_table, open_database
from karat.judge.journal import Act, Journal, JournalLine
from karat.judge.judgements import Judgements
from karat.judge.pool import Pool, read_pool
from karat.judge.scheme import Scheme, read_scheme

SIMPLEST = "correct"
"""The default scheme of a new project."""


class Beginning(msgspec.Struct, frozen=True):
    """The content of the first line of a journal: the digest of the pool, and the questions."""

    pool: str
    scheme: Scheme


class Project:
    """An open project: a pool, its questions and its journal."""

    def __init__(self, pool: Pool, scheme: Scheme, journal: Journal) -> None:
        self.pool, self.scheme, self.journal = pool, scheme, journal

    @property
    def database(self) -> Database:
        """The database that holds the journal."""
        return self.journal.database

    def judgements(self) -> Judgements:
        """Return the judgements from all current answers."""
        return Judgements(self.pool, self.scheme, self.journal.standing())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.database.close()


def address_of(pool: str | os.PathLike[str], address: str | None) -> str:
    """Return the address of the answers to a pool: the given one, or a file beside the pool."""
    return address or str(Path(pool).with_suffix(".answers"))


def begin(pool: str | os.PathLike[str], scheme: str | None = None, address: str | None = None) -> Project:
    """Open the project of a pool, or begin one with a scheme (default: ``correct``).

    Raises an error if the project was begun with another pool, or with another scheme than the named one.
    """
    items, named = read_pool(pool), None if scheme is None else read_scheme(scheme)
    place = address_of(pool, address)
    journal = Journal(open_database(place))
    beginning = beginning_of(next(journal.lines(), None), place)
    if beginning is None:
        beginning = Beginning(digest(pool), named or read_scheme(SIMPLEST))
        journal.add(Act("", "begin", uuid.uuid4().hex, text=msgspec.json.encode(beginning).decode()))
    elif beginning.pool != digest(pool):
        raise InputError("holds the answers to another pool; choose another file with --answers", path=place)
    elif named not in (None, beginning.scheme):
        advice = "leave out --scheme to continue with these, or choose another file with --answers"
        raise InputError(f"holds the answers to other questions; {advice}", path=place)
    return Project(items, beginning.scheme, journal)


def resume(pool: str | os.PathLike[str], address: str | None = None) -> Project:
    """Open the existing project of a pool."""
    items, place = read_pool(pool), address_of(pool, address)
    is_file, mismatch = "://" not in place, InputError("does not hold the answers to this pool", path=place)
    if is_file and not Path(place).exists():
        raise InputError("has no answers yet; let judges answer with  karat judge serve", path=place)
    if is_file and not has_table(place, "journal"):
        raise mismatch
    journal = Journal(open_database(place))
    beginning = beginning_of(next(journal.lines(), None), place)
    if beginning is None or beginning.pool != digest(pool):
        raise mismatch
    return Project(items, beginning.scheme, journal)


def beginning_of(first: JournalLine | None, place: str) -> Beginning | None:
    """Return the content of the first line of a journal, or None if the journal is empty."""
    if first is None:
        return None
    try:
        return msgspec.json.decode(first.text, type=Beginning)
    except msgspec.DecodeError as error:
        raise InputError("is not a project: the first line of its journal is missing", path=place) from error
