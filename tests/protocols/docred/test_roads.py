"""Two roads to one number: ``karat docred``, and ``karat.score``, on facts drawn at random."""

from __future__ import annotations

import json
import re
import tempfile
from contextlib import chdir
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.differential.relations import docred_documents, docred_results

import karat
from karat.errors import InputError
from karat.protocols.docred.drop_in.docred import evaluate, read

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
            rules = {"records": GOLD, "rules": "program"}
            scores = karat.score("docred", GOLD, RESULT, format="docred", read=rules, profile=profile, **TRAINING)
            try:
                figures = evaluate(read("in", profile), profile)
            except InputError as error:
                figures, reason = None, error.message
    if figures is None:
        assert re.search("undefined|no fact", reason), "this is where the program stops"
        return
    values = {regime: scores.value("f1", regime=regime) for regime in REGIMES}
    assert {regime: figures[name] for regime, name in REGIMES.items()} == pytest.approx(values, abs=1e-12)
