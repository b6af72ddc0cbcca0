"""What holds for the runs of every protocol: a run file gives back all that was scored."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.properties.corpora import Pair
from tests.properties.walk import PROTOCOLS, draw_pair

import karat
from karat.runs.file import packed
from karat.runs.part import Part, PartNumber
from karat.scores import Scores
from karat.scoring import configure, facts_of, load, score_part

every_protocol = pytest.mark.parametrize("name", PROTOCOLS)
few = settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def same(scores: Scores, other: Scores) -> bool:
    """Compare what is shown, to the last digit and kind of number."""
    return repr(scores) == repr(other)


@every_protocol
@few
@given(data=st.data())
def test_a_run_file_gives_back_all_that_was_scored(name: str, data: st.DataObject, tmp_path: Path) -> None:
    ask = {"by": data.draw(st.sampled_from((None, "label", "unit"))), "ci": karat.Bootstrap(10, level=0.9)}
    scores = karat.score(name, *draw_pair(data, name), **ask)
    scores.save(tmp_path / "run.karat")
    assert same(karat.load(tmp_path / "run.karat").scores(**ask), scores)


@every_protocol
@few
@given(data=st.data())
def test_parts_merge_in_any_order_into_the_run_of_one_process(name: str, data: st.DataObject, tmp_path: Path) -> None:
    sources = draw_pair(data, name)
    of = data.draw(st.integers(1, 4))
    ask = {"by": "label", "ci": karat.Bootstrap(10, level=0.9)}
    scores = karat.score(name, *sources, **ask)
    paths = []
    for number in data.draw(st.permutations(range(1, of + 1))):
        paths.append(tmp_path / f"{number}.karat")
        part(name, sources, PartNumber(number, of), told=data.draw(st.booleans())).save(paths[-1])
    merged = karat.merge(paths)
    assert scores.run is not None
    assert packed(merged) == packed(scores.run)
    assert same(merged.scores(**ask), scores)


def part(name: str, sources: Pair, number: PartNumber, *, told: bool = False) -> Part:
    """Score a part, which is told the facts or gathers them."""
    protocol, settings = configure(name, {})
    facts = facts_of(protocol, settings, *load(protocol, settings, sources)) if told else None
    return score_part(protocol, *sources, str(number), facts=facts)
