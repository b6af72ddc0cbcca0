"""How time and memory grow with the data: ``python -m benchmarks.scale 1 2 4 8 16`` scores so many million tokens.

HIPE files, CoNLL columns (``--format conll``) or JSON lines (``--format jsonl``) are made in a temporary folder,
documents of a thousand tokens each, and scored by one process and by two. For each it prints the wall time, the CPU
time and the most memory of a process. A hundred million tokens take a few gigabytes of disk:
``python -m benchmarks.scale 100``.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

_TOKENS = 1000
_SEGMENT = 20
_LABELS = ("pers", "loc", "org", "prod")

Rows = list[tuple[str, str]]
"""The tokens of a document with their tags."""


def documents(number: int, *, errors: float) -> Iterator[Rows]:
    """Yield so many documents, the same each time but for errors in the tags."""
    words, mistakes = random.Random(1), random.Random(2)
    for _ in range(number):
        rows = []
        for _ in range(_TOKENS):
            tag = f"B-{words.choice(_LABELS)}" if words.random() < 0.08 else "O"
            if mistakes.random() < errors:
                tag = "B-loc"
            rows.append((f"w{words.randrange(20_000)}", tag))
        yield rows


def hipe(number: int, rows: Rows) -> str:
    """Return a document as HIPE has it; the first begins with the header."""
    lines = ["TOKEN\tNE-COARSE-LIT\tMISC"] if not number else []
    lines += [f"# hipe2022:document_id = doc-{number}", f"# hipe2022:date = 18{number % 100:02d}-01-20"]
    for token, (form, tag) in enumerate(rows):
        lines += [] if token % _SEGMENT else ["# segment_iiif_link = _"]
        lines.append(f"{form}\t{tag}\t_")
    return "\n".join(lines) + "\n"


def conll(number: int, rows: Rows) -> str:
    """Return a document as columns."""
    segments = (rows[first : first + _SEGMENT] for first in range(0, len(rows), _SEGMENT))
    lines = ("".join(f"{form}\t{tag}\n" for form, tag in segment) for segment in segments)
    return f"# newdoc id = doc-{number}\n" + "\n".join(lines) + "\n"


def jsonl(number: int, rows: Rows) -> str:
    """Return a document as a line of JSON."""
    mentions, offset = [], 0
    for form, tag in rows:
        if tag != "O":
            span = (offset, offset + len(form))
            mentions.append({"id": f"T{len(mentions)}", "spans": [span], "labels": [tag[2:]], "text": form})
        offset += len(form) + 1
    text = " ".join(form for form, _ in rows)
    return json.dumps({"id": f"doc-{number}", "text": text, "mentions": mentions}) + "\n"


FORMATS: dict[str, tuple[Callable[[int, Rows], str], str]] = {
    "hipe": (hipe, "hipe2022-nerc-coarse"),
    "conll": (conll, "conll2003"),
    "jsonl": (jsonl, "conll2003"),
}
"""How documents are written, and by which protocol they are scored."""


def measure(protocol: str, gold: Path, system: Path, workers: int) -> tuple[float, float, float]:
    """Return the wall time, the CPU time and the most memory of a process, in seconds and MB."""
    words = [sys.executable, "-m", "karat", "score", protocol, str(gold), str(system)]
    began = time.monotonic()
    process = subprocess.Popen([*words, "--workers", str(workers)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"scoring failed with status {status}")
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    """Measure so many million tokens each."""
    parser = argparse.ArgumentParser("benchmarks.scale", description=__doc__)
    parser.add_argument("millions", type=float, nargs="*", default=[1, 2, 4], help="millions of tokens")
    parser.add_argument("--format", choices=FORMATS, default="hipe", help="the format of the files")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], help="how many processes score")
    arguments = parser.parse_args()
    written, protocol = FORMATS[arguments.format]
    print(f"{'million tokens':>14}  {'workers':>7}  {'wall s':>8}  {'CPU s':>8}  {'µs/token':>8}  {'MB':>6}")
    for million in arguments.millions:
        size = int(million * 1_000_000 / _TOKENS)
        with tempfile.TemporaryDirectory() as folder:
            sides = Path(folder, f"gold.{arguments.format}"), Path(folder, f"system.{arguments.format}")
            for path, errors in zip(sides, (0, 0.02), strict=True):
                with path.open("w", encoding="utf-8") as file:
                    file.writelines(written(number, rows) for number, rows in enumerate(documents(size, errors=errors)))
            for workers in arguments.workers:
                wall, cpu, memory = measure(protocol, *sides, workers)
                each = cpu / (size * _TOKENS) * 1e6
                print(
                    f"{million:>14g}  {workers:>7}  {wall:>8.1f}  {cpu:>8.1f}  {each:>8.2f}  {memory:>6.0f}", flush=True
                )


if __name__ == "__main__":
    main()
