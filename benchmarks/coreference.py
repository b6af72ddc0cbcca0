"""``python -m benchmarks coreference``: coreference scorers and Karat on generated corpora, as a Markdown table.

The references are not part of this repository: check out conll/reference-coreference-scorers (v8.01), ns-moosavi/coval
(commit 87071a6), LoicGrobol/scorch (commit 5b45932) and tollefj/coreference-eval (commit 8d785bd) as ``perl``,
``coval``, ``scorch`` and ``ceval`` in one folder and point at it with --references. Their Python (--python) needs
scipy, tqdm, docopt-ng, jsonlines, and numpy below 1.24 because of SCORCH. Karat computes all measures of ``coref`` at
once; that the references say the same is checked with the protocols that mirror them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import Run, run

HERE = Path(__file__).parent
KARAT = [sys.executable, "-m", "karat", "score"]
SHAPES = ("100x500x100", "1x5000x1000", "1x50000x10000")
ALONE = 20_000
"""Mentions in one document from which on only Karat is run."""

Mention = tuple[int, int, int]
"""The first token, the last one, and the chain."""
Values = list[tuple[str, str, float]]
"""Measures of a protocol with their values, as far as a program prints them."""


class Corpus(NamedTuple):
    """A generated corpus: its size in words, and its files in the formats of the programs, gold first."""

    size: str
    mentions: int
    columns: tuple[str, str]
    lines: tuple[str, str]
    folders: tuple[str, str]


class Reference(NamedTuple):
    """A program: what it is called, its command, the protocol that mirrors it, and how its output is read."""

    name: str
    command: list[str]
    protocol: str
    files: tuple[str, str]
    read: Callable[[str], Values]
    margin: float
    """By how much a value may differ from the one that is printed, which may be rounded or cut off."""


def main(words: Sequence[str]) -> None:
    """Measure every corpus and print the table."""
    arguments = _arguments(words)
    head = ["documents x mentions x chains", "program", "measures", "wall s", "CPU s", "peak MiB"]
    head += ["CPU ratio", "memory ratio"]
    rows: list[str] = []
    for shape in arguments.shapes:
        for row in _rows(corpus(HERE / "data", shape), arguments):
            rows.append(row)
            print(row, file=sys.stderr, flush=True)
    print(f"| {' | '.join(head)} |")
    print(f"|{'---|' * len(head)}")
    print("\n".join(rows))


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "benchmarks coreference", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--references", default=os.environ.get("KARAT_COREFERENCE"), help="folder of the checkouts")
    parser.add_argument("--python", default=os.environ.get("KARAT_COREFERENCE_PYTHON", sys.executable))
    parser.add_argument("--shapes", nargs="+", default=SHAPES, help="documents x mentions x chains")
    parser.add_argument("--limit", type=float, default=300, help="seconds after which a program is stopped")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each program, of which the best counts")
    return parser.parse_args(words)


def _rows(found: Corpus, arguments: argparse.Namespace) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours: dict[tuple[str, str], Run] = {}
        for shape, files in (("jsonlines", found.lines), ("conll2012", found.columns)):
            command = [*KARAT, "coref", *files, "--from", shape, "--all"]
            ours[files] = _least(command, folder, arguments.limit, arguments.repeats)
            yield _line(found, f"Karat, {shape}", "all seven", ours[files], None)
        if not arguments.references or found.mentions >= ALONE:
            return
        for reference in _references(found, Path(arguments.references), arguments.python):
            repeats = 1 if reference.name == "scorer.pl" else arguments.repeats
            theirs = _least(reference.command, folder, arguments.limit, repeats)
            if theirs.finished:
                _compare(reference, folder)
            yield _line(
                found, reference.name, MEASURES[reference.name], theirs, ours.get(reference.files, ours[found.lines])
            )


def _least(command: Sequence[str], folder: Path, limit: float, repeats: int) -> Run:
    """Return the run of several that took least CPU time; the machine may have other things to do."""
    return min((run(command, folder, limit) for _ in range(repeats)), key=lambda taken: taken.cpu)


MEASURES = {
    "scorer.pl": "MUC, B³, CEAFm, CEAFe, BLANC",
    "CoVal": "mentions, MUC, B³, CEAFe, LEA",
    "SCORCH": "MUC, B³, CEAFm, CEAFe, BLANC",
    "coreference-eval": "MUC, B³, CEAFe, LEA",
}


def _references(found: Corpus, folder: Path, python: str) -> Iterator[Reference]:
    module = (
        "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); runpy.run_module(sys.argv.pop(1), None, '__main__')"
    )
    start = [python, "-c", module]
    ceval = [*start, str(folder / "ceval"), "corefeval", "-g", found.lines[0], "-p", found.lines[1]]
    yield Reference("coreference-eval", ceval, "corefeval", found.lines, _of_ceval, 1e-9)
    scorch = [*start, str(folder / "scorch"), "scorch.main", *found.folders]
    yield Reference("SCORCH", scorch, "scorch", found.folders, _of_scorch, 1e-9)
    coval = [python, str(folder / "coval" / "scorer.py"), *found.columns]
    yield Reference("CoVal", coval, "coval", found.columns, _of_coval, 5.1e-5)
    perl = ["perl", str(folder / "perl" / "scorer.pl"), "all", *found.columns, "none"]
    yield Reference("scorer.pl", perl, "conll2012", found.columns, _of_perl, 1.1e-4)


def _compare(one: Reference, folder: Path) -> None:
    """Stop if a program says something else than the protocol that mirrors it."""
    printed = one.read((folder / "output.txt").read_text("utf-8", errors="replace"))
    run([*KARAT, one.protocol, *one.files, "--all", "--view", "json"], folder, limit=600)
    rows = json.loads((folder / "output.txt").read_text("utf-8"))["scores"][0]["rows"]
    values = {(row["measure"], row["regime"]): row["value"] for row in rows}
    if not printed:
        raise SystemExit(f"{one.name} printed no values")
    for measure, regime, value in printed:
        if abs(values[measure, regime] - value) > one.margin:
            raise SystemExit(f"{one.name} says {value} for {measure} of {regime}, Karat {values[measure, regime]}")


def _of_ceval(output: str) -> Values:
    names = {"muc": "muc", "b_cubed": "b3", "ceafe": "ceafe", "lea": "lea"}
    parts = re.findall(r"Running metric: (\w+)\s+Precision:\s+(\S+)\s+Recall:\s+(\S+)\s+F1 score:\s+(\S+)", output)
    return [one for name, *values in parts for one in _three(names[name], values)]


def _of_scorch(output: str) -> Values:
    names = {"MUC": "muc", "B³": "b3", "CEAF_m": "ceafm", "CEAF_e": "ceafe", "BLANC": "blanc"}
    parts = re.findall(r"^(\S+):\tR=(\S+)\tP=(\S+)\tF₁=(\S+)$", output, re.M)
    return [one for name, r, p, f in parts for one in _three(names[name], (p, r, f))]


def _of_coval(output: str) -> Values:
    names = {"mentions": "mentions", "muc": "muc", "bcub": "b3", "ceafe": "ceafe", "lea": "lea"}
    parts = re.findall(r"^(\w+)\s+Recall: (\S+)\s+Precision: (\S+)\s+F1: (\S+)$", output, re.M)
    return [one for name, r, p, f in parts for one in _three(names[name], (p, r, f), 100)]


def _of_perl(output: str) -> Values:
    names = {"muc": "muc", "bcub": "b3", "ceafm": "ceafm", "ceafe": "ceafe"}
    ratios = r"Recall: \([^)]*\) (\S+)%\s+Precision: \([^)]*\) (\S+)%\s+F1: (\S+)%"
    parts = re.findall(rf"METRIC (\w+):.*?^Coreference: {ratios}", output.partition("METRIC blanc")[0], re.M | re.S)
    parts += [("blanc", *found) for found in re.findall(rf"^BLANC: {ratios}", output, re.M)]
    return [one for name, r, p, f in parts for one in _three(names.get(name, name), (p, r, f), 100)]


def _three(regime: str, values: Sequence[str], whole: float = 1) -> Values:
    measures = ("precision", "recall", "f1")
    return [(measure, regime, float(value) / whole) for measure, value in zip(measures, values, strict=True)]


def _line(found: Corpus, program: str, measures: str, taken: Run, ours: Run | None) -> str:
    more = "" if taken.finished else "> "
    cells = [found.size, program, measures, f"{more}{taken.wall:.2f}", f"{more}{taken.cpu:.2f}", f"{taken.memory:.0f}"]
    cells += ["", ""] if ours is None else [f"{more}{taken.cpu / ours.cpu:.1f}", f"{taken.memory / ours.memory:.1f}"]
    return f"| {' | '.join(cells)} |"


def corpus(data: Path, shape: str) -> Corpus:
    """Write a corpus in all formats, unless it is there already."""
    documents, mentions, chains = map(int, shape.split("x"))
    folder = data / f"coref-{shape}"
    if not folder.exists():
        source = random.Random(shape)
        gold = [_mentions(source, mentions, chains) for _ in range(documents)]
        ends = [{end for _, end, _ in (*one[4::5], one[-1])} for one in gold]
        folder.mkdir(parents=True)
        _write(folder, "gold", gold, ends)
        _write(folder, "system", [_with_errors(source, one, chains) for one in gold], ends)
    paths = [(str(folder / f"gold{ending}"), str(folder / f"system{ending}")) for ending in (".conll", ".jsonl", "")]
    return Corpus(" x ".join(f"{number:,}" for number in (documents, mentions, chains)), mentions, *paths)


def _mentions(source: random.Random, mentions: int, chains: int) -> list[Mention]:
    """Return mentions of one to three tokens with a gap behind each; every chain has two at least."""
    of_chains = [*range(chains), *range(chains), *source.choices(range(chains), k=mentions - 2 * chains)]
    source.shuffle(of_chains)
    found, start = [], 1
    for chain in of_chains:
        end = start + source.choice((0, 0, 1, 2))
        found.append((start, end, chain))
        start = end + source.randint(2, 6)
    return found


def _with_errors(source: random.Random, gold: Sequence[Mention], chains: int) -> list[Mention]:
    """Return what a system makes of the mentions: one in ten is missed, as many are invented, one in eight strays."""
    found = []
    for start, end, chain in gold:
        luck = source.random()
        if luck < 0.1:
            continue
        if luck < 0.225:
            chain = source.randrange(chains)
        found.append((start, end, chain))
        if luck > 0.9:
            found.append((end + 1, end + 1, source.randrange(chains)))
    return found


def _write(folder: Path, side: str, documents: Sequence[Sequence[Mention]], ends: Sequence[set[int]]) -> None:
    chains = [_chains(document) for document in documents]
    columns = (line for number, document in enumerate(documents) for line in _columns(number, document, ends[number]))
    (folder / f"{side}.conll").write_text("".join(columns), encoding="utf-8")
    lines = (f'{{"doc_key": "doc_{number:05}", "clusters": {chain}}}\n' for number, chain in enumerate(chains))
    (folder / f"{side}.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / side).mkdir()  # SCORCH takes doc_10.json for the gold of doc_1.json: names have one length
    for number, one in enumerate(chains):
        named = ", ".join(f'"{at}": {[f"{s}-{e}" for s, e in chain]}' for at, chain in enumerate(one))
        text = f'{{"type": "clusters", "clusters": {{{named}}}}}\n'.replace("'", '"')
        (folder / side / f"doc_{number:05}.json").write_text(text, encoding="utf-8")


def _chains(mentions: Sequence[Mention]) -> list[list[list[int]]]:
    found: dict[int, list[list[int]]] = {}
    for start, end, chain in mentions:
        found.setdefault(chain, []).append([start, end])
    return list(found.values())


def _columns(number: int, mentions: Sequence[Mention], ends: set[int]) -> Iterator[str]:
    """Yield the lines of a document in columns; sentences end behind the tokens ``ends``, mentions never overlap."""
    cells = ["-"] * (max(ends) + 2)
    for start, end, chain in mentions:
        if start == end:
            cells[start] = f"({chain})"
        else:
            cells[start], cells[end] = f"({chain}", f"{chain})"
    yield f"#begin document (doc_{number:05}); part 000\n"
    for at, cell in enumerate(cells):
        yield f"doc_{number:05}\t0\t{at}\tword{at % 997}\t{cell}\n"
        if at in ends:
            yield "\n"
    yield "\n#end document\n"
