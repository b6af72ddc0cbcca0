"""``python -m benchmarks coverage``: how often intervals of judged samples hold what they should.

Populations are invented whose share of right items is known, samples are drawn from them by each design, and the
intervals that contain the share are counted. Each row is a design: the mean over the shares that were tried, the least
and the largest of them. A mean outside of its target is marked with an exclamation mark, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

import numpy as np

from karat.analysis.statistics.samples import (
    JudgedSample,
    clopper_pearson,
    document_sample,
    simple_sample,
    stratified_sample,
)

Chance = np.random.Generator
Trial = Callable[[Chance, float], bool]
"""Invent a population with about that share, draw from it, and say whether the interval holds its share."""

SHARES = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)


def main(words: Sequence[str]) -> None:
    """Try all designs, and print the table."""
    parser = argparse.ArgumentParser("benchmarks coverage", description=__doc__)
    parser.add_argument("--trials", type=int, default=2_000, help="samples for each share (default: 2000)")
    parser.add_argument("--seed", type=int, default=42, help="makes the trials reproducible (default: 42)")
    options = parser.parse_args(words)
    designs: list[tuple[str, Trial, float, float]] = [
        *((f"simple, {judged} of 500 items", _simple(500, judged), 94, 97) for judged in (30, 50, 100, 200)),
        *((f"strata, {judged} of 400 items in each of 4", _strata(4, 400, judged), 93, 100) for judged in (25, 50)),
        *(
            (f"documents, {drawn} of {of}, whole", _documents(drawn, of), 93, 97)
            for drawn, of in ((50, 500), (100, 500))
        ),
        ("documents, 50 of 500, up to 5 items of each", _documents(50, 500, most=5), 93, 97),
    ]
    print("| design | mean % | least % | largest % | target % |\n|---|---|---|---|---|")
    missed = False
    for name, trial, low, high in designs:
        chance = np.random.default_rng(options.seed)
        held = [100 * sum(trial(chance, share) for _ in range(options.trials)) / options.trials for share in SHARES]
        mean = sum(held) / len(held)
        mark = "" if low <= mean <= high else " !"
        missed = missed or bool(mark)
        target = f"{low}–{high}" if high < 100 else f"≥ {low}"
        print(f"| {name} | {mean:.1f}{mark} | {min(held):.1f} | {max(held):.1f} | {target} |", flush=True)
    sys.exit(int(missed))


def _simple(items: int, judged: int) -> Trial:
    def trial(chance: Chance, share: float) -> bool:
        right = int(chance.binomial(items, share))
        drawn = int(chance.hypergeometric(right, items - right, judged))
        low, high = simple_sample(JudgedSample(items, judged, drawn)).interval()
        return low <= right / items <= high

    return trial


def _strata(number: int, items: int, judged: int) -> Trial:
    """Strata whose shares differ by up to a tenth from the one that is asked for."""

    def trial(chance: Chance, share: float) -> bool:
        shares = np.clip(share + np.linspace(-0.1, 0.1, number), 0, 0.99)
        right = chance.binomial(items, shares)
        drawn = chance.hypergeometric(right, items - right, judged)
        low, high = stratified_sample([JudgedSample(items, judged, int(count)) for count in drawn]).interval()
        return bool(low <= right.sum() / (number * items) <= high)

    return trial


def _documents(drawn: int, of: int, most: int | None = None) -> Trial:
    """Documents of 2 to 60 items, of which some are easier than others; of each, all or a few are judged."""

    def trial(chance: Chance, share: float) -> bool:
        sizes = np.clip(chance.lognormal(2.5, 0.7, of), 2, 60).astype(int)
        right = chance.binomial(sizes, chance.beta(8 * share, 8 * (1 - share), of))
        documents = []
        for place in chance.choice(of, drawn, replace=False):
            size, good = int(sizes[place]), int(right[place])
            judged = min(size, most or size)
            documents.append(JudgedSample(size, judged, int(chance.hypergeometric(good, size - good, judged))))
        low, high = document_sample(documents, of).interval(method=clopper_pearson)
        return bool(low <= right.sum() / sizes.sum() <= high)

    return trial
