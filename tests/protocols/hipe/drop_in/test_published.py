"""Published evaluations of HIPE are reproduced, and what is wrong with others is said."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from tests.conformance import packs

from karat.cli import run
from karat.protocols.hipe.drop_in.published import is_report, report_in, verify

PUBLIC = [case for case in packs.public("hipe") if "official" in case]
NO_PUBLIC = pytest.mark.skipif(not PUBLIC, reason="the public HIPE data are not beside the repository")
SYNTHETIC = [
    case
    for case in packs.manifest("hipe")
    if case["program"] == "clef_evaluation.py"
    and case["kind"] == "ok"
    and not {"--glue", "--original_nel", "-g"} & set(case["args"])
    and not any("/" in word and word[:4].isdigit() for word in case["args"])
]


def argument(case: dict, *names: str) -> str:
    """Return what a case gives an option; nothing if it does not."""
    for name in names:
        if name in case["args"]:
            return case["args"][case["args"].index(name) + 1]
    return ""


def reports(case: dict) -> tuple[Path, list[Path]]:
    folder = packs.synthetic("hipe") / "cases" / case["id"]
    return folder, sorted(path for path in (folder / "expected").rglob("*") if path.suffix in (".tsv", ".json"))


@pytest.mark.parametrize("case", SYNTHETIC[::9], ids=lambda case: case["id"])
def test_reports_of_the_scorer_are_reproduced(case: dict) -> None:
    folder, written = reports(case)
    gold, system = argument(case, "--ref", "-r"), argument(case, "--pred", "-p")
    tagset = argument(case, "--tagset")
    given = {"tagset": str(folder / tagset)} if tagset else {}
    for path in written:
        if path.name == "result.json" or not is_report(path):
            continue
        check = verify(path, str(folder / gold), str(folder / system), given)
        assert check.is_reproduced, check.lines()


def test_a_changed_digit_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = next(
        case for case in SYNTHETIC if argument(case, "--task", "-t") == "nerc_coarse" and not argument(case, "--tagset")
    )
    folder, written = reports(case)
    report = next(path for path in written if path.suffix == ".tsv")
    text = report.read_bytes().decode()
    changed = re.sub(r"(micro-strict[^\n]*ALL\t)([^\t]*)", r"\g<1>0.123", text, count=1)
    assert changed != text
    (tmp_path / "report.tsv").write_bytes(changed.encode())
    sides = [
        "--gold",
        str(folder / argument(case, "--ref", "-r")),
        "--system",
        str(folder / argument(case, "--pred", "-p")),
    ]
    assert run(["verify", str(report), *sides]) == 0
    assert capsys.readouterr().out.startswith(f"reproduced: {report.name}, all ")
    assert run(["verify", str(tmp_path / "report.tsv"), *sides]) == 1
    told = capsys.readouterr().out
    assert "not reproduced: report.tsv, 1 of " in told
    assert re.search(r"^P of NE-COARSE-LIT-micro-strict-\S+, ALL: 0\.123 in the result, \S+ here$", told, re.M)
    assert "no tag set was given" in told


@NO_PUBLIC
@pytest.mark.parametrize("case", PUBLIC[::11], ids=lambda case: case["id"])
def test_published_evaluations_are_confirmed(case: dict, tmp_path: Path) -> None:
    folder = packs.SHARED / "hipe" / "public"
    gold, system = (str(folder / case["inputs"][argument(case, name)]) for name in ("--ref", "--pred"))
    tagset = argument(case, "--tagset")
    given = {"tagset": str(folder / case["inputs"][tagset])} if tagset else {}
    for name, file in case["official"].items():
        check = verify(folder / file, gold, system, given)
        assert check.is_reproduced, (name, check.lines())
    name, file = next((name, file) for name, file in case["official"].items() if name.endswith(".tsv"))
    text = gzip.decompress((folder / file).read_bytes()).decode()
    row = next(row for row in text.splitlines() if "micro-fuzzy" in row and "\tALL\t" in row)
    cells = row.split("\t")
    cells[9] = str(int(cells[9]) + 1)
    (tmp_path / name).write_text(text.replace(row, "\t".join(cells)))
    check = verify(tmp_path / name, gold, system, given)
    assert [finding.sentence.partition(":")[0] for finding in check.of("number")] == [f"TP of {cells[1]}, ALL"]


def test_what_is_no_report_is_no_report(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"scores": []}')
    (tmp_path / "odd.tsv").write_text(
        "System\tEvaluation\tLabel\tP\tR\tF1\tF1_std\tP_std\tR_std\tTP\tFP\tFN\na\todd\tALL\n"
    )
    assert not is_report(tmp_path / "other.json")
    with pytest.raises(Exception, match="'odd' names no evaluation"):
        report_in(tmp_path / "odd.tsv")
