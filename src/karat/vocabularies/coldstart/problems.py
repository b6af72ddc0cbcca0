"""The catalogue of problems, the log that counts and reports them, and the exception that stops a program.

The catalogue is data (``data/problems.tsv``): every problem has a name, a severity, a message with placeholders, when
it is raised and how it is repaired. A log keeps each message once, with the distinct locations where it occurred.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from karat.vocabularies.coldstart import table

STATUS = 255
"""The exit status of a program that stopped."""

NO_PLACE = "NO_SOURCE"
"""The place of a problem that has none."""


class Stop(Exception):  # noqa: N818 - it ends a program on purpose; the log carries the news
    """Stops the program with a message; what the log has so far is written before it.

    Args:
        message: the message.
        kind: the word before the message: ``FATAL`` where the published program exits on purpose, ``DIE`` where Perl's
            ``die`` ends it, empty where the message stands alone.
        note: text that is written before the message.
        status: the exit status; for a system error, its error number.

    """

    def __init__(self, message: str, kind: str = "FATAL", note: str = "", status: int = STATUS) -> None:
        super().__init__(message)
        self.status = status
        self.line = note + (f"{kind}: {message}" if kind else message)


def could_not_open(path: str, error: OSError, kind: str) -> Stop:
    """Return the exception for a file that cannot be opened."""
    return Stop(f"Could not open {path}: {error.strerror or error}", kind)


class Kind(NamedTuple):
    """A kind of problem: ``severity`` is WARNING, ERROR or FATAL_ERROR, ``message`` has placeholders.

    ``repair`` is what the programs do about it, ``fix`` what the author of the file should do.
    """

    name: str
    severity: str
    message: str
    when: str
    repair: str
    fix: str


class LogEntry(NamedTuple):
    """A message of the log with its distinct locations, in order of first occurrence."""

    kind: Kind
    text: str
    places: tuple[str, ...]


@cache
def catalogue() -> dict[str, Kind]:
    """Return every kind of problem by name.

    >>> catalogue()["NO_MENTIONS"].severity
    'WARNING'
    """
    fixes = {row["name"]: row["fix"] for row in table("fixes")}
    return {
        row["name"]: Kind(
            row["name"], row["severity"], row["message"], row["when"], row["repair"], fixes.get(row["name"], "")
        )
        for row in table("problems")
    }


class ProblemLog:
    """Problems collected while files are read, and reported once at the end.

    >>> log = ProblemLog()
    >>> log.record("NO_MENTIONS", ":E1", where=NO_PLACE)
    >>> log.record("COLON_OMITTED", "E1", where="kb.tac line 3")
    >>> print(log.report(), end="")
    WARNING: Initial colon omitted from name of entity E1 (kb.tac line 3)
    WARNING: Entity :E1 has no mentions
    >>> log.errors, log.warnings
    (0, 2)
    """

    def __init__(self, ignored: Iterable[str] = ()) -> None:
        self.ignored = frozenset(map(_ignorable, ignored))
        self.errors = 0
        self.warnings = 0
        self.counts: dict[str, int] = {}
        self._catalogue = catalogue()
        self._found: dict[str, dict[str, str | dict[str, None]]] = {}

    def record(self, name: str, *arguments: object, where: str) -> None:
        """Record an occurrence; repeated ones are counted, but each message is reported once."""
        if name in self.ignored:
            return
        kind = self._catalogue[name]
        text = f"{kind.severity}: {kind.message % arguments}"
        if kind.severity == "ERROR":
            self.errors += 1
        elif kind.severity == "WARNING":
            self.warnings += 1
        else:
            raise Stop(f"{text}{where}")
        self.counts[name] = self.counts.get(name, 0) + 1
        texts = self._found.setdefault(name, {})
        places = texts.get(text)
        if places is None:
            texts[text] = where
        elif isinstance(places, dict):
            places[where] = None
        elif places != where:
            texts[text] = {places: None, where: None}

    def findings(self) -> Iterator[LogEntry]:
        """Yield the log entries, sorted by name of the problem, then by message."""
        for name in sorted(self._found):
            texts = self._found[name]
            for text in sorted(texts):
                places = texts[text]
                yield LogEntry(self._catalogue[name], text, (places,) if isinstance(places, str) else tuple(places))

    def report(self) -> str:
        """Return the report: a line for each message, with its first location and the number of further ones."""
        return "".join(f"{finding.text}{_places(finding.places)}\n" for finding in self.findings())

    def conclusion(self) -> str:
        """Return the closing line if there were no errors; otherwise raise :class:`Stop`."""
        if self.errors:
            raise Stop(f"{self.errors} error{'' if self.errors == 1 else 's'} encountered")
        return f"{self.warnings or 'No'} warning{'' if self.warnings == 1 else 's'} encountered\n"


def _places(places: tuple[str, ...]) -> str:
    first, further = places[0], len(places) - 1
    if first == NO_PLACE:
        return ""
    return f" ({first})" if not further else f" ({first} and {further} other place{'s' if further > 1 else ''})"


def _ignorable(name: str) -> str:
    kind = catalogue().get(name)
    if kind is None:
        raise Stop(f"Unknown warning: {name}")
    if kind.severity != "WARNING":
        raise Stop(f"{name} is a fatal error; cannot ignore it")
    return name
