from __future__ import annotations

from pathlib import Path

import pytest
from tests.protocols.spans.build import document

import karat


@pytest.mark.parametrize(
    ("system", "case", "reason"),
    [
        ((4, 9, "LOC"), "exact", "same place and label"),
        ((4, 9, "PER"), "wrong-label", "same place, but PER for LOC"),
        ((0, 9, "LOC"), "wrong-boundary", "same label, but too long: begins 4 characters early"),
        ((5, 8, "LOC"), "wrong-boundary", "same label, but too short: begins 1 character late, ends 1 character early"),
        ((6, 12, "PER"), "wrong-both", "PER for LOC, and shifted: begins 2 characters late, ends 3 characters late"),
        (([(4, 5), (8, 9)], "LOC"), "wrong-boundary", "same label, but other fragments between the same boundaries"),
    ],
)
@pytest.mark.parametrize("protocol", ["conll2003", "semeval2013", "overlap"])
def test_pairs(protocol: str, system: tuple[object, ...], case: str, reason: str) -> None:
    (entry,) = karat.explain(protocol, [document((4, 9, "LOC"))], [document(system)])
    assert (entry.case, entry.reason, entry.label) == (case, reason, "LOC")


def test_entities_without_a_partner() -> None:
    gold, system = document((0, 4, "LOC"), (9, 12, "PER")), document((0, 3, "LOC"), (3, 4, "LOC"))
    found = [(entry.case, entry.reason) for entry in karat.explain("conll2003", [gold], [system])]
    assert found == [
        ("wrong-boundary", "same label, but too short: ends 1 character early"),
        ("spurious", "every gold entity that shares a character with it has another partner"),
        ("missed", "no system entity shares a character with it"),
    ]


def test_the_line_of_the_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text("Bern B-LOC\n\nund O\nGenf B-LOC\n", "utf-8")
    places = [entry.gold.place for entry in karat.explain("conll2003", path, path) if entry.gold]
    assert places == [f"{path}:1", f"{path}:4"]
