"""The profile ``2020`` beside reports that the program of June 2020 wrote, and the same numbers by ``karat score``."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests.protocols.hipe import roads
from tests.protocols.hipe.sheets import write

from karat.cli import run

HEADER = "TOKEN NE-COARSE-LIT NE-COARSE-METO"
LINKED = "TOKEN NEL-LIT NEL-METO"


def evaluate(folder: Path, gold: list[str], system: list[str], *words: str, headers: tuple[str, str]) -> list[str]:
    """Run the drop-in, compare its figures with those of the protocol, and return its rows, an empty cell as ``-``."""
    files = [
        write(folder / name, *lines, header=header)
        for name, lines, header in zip(("gold.tsv", "t_bundle4_de_1.tsv"), (gold, system), headers, strict=True)
    ]
    command = ["-r", files[0], "-p", files[1], "-e", "hipe-2020", "--profile", "2020", *words]
    assert run(["hipe", "evaluate", *command, "-o", str(folder), "-l", str(folder / "log")]) == 0
    (report,) = folder.glob("*.json")
    roads.compare(json.loads(report.read_text("utf-8")), command)
    (table,) = folder.glob("t_bundle4_de_1_*.tsv")
    with table.open(newline="") as stream:
        rows = list(csv.reader(stream, delimiter="\t"))
    return [" ".join(cell or "-" for cell in row[1:]) for row in rows[1:]]


def test_a_column_misc_is_not_needed(tmp_path: Path) -> None:
    lines = ["# document_id = d", "In O O", "Bern B-loc O", ". O O"]
    gold = [lines[0], *(f"{line} _" for line in lines[1:])]
    rows = evaluate(tmp_path, gold, lines, "-t", "nerc_coarse", headers=(f"{HEADER} MISC", HEADER))
    assert rows == [
        "NE-COARSE-LIT-micro-fuzzy ALL 1.0 1.0 1.0 - - - 1 0 0",
        "NE-COARSE-LIT-micro-fuzzy LOC 1.0 1.0 1.0 - - - 1 0 0",
        "NE-COARSE-LIT-micro-strict ALL 1.0 1.0 1.0 - - - 1 0 0",
        "NE-COARSE-LIT-micro-strict LOC 1.0 1.0 1.0 - - - 1 0 0",
        "NE-COARSE-LIT-macro_doc-fuzzy ALL 1.0 1.0 1.0 0.0 0.0 0.0 - - -",
        "NE-COARSE-LIT-macro_doc-fuzzy LOC 1.0 1.0 1.0 0.0 0.0 0.0 - - -",
        "NE-COARSE-LIT-macro_doc-strict ALL 1.0 1.0 1.0 0.0 0.0 0.0 - - -",
        "NE-COARSE-LIT-macro_doc-strict LOC 1.0 1.0 1.0 0.0 0.0 0.0 - - -",
        "NE-COARSE-METO-micro-fuzzy ALL 0 0 0 - - - 0 0 0",
        "NE-COARSE-METO-micro-strict ALL 0 0 0 - - - 0 0 0",
        "NE-COARSE-METO-macro_doc-fuzzy ALL - - - - - - - - -",
        "NE-COARSE-METO-macro_doc-strict ALL - - - - - - - - -",
    ]


def test_an_entity_of_a_whole_document_is_lost(tmp_path: Path) -> None:
    lines = ["# document_id = d", "Bern B-loc O _"]
    rows = evaluate(tmp_path, lines, lines, "-t", "nerc_coarse", headers=(f"{HEADER} MISC",) * 2)
    assert rows[:2] == [
        "NE-COARSE-LIT-micro-fuzzy ALL 0 0 0 - - - 0 0 0",
        "NE-COARSE-LIT-micro-strict ALL 0 0 0 - - - 0 0 0",
    ]


def test_s_and_e_are_not_converted(tmp_path: Path) -> None:
    gold = ["# document_id = d", "In O O _", "Bern B-loc O _", "Basel B-loc O _", ". O O _"]
    system = [line.replace("B-loc", "S-loc") for line in gold]
    rows = evaluate(tmp_path, gold, system, "-t", "nerc_coarse", headers=(f"{HEADER} MISC",) * 2)
    assert rows[:4] == [
        "NE-COARSE-LIT-micro-fuzzy ALL 1.0 0.5 0.667 - - - 1 0 1",
        "NE-COARSE-LIT-micro-fuzzy LOC 1.0 0.5 0.667 - - - 1 0 1",
        "NE-COARSE-LIT-micro-strict ALL 0.0 0.0 0 - - - 0 1 2",
        "NE-COARSE-LIT-micro-strict LOC 0.0 0.0 0 - - - 0 1 2",
    ]


def test_links_have_fuzzy_rows_for_every_cutoff_and_details_of_the_last(tmp_path: Path) -> None:
    gold = ["# document_id = d", "In _ _", "Bern Q70 _", "Basel Q78 _", ". _ _"]
    system = ["# document_id = d", "In _ _", "Bern Q1|Q70 _", "Basel Q78|Q2 _", ". _ _"]
    words = ("-t", "nel", "-n", "2,1", "--suffix", "relaxed")
    rows = evaluate(tmp_path, gold, system, *words, headers=(LINKED, LINKED))
    assert [row for row in rows if row.startswith("NEL-LIT-micro")] == [
        "NEL-LIT-micro-fuzzy-relaxed-@2 ALL 1.0 1.0 1.0 - - - 2 0 0",
        "NEL-LIT-micro-fuzzy-relaxed-@1 ALL 0.5 0.5 0.5 - - - 1 1 1",
    ]
    assert not any("strict" in row for row in rows)
    details = json.loads((tmp_path / "t_bundle4_de_1_nel_relaxed.json").read_text("utf-8"))
    assert details["NEL-LIT"]["ALL"]["strict"]["correct"] == 1


def test_a_suffix_is_not_in_the_names_of_entity_rows(tmp_path: Path) -> None:
    lines = ["# document_id = d", "In O O", "Bern B-loc O", ". O O"]
    rows = evaluate(tmp_path, lines, lines, "-t", "nerc_coarse", "--suffix", "x", headers=(HEADER, HEADER))
    assert rows[0].startswith("NE-COARSE-LIT-micro-fuzzy ALL 1.0")
    assert (tmp_path / "t_bundle4_de_1_nerc_coarse_x.tsv").exists()


def test_slices_are_named_where_they_are_asked_for(tmp_path: Path) -> None:
    lines = ["# document_id = d", "In O O LED0.0", "Bern B-loc O LED0.0", ". O O _"]
    words = ("-t", "nerc_coarse", "--noise-level", "0.0-0.1")
    rows = evaluate(tmp_path, lines, lines, *words, headers=(f"{HEADER} MISC",) * 2)
    assert {row.split()[0] for row in rows if row.startswith("NE-COARSE-LIT-micro-fuzzy")} == {
        "NE-COARSE-LIT-micro-fuzzy-TIME-ALL-LED-ALL",
        "NE-COARSE-LIT-micro-fuzzy-TIME-ALL-LED-0.0-0.1",
    }


def test_short_rows_are_filled_up_in_every_column(tmp_path: Path) -> None:
    """The fill-in is no ``O``: a tag ``_`` is an entity of no type, which ends the entity before it."""
    gold = ["# document_id = d", "In O O", "Bern B-loc O", "Stadt I-loc O", ". O O"]
    system = [*gold[:3], "Stadt", ". O O"]
    rows = evaluate(tmp_path, gold, system, "-t", "nerc_coarse", headers=(HEADER, HEADER))
    assert rows[0] == "NE-COARSE-LIT-micro-fuzzy ALL 1.0 1.0 1.0 - - - 1 0 0"
    assert rows[2] == "NE-COARSE-LIT-micro-strict ALL 0.0 0.0 0 - - - 0 1 1"


def test_a_day_that_does_not_exist_is_noted(tmp_path: Path) -> None:
    lines = ["# document_id = d", "# date = 1798-13-01", "In O O", "Bern B-loc O", ". O O"]
    rows = evaluate(tmp_path, lines, lines, "-t", "nerc_coarse", headers=(HEADER, HEADER))
    assert rows[0] == "NE-COARSE-LIT-micro-fuzzy ALL 1.0 1.0 1.0 - - - 1 0 0"
    assert "there is no such date as 1798-13-01" in (tmp_path / "log").read_text("utf-8")


FLAT = ["In O O", "Bern B-loc O", ". O O", "Chur B-loc O"]


@pytest.mark.parametrize(
    ("system", "sentence"),
    [
        ([*FLAT[:3], "Cbur B-loc O"], "there are tokens that differ from the gold (such as 'Cbur' for 'Chur')"),
        ([*FLAT[:3], "Chur B-loc O X"], "t_bundle4_de_1.tsv:5: the row has 4 cells where 3 are expected"),
        (["# document_id = d", *FLAT[:2], "# hipe2022:document_id = e", *FLAT[2:]], "segments instead of"),
    ],
)
def test_what_the_program_refuses_is_refused(
    system: list[str], sentence: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    gold = write(tmp_path / "gold.tsv", "# document_id = d", *FLAT[:3], "# document_id = e", *FLAT[3:], header=HEADER)
    if "#" in system[0]:
        gold = write(tmp_path / "gold.tsv", "# document_id = d", *FLAT[:2], "# segment", *FLAT[2:], header=HEADER)
    name = write(tmp_path / "t_bundle4_de_1.tsv", *system, header=HEADER)
    words = ["hipe", "evaluate", "-r", gold, "-p", name, "-t", "nerc_coarse", "--profile", "2020"]
    assert run([*words, "-o", str(tmp_path)]) == 3
    assert sentence in capfd.readouterr().err
    assert run(["score", "hipe2020-nerc-coarse", gold, name, "--from", "hipe", "--profile", "2020"]) == 3
    assert sentence in capfd.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gold.tsv", "t_bundle4_de_1.tsv"]
