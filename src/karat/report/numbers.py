"""The numbers of the summary: the headline number, and its value for every system with interval and counts."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from karat.analysis.comparison.field import headline_of
from karat.analysis.slices.breakdowns import Breakdown
from karat.analysis.slices.items import check_features
from karat.analysis.summary import scores_of
from karat.display.views.numbers import points as in_points
from karat.errors import UsageError
from karat.evaluation.scores import Row, Scores

if TYPE_CHECKING:
    from karat.analysis.statistics.intervals import Bootstrap
    from karat.evaluation.protocol import Bound
    from karat.evaluation.run import Run

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ITEM_FEATURES = ("length", "frequency", "ambiguity", "nesting")
MOST_VALUES = 16
"""The largest number of slices of a table; keys with more values are left out."""
MOST_DETAILED = 2
"""The number of systems that are shown by label and by slice."""
FEWEST_FOR_LENGTHS = 4


class ShownSystem(NamedTuple):
    """A system with its letter and name, its scores, and the headline number by label and slice."""

    letter: str
    name: str
    scores: Scores
    details: Sequence[Row] = ()


def systems_of(bound: Bound, runs: Sequence[Run], bootstrap: Bootstrap | bool) -> tuple[list[ShownSystem], Row]:
    """Return the systems and the headline number; only that number is broken down by label and slice."""
    results = [scores_of(run, bound, ci=bootstrap) for run in runs]
    wanted = headline(bound, results)

    def is_asked(row: Row) -> bool:
        return same(row, wanted, label=row.label, slice=row.slice) and (row.label is not None or bool(row.slice))

    details = [
        scores_of(run, bound, by=["label", *asked_of(bound, run)], ci=bootstrap, only=is_asked).rows
        for run in runs[:MOST_DETAILED]
    ]
    return lettered(results, details), wanted


def lettered(results: Sequence[Scores], details: Sequence[Sequence[Row]] = ()) -> list[ShownSystem]:
    """Return systems with letters, in the given order, and with unique names."""
    names = [scores.system for scores in results]
    shown = [name if names.count(name) == 1 else f"{name} ({number})" for number, name in enumerate(names, 1)]
    return [
        ShownSystem(letter_of(index), shown[index], scores, details[index] if index < len(details) else ())
        for index, scores in enumerate(results)
    ]


def item_features_of(bound: Bound) -> list[str]:
    """Return the features of items that a protocol has."""
    features = []
    for name in ITEM_FEATURES:
        with suppress(UsageError):
            check_features(bound, [Breakdown(name)])
            features.append(name)
    return features


def asked_of(bound: Bound, run: Run) -> list[str]:
    """Return the useful breakdowns of a run: features of items, lengths, and keys with few values."""
    asked = [name for name in item_features_of(bound) if name in run.slices]
    if len(run.tallies.units) >= FEWEST_FOR_LENGTHS and any(run.words):
        asked.append("document-length")
    different = {key: len({*values} - {None}) for key, values in run.metadata.items()}
    few = sorted(key for key, size in different.items() if 2 <= size <= min(MOST_VALUES, len(run.documents) - 1))
    return [*asked, *(f"metadata:{key}" for key in few)]


def letter_of(index: int) -> str:
    """Return the letter of a system: A to Z, then A2.

    >>> letter_of(0), letter_of(27)
    ('A', 'B2')
    """
    again, letter = divmod(index, len(LETTERS))
    return LETTERS[letter] + (str(again + 1) if again else "")


def headline(bound: Bound, results: Sequence[Scores]) -> Row:
    """Return the headline number: the first F1 of the first main regime that any system has."""
    rows = [row for row in results[0].rows if row.label is None and not row.slice] or list(results[0].rows)
    return headline_of(list(filter(bound.main.includes, rows)) or rows)


def same(row: Row, other: Row, **different: str | None) -> bool:
    """Return whether two rows are the same number, apart from the named differences."""
    names = ("measure", "regime", "average", "layer", "slice", "label")
    return all(getattr(row, name) == different.get(name, getattr(other, name)) for name in names)


def row_like(scores: Scores, wanted: Row, **different: str) -> Row | None:
    """Return the row of a result that is the same number, apart from the named differences, or None."""
    return next((row for row in scores.rows if same(row, wanted, **different)), None)


def three(number: float | None) -> str:
    """Return a score with three decimals.

    >>> three(0.5), three(None)
    ('0.500', '–')
    """
    return "–" if number is None else f"{number:.3f}"


def points(number: float | None) -> str:
    """Return a difference in points, with a sign and a typographic minus.

    >>> points(-0.0042), points(0.0), points(None)
    ('−0.4', '0', '–')
    """
    shown = "–" if number is None else in_points(number, signed=True)
    return "0" if shown == "0.0" else shown


def count(number: float) -> str:
    """Return a count with thin spaces between thousands.

    >>> count(12), count(48920), count(0.5)
    ('12', '48\\u2009920', '0.500')
    """
    return f"{int(number):,}".replace(",", "\u2009") if number == int(number) else f"{number:.3f}"
