"""What holds for the runs of every protocol: a run file gives back all that was scored."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.properties.corpora import Pair
from tests.properties.walk import Drawn, every_protocol, few

import karat
from karat.api import score_part
from karat.evaluation.corpora import load
from karat.evaluation.part import Part, PartNumber
from karat.evaluation.registry import configure
from karat.evaluation.run_file import packed
from karat.evaluation.scores import Scores
from karat.evaluation.spreading import facts_of

BOOTSTRAP = karat.Bootstrap(10, level=0.9)


def same(scores: Scores, other: Scores) -> bool:
    """Compare what is shown, to the last digit and kind of number."""
    return repr(scores) == repr(other)


@every_protocol
@few
@given(data=st.data())
def test_run_files_and_parts_give_back_all_that_was_scored(name: str, data: st.DataObject, tmp_path: Path) -> None:
    drawn = Drawn(name, data)
    scores = drawn.scored(ci=BOOTSTRAP)
    assert scores.run is not None
    scores.save(tmp_path / "run.karat")
    loaded = karat.load(tmp_path / "run.karat")
    by = data.draw(st.sampled_from((None, "label", "unit")))
    assert same(loaded.scores(by=by, ci=BOOTSTRAP), scores.run.scores(by=by, ci=BOOTSTRAP))
    merged = karat.merge(parts(drawn, tmp_path))
    assert packed(merged) == packed(scores.run)
    assert same(merged.scores(by="label", ci=BOOTSTRAP), scores)


def parts(drawn: Drawn, folder: Path) -> list[Path]:
    """Score a pair in parts, in any order, each with or without being told the facts."""
    of = drawn.data.draw(st.integers(1, 3))
    paths = []
    for number in drawn.data.draw(st.permutations(range(1, of + 1))):
        paths.append(folder / f"{number}.karat")
        part(drawn.name, drawn.pair, PartNumber(number, of), told=drawn.data.draw(st.booleans())).save(paths[-1])
    return paths


def part(name: str, sources: Pair, number: PartNumber, *, told: bool = False) -> Part:
    """Score a part, which is told the facts or gathers them."""
    bound = configure(name, {})
    facts = facts_of(bound, *load(bound, sources)) if told else None
    return score_part(name, *sources, str(number), facts=facts)
