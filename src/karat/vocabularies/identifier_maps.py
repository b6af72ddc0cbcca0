"""Tables of equivalent identifiers: redirects from one to another, and classes of identifiers with the same meaning.

Both are UTF-8 with tabs between the columns. Redirects may be chained; identifiers in a cycle are treated as the same
one and reported. The main identifier of a class is the Wikidata item with the lowest number, or if there is none the
first in code-point order.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from karat.errors import InputError, UsageError
from karat.io import lines

MAX_ROWS = 10_000_000
MAX_SIZE = 512 * 1024 * 1024
"""Lines and characters of a file; beyond them it is refused instead of filling the memory."""
MAX_COLUMNS = 1000
_ITEM = re.compile(r"Q[0-9]{1,18}", re.ASCII)
_NAMED = 5

Form = Callable[[str], str]
"""How an identifier is written in its one form."""


class IdMap(msgspec.Struct, frozen=True):
    """The rows of a table of identifiers with its path and digest; without rows no table was given."""

    rows: tuple[tuple[str, ...], ...] = ()
    path: str | None = None
    digest: str = ""
    places: tuple[int, ...] = ()
    """The line of each row."""


NO_MAP = IdMap()


def read_map(path: str) -> IdMap:
    """Return the table of a file; lines without an identifier are skipped."""
    total = hashlib.sha256()
    rows, places, size = [], [], 0
    for line_number, line in enumerate(lines(path), 1):
        size += len(line)
        if line_number > MAX_ROWS or size > MAX_SIZE:
            problem = f"has more than {MAX_ROWS:,} lines or {MAX_SIZE:,} characters"
            raise InputError(f"{problem}; keep the identifiers that occur in the data", path=path, line=line_number)
        total.update(line.encode("utf-8", "surrogatepass") + b"\n")
        if line_number == 1:
            line = line.removeprefix("\ufeff")
        row = tuple(line.split("\t", MAX_COLUMNS))
        if not line.strip():
            continue
        if len(row) < 2 or len(row) > MAX_COLUMNS or not all(row):
            problem = "an empty column" if len(row) > 1 and not all(row) else _columns(len(row))
            message = f"{problem}; expected identifiers in two columns with a tab between them"
            raise InputError(message, path=path, line=line_number)
        rows.append(row)
        places.append(line_number)
    return IdMap(tuple(rows), str(path), total.hexdigest()[:12], tuple(places))


def _columns(count: int) -> str:
    return "only one column" if count == 1 else f"more than {MAX_COLUMNS} columns"


def id_map(given: Any) -> IdMap:
    """Return the table for an option's value: a table, a path, or a mapping.

    >>> id_map({"Q1": "Q2"}).rows
    (('Q1', 'Q2'),)
    """
    if isinstance(given, IdMap):
        return given
    if isinstance(given, str | os.PathLike):
        return read_map(os.fspath(given))
    if not isinstance(given, Mapping) or not all(
        isinstance(name, str) and name for row in given.items() for name in row
    ):
        raise UsageError(f"{given!r} is no map of identifiers; expected a path, or a dictionary of strings")
    rows = tuple(sorted(given.items()))
    return IdMap(rows, None, hashlib.sha256(msgspec.json.encode(rows)).hexdigest()[:12])


class Redirects:
    """The targets of redirects."""

    def __init__(self, chosen: IdMap, form: Form) -> None:
        self.notes: list[str] = []
        self._path = chosen.path
        self._next: dict[str, str] = {}
        self._ends: dict[str, str] = {}
        for index, row in enumerate(chosen.rows):
            line = chosen.places[index] if chosen.places else None
            if len(row) > 2:
                message = f"{len(row)} columns; expected two, an identifier and the one it leads to"
                raise InputError(message, path=chosen.path, line=line)
            source, target = map(form, row)
            if self._next.get(source, target) != target:
                message = f"{source!r} leads to {target!r} here and to {self._next[source]!r} above; keep one of them"
                raise InputError(message, path=chosen.path, line=line)
            if source != target:
                self._next[source] = target

    def main(self, name: str) -> str:
        """Return the final target of the redirects from an identifier; in a cycle, the main identifier of the cycle.

        >>> Redirects(id_map({"a": "b", "b": "c"}), str).main("a")
        'c'
        """
        way: dict[str, None] = {}
        while name in self._next and name not in self._ends and name not in way:
            way[name] = None
            name = self._next[name]
        if name in way:
            circle = list(way)[list(way).index(name) :]
            name = min(circle, key=_rank)
            self._report(circle, name)
        end = self._ends.get(name, name)
        self._ends.update(dict.fromkeys(way, end))
        return end

    def _report(self, circle: list[str], end: str) -> None:
        first = circle.index(end)
        circle = circle[first:] + circle[:first]
        shown = " → ".join([*circle[:_NAMED], *(["…"] if len(circle) > _NAMED else []), end])
        where = "the redirects" if self._path is None else f"the redirects of {Path(self._path).name}"
        self.notes.append(f"{where} run in a circle, read as {end}: {shown}")


class Classes:
    """The classes of equivalent identifiers."""

    def __init__(self, chosen: IdMap, form: Form) -> None:
        self._above: dict[str, str] = {}
        for row in chosen.rows:  # the root of a class is always its main identifier
            main, *aliases = sorted({self.main(form(name)) for name in row}, key=_rank)
            self._above.update(dict.fromkeys(aliases, main))

    def main(self, name: str) -> str:
        """Return the main identifier of the class.

        >>> classes = Classes(id_map({"dbr:Bern": "Q70", "http://x/Bern": "dbr:Bern"}), str)
        >>> classes.main("http://x/Bern"), classes.main("Q71")
        ('Q70', 'Q71')
        """
        root = name
        while (above := self._above.get(root, root)) != root:
            root = above
        while (above := self._above.get(name, name)) != root:
            self._above[name], name = root, above
        return root


def _rank(name: str) -> tuple[bool, int, str]:
    """Return the sort key that puts the main identifier first: Wikidata items by number, then all others."""
    is_item = _ITEM.fullmatch(name) is not None
    return not is_item, int(name[1:]) if is_item else 0, name
