"""``python -m benchmarks tags``: seqeval and nervaluate beside the modules of Karat that stand in for them.

The packages are not part of this repository: install seqeval 1.2.2 and nervaluate 1.2.1 into an environment of their
own and point at its Python with --python. Each task is the call that people make, import included, on the same tags;
CPU seconds are measured within the process, without reading the data. Both must give the same answer. The least ratio
that is asked for stands in the table; a missed one fails the run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
TYPES = ("PER", "LOC", "ORG", "MISC", "PROD")


class Task(NamedTuple):
    """A call: the module and code for either side, the size of its data, and how many times as fast Karat has to be."""

    title: str
    package: str
    code: str
    documents: int
    tokens: int
    target: float


_REPORT = "from {package}.metrics import classification_report\nanswer = classification_report(gold, system)"
_STRICT = (
    "from {package}.metrics import classification_report\nfrom {package}.scheme import IOB2\n"
    "answer = classification_report(gold, system, mode='strict', scheme=IOB2)"
)
_EVALUATE = (
    "from {package} import Evaluator\nfound = Evaluator(gold, system, tags=TYPES, loader='{loader}').evaluate()\n"
    "answer = str([found['overall'], sorted(found['entities'].items())])"
)
TASKS = (
    Task("seqeval, report", "seqeval", _REPORT, 40_000, 25, 2),
    Task("seqeval, strict report", "seqeval", _STRICT, 40_000, 25, 2),
    Task("nervaluate, dictionaries", "nervaluate", _EVALUATE.replace("{loader}", "dict"), 10_000, 50, 10),
    Task("nervaluate, tags", "nervaluate", _EVALUATE.replace("{loader}", "list"), 10_000, 50, 10),
    Task("nervaluate, columns", "nervaluate", _EVALUATE.replace("{loader}", "conll"), 10_000, 50, 10),
    Task("nervaluate, dictionaries", "nervaluate", _EVALUATE.replace("{loader}", "dict"), 10_000, 200, 10),
    Task("nervaluate, tags", "nervaluate", _EVALUATE.replace("{loader}", "list"), 10_000, 200, 10),
    Task("nervaluate, columns", "nervaluate", _EVALUATE.replace("{loader}", "conll"), 10_000, 200, 10),
)
_CHILD = """
import json, sys, time
gold, system = json.load(open(sys.argv[1]))
TYPES = {types!r}
begin = time.process_time()
{code}
print(json.dumps([time.process_time() - begin, str(answer)]))
"""


def main(words: Sequence[str]) -> None:
    """Measure every task and print the table."""
    parser = argparse.ArgumentParser("benchmarks tags", description=__doc__)
    parser.add_argument("--python", default=os.environ.get("KARAT_TAGS_PYTHON"), help="a Python with the packages")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each, of which the best counts")
    arguments = parser.parse_args(words)
    head = ("call", "documents", "tokens of each", "Karat CPU s", "package CPU s", "ratio", "at least")
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    missed = []
    for task in TASKS:
        data = corpus(task)
        ours, answer = best(sys.executable, f"karat.compat.{task.package}", task, data, arguments.repeats)
        cells = [task.title, f"{task.documents:,}", str(task.tokens), f"{ours:.2f}"]
        if arguments.python:
            theirs, other = best(arguments.python, task.package, task, data, 1)
            if answer != other:
                raise SystemExit(f"{task.title}: the answers differ")
            cells += [f"{theirs:.2f}", f"{theirs / ours:.1f}", f"{task.target:g}" if task.target else ""]
            missed += [task.title] if theirs < task.target * ours else []
        print(f"| {' | '.join(cells)} |", flush=True)
    if missed:
        raise SystemExit(f"slower than asked for: {', '.join(missed)}")


def best(python: str, package: str, task: Task, data: Path, repeats: int) -> tuple[float, str]:
    """Return the least CPU seconds of some runs, and the answer."""
    code = _CHILD.format(types=TYPES, code=task.code.replace("{package}", package))
    runs = []
    for _ in range(repeats):
        done = subprocess.run([python, "-c", code, str(data)], check=True, capture_output=True, text=True)
        runs.append(json.loads(done.stdout))
    return min(seconds for seconds, _ in runs), runs[0][1]


def corpus(task: Task) -> Path:
    """Write the tags, or entities, of both sides, unless they are there already, and return the file."""
    kind = next((kind for kind in ("dict", "conll") if kind in task.code), "list")
    path = HERE / "data" / f"tags-{task.documents}-{task.tokens}-{kind}.json"
    if not path.exists():
        source = random.Random(task.tokens)
        gold = [_tags(source, task.tokens) for _ in range(task.documents)]
        system = [_with_errors(source, tags) for tags in gold]
        sides = [_AS[kind](side) for side in (gold, system)]
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(sides), "utf-8")
    return path


def _columns(side: Sequence[Sequence[str]]) -> str:
    return "\n\n".join("\n".join(f"word\t{tag}" for tag in tags) for tags in side)


def _tags(source: random.Random, size: int) -> list[str]:
    tags: list[str] = []
    while len(tags) < size:
        if source.random() < 0.15:
            label = source.choice(TYPES)
            tags += [f"B-{label}", *[f"I-{label}"] * source.randint(0, 3)]
        else:
            tags.append("O")
    return tags[:size]


def _with_errors(source: random.Random, tags: Sequence[str]) -> list[str]:
    wrong = ("O", "B-PER", "I-LOC", "B-ORG")
    return [source.choice(wrong) if source.random() < 0.03 else tag for tag in tags]


def _entities(tags: Sequence[str]) -> list[dict[str, object]]:
    from karat.protocols.spans.readings import nervaluate

    return [{"label": label, "start": start, "end": end - 1} for start, end, label in nervaluate(tags)]


_AS: dict[str, Callable[[Sequence[Sequence[str]]], object]] = {
    "list": list,
    "dict": lambda side: [_entities(tags) for tags in side],
    "conll": _columns,
}
"""How the tags of a side are given to each loader."""
