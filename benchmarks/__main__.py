"""``python -m benchmarks``: measures the rule for speed, prints one table, and fails where the rule is broken.

No file of a shared task takes longer than its reference program or two seconds, whichever is more; four times the data
take at most five times the time and half as much memory again. Times are CPU seconds of whole processes, the best of
some runs, Karat and the reference in turns.

KARAT_REFERENCES names a folder of reference programs, each under the name of its repository, and in ``venv`` a Python
with what they import (``python -m tests.differential --list`` says more). Where a program is not there, the two seconds
count alone. Real files are those of the conformance packs, see KARAT_CONFORMANCE.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.differential.programs import folder as references
from tests.differential.programs import interpreter

from benchmarks.cases import GROWING, Case, cases
from benchmarks.invented import TOKENS_OF_A_DOCUMENT, write_conll
from benchmarks.measure import Cost, cost

KARAT = (sys.executable, "-m", "karat")
SECONDS = 2.0
MOST_TIME = 5.0
MOST_MEMORY = 1.5
TOKENS = 1_000_000


class Row(NamedTuple):
    """A line of the table: what was measured, beside what, and what is wrong with it, if anything."""

    command: str
    data: str
    ours: Cost
    beside: str
    fault: str


def main() -> None:
    """Measure everything, print the table, and exit with 1 where a row breaks the rule."""
    parser = argparse.ArgumentParser("benchmarks", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3, help="runs of each program, of which the best counts")
    parser.add_argument("--only", default="", metavar="WORD", help="only commands with this word")
    arguments = parser.parse_args()
    print("| command | data | CPU s | MiB | beside it | kept |\n|---|---|---|---|---|---|")
    faults = 0
    for row in rows(arguments.only, arguments.repeats):
        cells = (f"`karat {row.command}`", row.data, f"{row.ours.seconds:.2f}", f"{row.ours.memory:.0f}", row.beside)
        print(f"| {' | '.join((*cells, row.fault or 'yes'))} |", flush=True)
        faults += bool(row.fault)
    sys.exit(faults > 0)


def rows(word: str, repeats: int) -> Iterator[Row]:
    """Yield the rows of the table whose commands have a word."""
    for case in cases():
        if word in case.command:
            with tempfile.TemporaryDirectory() as folder:
                yield _beside_the_reference(case, Path(folder), repeats)
    for words in GROWING:
        if word in words[0]:
            with tempfile.TemporaryDirectory() as folder:
                yield _beside_a_quarter(words, Path(folder), repeats)


def _beside_the_reference(case: Case, folder: Path, repeats: int) -> Row:
    case.prepare(folder / "input")
    command, path = _reference(case)
    ours, theirs = [], []
    for _ in range(repeats):
        ours.append(_cost_of_one(case, [*KARAT, *case.command.split(), *case.arguments], folder))
        if command:
            theirs.append(_cost_of_one(case, command, folder, path))
    best, other = min(ours), min(theirs, default=None)
    limit = max(SECONDS, other.seconds if other else 0.0)
    fault = f"no: above {limit:.2f} s" if best.seconds > limit else ""
    beside = f"reference: {other.seconds:.2f} s, {other.memory:.0f} MiB" if other else ""
    return Row(case.command, case.data, best, beside, fault)


def _cost_of_one(case: Case, command: Sequence[str], folder: Path, path: str = "") -> Cost:
    """Return the cost of a run in a copy of the input: programs keep files there that make the next run faster."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        room = Path(name, "copy")
        shutil.copytree(folder / "input", room)
        return cost(command, room / case.folder, room / case.stdin if case.stdin else None, path)


def _reference(case: Case) -> tuple[list[str], str]:
    """Return the command of the reference program, empty if it is not there, and its ``PYTHONPATH``."""
    root = references()
    if root is None or not (file := root / case.program).is_file():
        return [], ""
    by_suffix = {
        ".pl": ("perl", f"-I{file.parent}", f"-I{file.parent / 'lib'}", "{program}"),
        ".py": ("{python}", "{program}"),
    }
    launcher = case.launcher or by_suffix[file.suffix]
    command = [word.format(python=interpreter(root), program=file) for word in launcher]
    return [*command, *case.arguments], f"{file.parent}:{file.parents[1]}"


def _beside_a_quarter(words: Sequence[str], folder: Path, repeats: int) -> Row:
    costs = []
    for tokens in (TOKENS, TOKENS // 4):
        room = folder / str(tokens)
        room.mkdir()
        write_conll(room, tokens)
        costs.append(min(cost([*KARAT, *words], room) for _ in range(repeats)))
    whole, quarter = costs
    time, memory = whole.seconds / quarter.seconds, whole.memory / quarter.memory
    faults = [f"{time:.1f} times the time"] if time > MOST_TIME else []
    faults += [f"{memory:.1f} times the memory"] if memory > MOST_MEMORY else []
    beside = f"a quarter of the data: {quarter.seconds:.2f} s, {quarter.memory:.0f} MiB"
    data = f"{TOKENS:,} tokens of CoNLL in {TOKENS // TOKENS_OF_A_DOCUMENT:,} documents"
    return Row(words[0], data, whole, beside, f"no: {', '.join(faults)}" if faults else "")


if __name__ == "__main__":
    main()
