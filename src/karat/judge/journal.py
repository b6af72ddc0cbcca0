"""The journal: an append-only log of all acts of judges, and a table of the acts that are current.

Each line carries a digest of the line before it, so that changed, missing and inserted lines are detected. An undo is
a line of its own; no line is ever removed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Literal, NamedTuple

import msgspec

from karat.errors import InputError, KaratError
from karat.judge.database import Database, StoredRow

ActName = Literal["begin", "answer", "unsure", "skip", "note", "fact", "done", "adjudicate", "again", "undo", "reveal"]
STATES = ("answer", "unsure", "skip", "note", "fact", "done", "adjudicate", "again")
"""Acts that become current for a person, a target and a question, until the next such act or an undo."""

DECISIONS = ("adjudicate", "again")
"""Acts about the answers of others, kept beside the person's own answer and never replacing it."""

_SCHEMA = (
    """CREATE TABLE IF NOT EXISTS journal (
        line BIGINT PRIMARY KEY, nonce TEXT NOT NULL UNIQUE, moment TEXT NOT NULL, person TEXT NOT NULL,
        act TEXT NOT NULL, target TEXT NOT NULL, question TEXT NOT NULL, value DOUBLE PRECISION,
        text TEXT NOT NULL, seconds DOUBLE PRECISION, undone BIGINT, digest TEXT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS journal_person ON journal (person, line)",
    "CREATE INDEX IF NOT EXISTS journal_place ON journal (person, target, question, line)",
    """CREATE TABLE IF NOT EXISTS holds (
        person TEXT NOT NULL, target TEXT NOT NULL, question TEXT NOT NULL, line BIGINT NOT NULL,
        PRIMARY KEY (person, target, question))""",
    "CREATE TABLE IF NOT EXISTS journal_end (line BIGINT NOT NULL, digest TEXT NOT NULL)",
)
_COLUMNS = "line, nonce, moment, person, act, target, question, value, text, seconds, undone, digest"
_SELECT = f"SELECT {_COLUMNS} FROM journal"  # noqa: S608 - a constant
_LAST_STANDING = (
    f"{_SELECT} WHERE person = ? AND act NOT IN ('undo', 'begin', 'reveal') AND line NOT IN "  # noqa: S608 - a constant
    "(SELECT undone FROM journal WHERE person = ? AND undone IS NOT NULL) ORDER BY line DESC LIMIT 1"
)
_INSERT = f"INSERT INTO journal ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - a constant


class ConflictError(KaratError):
    """An act that is impossible in the current state, such as an undo without an act to undo."""


class Act(NamedTuple):
    """An act of a person; the sender chooses ``nonce``, and an act that arrives twice with one nonce counts once."""

    person: str
    act: ActName
    nonce: str
    target: str = ""
    question: str = ""
    value: float | None = None
    text: str = ""
    seconds: float | None = None


class JournalLine(NamedTuple):
    """An act as the journal stores it; ``undone`` is the number of the line that it undoes."""

    line: int
    nonce: str
    moment: str
    person: str
    act: ActName
    target: str
    question: str
    value: float | None
    text: str
    seconds: float | None
    undone: int | None
    digest: str

    def digest_after(self, previous: str) -> str:
        """Return the digest of this line, given that of the line before it."""
        content = json.dumps([previous, *self[:-1]], ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(content.encode()).hexdigest()


class JournalEnd(msgspec.Struct, frozen=True):
    """The end of a journal: the number of lines and the digest of the last, which depends on all of them."""

    lines: int
    digest: str


def held_under(act: str, question: str) -> str:
    """Return the key under which an act is current: a later act with the same key replaces it."""
    return f"{question}:{act}" if act in DECISIONS else question


def _line(row: StoredRow) -> JournalLine:
    """Return a checked journal line from a row of the database, whose columns may hold values of any type."""
    try:
        return msgspec.convert(row, JournalLine)
    except msgspec.ValidationError as error:
        raise InputError(f"the journal was changed: line {row[0]} is not a journal line: {error}") from error


class Journal:
    """The acts of a project in its database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        database.define(_SCHEMA)

    def add(self, act: Act) -> JournalLine:
        """Add an act and return its line once it is durable; for a known nonce, return the existing line."""
        with self.database.writing():
            return self._add(act)

    def add_all(self, acts: Iterable[Act]) -> None:
        """Add acts, all or none."""
        with self.database.writing():
            for act in acts:
                self._add(act)

    def undo(self, person: str, nonce: str) -> JournalLine:
        """Undo the last act of a person that is not undone yet, and return the line of the undo."""
        with self.database.writing():
            last = self.database.ask(_LAST_STANDING, [person, person])
            known = self._known(nonce)
            if known is not None:
                if (known.person, known.act) != (person, "undo"):
                    raise ConflictError("another act was sent under the same number")
                return known
            if not last:
                raise ConflictError("no act is left to undo")
            taken = _line(last[0])
            return self._add(Act(person, "undo", nonce, taken.target, taken.question), undone=taken.line)

    def _add(self, act: Act, undone: int | None = None) -> JournalLine:
        act = act._replace(value=None if act.value is None else float(act.value))
        known = self._known(act.nonce)
        if known is not None:
            if known[3:9] != (act.person, act.act, act.target, act.question, act.value, act.text):
                raise ConflictError("another act was sent under the same number")
            return known
        end = self.end()
        moment = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = JournalLine(end.lines + 1, act.nonce, moment, act.person, act.act, *act[3:], undone, "")
        line = line._replace(digest=line.digest_after(end.digest))
        self._write(line)
        return line

    def _write(self, line: JournalLine) -> None:
        """Write a line, and update the current acts and the end of the journal."""
        self.database.ask(_INSERT, line)
        self._hold(line)
        self.database.ask("DELETE FROM journal_end")
        self.database.ask("INSERT INTO journal_end (line, digest) VALUES (?, ?)", [line.line, line.digest])

    def _known(self, nonce: str) -> JournalLine | None:
        rows = self.database.ask(f"{_SELECT} WHERE nonce = ?", [nonce])
        return _line(rows[0]) if rows else None

    def _hold(self, line: JournalLine) -> None:
        """Update the current acts after a line: the act itself or, after an undo, the act that was current before."""
        act: str = line.act
        standing: int | None = line.line if act in STATES else None
        if act == "undo":
            act, standing = self._before(line)
        elif standing is None:
            return
        key = [line.person, line.target, held_under(act, line.question)]
        self.database.ask("DELETE FROM holds WHERE person = ? AND target = ? AND question = ?", key)
        if standing is not None:
            self.database.ask(
                "INSERT INTO holds (person, target, question, line) VALUES (?, ?, ?, ?)", [*key, standing]
            )

    def _before(self, undo: JournalLine) -> tuple[str, int | None]:
        """Return the act that a line undoes, and the number of the line that is current again, or None."""
        rows = self.database.ask("SELECT act FROM journal WHERE line = ?", [undo.undone])
        act = str(rows[0][0]) if rows else ""
        among = "act = ?" if act in DECISIONS else "act NOT IN (?, 'undo', 'adjudicate', 'again')"
        rows = self.database.ask(
            f"SELECT max(line) FROM journal WHERE person = ? AND target = ? AND question = ? AND {among} AND "  # noqa: S608
            "line NOT IN (SELECT undone FROM journal WHERE person = ? AND undone IS NOT NULL)",
            [undo.person, undo.target, undo.question, act if act in DECISIONS else "undo", undo.person],
        )
        return act, rows[0][0]

    def restore(self, lines: Iterable[JournalLine]) -> None:
        """Write the lines of a checked journal unchanged; call it within a transaction on an empty database."""
        for line in lines:
            self._write(line)

    def lines(self, last: int = 0) -> Iterator[JournalLine]:
        """Yield the lines after line number ``last``, in order."""
        while rows := self.database.ask(f"{_SELECT} WHERE line > ? ORDER BY line LIMIT 10000", [last]):
            yield from map(_line, rows)
            last = rows[-1][0]

    def end(self) -> JournalEnd:
        """Return the current end of the journal."""
        rows = self._ends() or [(0, "")]
        try:
            return msgspec.convert(dict(zip(JournalEnd.__struct_fields__, rows[0], strict=True)), JournalEnd)
        except msgspec.ValidationError as error:
            raise InputError(f"the journal was changed: its end cannot be read: {error}") from error

    def _ends(self) -> list[StoredRow]:
        return self.database.ask("SELECT line, digest FROM journal_end")

    def goes_on_from(self, end: JournalEnd) -> bool:
        """Return whether this journal continues one that had this end."""
        return bool(self.database.ask("SELECT 1 FROM journal WHERE line = ? AND digest = ?", [end.lines, end.digest]))

    def people(self) -> list[str]:
        """Return the names of all people with current acts, sorted."""
        return [row[0] for row in self.database.ask("SELECT DISTINCT person FROM holds ORDER BY person")]

    def standing(self, person: str | None = None, target: str | None = None) -> list[JournalLine]:
        """Return the current acts in journal order: all, those of a person, or those about a target."""
        wanted = [(name, value) for name, value in (("person", person), ("target", target)) if value is not None]
        condition = "".join(f" AND holds.{name} = ?" for name, _ in wanted)
        columns = ", ".join(f"journal.{name.strip()}" for name in _COLUMNS.split(","))
        rows = self.database.ask(
            f"SELECT {columns} FROM holds JOIN journal ON journal.line = holds.line WHERE 1 = 1{condition} "  # noqa: S608
            "ORDER BY holds.line",
            [value for _, value in wanted],
        )
        return [_line(row) for row in rows]

    def check(self) -> int:
        """Return the number of lines; raise an error if a line was tampered with or the current acts do not follow."""
        last = JournalEnd(0, "")
        state: dict[StoredRow, list[int]] = {}
        places: dict[int, StoredRow] = {}
        for line in chained(self.lines()):
            last = JournalEnd(line.line, line.digest)
            if line.act == "undo" and line.undone is not None and line.undone in places:
                state[places.pop(line.undone)].remove(line.undone)
            elif line.act in STATES:
                key = places[line.line] = line.person, line.target, held_under(line.act, line.question)
                state.setdefault(key, []).append(line.line)
        held = {tuple(row[:3]): row[3] for row in self.database.ask("SELECT person, target, question, line FROM holds")}
        if held != {key: acts[-1] for key, acts in state.items() if acts}:
            raise InputError("the current answers do not follow from the journal: a table was changed by hand")
        if self._ends() != ([(last.lines, last.digest)] if last.lines else []):
            raise InputError(f"the journal was changed: its end is cut off behind line {last.lines}")
        return last.lines


def chained(lines: Iterable[JournalLine]) -> Iterator[JournalLine]:
    """Yield the lines of a journal; raise an error at the first that was changed, removed or inserted."""
    previous = ""
    for line_number, line in enumerate(lines, 1):
        if line.line != line_number or line.digest != line.digest_after(previous):
            raise InputError(f"the journal was changed: line {line_number} does not follow from the one before it")
        previous = line.digest
        yield line
