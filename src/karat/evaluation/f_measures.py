"""Measures that one can ask for beside those of a protocol: F-measures with another beta than 1.

A measure is a value: ``f2`` and ``f0.5`` are names that say which it is, and ``fbeta=0.5`` is another way to say
``f0.5``. It is there wherever a protocol has an F1 of a precision and a recall, with the same rules for what is
undefined.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from karat.errors import KaratError, UsageError, unknown
from karat.measures.formulas import Formula, with_beta

if TYPE_CHECKING:
    from karat.evaluation.protocol import Figure

F1 = "f1"
LIMITS = 0.01, 100
"""The least and the greatest beta: beyond, an F-measure is the precision or the recall."""
_NAME = re.compile(r"f(?:beta=)?([0-9]{1,9}(?:\.[0-9]{1,9})?)", re.IGNORECASE)


def measure_named(text: str) -> str:
    """Return the name of a measure, which is one word for the same F-measure however it is said.

    >>> [measure_named(text) for text in ("f2", "fbeta=0.50", "F1", "recall")]
    ['f2', 'f0.5', 'f1', 'recall']
    """
    beta = beta_of(text)
    return text.strip() if beta is None else f"f{beta}"


def beta_of(text: str) -> float | None:
    """Return the beta of an F-measure by its name, none if it is another measure."""
    match = _NAME.fullmatch(text.strip())
    if match is None:
        return None
    beta = float(match[1])
    if not LIMITS[0] <= beta <= LIMITS[1]:
        raise UsageError(f"the measure {text!r} has a beta out of bounds; expected one from {LIMITS[0]} to {LIMITS[1]}")
    return int(beta) if beta.is_integer() else beta


def asked_measures(names: Iterable[str], figures: Sequence[Figure], protocol: str) -> tuple[str, ...]:
    """Return the F-measures among measures that are asked for, by their beta.

    The own measures of a protocol are shown anyway; one that it cannot have is an error.
    """
    own = dict.fromkeys(figure.measure for figure in figures)
    asked: dict[str, float] = {}
    for text in names:
        if not isinstance(text, str):
            raise UsageError(f"the measure {text!r} is not a name; expected one such as 'f2'")
        name, beta = measure_named(text), beta_of(text)
        if name in own:
            continue
        if beta is None:
            raise _unknown_measure(text, list(own), protocol)
        if not any(_has_beta(figure) for figure in figures):
            computed = "sums up F1 that is computed before" if F1 in own else "has no F1"
            raise UsageError(f"{protocol} has no {name}: it {computed}; its measures are {', '.join(own)}")
        asked[name] = beta
    return tuple(sorted(asked, key=asked.__getitem__))


def _unknown_measure(text: str, own: Sequence[str], protocol: str) -> KaratError:
    """Return the error for a measure that nobody knows, with a suggestion or how F-measures are named."""
    error = unknown(f"measure of {protocol}", text, own)
    if F1 not in own or "did you mean" in str(error):
        return error
    return UsageError(f"{error}; F-measures are named f2 or f0.5, from f{LIMITS[0]} to f{LIMITS[1]}")


def with_measures(figures: Sequence[Figure], names: Sequence[str]) -> tuple[Figure, ...]:
    """Return figures with F-measures of these names behind each F1."""
    extended: list[Figure] = []
    for figure in figures:
        extended.append(figure)
        extended += (_with_beta(figure, name) for name in names if _has_beta(figure))
    return tuple(extended)


def lacking(figures: Sequence[Figure], names: Sequence[str]) -> Iterator[str]:
    """Yield for which averages there is no such F-measure: F1 is summed up there, so that no other one follows."""
    averages = dict.fromkeys(figure.average for figure in figures if figure.measure == F1 and not _has_beta(figure))
    for name in names:
        yield from (
            f"no {name} for the average {average}: F1 is computed before it is summed up" for average in averages
        )


def _has_beta(figure: Figure) -> bool:
    return figure.measure == F1 and with_beta(figure.formula, 2) is not None


def _with_beta(figure: Figure, name: str) -> Figure:
    beta = beta_of(name)
    assert beta is not None  # noqa: S101 - names of F-measures were told from others
    by_label: Formula | None = None if figure.by_label is None else with_beta(figure.by_label, beta) or figure.by_label
    formula = with_beta(figure.formula, beta) or figure.formula
    return msgspec.structs.replace(figure, measure=name, formula=formula, by_label=by_label)
