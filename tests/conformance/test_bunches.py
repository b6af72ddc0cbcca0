"""Cases in bunches: each is checked as if it were a test of its own, and each that fails is named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.conformance.bunches import in_bunches

SEEN: list[str] = []


def failing(case: dict[str, str], word: str, tmp_path: Path) -> None:
    """Fail in one way or another, or not at all."""
    SEEN.append(case["id"])
    if case["id"] == "skips":
        pytest.skip("no time")
    if case["id"] == "raises":
        with pytest.raises(KeyError):
            pass
    assert case["id"] != word


CASES = [({"id": name}, "differs") for name in ("holds", "differs", "skips", "raises", "holds, too")]


def test_every_case_is_checked_and_every_failure_is_told(tmp_path: Path) -> None:
    with pytest.raises(BaseExceptionGroup) as failures:
        in_bunches("case,word", CASES)(failing)(CASES, tmp_path=tmp_path)
    assert failures.value.message == "3 of 5 cases fail: differs-differs, skips-differs, raises-differs"
    assert SEEN == ["holds", "differs", "skips", "raises", "holds, too"]


@in_bunches("number", range(7), size=3)
def test_a_case_finds_nothing_of_the_one_before(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert capsys.readouterr().out == ""
    assert list(tmp_path.iterdir()) == []
    assert "KARAT_CASE" not in os.environ
    (tmp_path / "left").touch()
    monkeypatch.setenv("KARAT_CASE", str(number))
    os.write(1, b"left")
    print("left")  # noqa: T201 - it must not be found


def test_no_case_is_left_out() -> None:
    (mark,) = in_bunches("case", range(7), size=3)(failing).pytestmark  # type: ignore[attr-defined]
    assert [[number for (number,) in bunch] for bunch in mark.args[1]] == [[0, 1, 2], [3, 4, 5], [6]]
