"""Intervals need units to draw from: with one there is none, and a note says so."""

from __future__ import annotations

import pytest

import karat as api

GOLD, SYSTEM = [["B-LOC", "O", "B-PER"]], [["B-LOC", "O", "O"]]
NOTE = "one document: no interval"


@pytest.mark.parametrize(("units", "ci", "noted"), [(1, True, True), (2, True, False), (1, False, False)])
def test_a_note_where_one_unit_has_no_interval(units, ci, noted):
    scores = api.score("hipe2022-nerc-coarse", GOLD * units, SYSTEM * units, ci=ci)
    assert (NOTE in scores.notes) == noted
    assert noted == (ci and all(row.interval is None for row in scores))
