"""Intervals need units to draw from: with one there is none, and a note says so."""

from __future__ import annotations

import pytest

import karat as api

GOLD = [["B-LOC", "O", "B-PER"], ["B-LOC", "O", "B-PER"]]
SYSTEM = [["B-LOC", "O", "O"], ["B-LOC", "B-PER", "B-PER"]]
NOTE = "one document: no interval"


@pytest.mark.parametrize(("units", "ci", "noted"), [(1, True, True), (2, True, False), (1, False, False)])
def test_a_note_where_one_unit_has_no_interval(units, ci, noted):
    scores = api.score("hipe2022-nerc-coarse", GOLD[:units], SYSTEM[:units], ci=ci)
    assert (NOTE in scores.notes) == noted
    assert noted == (ci and all(row.interval is None for row in scores))


def test_a_note_where_units_are_few() -> None:
    said = {}
    for units in (2, 19, 20):
        notes = api.score("conll2003", GOLD[:1] * units, SYSTEM[:1] * units, ci=True).notes
        said[units] = [note for note in notes if "few" in note]
    assert said == {
        2: ["2 documents are few: intervals are widened, and may still cover the true value less often than stated"],
        19: ["19 documents are few: intervals are widened, and may still cover the true value less often than stated"],
        20: [],
    }
