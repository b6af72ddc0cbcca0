"""``python -m benchmarks leaderboard``: whether draws take less CPU time than reading the files they are about.

A gold and twenty systems are invented, a thousand documents of two hundred tokens each. They are read and scored; then
come a leaderboard from 10,000 resamples, in which all 190 pairs are tested by 9,999 arrangements, and as many resamples
for the numbers of every system: those that are shown, and all. If the leaderboard takes more than reading did, it is
marked with an exclamation mark, and the exit status is 1. Set ``OPENBLAS_NUM_THREADS=1``, as ``karat`` does: where
others use the cores, too, threads of a matrix product wait for one another, and CPU time is what they waste.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import karat
from karat.analysis.statistics.bootstrap import with_intervals
from karat.evaluation.registry import protocol
from karat.evaluation.run import Run
from karat.evaluation.tally import Tallies

_PROTOCOL = "hipe2022-nerc-coarse"
_TAGS = ("B-pers", "B-loc", "B-org", "B-prod")
_HEAD = "TOKEN\tNE-COARSE-LIT\tMISC\n"


def main(words: Sequence[str]) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser("benchmarks leaderboard", description=__doc__)
    parser.add_argument("--systems", type=int, default=20, help="default: 20")
    parser.add_argument("--documents", type=int, default=1000, help="default: 1000")
    parser.add_argument("--tokens", type=int, default=200, help="of a document (default: 200)")
    parser.add_argument("--resamples", type=int, default=10_000, help="default: 10000")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        gold, *systems = _files(Path(folder), options.systems, options.documents, options.tokens)
        _, reading = _timed(lambda: [sum(1 for _ in karat.read(path)) for path in (gold, *systems)])
        scores, scoring = _timed(lambda: [karat.score(_PROTOCOL, gold, system) for system in systems])
    bootstrap = karat.Bootstrap(options.resamples)
    runs = {result.system: result.run for result in scores}
    numbers = sum(len(result.rows) for result in scores)
    board, ranking = _timed(lambda: karat.leaderboard(runs, ci=bootstrap))
    declared = protocol(_PROTOCOL)
    regimes, averages = declared.main.regimes, declared.main.averages
    shown = [[row for row in result if row.regime in regimes and row.average in averages] for result in scores]
    _, main_intervals = _timed(
        lambda: [with_intervals(declared, *own, bootstrap) for own in zip(_tallies(runs), shown, strict=True)]
    )
    _, intervals = _timed(lambda: [run.scores(ci=bootstrap) for run in runs.values()])
    is_slow = ranking >= reading
    print("| step | CPU s | of reading |\n|---|---|---|")
    for name, cpu, mark in (
        (f"reading {1 + options.systems} files", reading, ""),
        ("reading and scoring", scoring, ""),
        (f"leaderboard, {len(board.contest.contrasts)} pairs", ranking, " !" if is_slow else ""),
        (f"intervals of the {sum(map(len, shown))} numbers that are shown", main_intervals, ""),
        (f"all {numbers} numbers, with intervals", intervals, ""),
    ):
        print(f"| {name} | {cpu:.1f} | {cpu / reading:.2f}{mark} |", flush=True)
    sys.exit(int(is_slow))


def _tallies(runs: Mapping[str, Run]) -> list[Tallies]:
    return [run.tallies for run in runs.values()]


def _timed(step: Callable[[], Any]) -> tuple[Any, float]:
    began = time.process_time()
    result = step()
    return result, time.process_time() - began


def _files(folder: Path, systems: int, documents: int, tokens: int) -> list[str]:
    """Write the gold and the systems, each with more mistakes than the one before."""
    words = random.Random(1)
    gold = [[words.choice(_TAGS) if words.random() < 0.09 else "O" for _ in range(tokens)] for _ in range(documents)]
    paths = [folder / f"system-{number:02}.tsv" if number else folder / "gold.tsv" for number in range(1 + systems)]
    for number, path in enumerate(paths):
        chance = random.Random(f"mistakes {number}")
        with path.open("w", encoding="utf-8") as file:
            file.write(_HEAD)
            for place, tags in enumerate(gold):
                file.write(f"# hipe2022:document_id = document-{place:04}\n")
                for token, tag in enumerate(tags):
                    shown = chance.choice((*_TAGS, "O")) if chance.random() < 0.004 * number else tag
                    file.write(f"w{token}\t{shown}\t_\n")
    return [str(path) for path in paths]
