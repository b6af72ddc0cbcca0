"""``python -m benchmarks comparison``: how often intervals hold the truth, and tests find what is not there.

Documents are invented by the designs of :mod:`benchmarks.invented`, with two systems that are equally good, so that
every difference that is found is a false one. The defaults are studentised intervals of scores, widened percentiles for
differences, and studentised swapping for p-values, each with 1,999 draws here. The first replications of every cell are
held against what the package itself says of them.

The first table has the defaults, as percentages: intervals that hold the true score (least and most of precision,
recall, F1 and the mean F1 of documents), intervals that hold the difference, which is none, and tests that find one at
5 %. What is outside of its target is marked with an exclamation mark, and the exit status is 1. The other tables have
the methods that can be asked for instead.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from benchmarks.invented import WORLDS, Documents, World, evened, invent, long_run
from benchmarks.replications import METHODS, TESTS, Array, Drawn, Replications, agree

FIRST, SECOND = ("studentised", "widened", "percentile", "bca", "linearised"), ("widened", "studentised", "linearised")
"""Methods for scores and for differences, as they stand in the tables."""
TARGETS: dict[tuple[str, int], tuple[float, float]] = {
    **{(name, units): (4, 6) for name in ("E1", "E2", "E3", "N") for units in (50, 200, 1000)},
    ("U", 50): (4, 8),
    ("U", 200): (4, 7),
}
"""Between which shares false findings are to be, in per cent; coverage is to be 93 to 97 in the same cells."""
_COVERAGE = (93, 97)
_NUMBERS_AT_ONCE = 2**18
"""How many sums are held at a time for one row of a product."""
_HELD_AGAINST = 3
"""Replications of a cell that are held against the package."""


class Cell(NamedTuple):
    """What came of one design with so many documents: shares in per cent."""

    world: World
    units: int
    replications: int
    scores: dict[str, Array]
    difference: dict[str, float]
    found: dict[str, float]


def main(words: Sequence[str]) -> None:
    """Try all designs, and print the tables."""
    names = [world.name for world in WORLDS]
    parser = argparse.ArgumentParser(
        "benchmarks comparison",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
        epilog="Designs:\n" + "\n".join(f"  {world.name:3} {world.about}" for world in WORLDS),
    )
    parser.add_argument("--trials", type=int, default=5_000, help="replications of each design (default: 5000)")
    parser.add_argument(
        "--units", type=int, nargs="+", default=[20, 50, 200, 1000], help="documents (default: 20 50 200 1000)"
    )
    parser.add_argument("--designs", nargs="+", choices=names, default=names, help="default: all")
    parser.add_argument("--seed", type=int, default=42, help="makes the trials reproducible (default: 42)")
    options = parser.parse_args(words)
    began = time.process_time()
    cells = []
    print("| documents | design | scores % | difference % | found at 5 % | replications |\n|---|---|---|---|---|---|")
    chosen = [(place, world) for place, world in enumerate(WORLDS) if world.name in options.designs]
    worlds = {place: evened(world, options.seed + place) for place, world in chosen}
    truths = {place: long_run(world, options.seed + place) for place, world in worlds.items()}
    for units in options.units:
        draws = Drawn(units)
        for place, world in worlds.items():
            chance = np.random.default_rng([options.seed, units, place])
            batches = _batches(world, units, options.trials, chance)
            cells.append(_cell(world, options.trials, batches, draws, truths[place]))
            print(_line(cells[-1]), flush=True)
    print(*_by_method(cells), sep="\n")
    print(f"\n{time.process_time() - began:.0f} s of CPU time", flush=True)
    sys.exit(int(any("!" in _line(cell) for cell in cells)))


def _batches(world: World, units: int, trials: int, chance: np.random.Generator) -> Iterator[Documents]:
    step = max(1, _NUMBERS_AT_ONCE // max(units, 2000))
    for first in range(0, trials, step):
        yield invent(world, min(step, trials - first), units, chance)


def _cell(world: World, trials: int, batches: Iterator[Documents], draws: Drawn, truths: Sequence[float]) -> Cell:
    """Count in how many replications intervals hold the truth, and tests find something."""
    scores = {method: np.zeros(len(truths)) for method in METHODS}
    between, found = (dict.fromkeys(names, 0.0) for names in (SECOND, TESTS))
    for number, documents in enumerate(batches):
        batch = Replications(documents, draws, world.same)
        for place in range(_HELD_AGAINST) if number == 0 else ():
            agree(batch, min(place, trials - 1))
        for method in METHODS:
            held = [score.limits(method).hold(truth).sum() for score, truth in zip(batch.scores, truths, strict=True)]
            scores[method] += 100 / trials * np.array(held)
        for method in SECOND:
            between[method] += 100 / trials * float(batch.difference.limits(method).hold(0.0).sum())
        for test in TESTS:
            found[test] += 100 / trials * float((batch.p_values(test) <= 0.05 + 1e-12).sum())
    return Cell(world, draws.units, trials, scores, between, found)


def _line(cell: Cell) -> str:
    """Return what the defaults came to."""
    held, inside, rate = cell.scores["default"], cell.difference["widened"], cell.found["randomisation"]
    target = TARGETS.get((cell.world.name, cell.units))
    ranges = ((held.min(), held.max(), _COVERAGE), (inside, inside, _COVERAGE), (rate, rate, target or (0, 100)))
    marks = [" !" if target and not (low <= least and most <= high) else "" for least, most, (low, high) in ranges]
    cells = [f"{held.min():.1f}–{held.max():.1f}{marks[0]}", f"{inside:.1f}{marks[1]}", f"{rate:.1f}{marks[2]}"]
    return f"| {cell.units:,} | {cell.world.name} | {' | '.join(cells)} | {cell.replications:,} |"


def _by_method(cells: Sequence[Cell]) -> Iterator[str]:
    """Yield the tables of all methods."""
    yield f"\nIntervals of scores, %:\n\n| documents | design | {' | '.join(FIRST)} |\n|{'---|' * (2 + len(FIRST))}"
    for cell in cells:
        held = [f"{cell.scores[method].min():.1f}–{cell.scores[method].max():.1f}" for method in FIRST]
        yield f"| {cell.units:,} | {cell.world.name} | {' | '.join(held)} |"
    names = [*(f"{method} interval" for method in SECOND), *TESTS]
    yield f"\nDifferences, %, and false findings at 5 %:\n\n| documents | design | {' | '.join(names)} |"
    yield f"|{'---|' * (2 + len(names))}"
    for cell in cells:
        shares = [*(cell.difference[method] for method in SECOND), *(cell.found[test] for test in TESTS)]
        yield f"| {cell.units:,} | {cell.world.name} | {' | '.join(f'{share:.1f}' for share in shares)} |"
