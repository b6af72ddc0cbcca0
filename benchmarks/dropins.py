"""``python -m benchmarks dropins``: the commands that stand in for programs of tags and relations, beside these.

``--references`` (or ``KARAT_REFERENCES``) names a folder that has each program under the name of its repository, as
``tests/differential`` finds them; one that is not there is left out, which its row says. CPU seconds are those of the
whole process, start-up and imports included, the best of some runs in turns; Python programs run by the Python that
runs Karat. Both must print the same bytes. Python must be allowed to keep compiled modules: they are what a user has.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
SCRIPTS = HERE.parent / "tests" / "differential" / "scripts"
KARAT = (sys.executable, "-m", "karat")
LABELS = ("A", "B", "C")


class Command(NamedTuple):
    """A command with the program it stands in for: its file below the references, the words of both, and the data."""

    title: str
    data: str
    program: str
    words: Sequence[str]
    """What the program is called with; ``{program}`` is its file."""
    karat: Sequence[str]
    stdin: str = ""
    room: str = "."


COMMANDS = (
    Command(
        "`karat conlleval`, conlleval.pl",
        "200,000 tokens",
        "seqeval/tests/conlleval.pl",
        ("perl", "{program}"),
        ("conlleval",),
        stdin="tags",
    ),
    Command(
        "`karat wnut17`, wnuteval.py",
        "200,000 tokens",
        "noisy-text.github.io/2017/files/wnuteval.py",
        (sys.executable, str(SCRIPTS / "with_reduce.py"), "{program}", "columns"),
        ("wnut17",),
        stdin="columns",
    ),
    Command(
        "`karat docred`, evaluation.py",
        "1,000 documents, 6,000 for training",
        "DocRED/code/evaluation.py",
        (sys.executable, "{program}", "in", "out"),
        ("docred", "in", "out"),
        room="docred/code",
    ),
    Command(
        "`karat semeval2010 score`, scorer 1.2",
        "20,000 sentences",
        "R-BERT/eval/semeval2010_task8_scorer-v1.2.pl",
        ("perl", "{program}", "proposed", "key"),
        ("semeval2010", "score", "proposed", "key"),
    ),
    Command(
        "`karat tacred`, scorer.py",
        "100,000 lines",
        "tacred-relation/utils/scorer.py",
        (sys.executable, "{program}", "gold", "system"),
        ("tacred", "gold", "system"),
    ),
    Command(
        "`karat pure`, run_eval.py without torch",
        "1,500 documents",
        "PURE/run_eval.py",
        (
            *(sys.executable, str(SCRIPTS / "without_modules.py"), "torch,torch.utils,torch.utils.data"),
            *("{program}", "--prediction_file", "predictions.json"),
        ),
        ("pure", "--prediction_file", "predictions.json"),
    ),
)


def main(words: Sequence[str]) -> None:
    """Measure every command and print the table."""
    parser = argparse.ArgumentParser("benchmarks dropins", description=__doc__)
    parser.add_argument("--references", default=os.environ.get("KARAT_REFERENCES"), help="the folder of the programs")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each, of which the best counts")
    arguments = parser.parse_args(words)
    room = corpus()
    print("| command | data | Karat CPU s | program CPU s | ratio |\n|---|---|---|---|---|")
    slower = []
    for command in COMMANDS:
        program = Path(arguments.references or "", command.program).absolute()
        is_there = bool(arguments.references) and program.exists()
        ours, theirs = measured(command, program if is_there else None, room, arguments.repeats)
        cells = (f"{theirs:.2f}", f"{theirs / ours:.2f}") if theirs else ("not there", "")
        print(f"| {' | '.join((command.title, command.data, f'{ours:.2f}', *cells))} |", flush=True)
        slower += [command.title] if theirs and theirs < ours else []
    if slower:
        raise SystemExit(f"slower than the program: {', '.join(slower)}")


def measured(command: Command, program: Path | None, room: Path, repeats: int) -> tuple[float, float]:
    """Return the least CPU seconds of Karat and of the program, 0 if it is not there; both must print the same."""
    calls = [[*KARAT, *command.karat]]
    if program is not None:
        calls.append([word.replace("{program}", str(program)) for word in command.words])
    least = [float("inf")] * len(calls)
    for _ in range(repeats):
        printed = []
        for number, call in enumerate(calls):
            for kept in (room / command.room).glob("in/ref/*.fact"):
                kept.unlink()
            path = str(program.parent) if program is not None and number else os.environ.get("PYTHONPATH", "")
            seconds, output = run(call, room / command.room, room / command.stdin if command.stdin else None, path)
            least[number] = min(least[number], seconds)
            printed.append(output)
        if len(set(printed)) > 1:
            raise SystemExit(f"{command.title}: what is printed differs")
    return least[0], least[1] if program is not None else 0.0


def run(call: Sequence[str], room: Path, stdin: Path | None, path: str) -> tuple[float, bytes]:
    """Return the CPU seconds of a process, and what it printed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with (stdin or Path(os.devnull)).open("rb") as given:
        done = subprocess.run(
            call, cwd=room, stdin=given, capture_output=True, check=False, env=environment | {"PYTHONPATH": path}
        )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(call)} failed:\n{done.stderr.decode(errors='replace')[-2000:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def corpus() -> Path:
    """Write the files of all commands, unless they are there already, and return their folder."""
    room = HERE / "data" / "dropins"
    if (room / "whole").exists():
        return room
    room.mkdir(parents=True, exist_ok=True)
    source = random.Random(20)
    _write_tags(source, room)
    _write_labels(source, room)
    _write_relations(source, room)
    _write_docred(source, room / "docred")
    (room / "whole").touch()
    return room


def _write_tags(source: random.Random, room: Path) -> None:
    gold: list[str] = []
    for _ in range(200_000):
        chance, before = source.random(), gold[-1] if gold else "O"
        gold.append("O" if chance < 0.8 else f"I-{before[2:]}" if before != "O" and chance > 0.9 else "B-person")
    system = [tag if source.random() < 0.95 else source.choice(("O", "B-person", "I-group")) for tag in gold]
    for name, separator in (("tags", " "), ("columns", "\t")):
        rows = (
            separator.join((f"w{number % 5000}", *pair)) + "\n" * (1 + (number % 20 == 19))
            for number, pair in enumerate(zip(gold, system, strict=True))
        )
        _write(room / name, rows)


def _write_labels(source: random.Random, room: Path) -> None:
    relations = [*["no_relation"] * 5, *(f"rel:{number}" for number in range(40))]
    gold = [source.choice(relations) for _ in range(100_000)]
    _write(room / "gold", (f"{label}\n" for label in gold))
    _write(room / "system", (f"{_or_another(source, label, relations)}\n" for label in gold))
    names = ("Cause-Effect", "Component-Whole", "Entity-Origin", "Message-Topic")
    answers = ["Other", *(f"{name}({order})" for name in names for order in ("e1,e2", "e2,e1"))]
    key = [source.choice(answers) for _ in range(20_000)]
    for name, given in (("key", key), ("proposed", [_or_another(source, label, answers) for label in key])):
        _write(room / name, (f"{number}\t{label}\n" for number, label in enumerate(given, start=1)))


def _or_another(source: random.Random, label: str, labels: Sequence[str]) -> str:
    return label if source.random() < 0.7 else source.choice(labels)


def _write_relations(source: random.Random, room: Path) -> None:
    def entities(first: int) -> list[list[object]]:
        starts = source.sample(range(first, first + 6), 3)
        return [[start, start + 1, source.choice(LABELS)] for start in starts]

    def links(spans: Sequence[Sequence[object]]) -> list[list[object]]:
        return [[*source.choice(spans)[:2], *source.choice(spans)[:2], source.choice(LABELS)] for _ in range(2)]

    lines = []
    for number in range(1500):
        firsts = range(0, 8 * source.randint(1, 3), 8)
        gold = [entities(first) for first in firsts]
        system = [[*source.sample(spans, 2), *entities(first)[:1]] for spans, first in zip(gold, firsts, strict=True)]
        relations = [links(spans) for spans in gold]
        line = {"doc_key": f"d{number}", "sentences": [["w"] * 8 for _ in firsts], "ner": gold, "relations": relations}
        found = [[*several[:1], *links(spans)] for several, spans in zip(relations, system, strict=True)]
        lines.append(json.dumps(line | {"predicted_ner": system, "predicted_relations": found}) + "\n")
    _write(room / "predictions.json", lines)


def _write_docred(source: random.Random, room: Path) -> None:
    def facts(number: int) -> list[dict[str, object]]:
        names, ends = ("P17", "P131", "P27", "P150"), range(12)
        return [
            {"r": source.choice(names), "h": source.choice(ends), "t": source.choice(ends), "evidence": [0, 2]}
            for _ in range(number)
        ]

    def mentions() -> list[dict[str, object]]:
        return [{"name": f"n{source.randrange(3000)}", "sent_id": 0, "pos": [0, 1], "type": "X"} for _ in range(2)]

    def documents(number: int) -> list[dict[str, object]]:
        sentences = [["w"] * 20] * 4
        return [
            {"title": f"T{n}", "vertexSet": [mentions() for _ in range(12)], "labels": facts(12), "sents": sentences}
            for n in range(number)
        ]

    gold = documents(1000)
    given = [
        {"title": document["title"], "h_idx": fact["h"], "t_idx": fact["t"], "r": fact["r"], "evidence": [0, 1]}
        for document in gold
        for fact in [*document["labels"], *facts(4)]  # type: ignore[misc]
        if source.random() < 0.8
    ]
    files = {"code/in/ref/dev_test": gold, "code/in/res/result": given}
    files |= {f"data/{name}": documents(3000) for name in ("train_annotated", "train_distant")}
    (room / "code" / "out").mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        _write(room / f"{name}.json", [json.dumps(content)])


def _write(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), "utf-8")
