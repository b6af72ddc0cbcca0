"""Two roads to one number: ``karat docred``, and ``karat.score``, on facts drawn at random."""

from __future__ import annotations

import json
import re
import tempfile
from contextlib import chdir
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.differential.relations import docred_documents, docred_results
from tests.protocols.docred.build import record, result, written

import karat
from karat.errors import InputError
from karat.protocols.docred import TRAINING as TRAINING_REGIMES
from karat.protocols.docred.drop_in.program import FactCounts, figures_of, judged_counts, plain_counts
from karat.protocols.docred.training import training_facts

REGIMES = {"facts": "RE_F1", "evidence": "Evi_F1", "ign-annotated": "RE_ignore_annotated_F1"}
REGIMES |= {"ign-distant": "RE_ignore_distant_F1"}
TRAINING = {"train": "../data/train_annotated.json", "distant": "../data/train_distant.json"}
GOLD, RESULT = "in/ref/dev_test.json", "in/res/result.json"


@given(st.randoms(use_true_random=False), st.sampled_from(["published", "corrected"]))
def test_the_drop_in_prints_what_karat_counts(random: Random, profile: str) -> None:
    documents = docred_documents(random, random.randint(1, 3))
    files = {GOLD: documents, RESULT: docred_results(random, documents)}
    files |= {path: docred_documents(random, 2) for path in TRAINING.values()}
    with tempfile.TemporaryDirectory() as name:
        work = Path(name, "work")
        for path, content in files.items():
            (work / path).parent.mkdir(parents=True, exist_ok=True)
            (work / path).write_text(json.dumps(content), "utf-8")
        with chdir(work):
            read = {"records": GOLD, "rules": "program"}
            scores = karat.score("docred", GOLD, RESULT, format="docred", read=read, profile=profile, **TRAINING)
            try:
                figures = figures_of("in", profile)
            except InputError as error:
                figures, reason = None, error.message
    if figures is None:
        assert re.search("undefined|no fact", reason), "this is where the program stops"
        return
    values = {regime: scores.value("f1", regime=regime) for regime in REGIMES}
    assert {regime: figures[name] for regime, name in REGIMES.items()} == pytest.approx(values, abs=1e-12)


def counted(folder: Path, gold: Any, results: Any, training: Any) -> list[dict[str, FactCounts] | None]:
    """Return what is counted of plain files, and what the protocol counts of them."""
    paths = [written(folder, name, content) for name, content in (("gold.json", gold), ("result.json", results))]
    facts = {regime: training_facts(written(folder, f"{regime}.json", training)) for regime in TRAINING_REGIMES}
    return [plain_counts(*paths, facts), judged_counts(*paths, facts, "published")]


@given(st.randoms(use_true_random=False))
def test_plain_files_are_counted_as_the_protocol_judges_them(random: Random) -> None:
    documents = docred_documents(random, random.randint(1, 3))
    results = docred_results(random, documents)
    for fact in (*results, *(label for document in documents for label in document["labels"])):
        if random.random() < 0.3:
            fact["evidence"] = [*fact.get("evidence", []), random.randrange(4)]
    again = [result | {"evidence": [random.randrange(4)]} for result in results if random.random() < 0.2]
    beyond = [result | {"t_idx": random.choice((-1, 7))} for result in results if random.random() < 0.1]
    with tempfile.TemporaryDirectory() as name:
        plain, judged = counted(Path(name), documents, results + again + beyond, docred_documents(random, 2))
    assert plain == judged


GOLD_FACT, GIVEN_FACT = record(("P1", 0, 1, [0]), title="A"), result("P1", 0, 1, [0], title="A")
UNUSUAL_GOLD = {
    "a title again": [record(("P1", 0, 1, [0])), record(("P2", 0, 1, [0]))],
    "an entity that is not there": [record(("P1", 0, 9, [0]))],
    "an entity without mentions": [record() | {"vertexSet": [[]]}],
    "a mention without a name": [record() | {"vertexSet": [[{"name": "", "sent_id": 0}]]}],
}
UNUSUAL_RESULT = {
    "evidence in words": {"evidence": ["x"]},
    "half an entity": {"t_idx": 1.5},
    "an entity by name": {"t_idx": "1"},
}


@pytest.mark.parametrize("case", [*UNUSUAL_GOLD, *UNUSUAL_RESULT])
def test_files_that_are_not_plain_are_judged(case: str, tmp_path: Path) -> None:
    gold = [GOLD_FACT, *UNUSUAL_GOLD.get(case, [])]
    results = [GIVEN_FACT] + [GIVEN_FACT | {"h_idx": 2} | unusual for unusual in [UNUSUAL_RESULT.get(case)] if unusual]
    plain, judged = counted(tmp_path, gold, results, [GOLD_FACT])
    assert plain is None
    assert judged is not None
    assert judged["facts"][1:] == (len(results), 1, 1)


def test_bytes_that_are_no_text_are_not_plain_even_where_nobody_reads_them(tmp_path: Path) -> None:
    gold, result = tmp_path / "gold.json", tmp_path / "result.json"
    result.write_text("[]")
    vertices = b'[[{"name": "A", "sent_id": 0}], [{"name": "B", "sent_id": 0}]]'
    for word, is_plain in ((b"a", True), (b"\xff", False)):
        content = b'[{"title": "T", "sents": [["%b"]], "vertexSet": %b, "labels": []}]' % (word, vertices)
        gold.write_bytes(content)
        assert (plain_counts(str(gold), str(result), {}) is not None) == is_plain
