"""The words of a message for who reads it: flags for people at a command line, arguments for those who call Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from typing import Literal, ParamSpec, TypeVar

from karat.errors import InputError, KaratError

P = ParamSpec("P")
T = TypeVar("T")
Call = Literal["score", "read"]
"""The functions of Karat that take options of formats: as a dictionary, or each by its name."""

_FLAG = r"--([a-z][a-z-]*)(?: ([A-Za-z0-9_][\w=,.…/-]*\w|[A-Z]))?"
_NAMES = {"from": "format", "write": "read"}
_SWITCHES = frozenset(("strict", "share-links"))
"""Flags that take no value."""
_COMMANDS = frozenset(("drop", "lossy", "overwrite", "save", "part", "facts", "workers", "ci"))
"""Flags that only a command has, or that mean something else in Python."""
_WORDS = frozenset(
    ("and", "does", "for", "if", "is", "it", "names", "needs", "or", "says", "speaks", "this", "to", "which")
)
"""Words that may follow a flag in a sentence, and are not its value."""


def in_python(sentence: str, call: Call = "score") -> str:
    """Return a sentence that speaks of arguments where it spoke of flags.

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
    """Within this context, errors speak of arguments."""
    try:
        yield
    except KaratError as error:
        error.args = tuple(in_python(str(part), call) for part in error.args)
        if isinstance(error, InputError):
            error.message = in_python(error.message, call)
        raise


def in_python_words(function: Callable[P, T]) -> Callable[P, T]:
    """Return a function whose errors speak of arguments."""

    @wraps(function)
    def called(*arguments: P.args, **options: P.kwargs) -> T:
        with spoken_in_python():
            return function(*arguments, **options)

    return called


def each_in_python(items: Iterable[T]) -> Iterator[T]:
    """Yield items as they come; errors on the way speak of arguments."""
    with spoken_in_python():
        yield from items
