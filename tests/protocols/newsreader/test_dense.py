"""Documents in which very many links share a token: bounded, and as many right links as the best pairing has."""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import karat
from karat.protocols.newsreader import dense
from karat.protocols.newsreader.drop_in.corrected_extraction import Line, evaluate
from karat.protocols.newsreader.judge import Mark, judge_corrected

SPANS = st.lists(st.integers(1, 6).map(str), min_size=1, max_size=3).map(tuple)
MARKS = st.lists(st.builds(Mark, SPANS, st.sampled_from("AB")), max_size=9)
LINES = 20_000
MEMORY = 1 << 30
SECONDS = 20
NOTE = "so many links share a token that a simpler rule than the best pairing decides"


@pytest.fixture
def _crowded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense, "LIMIT", 0)


def cases(gold: list[Mark], system: list[Mark]) -> Counter[str]:
    return Counter(verdict.case for verdict in judge_corrected(gold, system))


@settings(deadline=None)
@given(MARKS, MARKS)
def test_as_many_are_right_as_in_the_best_pairing(gold: list[Mark], system: list[Mark]) -> None:
    best = cases(gold, system)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dense, "LIMIT", 0)
        found = cases(gold, system)
        patch.setattr(dense, "MAX_MEETINGS", 0)
        walked = cases(gold, system)
    assert (found["exact"], found["overlap"]) == (best["exact"], best["overlap"])
    assert walked["exact"] == best["exact"]
    assert best["overlap"] >= walked["overlap"] >= best["overlap"] / 2


@pytest.mark.usefixtures("_crowded")
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(MARKS, MARKS, st.data())
def test_every_link_has_one_verdict_whatever_the_order(
    gold: list[Mark], system: list[Mark], data: st.DataObject
) -> None:
    verdicts = list(judge_corrected(gold, system))
    assert sorted(one.gold for one in verdicts if one.gold is not None) == list(range(len(gold)))
    assert sorted(one.system for one in verdicts if one.system is not None) == list(range(len(system)))
    assert all(
        set(gold[one.gold].ids) & set(system[one.system].ids)
        for one in verdicts
        if one.gold is not None and one.system is not None
    )

    def result(golds: list[Mark], systems: list[Mark]) -> tuple[str, Counter[str]]:
        found = evaluate([Line("d", one) for one in golds], [Line("d", one) for one in systems], lambda _: None)
        return found.printed, Counter(found.results.splitlines())

    assert result(data.draw(st.permutations(gold)), data.draw(st.permutations(system))) == result(gold, system)


@pytest.mark.usefixtures("_crowded")
def test_the_rule_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [Line("d", Mark(("1", "2"), "A"))], [Line("d", Mark(("2",), "A"))]
    told: list[str] = []
    evaluate(*lines, told.append)
    monkeypatch.setattr(dense, "MAX_MEETINGS", 0)
    evaluate(*lines, told.append)
    assert told == [
        f"document 'd': {NOTE}; as many as possible are right",
        f"document 'd': {NOTE}; at least half as many as possible are right",
    ]


@pytest.mark.usefixtures("_crowded")
def test_the_protocol_notes_the_rule() -> None:
    def document(start: int) -> dict[str, object]:
        mention = {"id": "m", "spans": [[start, 9]], "links": [{"target": "A"}]}
        return {"id": "d", "text": "Bern Genf", "mentions": [mention]}

    scores = karat.score("newsreader-ned-corrected", [document(0)], [document(5)])
    assert f"document 'd': {NOTE}; as many as possible are right" in scores.notes


def written(path: Path, seed: int, names: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - no secret
    with path.open("w") as stream:
        for _ in range(LINES):
            first = chance.randint(1, 300)
            span = "-".join(str(first + at) for at in range(chance.choice((1, 1, 2, 3))))
            stream.write(f"d\t{span}\tN{chance.randint(1, names)}\n")


@pytest.mark.parametrize("names", [1, 50, 1_000])
def test_a_dense_document_takes_bounded_time_and_memory(names: int, tmp_path: Path) -> None:
    for seed, name in enumerate(("g.tsv", "s.tsv")):
        written(tmp_path / name, seed, names)
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "karat", "newsreader", "evaluate", "g.tsv", "s.tsv", "r.tsv", "--profile", "corrected"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(Path(karat.__file__).parents[1]), "OPENBLAS_NUM_THREADS": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
        capture_output=True,
        text=True,
        timeout=3 * SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert f"SYSTEM\t{LINES}" in done.stdout
    assert time.monotonic() - begin < SECONDS
