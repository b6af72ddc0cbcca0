"""``python -m benchmarks hipe``: the HIPE scorer and Karat on generated files, as a Markdown table.

The reference is not part of this repository: check out hipe-eval/HIPE-scorer (revision c2a5684) somewhere, give a
Python that has its requirements, and point at both with --reference and --reference-python.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.generate import hipe_pair
from benchmarks.measure import Run, best

HERE = Path(__file__).parent
SIZES = (100_000, 400_000, 1_600_000)
TOKENS_PER_DOCUMENT = 1_000


def main(words: Sequence[str]) -> None:
    """Measure every size, as many documents and as one, and print the table."""
    arguments = _arguments(words)
    rows = []
    for tokens in arguments.sizes:
        for documents in (tokens // TOKENS_PER_DOCUMENT, 1):
            gold, system = hipe_pair(HERE / "data", tokens, documents)
            rows.append(_row(tokens, documents, gold, system, arguments))
            print(rows[-1], file=sys.stderr, flush=True)
    head = ["tokens", "documents", "program", "wall s", "CPU s", "peak MiB", "wall ratio", "memory ratio"]
    print(f"| {' | '.join(head)} |")
    print(f"|{'---|' * len(head)}")
    print("\n".join(rows))


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "benchmarks hipe", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reference", default=os.environ.get("KARAT_HIPE_SCORER"), help="checkout of the HIPE scorer")
    parser.add_argument("--reference-python", default=os.environ.get("KARAT_HIPE_PYTHON", sys.executable))
    parser.add_argument("--task", default="nerc_coarse", choices=("nerc_coarse", "nerc_fine", "nel"))
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="tokens")
    parser.add_argument("--limit", type=float, default=300, help="seconds after which the reference is stopped")
    parser.add_argument("--repeats", type=int, default=3, help="runs of Karat, of which the best counts")
    return parser.parse_args(words)


def _row(tokens: int, documents: int, gold: Path, system: Path, arguments: argparse.Namespace) -> str:
    words = ["--ref", str(gold), "--pred", str(system), "--task", arguments.task, "--outdir", ".", "--log", "log.txt"]
    words += ["--skip-check", "--hipe_edition", "hipe-2022"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours = best(
            [sys.executable, "-m", "karat", "hipe", "evaluate", *words],
            folder,
            limit=arguments.limit,
            repeats=arguments.repeats,
        )
        made = {path.name: path.read_bytes() for path in folder.glob("*.json")}
        lines = [_line(tokens, documents, "Karat", ours, None)]
        if arguments.reference:
            script = str(Path(arguments.reference) / "clef_evaluation.py")
            theirs = best([arguments.reference_python, script, *words], folder, limit=arguments.limit, repeats=1)
            same = all((folder / file).read_bytes() == content for file, content in made.items())
            if theirs.finished and not same:
                raise SystemExit(f"the results differ on {gold.name}")
            lines.append(_line(tokens, documents, "HIPE-scorer", theirs, ours))
    return "\n".join(lines)


def _line(tokens: int, documents: int, program: str, run: Run, ours: Run | None) -> str:
    more = "" if run.finished else "> "
    ratios = ("", "") if ours is None else (f"{more}{run.wall / ours.wall:.1f}", f"{run.memory / ours.memory:.1f}")
    cells = [f"{tokens:,}", f"{documents:,}", program]
    cells += [f"{more}{run.wall:.2f}", f"{more}{run.cpu:.2f}", f"{run.memory:.0f}", *ratios]
    return f"| {' | '.join(cells)} |"
