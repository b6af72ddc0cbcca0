"""What can go wrong, said in one sentence: where, what was found, what was expected, what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

_MOST_LISTED = 60
"""Known names that are listed where none is near."""


class KaratError(Exception):
    """A failure whose message is meant for the user; ``exit_status`` is what the command line ends with."""

    exit_status = 3


class InputError(KaratError):
    """Input that cannot be scored; ``path`` and ``line`` say where, if it is in a file.

    >>> str(InputError("'I-loc' follows 'B-pers'", path="team1.tsv", line=482))
    "team1.tsv:482: 'I-loc' follows 'B-pers'"
    """

    def __init__(self, message: str, *, path: object = None, line: int | None = None) -> None:
        self.message = message
        self.path = None if path is None else str(path)
        self.line = line
        super().__init__(place(self.path, line) + message)


class UsageError(KaratError):
    """A request that makes no sense whatever the input holds: an unknown name, options that exclude each other."""

    exit_status = 2


class PluginError(KaratError):
    """A plug-in that cannot be used, or does not keep to what it declares: neither the input nor Karat is at fault."""

    exit_status = 70


class PluginWarning(UserWarning):
    """A plug-in is passed over; what was asked for goes on without it."""


class MissingExtraError(UsageError):
    """A feature whose optional dependency is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs an optional dependency: install it with  pip install 'karat[{extra}]'")


@contextmanager
def needing(feature: str, extra: str) -> Iterator[None]:
    """Say what to install for a feature, if what is imported within is not there."""
    try:
        yield
    except ImportError as error:
        raise MissingExtraError(feature, extra) from error


def place(path: str | None, line: int | None) -> str:
    """Return the ``file:line: `` prefix of a message, as far as it is known."""
    if path is None:
        return "" if line is None else f"line {line}: "
    return f"{path}: " if line is None else f"{path}:{line}: "


def many(number: int, noun: str) -> str:
    """Return a number of things in words.

    >>> many(1, "repair"), many(2, "repair"), many(2, "query")
    ('1 repair', '2 repairs', '2 queries')
    """
    return f"{number} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Return the plural of one of our words.

    >>> plural("document"), plural("query"), plural("entity")
    ('documents', 'queries', 'entities')
    """
    return f"{noun[:-1]}ies" if noun.endswith(("ry", "ty")) else f"{noun}s"


def unknown(kind: str, name: str, known: Iterable[str]) -> UsageError:
    """Return the error for a name nobody knows, with the nearest known ones as suggestions.

    >>> str(unknown("protocol", "hipe2022-nell", ["hipe2022-nel", "hipe2020-nel"]))
    "unknown protocol 'hipe2022-nell'; did you mean 'hipe2022-nel' or 'hipe2020-nel'?"
    """
    names = sorted(known)
    import difflib

    near = difflib.get_close_matches(name, names, n=2)
    if near:
        hint = f"; did you mean {' or '.join(repr(name) for name in near)}?"
    else:
        more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
        hint = f"; known are {', '.join(names[:_MOST_LISTED])}{more}" if names else ""
    return UsageError(f"unknown {kind} {name!r}{hint}")
