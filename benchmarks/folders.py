"""How memory grows with the files of a folder: ``python -m benchmarks.folders 10000 160000`` scores so many documents.

Folders of BRAT and of NAF are made in a temporary folder, documents of a sentence each, and scored by one process and
by two. For each it prints the CPU time and the most memory of a process, of the largest of them if there are several.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.measure import run

_WORDS = 20
_LABELS = ("PER", "LOC", "ORG")
_LIMIT = 3600
_DIFFERENT = 1_000


def _sentence(source: random.Random) -> list[str]:
    return [f"w{source.randrange(20_000)}" for _ in range(_WORDS)]


def _brat(number: int, side: str) -> Iterator[tuple[str, str]]:
    words, luck = _sentence(random.Random(number)), random.Random(f"{side} {number}")
    text = " ".join(words)
    yield ".txt", text
    lines = []
    for mention, word in enumerate(luck.sample(words, 3), 1):
        start = text.index(word)
        lines.append(f"T{mention}\t{luck.choice(_LABELS)} {start} {start + len(word)}\t{word}\n")
    yield ".ann", "".join(lines)


def _naf(number: int, side: str) -> Iterator[tuple[str, str]]:
    words, luck = _sentence(random.Random(number)), random.Random(f"{side} {number}")
    lines = ['<?xml version="1.0" encoding="UTF-8"?>\n<NAF version="v3" xml:lang="en">\n<text>']
    offset = 0
    for place, word in enumerate(words, 1):
        lines.append(f'<wf id="w{place}" sent="1" offset="{offset}" length="{len(word)}">{word}</wf>')
        offset += len(word) + 1
    lines.append("</text>\n<terms>")
    lines += [f'<term id="t{place}"><span><target id="w{place}"/></span></term>' for place in range(1, _WORDS + 1)]
    lines.append("</terms>\n<entities>")
    for entity, place in enumerate(luck.sample(range(1, _WORDS + 1), 3), 1):
        name = f"http://dbpedia.org/resource/Entity_{luck.randrange(5)}"
        span = f'<references><span><target id="t{place}"/></span></references>'
        link = f'<externalReferences><externalRef resource="r" reference="{name}" confidence="1"/></externalReferences>'
        lines.append(f'<entity id="e{entity}" type="{luck.choice(_LABELS)}">{span}{link}</entity>')
    lines.append("</entities>\n</NAF>\n")
    yield ".naf", "\n".join(lines)


KINDS: dict[str, tuple[str, Callable[[int, str], Iterator[tuple[str, str]]]]] = {
    "brat": ("semeval2013", _brat),
    "naf": ("newsreader-ned", _naf),
}
"""The protocol by which folders of a format are scored, and what makes the files of a document."""


def _write(folder: Path, kind: str, size: int) -> None:
    """Write so many documents, of which a thousand are different: inventing more would take most of the time."""
    folder.mkdir()
    contents = [list(KINDS[kind][1](number, folder.name)) for number in range(min(size, _DIFFERENT))]
    for number in range(size):
        for ending, content in contents[number % _DIFFERENT]:
            (folder / f"{number}{ending}").write_text(content, encoding="utf-8")


def main() -> None:
    """Measure so many documents each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", type=int, nargs="*", default=[10_000, 40_000, 160_000], help="numbers of documents")
    parser.add_argument("--format", nargs="+", choices=KINDS, default=list(KINDS), help="formats of the folders")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], help="numbers of processes")
    arguments = parser.parse_args()
    print("| format | documents | workers | CPU s | CPU µs a document | peak MiB |\n|---|---|---|---|---|---|")
    for kind in arguments.format:
        for size in arguments.sizes:
            with tempfile.TemporaryDirectory() as name:
                sides = [Path(name, side) for side in ("gold", "system")]
                for folder in sides:
                    _write(folder, kind, size)
                for workers in arguments.workers:
                    words = ["score", KINDS[kind][0], *map(str, sides), "--workers", str(workers)]
                    taken = run([sys.executable, "-m", "karat", *words], Path(name), _LIMIT)
                    each = taken.cpu / size * 1e6
                    cells = f"{kind} | {size:,} | {workers} | {taken.cpu:.1f} | {each:.0f} | {taken.memory:.0f}"
                    print(f"| {cells} |", flush=True)


if __name__ == "__main__":
    main()
