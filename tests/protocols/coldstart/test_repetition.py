"""Repeated lines, counted anew by the plain words of the rule: both roads have the same judge, which could be wrong.

Of answers with one value in one class, a later one is a repetition if the relation is the same and, as published, the
earlier one has its value in the place of that relation; corrected, if all of the line is the same.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.protocols.coldstart.slot_files import Q, answer, judged, rows, write

import karat as api

PLACES = ["d1:0-2", "d1:10-12", "d1:20-22"]
Line = tuple[str, str, str]
"""The value of an answer, its place, and the place of its relation."""
LINE = st.tuples(st.sampled_from("vw"), st.sampled_from(PLACES), st.sampled_from(PLACES))
LINES = st.lists(LINE, min_size=1, max_size=9)


def expected(run: list[Line], pool: dict[Line, str], profile: str) -> list[int]:
    """Return GT, Right, Wrong and Dup of a query whose answers are all assessed as correct."""
    kept: list[Line] = []
    for line in run:
        value, _, relation = line
        earlier = line if profile == "corrected" else (value, relation, relation)
        if not any(other == earlier and pool[other] == pool[line] for other in kept):
            kept.append(line)
    right = len({pool[line] for line in kept})
    duplicate = len(kept) - right
    return [len(set(pool.values())), right, duplicate, duplicate]


@pytest.mark.parametrize("profile", ["published", "corrected"])
@given(run=LINES, pool=st.dictionaries(LINE, st.sampled_from("12"), min_size=1, max_size=9))
def test_repetitions_are_counted_as_the_rule_says(profile: str, run: list[Line], pool: dict[Line, str]) -> None:
    run = [line for line in run if line in pool]
    assume(run)
    answers = [answer(Q, value, place, relation=relation) for value, place, relation in run]
    in_place_last = sorted(pool, key=lambda line: line[1] == line[2])
    lines = [judged(Q, *line[:2], "C", pool[line], relation=line[2]) for line in in_place_last]
    with TemporaryDirectory() as name:
        printed = rows(Path(name), answers, lines, "-profile", profile.replace("published", "2015"))
        files = write(Path(name), answers, lines)
        scores = api.score("tac2015-sf", files[2], files[1], queries=files[0], profile=profile)
    counts = next(row.counts for row in scores if (row.average, row.layer) == ("micro", "hop 0"))
    scored = [counts["right"] + counts["missed"], counts["right"], counts["duplicate"], counts["duplicate"]]
    assert scored == expected(run, pool, profile)
    assert [int(cell) for cell in printed["ALL-Micro 0"][:4]] == scored
