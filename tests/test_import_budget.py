"""`karat --help` answers at once: what starting the program may load, and how long it may take."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import karat

ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(karat.__file__).parents[1])}
HEAVY = {
    "numpy",
    "msgspec",
    "pandas",
    "lxml",
    "karat.formats",
    "karat.evaluation.protocol",
    "karat.api",
    "karat.model",
}
MOST_MODULES = 120
"""How many modules ``karat --help`` may import beyond what Python itself does; most of them are those of click."""
MOST_OF_A_SCORE = 210
"""The same for a small score."""


def imported(*words: str, cwd: Path | None = None) -> set[str]:
    """Return the modules that a Python process imports."""
    command = [sys.executable, "-X", "importtime", *words]
    done = subprocess.run(command, env=ENVIRONMENT, cwd=cwd, capture_output=True, text=True, check=True)
    return set(re.findall(r"^import time:.*\| +(\S+)$", done.stderr, re.MULTILINE))


def test_the_command_line_loads_only_click() -> None:
    modules = imported("-c", "import karat.cli")
    assert "karat.cli" in modules
    assert modules & HEAVY == set()


def test_the_program_is_ready_to_be_interrupted_before_anything_is_loaded() -> None:
    own = imported("-c", "import karat.__main__") - imported("-c", "pass")
    assert own == {"__future__", "atexit", "gc", "karat", "karat._version", "karat.__main__"}


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["hipe", "--help"], ["convert", "--help"]])
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    assert imported("-m", "karat", *words) & HEAVY == set()


def test_help_loads_little() -> None:
    assert len(imported("-m", "karat", "--help") - imported("-c", "pass")) < MOST_MODULES


def test_numpy_is_for_intervals_only(tmp_path: Path) -> None:
    (tmp_path / "gold.conll").write_text("Bern B-loc\nliegt O\n\n")
    (tmp_path / "gold.tsv").write_text("TOKEN\tNE-COARSE-LIT\tMISC\nBern\tB-loc\t_\n# document_id = b\nGenf\tO\t_\n")
    for name in ("gold.conll", "gold.tsv"):
        words = ("-m", "karat", "score", "hipe2022-nerc-coarse", name, name)
        assert "numpy" not in imported(*words, cwd=tmp_path)
    assert "numpy" in imported(*words, "--ci", cwd=tmp_path)


def test_plain_ranks_do_without_numpy(tmp_path: Path) -> None:
    (tmp_path / "gold.conll").write_text("Bern B-loc\nliegt O\n\n")
    words = ("-m", "karat", "leaderboard", "conll2003", "gold.conll", "a=gold.conll", "b=gold.conll")
    assert "numpy" not in imported(*words, "--no-ci", cwd=tmp_path)
    assert "numpy" in imported(*words, cwd=tmp_path)


CHAINS = '{"doc_key": "d", "clusters": [[[0, 0], [2, 2]]]}\n'
COLUMNS = "#begin document (d); part 000\nd\t0\t0\tBern\t(0)\n#end document\n"


def test_readers_of_columns_and_xml_are_not_asked_about_json(tmp_path: Path) -> None:
    (tmp_path / "gold.jsonl").write_text(CHAINS)
    modules = imported("-m", "karat", "score", "coref", "gold.jsonl", "gold.jsonl", cwd=tmp_path)
    assert "karat.formats.jsonlines.ground" in modules
    assert modules & {"karat.formats.conll.layout", "karat.formats.naf.layers", "urllib.request"} == set()


def test_a_folder_loads_the_reader_of_its_files_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "a.txt").write_text("Bern liegt.")
    (tmp_path / "gold" / "a.ann").write_text("T1\tloc 0 4\tBern\n")
    modules = imported("-m", "karat", "score", "conll2003", "gold", "gold", cwd=tmp_path)
    others = ("jsonlines.ground", "hipe.blocks", "conll2012.rows", "_conllu", "_xml", "_json_items")
    assert "karat.formats.brat.lines" in modules
    assert modules & {*(f"karat.formats.{name}" for name in others), "importlib.metadata", "urllib.request"} == set()


def test_a_small_score_loads_the_reader_of_its_file_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "gold.conll").write_text("# newdoc id = d\nBern\tB-loc\nliegt\tO\n\n")
    modules = imported("-m", "karat", "score", "conll2003", "gold.conll", "gold.conll", cwd=tmp_path)
    others = ("hipe.blocks", "conll2012.rows", "corefud.read", "naf.layers", "brat.lines", "webanno.lines", "_xml")
    assert "karat.formats.conll.rows" in modules
    assert (
        modules
        & {*(f"karat.formats.{name}" for name in others), "karat.analysis.gates", "karat.analysis.comparison", "numpy"}
        == set()
    )
    elsewhere = {
        "karat.evaluation.workers",
        "karat.analysis.slices.items",
        "karat.protocols.likeness",
        "karat.io.outputs",
    }
    assert modules & {*elsewhere, "concurrent.futures", "logging", "pickle", "shutil", "tempfile", "tomllib"} == set()
    assert len(modules - imported("-c", "pass")) < MOST_OF_A_SCORE


def test_programs_load_their_book_and_no_declaration(tmp_path: Path) -> None:
    (tmp_path / "gold.conll").write_text(COLUMNS)
    (tmp_path / "gold.txt").write_text("El asma.\n")
    (tmp_path / "gold.ann").write_text("T1\tConcept 3 7\tasma\n")
    coreference = imported("-m", "karat", "conll2012", "all", "gold.conll", "gold.conll", cwd=tmp_path)
    words = ("-m", "karat", "ehealthkd", "score", "--edition", "2020", "gold.txt", "gold.txt")
    ehealthkd = imported(*words, cwd=tmp_path)
    for modules, package in ((coreference, "coreference"), (ehealthkd, "ehealthkd")):
        assert f"karat.protocols.{package}.judgement" in modules or f"karat.protocols.{package}.judge" in modules
        unneeded = {f"karat.protocols.{package}.{name}" for name in ("declaration", "draft", "options")}
        assert modules & {*unneeded, "karat.io.outputs", "karat.api", "numpy"} == set()
    assert "tomllib" not in coreference


def test_cold_start_scores_without_the_model_and_the_knowledge_base(tmp_path: Path) -> None:
    examples = Path(__file__).parents[1] / "examples" / "coldstart"
    files = [str(examples / name) for name in ("queries.xml", "run.tab.txt", "pool.fqec")]
    modules = imported("-m", "karat", "coldstart", "score", *files, cwd=tmp_path)
    assert "karat.protocols.coldstart.judge" in modules
    assert modules & HEAVY == set()
    (tmp_path / "kb").write_text("run1\n:E1\ttype\tPER\n")
    modules = imported("-m", "karat", "coldstart", "resolve-queries", files[0], "kb", "kb.sf", cwd=tmp_path)
    assert "karat.vocabularies.coldstart.kb_lines" in modules
    assert modules & {*HEAVY, "hashlib"} == set()


def test_newsreader_loads_the_best_pairing_where_it_is_needed(tmp_path: Path) -> None:
    (tmp_path / "plain.tsv").write_text("d\t1\tA\n")
    modules = imported("-m", "karat", "newsreader", "evaluate", "plain.tsv", "plain.tsv", "out.tsv", cwd=tmp_path)
    assert "karat.protocols.newsreader.judge" in modules
    assert modules & {"karat.matching.optimal", "karat.api", "tomllib"} == set()


def test_programs_that_only_count_load_no_runs_slices_and_workers(tmp_path: Path) -> None:
    line = {"doc_key": "d", "sentences": [["Bern"]], "ner": [[]], "relations": [[]], "predicted_relations": [[]]}
    (tmp_path / "scored").write_text(json.dumps(line | {"predicted_ner": [[[0, 0, "loc", 2.5]]]}))
    unneeded = {
        "karat.evaluation.run",
        "karat.analysis.slices.items",
        "karat.evaluation.scores",
        "karat.analysis.statistics",
        "karat.evaluation.workers",
    }
    heavy = {"concurrent.futures", "difflib", "hashlib", "logging", "pickle", "shutil", "numpy"}
    modules = imported("-m", "karat", "pure", "--prediction_file", "scored", cwd=tmp_path)
    assert "karat.protocols.relations.judge" in modules
    assert modules & {*unneeded, *heavy, "karat.api", "karat.formats.tacred"} == set()


def test_a_program_that_counts_labels_loads_no_documents(tmp_path: Path) -> None:
    (tmp_path / "labels").write_text("per:title\nno_relation\n")
    modules = imported("-m", "karat", "tacred", "labels", "labels", cwd=tmp_path)
    assert "karat.protocols.tacred.drop_in.tacred" in modules
    assert modules & {*HEAVY, "dataclasses", "pathlib"} == set()
