"""What holds for the runs of every protocol: a run file gives back all that was scored."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.properties.walk import Drawn, every_protocol, few

import karat
from karat.evaluation.run_file import packed
from karat.evaluation.scores import Scores

BOOTSTRAP = karat.Bootstrap(10, level=0.9)


def same(scores: Scores, other: Scores) -> bool:
    """Compare what is shown, to the last digit and kind of number."""
    return repr(scores) == repr(other)


@every_protocol
@few
@given(data=st.data())
def test_run_files_give_back_all_that_was_scored(name: str, data: st.DataObject, tmp_path: Path) -> None:
    drawn = Drawn(name, data)
    scores = drawn.scored(ci=BOOTSTRAP)
    assert scores.run is not None
    scores.save(tmp_path / "run.karat")
    loaded = karat.load(tmp_path / "run.karat")
    by = data.draw(st.sampled_from((None, "label", "unit")))
    assert same(loaded.scores(by=by, ci=BOOTSTRAP), scores.run.scores(by=by, ci=BOOTSTRAP))
    merged = karat.merge([tmp_path / "run.karat"])
    assert packed(merged) == packed(scores.run)
    assert same(merged.scores(by="label", ci=BOOTSTRAP), scores)
