"""``python -m benchmarks ontology``: likeness by an ontology, Karat beside kgtk-similarity, and Karat at scale.

The reference is not part of this repository: check out usc-isi-i2/kgtk-similarity (commit 859e9dc) and usc-isi-i2/kgtk
(commit b8d946b4) as ``kgtk-similarity`` and ``kgtk`` in one folder and point at it with --references. Its Python
(--python) needs numpy below 2, pandas, attrs, lz4, sh 1.14.3, shortuuid, parsley, iso-639, pycountry, unidecode,
odictliteral, rfc3986 and requests. Both compute class and jc of the same pairs in the same small graph, and the values
are compared. The large ontology has cycles and multiple inheritance, and is asked from a cold start.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from multiprocessing import Process
from pathlib import Path

import numpy as np

from benchmarks.measure import run
from karat.vocabularies.ontology.building import build
from karat.vocabularies.ontology.index import ROOT, Ontology
from karat.vocabularies.ontology.similarity import measure

HERE = Path(__file__).parent
HEADER = "id\tnode1\tlabel\tnode2\n"


def main(words: Sequence[str]) -> None:
    """Measure both, and print two tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks ontology", description=__doc__)
    parser.add_argument("--references", type=Path, help="the folder of the checkouts; without it only Karat is run")
    parser.add_argument("--python", default=sys.executable, help="the Python of the reference")
    parser.add_argument("--small", type=int, default=5_000, help="edges of the small graph (default: 5000)")
    parser.add_argument("--edges", type=int, default=10_000_000, help="edges of the large one (default: 10 million)")
    parser.add_argument("--pairs", type=int, default=10_000, help="pairs to ask of the large one (default: 10000)")
    arguments = parser.parse_args(words)
    os.environ["PYTHONPATH"] = str(HERE.parent / "src")
    with tempfile.TemporaryDirectory() as place:
        if arguments.references:
            side_by_side(Path(place), arguments.small, arguments.references, arguments.python)
        at_scale(Path(place), arguments.edges, arguments.pairs)


def generate(folder: Path, edges: int, pairs: int) -> None:
    """Write ``claims.tsv``, ``labels.en.tsv`` and ``pairs.tsv``.

    A thirtieth of the edges makes a tree of classes; three classes in ten have a second parent, one in a hundred is
    also a superclass of its parent. The other edges put things into classes, the general ones more often.
    """
    random = np.random.default_rng(7)
    classes = max(edges // 30, 10)
    child = np.arange(1, classes)
    parent = (random.random(classes - 1) * child).astype(np.int64)
    second = random.integers(1, classes, 3 * classes // 10)
    round_about = random.integers(0, classes - 1, classes // 100)
    below = np.concatenate((child, second, parent[round_about]))
    above = np.concatenate((parent, (random.random(len(second)) * second).astype(np.int64), child[round_about]))
    rest = edges - len(below)
    things = classes + np.sort(random.integers(0, int(0.8 * rest), rest))
    kinds = random.choice(["P31", "P106", "P39"], rest, p=[0.75, 0.2, 0.05])
    of = (classes * random.random(rest) ** 3).astype(np.int64)
    with (folder / "claims.tsv").open("w") as stream:
        stream.write(HEADER)
        rows = zip(_names(below), ["P279"] * len(below), _names(above), strict=True)
        stream.writelines(f"C{number}\t{a}\t{kind}\t{b}\n" for number, (a, kind, b) in enumerate(rows))
        rows = zip(_names(things), kinds.tolist(), _names(of), strict=True)
        stream.writelines(f"T{number}\t{a}\t{kind}\t{b}\n" for number, (a, kind, b) in enumerate(rows))
    labels = [f"L{number}\tQ{number}\tlabel\t'thing {number}'@en\n" for number in range(100_000, 100_000 + classes)]
    (folder / "labels.en.tsv").write_text(HEADER + "".join(labels))
    asked = zip(*(_names(random.choice(np.concatenate((child, things)), pairs)) for _ in range(2)), strict=True)
    (folder / "pairs.tsv").write_text("q1\tq2\n" + "".join(f"{a}\t{b}\n" for a, b in asked))


def _names(numbers: Iterable[int]) -> list[str]:
    return [f"Q{number + 100_000}" if number else ROOT for number in np.asarray(numbers).tolist()]


def side_by_side(place: Path, edges: int, references: Path, python: str) -> None:
    """Ask both about the same pairs of a small graph, compare the values, and print the time for each pair."""
    folder = place / "small"
    folder.mkdir()
    generate(folder, edges, 1_000)
    build(str(folder / "index"), [str(folder / "claims.tsv"), str(folder / "labels.en.tsv")])
    ontology = Ontology(str(folder / "index"))
    write_tables(ontology, folder)
    script = str(HERE / "kgtk_similarity.py")
    words = [python, script, str(references), str(folder), str(folder / "pairs.tsv")]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    seconds, *lines = done.stdout.splitlines()[-1001:]
    pairs = [tuple(line.split("\t")) for line in (folder / "pairs.tsv").read_text().splitlines()[1:]]
    begin = time.perf_counter()
    found = measure(Ontology(str(folder / "index")), pairs)
    own = time.perf_counter() - begin
    for one, line in zip(found, lines, strict=True):
        if not np.allclose(one[:2], json.loads(line), rtol=0, atol=1e-9):
            raise SystemExit(f"the values differ: {one} and {line}")
    theirs, own = float(seconds) * 1000 / len(pairs), own * 1000 / len(pairs)
    print("| pairs of a small graph, class and jc | ms for each pair | ratio |\n|---|---|---|")
    print(f"| kgtk-similarity | {theirs:.3f} | |")
    print(f"| karat | {own:.4f} | {theirs / own:.0f} |\n")


def write_tables(ontology: Ontology, folder: Path) -> None:
    """Write the tables that kgtk-similarity needs beside the claims: the closure, and the counts in two forms."""
    arrays = ontology.arrays
    names = [ontology.name(node) for node in range(ontology.size)]
    counts = ontology.counts.tolist()
    stars: list[str] = []
    for node, row in enumerate(arrays["closure_row"].tolist()):
        if row >= 0:
            start, end = arrays["closure_offsets"][row : row + 2].tolist()
            stars += [f"{names[node]}\tP279star\t{names[one]}" for one in arrays["closure_members"][start:end].tolist()]
    features = ontology.features(np.arange(ontology.size))
    classes = (features.keys % ontology.size).tolist()
    compact: list[str] = []
    for node in range(ontology.size):
        own = classes[features.offsets[node] : features.offsets[node + 1]]
        if own:
            compact.append(f"{names[node]}\tclass_count\t" + "|".join(f"{names[one]}:{counts[one]}" for one in own))
    members = [f"{name}\tcount\t{count}" for name, count in zip(names, counts, strict=True) if count >= 0]
    tables = {"derived.P279star": stars, "class_counts": members, "class_counts.compact": compact}
    for name, rows in tables.items():
        text = "".join(f"E{number}\t{row}\n" for number, row in enumerate(rows))
        (folder / f"{name}.tsv").write_text(HEADER + text)


def at_scale(place: Path, edges: int, pairs: int) -> None:
    """Build a large ontology and ask it, each in a process of its own."""
    folder = place / "large"
    folder.mkdir()
    # In a process of its own: the peak memory of this one would be counted as that of the programs it starts.
    generator = Process(target=generate, args=(folder, edges, pairs))
    generator.start()
    generator.join()
    karat = [sys.executable, "-m", "karat", "ontology"]
    built = run([*karat, "build", "index", "claims.tsv", "labels.en.tsv"], folder, 3600)
    asked = run([*karat, "similarity", "index", "--pairs", "pairs.tsv"], folder, 3600)
    size = sum(file.stat().st_size for file in (folder / "index").iterdir()) / 2**20
    print("| karat | wall s | CPU s | peak MiB |\n|---|---|---|---|")
    print(f"| build from {edges:,} edges ({size:,.0f} MiB) | {built.wall:.1f} | {built.cpu:.1f} | {built.memory:.0f} |")
    print(f"| {pairs:,} pairs from a cold start | {asked.wall:.2f} | {asked.cpu:.2f} | {asked.memory:.0f} |")
