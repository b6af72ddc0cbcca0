"""The people of a project with their roles, tokens and sessions; only digests of secrets are stored."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, get_args

from karat.errors import InputError, UsageError
from karat.judge.database import Database

Role = Literal["judge", "adjudicator", "owner"]
ROLES: tuple[Role, ...] = get_args(Role)
SESSION_SECONDS = 12 * 3600

_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS people (name TEXT PRIMARY KEY, role TEXT NOT NULL, token TEXT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS sessions (
        session TEXT PRIMARY KEY, person TEXT NOT NULL, ends DOUBLE PRECISION NOT NULL)""",
)


class Person(NamedTuple):
    """A member of a project."""

    name: str
    role: Role

    def may(self, role: Role) -> bool:
        """Return whether the person has the rights of a role; an owner also has those of an adjudicator."""
        return ROLES.index(self.role) >= ROLES.index(role) if role != "judge" else True


class Admitted(NamedTuple):
    """A member as the database stores them: with the digest of their token, empty if they have none."""

    name: str
    role: Role
    token: str


class People:
    """The people of a project and their sessions."""

    def __init__(self, database: Database) -> None:
        self.database = database
        database.define(_SCHEMA)

    def invite(self, name: str, role: Role) -> str:
        """Add a person, or replace their token, and return the token; only its digest is stored."""
        check_name(name)
        token = secrets.token_urlsafe(24)
        with self.database.writing():
            self.database.ask("DELETE FROM people WHERE name = ?", [name])
            self.database.ask("DELETE FROM sessions WHERE person = ?", [name])
            self.database.ask("INSERT INTO people (name, role, token) VALUES (?, ?, ?)", [name, role, _hidden(token)])
        return token

    def known(self) -> list[Person]:
        """Return all members, by name."""
        return [Person(*row) for row in self.database.ask("SELECT name, role FROM people ORDER BY name")]

    def admitted(self) -> list[Admitted]:
        """Return all members with the digests of their tokens, by name, for an export."""
        return [Admitted(*row) for row in self.database.ask("SELECT name, role, token FROM people ORDER BY name")]

    def restore(self, people: Iterable[Admitted]) -> None:
        """Add the members of an exported project; call it within a transaction."""
        for person in people:
            self.database.ask("INSERT INTO people (name, role, token) VALUES (?, ?, ?)", person)

    def enter(self, name: str, token: str, *, without_token: bool) -> str | None:
        """Begin a session and return its secret, or None if the name and the token do not match.

        ``without_token`` admits judges who have no token, for use on one's own machine.
        """
        rows = self.database.ask("SELECT token FROM people WHERE name = ?", [name])
        if rows and rows[0][0]:
            admitted = hmac.compare_digest(rows[0][0], _hidden(token))
        else:
            admitted = without_token and not token
        if not admitted:
            return None
        session = secrets.token_urlsafe(32)
        with self.database.writing():
            if not rows:
                check_name(name)
                self.database.ask("INSERT INTO people (name, role, token) VALUES (?, 'judge', '')", [name])
            self.database.ask("DELETE FROM sessions WHERE ends < ?", [time.time()])
            ends = time.time() + SESSION_SECONDS
            self.database.ask(
                "INSERT INTO sessions (session, person, ends) VALUES (?, ?, ?)", [_hidden(session), name, ends]
            )
        return session

    def whose(self, session: str) -> Person | None:
        """Return the person of a session, or None if it is unknown or expired."""
        rows = self.database.ask(
            "SELECT people.name, people.role FROM sessions JOIN people ON people.name = sessions.person "
            "WHERE sessions.session = ? AND sessions.ends > ?",
            [_hidden(session), time.time()],
        )
        return Person(*rows[0]) if rows else None

    def leave(self, session: str) -> None:
        """End a session."""
        with self.database.writing():
            self.database.ask("DELETE FROM sessions WHERE session = ?", [_hidden(session)])


def check_admitted(people: Sequence[Admitted]) -> None:
    """Raise an error for imported members with duplicate or invalid names, or with rights but no token."""
    if len({person.name for person in people}) < len(people):
        raise InputError("two people have the same name")
    for person in people:
        check_name(person.name)
        if not person.token and person.role != "judge":
            raise InputError(f"{person.name!r} has the role {person.role!r} but no token")


def _hidden(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def check_name(name: str) -> None:
    """Raise an error for a name that is empty, too long, or has invisible characters."""
    if not 1 <= len(name.strip()) <= 64 or not name.isprintable() or name != name.strip():
        raise UsageError("a name has 1 to 64 visible characters, without blanks at the ends")


def role_named(name: str) -> Role:
    """Return the role of that name."""
    for role in ROLES:
        if role == name:
            return role
    raise InputError(f"{name!r} is not a role")
