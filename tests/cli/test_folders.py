"""Which file of a folder is meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import GOLD

from karat.cli.folders import submission_in
from karat.errors import InputError

ANN, TEXT = "T1\tPER 0 3\tAda\n", "Ada\n"
CLUTTER = {"README.md": "# by us\n", ".DS_Store": "\0", "__MACOSX/._a.ann": "\0\5\x16\7", "__MACOSX/._a.xml": "\0\5"}
SAID = ".DS_Store, README.md, __MACOSX"
NAF = '<?xml version="1.0"?><NAF version="v3"><nafHeader/><text/></NAF>'


@pytest.mark.parametrize(
    ("files", "meant", "left_out"),
    [
        ({"a.tsv": GOLD}, "a.tsv", SAID),
        ({"a.tsv": GOLD, "b.txt": "notes\n"}, "a.tsv", ".DS_Store, README.md, __MACOSX, b.txt"),
        ({"a.ann": ANN, "a.txt": TEXT}, "a.ann", SAID),
        ({"a.ann": ANN, "a.txt": TEXT, "b.ann": ANN, "b.txt": TEXT}, "", ""),
        ({"team/a.ann": ANN, "team/a.txt": TEXT}, "team", SAID),
        ({"team/a.naf": NAF, "team/b.naf": NAF}, "team", SAID),
        ({"a.tsv": GOLD, "b.tsv": GOLD}, "", SAID),
        ({"a.tsv": GOLD, "b.tsv": "nothing\n"}, "", SAID),
    ],
)
def test_a_submission_among_other_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], files: dict[str, str], meant: str, left_out: str
) -> None:
    for name, text in {**files, **CLUTTER}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert submission_in(str(tmp_path)) == str(tmp_path / meant)
    note = f"karat: note: {tmp_path}: left out as no submission: {left_out}\n" if left_out else ""
    assert capsys.readouterr().err == note


def test_a_folder_of_nothing_but_what_systems_leave_is_empty(tmp_path: Path) -> None:
    (tmp_path / "__MACOSX").mkdir()
    with pytest.raises(InputError, match="the folder is empty; expected submission in it"):
        submission_in(str(tmp_path))
