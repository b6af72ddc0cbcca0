"""How time and memory grow with the data: ``python -m benchmarks.scale 1 2 4 8 16`` scores so many million tokens.

HIPE files are made in a temporary folder, documents of a thousand tokens each, and scored by one process and by two.
For each it prints the wall time, the CPU time and the most memory of a process. A hundred million tokens take a few
gigabytes of disk: ``python -m benchmarks.scale 100``.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_TOKENS = 1000
_LABELS = ("pers", "loc", "org", "prod")


def write_corpus(path: Path, documents: int, *, errors: float) -> None:
    """Write a HIPE file, the same for the same number of documents but for errors in the tags."""
    words, mistakes = random.Random(1), random.Random(2)
    with path.open("w", encoding="utf-8") as file:
        file.write("TOKEN\tNE-COARSE-LIT\tMISC\n")
        for number in range(documents):
            file.write(f"# hipe2022:document_id = doc-{number}\n# hipe2022:date = 18{number % 100:02d}-01-20\n")
            for token in range(_TOKENS):
                if token % 20 == 0:
                    file.write("# segment_iiif_link = _\n")
                tag = f"B-{words.choice(_LABELS)}" if words.random() < 0.08 else "O"
                if mistakes.random() < errors:
                    tag = "B-loc"
                file.write(f"w{words.randrange(20_000)}\t{tag}\t_\n")


def measure(gold: Path, system: Path, workers: int) -> tuple[float, float, float]:
    """Return the wall time, the CPU time and the most memory of a process, in seconds and MB."""
    words = [sys.executable, "-m", "karat", "score", "hipe2022-nerc-coarse", str(gold), str(system)]
    began = time.monotonic()
    process = subprocess.Popen([*words, "--workers", str(workers)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"scoring failed with status {status}")
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main(millions: list[float]) -> None:
    """Measure so many million tokens each."""
    print(f"{'million tokens':>14}  {'workers':>7}  {'wall s':>8}  {'CPU s':>8}  {'µs/token':>8}  {'MB':>6}")
    for million in millions:
        documents = int(million * 1_000_000 / _TOKENS)
        with tempfile.TemporaryDirectory() as folder:
            gold, system = Path(folder, "gold.tsv"), Path(folder, "system.tsv")
            write_corpus(gold, documents, errors=0)
            write_corpus(system, documents, errors=0.02)
            for workers in (1, 2):
                wall, cpu, memory = measure(gold, system, workers)
                each = cpu / (documents * _TOKENS) * 1e6
                print(
                    f"{million:>14g}  {workers:>7}  {wall:>8.1f}  {cpu:>8.1f}  {each:>8.2f}  {memory:>6.0f}", flush=True
                )


if __name__ == "__main__":
    main([float(word) for word in sys.argv[1:]] or [1, 2, 4])
