"""A few random cases beside each program that is there; and what is said where one is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.differential.comparing import Reference, compared
from tests.differential.programs import Python
from tests.differential.references import REFERENCES


@pytest.mark.parametrize("name", REFERENCES)
def test_a_few_cases(name: str) -> None:
    reference = REFERENCES[name]
    if missing := reference.missing():
        pytest.skip(missing)
    results = list(compared(reference, 5))
    assert results
    assert [result for result in results if result.told] == []


def test_what_is_absent_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reference = Reference("x", "a/b", "c.py", lambda random, room, program: "")
    monkeypatch.delenv("KARAT_REFERENCES", raising=False)
    assert reference.missing() == "KARAT_REFERENCES names no folder"
    monkeypatch.setenv("KARAT_REFERENCES", str(tmp_path))
    assert reference.missing().endswith("b/c.py is not there: clone github.com/a/b")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c.py").touch()
    assert reference.missing() == ""
    assert reference._replace(beside=("d/e",)).missing().endswith("e is not there: clone github.com/d/e")
    assert "cannot import nowhere_to_be_found" in reference._replace(modules=("nowhere_to_be_found",)).missing()


def test_a_difference_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARAT_REFERENCES", str(tmp_path))
    reference = Reference("x", "", "", lambda random, room, program: "" if random.random() < 0.5 else "other")
    told = [result.told for result in compared(reference, 20)]
    assert set(told) == {"", "other"}


def test_programs_are_run_one_after_the_other(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import sys\nprint(sys.argv[1])\nsys.exit(3)\n")
    (tmp_path / "b.py").write_text("1 / 0\n")
    python = Python(tmp_path)
    try:
        assert python(tmp_path / "a.py", ["x"], tmp_path)[:2] == (3, "x\n")
        assert "ZeroDivisionError" in python(tmp_path / "b.py", [], tmp_path).err
    finally:
        python.close()
