"""``python -m benchmarks newsreader``: the NewsReader programs and Karat on generated NAF, as a Markdown table.

The reference is not part of this repository: check out newsreader/evaluation (commit 212f7c6) somewhere and point at it
with --reference; Perl needs XML::LibXML. Extraction is measured on folders of NAF documents, evaluation on tables of
lines, and both programs must write the same.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import Run, run

HERE = Path(__file__).parent
DOCUMENTS = (1_180, 4_720)
LINES = (20_000, 80_000)
TOKENS = 450
ENTITIES = 35
LINES_PER_DOCUMENT = 17
RESOURCE = "spotlight_v1"


class Job(NamedTuple):
    """One measurement: what it is called, the drop-in, the program, the arguments, and the file they must agree on."""

    size: str
    command: str
    program: str
    arguments: tuple[str, ...]
    output: str


def main(words: Sequence[str]) -> None:
    """Measure every size and print the table."""
    arguments = _arguments(words)
    head = ["size", "task", "program", "wall s", "CPU s", "peak MiB", "CPU ratio", "memory ratio"]
    rows = []
    for job in _jobs(arguments):
        rows.append(_row(job, arguments))
        print(rows[-1], file=sys.stderr, flush=True)
    print(f"| {' | '.join(head)} |")
    print(f"|{'---|' * len(head)}")
    print("\n".join(rows))


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "benchmarks newsreader", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reference", default=os.environ.get("KARAT_NEWSREADER"), help="checkout of the programs")
    parser.add_argument("--documents", type=int, nargs="+", default=DOCUMENTS, help="documents to extract from")
    parser.add_argument("--lines", type=int, nargs="+", default=LINES, help="lines to evaluate")
    parser.add_argument("--limit", type=float, default=300, help="seconds after which a program is stopped")
    parser.add_argument("--repeats", type=int, default=3, help="runs in turns, of which the one with least CPU counts")
    return parser.parse_args(words)


def _jobs(arguments: argparse.Namespace) -> Iterator[Job]:
    for number in arguments.documents:
        gold, system = (naf_folder(HERE / "data", number, side) for side in ("gold", "system"))
        size = f"{number:,} documents"
        yield Job(size, "gold", "goldFiveSentences.pl", (str(gold), "gold.tsv"), "gold.tsv")
        words = (str(system), RESOURCE, "system.tsv", "info.tsv")
        yield Job(size, "system", "systemFiveSentences.pl", words, "system.tsv")
    for number in arguments.lines:
        gold, system = (table(HERE / "data", number, side) for side in ("gold", "system"))
        yield Job(f"{number:,} lines", "evaluate", "evaluate.pl", (str(gold), str(system), "result.tsv"), "result.tsv")


def _row(job: Job, arguments: argparse.Namespace) -> str:
    commands = {"Karat": [sys.executable, "-m", "karat", "newsreader", job.command, *job.arguments]}
    if arguments.reference:
        script = Path(arguments.reference) / "ned-evaluation" / job.program
        commands[job.program] = ["perl", str(script), *job.arguments]
    runs: dict[str, list[Run]] = {program: [] for program in commands}
    made: dict[str, Counter[bytes]] = {}
    with tempfile.TemporaryDirectory() as name:
        for _ in range(arguments.repeats):
            for program, command in commands.items():
                runs[program].append(run(command, Path(name), arguments.limit))
                if runs[program][-1].finished:
                    made[program] = _lines(Path(name, job.output))
    if made.get(job.program, made["Karat"]) != made["Karat"]:
        raise SystemExit(f"the results of {job.program} differ on {job.size}")
    best = {program: min(taken, key=lambda one: one.cpu) for program, taken in runs.items()}
    return "\n".join(_line(job, program, taken, best["Karat"]) for program, taken in best.items())


def _lines(path: Path) -> Counter[bytes]:
    return Counter(path.read_bytes().split(b"\n"))


def _line(job: Job, program: str, taken: Run, ours: Run) -> str:
    more = "" if taken.finished else "> "
    cells = [job.size, job.command, program, f"{more}{taken.wall:.2f}", f"{more}{taken.cpu:.2f}", f"{taken.memory:.0f}"]
    ratios = (f"{more}{taken.cpu / ours.cpu:.1f}", f"{taken.memory / ours.memory:.1f}")
    return f"| {' | '.join([*cells, *(ratios if taken is not ours else ('', ''))])} |"


def naf_folder(data: Path, documents: int, side: str) -> Path:
    """Write a folder of invented NAF documents, unless it is there already, and return its path."""
    folder = data / f"naf-{side}-{documents}"
    if not folder.exists():
        folder.mkdir(parents=True)
        for number in range(documents):
            text = "\n".join(_naf(random.Random(f"{side} {number}"), gold=side == "gold"))
            (folder / f"{number}_document.naf").write_text(text + "\n", encoding="utf-8")
    return folder


def _naf(source: random.Random, *, gold: bool) -> Iterator[str]:
    """Yield the lines of a document: tokens, terms and entities, with ids as the gold or as systems have them."""
    word, term = ("", "") if gold else ("w", "t")
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<NAF version="v3" xml:lang="en">\n  <text>'
    offset = 0
    for token in range(1, TOKENS + 1):
        text = "".join(source.choices("abcdefghijklmnopqrstuvwxyz", k=source.randint(2, 9)))
        place = f'sent="{1 + token // 18}" para="1" offset="{offset}" length="{len(text)}"'
        yield f'    <wf id="{word}{token}" {place}>{text}</wf>'
        offset += len(text) + 1
    yield "  </text>\n  <terms>"
    for token in range(1, TOKENS + 1):
        span = f'<span>\n        <target id="{word}{token}"/>\n      </span>'
        yield f'    <term id="{term}{token}" pos="N" lemma="x">\n      {span}\n    </term>'
    yield "  </terms>\n  <entities>"
    for entity in range(1, ENTITIES + 1):
        yield from _entity(source, entity, term)
    yield "  </entities>\n</NAF>"


def _entity(source: random.Random, entity: int, term: str) -> Iterator[str]:
    begin = source.randint(1, TOKENS - 4)
    targets = "\n".join(f'<target id="{term}{begin + more}"/>' for more in range(source.randint(1, 3)))
    yield f'    <entity id="e{entity}" type="PERSON">\n      <references><span>\n{targets}\n</span></references>'
    yield "      <externalReferences>"
    for _ in range(source.randint(1, 3)):
        name = f"http://dbpedia.org/resource/Entity_{source.randint(1, 300)}"
        yield f'        <externalRef resource="{RESOURCE}" reference="{name}" confidence="{source.random():.3f}"/>'
    yield "      </externalReferences>\n    </entity>"


def table(data: Path, lines: int, side: str) -> Path:
    """Write a file of invented lines, unless it is there already, and return its path."""
    path = data / f"ned-{side}-{lines}.tsv"
    if not path.exists():
        data.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(_table(random.Random(f"{side} {lines}"), lines)), encoding="utf-8")
    return path


def _table(source: random.Random, lines: int) -> Iterator[str]:
    for line in range(lines):
        begin = source.randint(1, 60)
        span = "-".join(str(begin + more) for more in range(source.choice((1, 1, 2, 2, 3))))
        yield f"{line // LINES_PER_DOCUMENT}_document.naf\t{span}\tEntity_{source.randint(1, 3)}\n"
