"""``python -m benchmarks omin``: the comparison of tools, Karat in one command beside the programs one by one.

Neither the results nor the reference are part of this repository. --pack names the public cases of the conformance
pack, which hold results that trusted_ke published. --references names a folder with checkouts of nd-crane/trusted_ke
(135462ae) as ``trusted_ke`` and davidsbatista/NER-Evaluation (054d52a) as ``NER-Evaluation``; --python a Python with
pandas 2.2.2, coreference-eval 0.0.2, nltk, scikit-learn and sklearn-crfsuite. The web service that nel_eval.py asks is
replaced by one that answers at once; the numbers that do not come from it are compared.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.measure import Run, best, run

HERE = Path(__file__).parent
GOLD = "OMIn_dataset/gold_standard/processed"
TOKENS = "OMIn_dataset/data/FAA_data"
PROGRAMS = "evaluations/quantitative"
NO_LIKENESS = (0, 1, 2, 5, 6, 7, 10, 11, 12)
"""The columns of nel_eval.py that do not come from the web service."""
SERVICE = """class post:
    def __init__(self, *words, **named):
        pass

    def json(self):
        return '[{"q1": "", "q2": "", "q1_label": "", "q2_label": "", "class": 0, "jc": 0}]'
"""


def main(words: Sequence[str]) -> None:
    """Measure both, compare all numbers, and print the table."""
    parser = argparse.ArgumentParser("benchmarks omin", description=__doc__)
    parser.add_argument("--pack", type=Path, default=os.environ.get("KARAT_OMIN_PACK"), help="the public cases")
    parser.add_argument("--references", type=Path, default=os.environ.get("KARAT_OMIN"), help="folder of the checkouts")
    parser.add_argument("--python", default=os.environ.get("KARAT_OMIN_PYTHON", sys.executable))
    parser.add_argument("--limit", type=float, default=300, help="seconds after which a program is stopped")
    parser.add_argument("--repeats", type=int, default=3, help="runs of Karat, of which the best counts")
    arguments = parser.parse_args(words)
    if arguments.pack is None:
        parser.error("name the folder of the public cases with --pack")
    manifest = (arguments.pack / "manifest.jsonl").read_text("utf-8").splitlines()
    cases = [case for case in map(json.loads, manifest) if _is_later(case)]
    os.environ["PYTHONPATH"] = str(HERE.parent / "src")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        lay_out(folder, arguments.pack, cases)
        command = [sys.executable, "-m", "karat", "omin", "evaluate", "tool_results", "--gold", GOLD, "-o", "tables"]
        command += ["--tokens", f"{TOKENS}/faa.conll"]
        ours = best(command, folder, limit=arguments.limit, repeats=arguments.repeats)
        print("| program | runs | wall s | CPU s | peak MiB | wall ratio | CPU ratio |")
        print("|---|---|---|---|---|---|---|")
        print(_line("Karat", 1, ours, None))
        if arguments.references:
            add_reference(folder, arguments.references)
            tables = json.loads((folder / "tables" / "evaluation.json").read_text("utf-8"))["tables"]
            runs = [_reference(case, folder, tables, arguments) for case in cases]
            wall, cpu = sum(one.wall for one in runs), sum(one.cpu for one in runs)
            theirs = Run(wall, cpu, max(one.memory for one in runs), all(one.finished for one in runs))
            print(_line("ner_semeval.py, cr_eval.py, nel_eval.py", len(runs), theirs, ours))


def _is_later(case: dict[str, Any]) -> bool:
    return case["kind"] in ("ner_head", "cr", "nel") and not case["what"].startswith("seed era")


def file_of(case: dict[str, Any]) -> str:
    """Return where the project has the results of a case."""
    return str(case["what"]).split()[0]


def lay_out(folder: Path, pack: Path, cases: Sequence[dict[str, Any]]) -> None:
    """Put gold, tokens and results where the project has them."""
    for name in (GOLD, TOKENS, PROGRAMS):
        (folder / name).mkdir(parents=True)
    for path in (pack / "gold").glob("*.csv"):
        shutil.copyfile(path, folder / GOLD / path.name)
    shutil.copyfile(pack / "gold" / "tokens.conll", folder / TOKENS / "faa.conll")
    for case in cases:
        target = folder / "tool_results" / file_of(case)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(pack / case["dir"] / case["inputs"][1], target)


def add_reference(folder: Path, references: Path) -> None:
    """Put the programs where they look for everything else, and a web service beside them that has no scores."""
    for path in (references / "trusted_ke" / PROGRAMS).glob("*.py"):
        shutil.copyfile(path, folder / PROGRAMS / path.name)
    shutil.copytree(references / "NER-Evaluation", folder / PROGRAMS / "NER-Evaluation")
    (folder / PROGRAMS / "requests.py").write_text(SERVICE)


def _reference(case: dict[str, Any], folder: Path, tables: Sequence[Any], arguments: argparse.Namespace) -> Run:
    """Run the program of a case, and stop if it prints other numbers than Karat."""
    words = [arguments.python, case["program"], "-d", f"../../tool_results/{file_of(case)}"]
    given = case["args"]
    if case["kind"] == "ner_head":
        words += ["-t", given["type_set"], *(["-u"] if given["untyped"] else [])]
        table = "ner-untyped" if given["untyped"] else f"ner-{given['type_set']}"
    elif case["kind"] == "cr":
        words, table = [*words, "-i", given["id_col"], "-g", f"../../{GOLD}/cr.csv"], "cr"
    else:
        words, table = [*words, "-q", given["qid_col"], "-g", f"../../{GOLD}/nel.csv"], "nel"
    taken = run(words, folder / PROGRAMS, arguments.limit)
    if taken.finished:
        printed = (folder / PROGRAMS / "output.txt").read_text("utf-8").rstrip().rpartition("\n")[2]
        cells = [cell.strip() for cell in printed.split("|")[2:-1]]
        expected = [cells[place] for place in NO_LIKENESS] if table == "nel" else cells
        if expected != _ours(tables, table, case):
            raise SystemExit(f"the numbers of {case['id']} differ: {expected}, {_ours(tables, table, case)}")
    return taken


def _ours(tables: Sequence[Any], table: str, case: dict[str, Any]) -> list[str]:
    """Return the cells of Karat's row as the program prints them."""
    encoder = re.search(r"biencoder|crossencoder", case["published_row"])
    rows = next(one["rows"] for one in tables if one["table"] == table)
    chosen = [row for row in rows if row["results"] == file_of(case) and (encoder is None or encoder[0] in row["tool"])]
    return ["--" if number is None else f"{float(number):.2}" for number in chosen[0]["scores"].values()]


def _line(program: str, runs: int, taken: Run, ours: Run | None) -> str:
    more = "" if taken.finished else "> "
    ratios = ["", ""] if ours is None else [f"{more}{taken.wall / ours.wall:.0f}", f"{more}{taken.cpu / ours.cpu:.0f}"]
    cells = [program, str(runs), f"{more}{taken.wall:.2f}", f"{more}{taken.cpu:.2f}", f"{taken.memory:.0f}", *ratios]
    return f"| {' | '.join(cells)} |"
