"""Small invented results for the tests of the views."""

from __future__ import annotations

from karat.evaluation.scores import Interval, Row, Scores
from karat.evaluation.tally import Tallies

SIGNATURE = "karat:1.0|protocol:small|gold:9f3c1a"
COUNTS = {"correct": 1, "actual": 3, "possible": 2.5}
NOTHING = Tallies([], [])
HOSTILE = "a|b\tc\nd\\e<f>&\"g'_h*i`j`k[l]$m%n#o{p}~q^\x1b[2Jr\u202es\udc80t"


def row(
    measure: str,
    value: float | None,
    *,
    average: str = "micro",
    label: str | None = None,
    interval: Interval | None = None,
) -> Row:
    counts = COUNTS if average == "micro" else {}
    return Row(measure, "strict", average, "NE", value, label=label, counts=counts, interval=interval)


def team1() -> Scores:
    """Micro with an undefined precision, macro over units, and one label."""
    rows = (
        row("precision", None),
        row("recall", 2 / 3),
        row("f1", 0.5),
        row("precision", 0.25, average="macro-unit"),
        row("recall", 1.0, average="macro-unit"),
        row("f1", 0.1 + 0.2, average="macro-unit"),
        row("f1", 0.0, label="LOC_1"),
    )
    return Scores("small", "team1", rows, SIGNATURE, NOTHING, ("one document left out",))


def team2() -> Scores:
    """F1 with an interval."""
    return Scores(
        "small", "team2", (row("f1", 0.8123, interval=Interval(0.79, 0.8333)),), SIGNATURE + "|ci:b1000", NOTHING
    )


def hostile() -> Scores:
    """Data that tries to break out of its cell wherever data is shown."""
    one = Row(HOSTILE, HOSTILE, HOSTILE, HOSTILE, 0.5, HOSTILE, HOSTILE, {HOSTILE: 1})
    return Scores(HOSTILE, HOSTILE, (one,), HOSTILE, NOTHING, (HOSTILE,))
