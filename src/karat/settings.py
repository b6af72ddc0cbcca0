"""Options of protocols and formats, declared as the fields of a frozen dataclass.

Each field declares a name, a default, a help text and the accepted values. Command-line flags, checks, reference
pages and the signature are derived from these declarations. Options shared by several protocols are declared once,
in :data:`SHARED`.
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
    """Return a bound on work multiplied by ``KARAT_LIMITS``, with which users raise all bounds.

    >>> limit(1000)
    1000
    """
    times = os.environ.get(LIMITS, "1")
    if not (times.isascii() and times.isdigit() and 1 <= int(times[:7]) <= 1_000_000):
        raise UsageError(f"{LIMITS} is {times!r}; expected a whole number from 1 to 1,000,000")
    return steps * int(times)


class Bounds(NamedTuple):
    """The range of numbers that an option accepts, both ends included; ``whole`` accepts integers only."""

    least: float
    most: float
    whole: bool = True

    def __str__(self) -> str:
        return f"a {'whole ' if self.whole else ''}number from {self.least:,} to {self.most:,}"

    def number(self, value: Any) -> Any:
        """Return the number that ``value`` is or spells, or None if it is not a number within the bounds."""
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

    Args:
        default: the value without a setting.
        help: what the option does, for ``--help`` and the reference pages.
        choices: the accepted words; by default any text.
        parse: converts the text of a command line, or a path, to the value.
        bounds: the accepted numbers; the option is then a number, and ``parse`` is not used.
        metavar: the placeholder for the value in ``--help``.
        show: converts the value to its text in a signature.
        always: the option is in every signature, not only where it differs from its default.
        argument: the option must be given on the command line, before the files and without a flag; in Python it is a
            keyword argument like the others.
        signed: the name of the option in signatures, if it differs from the name of the field.

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
    """Declare an option that takes one of the given words; the first is the default.

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
    """Declare one of the options that have the same meaning in several protocols, with its shared help text.

    A protocol may declare its own default, ``help`` text or ``choices``.

    >>> shared_option("missing").default, shared_option("missing", "skip").metadata["choices"]
    ('error', ('error', 'empty', 'skip'))
    """
    described = {**SHARED[name], **declared}
    choices = tuple(described.pop("choices"))
    return option(default or choices[0], described.pop("help"), choices=choices, **described)


def check_declared(kind: str, name: str, options: type[Any]) -> None:
    """Raise ``UsageError`` if the name or the options of a protocol or a format cannot be used.

    >>> check_declared("format", "my lines", dict)
    Traceback (most recent call last):
    karat.errors.UsageError: format 'my lines': a name has letters, digits, '-', '_', '.' and '+' only
    """
    if not (isinstance(name, str) and _NAME.fullmatch(name)):
        raise UsageError(f"{kind} {name!r}: a name has letters, digits, '-', '_', '.' and '+' only")
    if not (isinstance(options, type) and is_dataclass(options)):
        raise UsageError(f"{kind} {name}: its options are {options!r}; expected a class with @dataclass(frozen=True)")


def build(options: type[T], settings: Mapping[str, Any], owner: str) -> T:
    """Return an instance of the options class with these settings, after checking names and values.

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


def recover_settings(options: type[Any], texts: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that these texts of a signature stand for.

    An option whose text in a signature is not its setting, such as the digest of a file, is left out.
    """
    settings = {}
    for declared in fields(options):
        text = texts.get(declared.metadata["signed"] or declared.name)
        if text is not None and _is_recoverable(options, declared, text):
            settings[declared.name] = text
    return settings


def _is_recoverable(options: type[Any], declared: Field[Any], text: str) -> bool:
    try:
        value = getattr(build(options, {declared.name: text}, "a signature"), declared.name)
        return bool(declared.metadata["show"](value) == text)
    except (KaratError, OSError):
        return False


def shown(options: Any) -> dict[str, str]:
    """Return the texts for a signature: options that differ from their defaults, and those that are always shown."""
    return {
        declared.metadata["signed"] or declared.name: declared.metadata["show"](getattr(options, declared.name))
        for declared in fields(options)
        if declared.metadata["always"] or getattr(options, declared.name) != declared.default
    }
