"""Options as declarations: a frozen dataclass says name, default, help and choices, and everything else follows.

Command-line flags, checks with suggestions, reference pages and the signature are all derived from the fields. Options
that mean the same in several places are described once, in :data:`SHARED`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import Field, field, fields, is_dataclass
from numbers import Integral, Real
from typing import Any, NamedTuple, TypeVar

from karat.errors import KaratError, UsageError, unknown

T = TypeVar("T")
_NAME = re.compile(r"[\w.+-]+")
"""What a protocol or a format may be called: the name stands in signatures and on command lines."""


LIMITS = "KARAT_LIMITS"
"""The variable of the environment by which limits of work are multiplied."""
MORE = f"or allow more by the setting {LIMITS}, such as {LIMITS}=10"
"""What a message adds about a limit that can be raised."""


def limit(steps: int) -> int:
    """Return a limit of work, times what the setting says that it may be.

    >>> limit(1000)
    1000
    """
    times = os.environ.get(LIMITS, "1")
    if not (times.isascii() and times.isdigit() and 1 <= int(times[:7]) <= 1_000_000):
        raise UsageError(f"{LIMITS} is {times!r}; expected a whole number from 1 to 1,000,000")
    return steps * int(times)


class Bounds(NamedTuple):
    """The numbers that an option may be: from the least to the most, and ``whole`` if there is nothing between them."""

    least: float
    most: float
    whole: bool = True

    def __str__(self) -> str:
        return f"a {'whole ' if self.whole else ''}number from {self.least:,} to {self.most:,}"

    def number(self, value: Any) -> Any:
        """Return the number that a value is, or that its text says; nothing if it is none, or beyond the bounds."""
        if isinstance(value, str):
            try:
                value = int(value[:40]) if self.whole else float(value)
            except ValueError:
                return None
        is_number = isinstance(value, Integral if self.whole else Real) and not isinstance(value, bool)
        return value if is_number and self.least <= value <= self.most else None


def option(
    default: Any,
    help: str,  # noqa: A002 - the word every command-line library uses
    *,
    choices: tuple[str, ...] = (),
    parse: Callable[[str], Any] | None = None,
    bounds: Bounds | None = None,
    metavar: str = "TEXT",
    show: Callable[[Any], str] = str,
    always: bool = False,
    argument: bool = False,
    signed: str = "",
) -> Any:
    """Declare an option: a field of a frozen dataclass.

    ``parse`` turns the text of a command line, or a path, into the value; an option with ``bounds`` is a number
    instead. ``show`` turns the value into its text in a signature; ``always`` puts the option into every signature,
    not only where it differs from the default, and ``signed`` is its name there, if it is another. An ``argument`` must
    be given on the command line, before the files and without a flag; in Python it is like others.
    """
    metadata = {
        "help": help,
        "choices": choices,
        "parse": parse,
        "bounds": bounds,
        "metavar": metavar,
        "show": show,
        "always": always,
        "argument": argument,
        "signed": signed,
    }
    return field(default=default, metadata=metadata)


def choice(choices: tuple[str, ...], help: str, **declared: Any) -> Any:  # noqa: A002 - as above
    """Declare an option that is one of several words, by default the first.

    >>> choice(("no", "yes"), "whether blank lines count").default
    'no'
    """
    return option(choices[0], help, choices=choices, **declared)


SHARED: Mapping[str, Mapping[str, Any]] = {
    "missing": {
        "help": "documents that one side lacks: an error, counted as empty, or skipped",
        "choices": ("error", "empty", "skip"),
    },
    "profile": {
        "help": "count as the published program does, or with its named quirks corrected",
        "choices": ("published", "corrected"),
        "always": True,
    },
    "layers": {
        "help": "compare mentions in named layers layer by layer, or all together",
        "choices": ("compare", "ignore"),
    },
    "zero": {
        "help": "value of P, R and F1 when the denominator is 0",
        "choices": ("undefined", "zero", "one"),
        "always": True,
    },
    "invented": {
        "help": "mentions that do not occur in the text: count them (of the system as false positives, of the gold as "
        "missed), or leave them out",
        "choices": ("count", "skip"),
    },
}
"""Options that mean the same wherever they are offered: what each decides, and what can be chosen; the first choice is
the default. A protocol may have another default, or say more precisely what its choices are."""


def shared_option(name: str, default: str = "", **declared: Any) -> Any:
    """Declare an option that means the same in several protocols, as it is described for all of them.

    Another default, or a ``help`` text or ``choices`` of its own, can be declared with it.

    >>> shared_option("missing").default, shared_option("missing", "skip").metadata["choices"]
    ('error', ('error', 'empty', 'skip'))
    """
    described = {**SHARED[name], **declared}
    choices = tuple(described.pop("choices"))
    return option(default or choices[0], described.pop("help"), choices=choices, **described)


def check_declared(kind: str, name: str, options: type[Any]) -> None:
    """Refuse the declaration of a protocol or a format whose name or options nobody could use.

    >>> check_declared("format", "my lines", dict)
    Traceback (most recent call last):
    karat.errors.UsageError: format 'my lines': a name has letters, digits, '-', '_', '.' and '+' only
    """
    if not (isinstance(name, str) and _NAME.fullmatch(name)):
        raise UsageError(f"{kind} {name!r}: a name has letters, digits, '-', '_', '.' and '+' only")
    if not (isinstance(options, type) and is_dataclass(options)):
        raise UsageError(f"{kind} {name}: its options are {options!r}; expected a class with @dataclass(frozen=True)")


def build(options: type[T], settings: Mapping[str, Any], owner: str) -> T:
    """Return the options with these settings, checked.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Options:
    ...     scheme: str = option("IOB2", "the tag scheme", choices=("IOB1", "IOB2"))
    >>> build(Options, {"scheme": "IOB3"}, "format conll")
    Traceback (most recent call last):
    karat.errors.UsageError: format conll: scheme is 'IOB3'; expected IOB1 or IOB2
    """
    known: dict[str, Field[Any]] = {declared.name: declared for declared in fields(options)}  # type: ignore[arg-type]
    for declared in known.values():
        if "always" not in declared.metadata:
            raise UsageError(f"{owner}: the option {declared.name!r} is not declared with karat.settings.option")
    for name in settings:
        if name not in known:
            raise UsageError(f"{owner}: {unknown('option', name, known)}")
    return options(**{name: _check(known[name], value, owner) for name, value in settings.items()})


def _check(declared: Field[Any], value: Any, owner: str) -> Any:
    choices, bounds = declared.metadata.get("choices", ()), declared.metadata.get("bounds")
    if bounds is not None:
        number = bounds.number(value)
        if number is None and value is not declared.default:
            raise UsageError(f"{owner}: {declared.name} is {value!r}; expected {bounds}")
        return number
    if isinstance(value, int) and not isinstance(value, bool) and not isinstance(declared.default, int):
        value = str(value)  # profile=2022, n_best=3
    if choices and value not in choices:
        *others, last = filter(None, choices)
        expected = f"{', '.join(others)} or {last}" if others else last
        raise UsageError(f"{owner}: {declared.name} is {value!r}; expected {expected}")
    parse = declared.metadata.get("parse")
    return parse(os.fspath(value)) if parse is not None and isinstance(value, str | os.PathLike) else value


def said(options: type[Any], texts: Mapping[str, str]) -> dict[str, str]:
    """Return the settings whose texts in a signature are these, as far as a text is the setting itself.

    The digest of a file is not the setting that names it, so such an option is left out.
    """
    settings = {}
    for declared in fields(options):
        text = texts.get(declared.metadata["signed"] or declared.name)
        if text is not None and _is_said(options, declared, text):
            settings[declared.name] = text
    return settings


def _is_said(options: type[Any], declared: Field[Any], text: str) -> bool:
    try:
        value = getattr(build(options, {declared.name: text}, "a signature"), declared.name)
        return bool(declared.metadata["show"](value) == text)
    except (KaratError, OSError):
        return False


def shown(options: Any) -> dict[str, str]:
    """Return the options that differ from their defaults, and those that are always shown, as a signature has them."""
    return {
        declared.metadata["signed"] or declared.name: declared.metadata["show"](getattr(options, declared.name))
        for declared in fields(options)
        if declared.metadata["always"] or getattr(options, declared.name) != declared.default
    }
