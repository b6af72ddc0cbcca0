"""The exceptions Karat raises, and helpers that word their messages.

Every message is one sentence: where, what was found, what was expected and what to do. Messages name command-line
flags; :func:`in_python` replaces these with keyword arguments for callers of the Python functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from typing import Literal, ParamSpec, TypeVar

_MOST_LISTED = 60
"""The number of known names that are listed if none is similar."""
P = ParamSpec("P")
T = TypeVar("T")
Call = Literal["score", "read"]
"""The functions of Karat that take options of formats: as a dictionary, or each by its name."""

_FLAG = r"--([a-z][a-z-]*)(?: ([A-Za-z0-9_][\w=,.…/-]*\w|[A-Z]))?"
_NAMES = {"from": "format", "write": "read"}
_SWITCHES = frozenset(("strict", "share-links"))
"""Flags that take no value."""
_COMMANDS = frozenset(("drop", "lossy", "overwrite", "save", "facts", "workers", "ci"))
"""Flags that only a command has, or that mean something else in Python."""
_WORDS = frozenset(
    ("and", "does", "for", "if", "is", "it", "names", "needs", "or", "says", "speaks", "this", "to", "which")
)
"""Words that may follow a flag in a sentence, and are not its value."""


class KaratError(Exception):
    """Base of all errors with a message for the user; the command line exits with ``exit_status``."""

    exit_status = 3


class InputError(KaratError):
    """Input that cannot be read or scored; ``path`` and ``line`` locate the fault if it is in a file.

    >>> str(InputError("'I-loc' follows 'B-pers'", path="team1.tsv", line=482))
    "team1.tsv:482: 'I-loc' follows 'B-pers'"
    """

    def __init__(self, message: str, *, path: object = None, line: int | None = None) -> None:
        self.message = message
        self.path = None if path is None else str(path)
        self.line = line
        super().__init__(location_prefix(self.path, line) + message)


class UsageError(KaratError):
    """A request that is wrong whatever the input: an unknown name, or options that exclude each other."""

    exit_status = 2


class PluginError(KaratError):
    """A plug-in that cannot be loaded, or that breaks what its declaration promises."""

    exit_status = 70


class PluginWarning(UserWarning):
    """A plug-in was skipped; the command continues without it."""


class MissingExtraError(UsageError):
    """A feature was used whose optional dependency is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs an optional dependency: install it with  pip install 'karat[{extra}]'")


@contextmanager
def needing(feature: str, extra: str) -> Iterator[None]:
    """Within this context, an ImportError becomes a ``MissingExtraError`` that says what to install."""
    try:
        yield
    except ImportError as error:
        raise MissingExtraError(feature, extra) from error


def location_prefix(path: str | None, line: int | None) -> str:
    """Return the ``file:line: `` prefix of a message, or the part of it that is known."""
    if path is None:
        return "" if line is None else f"line {line}: "
    return f"{path}: " if line is None else f"{path}:{line}: "


def many(number: int, noun: str) -> str:
    """Return a count with its noun in the singular or plural.

    >>> many(1, "repair"), many(2, "repair"), many(2, "query")
    ('1 repair', '2 repairs', '2 queries')
    """
    return f"{number} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Return the plural of one of the nouns used in messages.

    >>> plural("document"), plural("query"), plural("entity")
    ('documents', 'queries', 'entities')
    """
    return f"{noun[:-1]}ies" if noun.endswith(("ry", "ty")) else f"{noun}s"


def unknown(kind: str, name: str, known: Iterable[str]) -> UsageError:
    """Return the error for an unknown name, which suggests similar known names.

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


def in_python(sentence: str, call: Call = "score") -> str:
    """Return a message with its command-line flags replaced by keyword arguments of a Python function.

    >>> in_python("choose with --read side=gold, or say --missing skip; name the format with --from")
    'choose with read={"side": "gold"}, or say missing="skip"; name the format with format='
    >>> in_python("choose with --read side=gold", "read")
    'choose with side="gold"'
    """
    return re.sub(_FLAG, partial(_argument, call), sentence)


def _argument(call: Call, flag: re.Match[str]) -> str:
    name, value = flag.groups()
    if name in _COMMANDS:
        return flag[0]
    words = "" if value is None else f" {value}"
    name = _NAMES.get(name, name.replace("-", "_"))
    if flag[1] in _SWITCHES:
        return f"{name}=True{words}"
    if value is None or value in _WORDS:
        return f"{name}={words}"
    option, sign, setting = value.partition("=")
    if name == "read" and sign:
        return f'{option}="{setting}"' if call == "read" else f'{name}={{"{option}": "{setting}"}}'
    return f'{name}="{value}"'


@contextmanager
def spoken_in_python(call: Call = "score") -> Iterator[None]:
    """Within this context, error messages name keyword arguments instead of command-line flags."""
    try:
        yield
    except KaratError as error:
        error.args = tuple(in_python(str(part), call) for part in error.args)
        if isinstance(error, InputError):
            error.message = in_python(error.message, call)
        raise


def in_python_words(function: Callable[P, T]) -> Callable[P, T]:
    """Decorate a function so that its error messages name keyword arguments instead of command-line flags."""

    @wraps(function)
    def called(*arguments: P.args, **options: P.kwargs) -> T:
        with spoken_in_python():
            return function(*arguments, **options)

    return called


def each_in_python(items: Iterable[T]) -> Iterator[T]:
    """Yield the items; errors raised by the iterator name keyword arguments instead of command-line flags."""
    with spoken_in_python():
        yield from items
