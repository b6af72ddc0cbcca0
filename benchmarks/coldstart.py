"""``python -m benchmarks coldstart``: the programs of Cold Start 2015 and Karat on generated data, as a Markdown table.

The references are not part of this repository: put three checkouts of jamesmayfield/ColdStart into one folder and point
at it with --references. ``kb`` is commit 321bb5c with CS-ValidateKB.pl and CS-ResolveQueries.pl, ``score`` is commit
a119f6f, and ``validate-sf`` the same with CS-ValidateSF-MASTER.pl of commit c3deb82. Both sides must write the same.
Ratios that fall short of their target are marked with an exclamation mark, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from benchmarks.coldstart_data import evaluation, knowledge_base
from benchmarks.measure import Run, run

HERE = Path(__file__).parent
ASSERTIONS = (100_000, 1_000_000)
QUERIES = (100, 1_600)
FILLS = 16
DENSE = (4, 3_900)
"""Queries and fills of each where the published scorer is quadratic; only Karat is run on them."""
DENSE_SECONDS = 2.0


class Target(NamedTuple):
    """How many times less CPU time and memory Karat is to take; nothing where there is no such aim."""

    cpu: float
    memory: float | None = None


class Job(NamedTuple):
    """One measurement: its size, the drop-in, the program, the arguments, the file they make, and the target."""

    size: str
    command: str
    program: str
    arguments: tuple[str, ...]
    output: str
    target: Target | None


def main(words: Sequence[str]) -> None:
    """Measure everything and print the table."""
    arguments = _arguments(words)
    head = ["size", "task", "program", "wall s", "CPU s", "peak MiB", "CPU ratio", "memory ratio", "target"]
    rows: list[str] = []
    for job in _jobs(arguments):
        for row in _rows(job, arguments):
            rows.append(row)
            print(row, file=sys.stderr, flush=True)
    print(f"| {' | '.join(head)} |")
    print(f"|{'---|' * len(head)}")
    print("\n".join(rows))
    if any("!" in row for row in rows):
        raise SystemExit(1)


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "benchmarks coldstart", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--references", default=os.environ.get("KARAT_COLDSTART"), help="folder of the checkouts")
    parser.add_argument("--assertions", type=int, nargs="*", default=ASSERTIONS, help="sizes of knowledge bases")
    parser.add_argument("--queries", type=int, nargs="*", default=QUERIES, help="numbers of queries to score")
    parser.add_argument("--limit", type=float, default=1200, help="seconds after which a program is stopped")
    parser.add_argument("--repeats", type=int, default=3, help="runs of Karat, of which the one with least CPU counts")
    return parser.parse_args(words)


def _jobs(arguments: argparse.Namespace) -> Iterator[Job]:
    words: tuple[str, ...]
    for number in arguments.assertions:
        folder = _made(knowledge_base, number)
        size = f"{number:,} assertions"
        words = ("-docs", f"{folder}/docs.txt", "-output", "tac", "-output_file", "kb.valid", f"{folder}/kb")
        yield Job(size, "validate-kb", "kb/CS-ValidateKB.pl", words, "kb.valid", Target(4, 3))
        words = (f"{folder}/queries.xml", f"{folder}/kb", "kb.sf")
        yield Job(size, "resolve-queries", "kb/CS-ResolveQueries.pl", words, "kb.sf", Target(4))
    for number in arguments.queries:
        folder = _made(evaluation, number, FILLS)
        size = f"{number:,} queries"
        full = number >= max(QUERIES)  # with few queries, the start of Python takes most of the time
        words = (
            "-docs",
            f"{folder}/docs.txt",
            "-output_file",
            "out.sf",
            f"{folder}/queries.xml",
            f"{folder}/run.tab.txt",
        )
        program = "validate-sf/CS-ValidateSF-MASTER.pl"
        yield Job(size, "validate-sf", program, words, "out.sf", Target(20) if full else None)
        words = tuple(f"{folder}/{name}" for name in ("queries.xml", "run.tab.txt", "pool.fqec"))
        words = ("-output_file", "scores.txt", *words)
        yield Job(size, "score", "score/CS-Score-MASTER.pl", words, "scores.txt", Target(50) if full else None)
    folder = _made(evaluation, *DENSE)
    words = tuple(f"{folder}/{name}" for name in ("queries.xml", "run.tab.txt", "pool.fqec"))
    yield Job(f"{DENSE[0]} dense queries", "score", "", ("-output_file", "scores.txt", *words), "scores.txt", None)


def _rows(job: Job, arguments: argparse.Namespace) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        output = folder / job.output
        command = [sys.executable, "-m", "karat", "coldstart", job.command, *job.arguments]
        runs = [run(command, folder, arguments.limit) for _ in range(arguments.repeats)]
        ours = min(runs, key=lambda one: one.cpu)
        made = _content(output, job)
        output.unlink()
        yield _line(job, "Karat", ours, None)
        if not arguments.references or not job.program:
            return
        script = (Path(arguments.references) / job.program).resolve()
        theirs = run(["perl", f"-I{script.parent}", str(script), *job.arguments], folder, arguments.limit)
        if theirs.finished and _content(output, job) != made:
            raise SystemExit(f"the results of {job.program} differ on {job.size}")
        yield _line(job, script.name, theirs, ours)


def _content(path: Path, job: Job) -> str | list[bytes]:
    """Return what stands for a result: a digest, or sorted lines where CS-ResolveQueries.pl has no fixed order."""
    if job.command == "resolve-queries":
        return sorted(path.read_bytes().split(b"\n"))
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _made(make: Callable[..., Path], *sizes: int) -> Path:
    """Make data in a process of its own: the peak memory of a program is never below that of the one that starts it."""
    with ProcessPoolExecutor(1) as executor:
        return executor.submit(make, HERE / "data", *sizes).result()


def _line(job: Job, program: str, taken: Run, ours: Run | None) -> str:
    more = "" if taken.finished else "> "
    cells = [job.size, job.command, program, f"{more}{taken.wall:.2f}", f"{more}{taken.cpu:.2f}", f"{taken.memory:.0f}"]
    if ours is None:
        late = " !" if not job.program and taken.cpu > DENSE_SECONDS else ""
        cells += ["", "", f"{DENSE_SECONDS:g} s CPU{late}" if not job.program else ""]
    else:
        cpu, memory = taken.cpu / ours.cpu, taken.memory / ours.memory
        cells += [f"{more}{cpu:.1f}", f"{memory:.1f}", _aims(job.target, cpu, memory)]
    return f"| {' | '.join(cells)} |"


def _aims(target: Target | None, cpu: float, memory: float) -> str:
    """Return the targets of a job, each with a mark if it was missed."""
    if target is None:
        return ""
    aims = [f"CPU {target.cpu:g}{' !' * (cpu < target.cpu)}"]
    if target.memory is not None:
        aims.append(f"memory {target.memory:g}{' !' * (memory < target.memory)}")
    return ", ".join(aims)
