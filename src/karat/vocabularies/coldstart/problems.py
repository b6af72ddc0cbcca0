"""The catalogue of problems, the log that counts them and reports them in order, and how a program ends early.

The catalogue is data (``data/problems.tsv``): every problem has a name, a severity, a text with gaps, when it is
raised and how it is repaired. A log keeps each text once, with the distinct places where it occurred.
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
    """The program stops here; what it has written to its log so far stands, and the message follows.

    ``kind`` is the word before the message: ``FATAL`` where the published program stops in order, ``DIE`` where it
    breaks off, nothing where its message stands alone. ``note`` stands on the log before it. ``status`` is the exit
    status, another one only where the system fails the program: then it is the number of that error.
    """

    def __init__(self, message: str, kind: str = "FATAL", note: str = "", status: int = STATUS) -> None:
        super().__init__(message)
        self.status = status
        self.line = note + (f"{kind}: {message}" if kind else message)


def could_not_open(path: str, error: OSError, kind: str) -> Stop:
    """Return the stop for a file that cannot be opened."""
    return Stop(f"Could not open {path}: {error.strerror or error}", kind)


class Kind(NamedTuple):
    """A kind of problem: ``severity`` is WARNING or ERROR (or FATAL_ERROR), ``message`` has gaps for its arguments.

    ``repair`` is what the programs do about it, ``fix`` what its author should do.
    """

    name: str
    severity: str
    message: str
    when: str
    repair: str
    fix: str


class LogEntry(NamedTuple):
    """One text of the log with the distinct places where it occurred, in the order they were met."""

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
    """What went wrong, collected while files are read and reported once.

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
        """Note one occurrence; repeated ones count again, but a text is shown once."""
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
        """Yield what was found: by the name of the problem, then by text."""
        for name in sorted(self._found):
            texts = self._found[name]
            for text in sorted(texts):
                places = texts[text]
                yield LogEntry(self._catalogue[name], text, (places,) if isinstance(places, str) else tuple(places))

    def report(self) -> str:
        """Return the report: a line for each text, with its first place and the number of the others."""
        return "".join(f"{finding.text}{_places(finding.places)}\n" for finding in self.findings())

    def conclusion(self) -> str:
        """Return the closing line if there were no errors, else stop."""
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
