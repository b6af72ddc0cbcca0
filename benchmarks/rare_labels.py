"""``python -m benchmarks rare_labels``: how often intervals of a rare label hold its true F1, by the package itself.

A label has 5, 15 or 50 gold items in the mean, spread over fifty documents. An item is found with a chance that depends
on the document, four of five in the mean, and one of five of what the system says is spurious. Replications in which
there is no interval, since too little is there to go by, are counted by themselves.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from karat.analysis.statistics.bootstrap import with_intervals
from karat.analysis.statistics.intervals import Bootstrap, Method
from karat.evaluation.registry import protocol
from karat.evaluation.scores import Row
from karat.evaluation.tally import Group, Tallies

DOCUMENTS = 50
METHODS: tuple[Method, ...] = ("studentised", "widened", "percentile", "linearised")
_ROW = Row("f1", "strict", "micro", "", None, label="X")
Counts = NDArray[np.int64]


def main(words: Sequence[str]) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser("benchmarks rare_labels", description=__doc__)
    parser.add_argument("--replications", type=int, default=2000, help="default: 2000")
    parser.add_argument("--resamples", type=int, default=1999, help="default: 1999")
    options = parser.parse_args(words)
    print("| gold items | method | coverage % | without an interval % |\n|---|---|---|---|")
    for items in (5, 15, 50):
        source = np.random.default_rng(items)
        truth = _f1(_drawn(source, items, 4_000_000).sum(axis=0))
        replications = [_drawn(source, items, DOCUMENTS) for _ in range(options.replications)]
        for method in METHODS:
            held = [_holds(counts, truth, Bootstrap(options.resamples, method=method)) for counts in replications]
            told = [one for one in held if one is not None]
            name = f"{method} (default)" if method == METHODS[0] else method
            without = 100 * (1 - len(told) / len(held))
            print(f"| {items} | {name} | {100 * np.mean(told):.1f} | {without:.1f} |", flush=True)


def _drawn(source: np.random.Generator, items: float, documents: int) -> Counts:
    """Return gold items, those of the system, and those that are right, of each document."""
    gold = source.poisson(items / DOCUMENTS, documents)
    right = source.binomial(gold, ndtr(0.94 + 0.5 * source.standard_normal(documents)))
    return np.array([gold, right + source.poisson(0.2 * items / DOCUMENTS, documents), right]).T


def _f1(sums: Sequence[float]) -> float:
    gold, system, right = sums
    return float(2 * right / (gold + system))


def _holds(counts: Counts, truth: float, bootstrap: Bootstrap) -> bool | None:
    """Say whether the interval of a replication holds the true score; nothing if there is none."""
    seqeval = protocol("seqeval")
    padding = (0,) * (len(seqeval.counts) - 3)
    rows = [{Group("", "", "X"): (*map(int, own), *padding)} if any(own) else {} for own in counts]
    tallies = Tallies([f"{place:02}" for place in range(len(rows))], rows)
    (row,) = with_intervals(seqeval, tallies, [_ROW], bootstrap)
    return row.interval and bool(row.interval.low <= truth <= row.interval.high)
