"""Two roads to one number: ``karat pure`` and ``karat spert``, and ``karat.score``, on predictions drawn at random."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.differential.joint_models import linked
from tests.differential.relations import scattered, scierc_document, written_sides

import karat
from karat.errors import InputError
from karat.protocols.relations.drop_in import pure, spert

MEASURES = ("precision", "recall", "f1")
REGIMES = ("entities", "rel", "rel+")
Numbers = list[list[float]]
Document = dict[str, Any]


def scored(profile: str, documents: list[Document], folder: Path) -> Numbers:
    """Return what ``karat.score`` counts of predictions."""
    scores = karat.score("relations", *written_sides(documents, folder), format="scierc", profile=profile)
    rows = {(row.regime, row.measure): row.value for row in scores if row.average == "micro" and row.label is None}
    return [[rows.get((regime, measure)) or 0.0 for measure in MEASURES] for regime in REGIMES]


def written(documents: list[Document], folder: Path) -> str:
    path = folder / "both.json"
    path.write_text("".join(f"{json.dumps(document)}\n" for document in documents), "utf-8")
    return str(path)


@given(st.randoms(use_true_random=False))
def test_pure_prints_what_karat_counts(random: Random) -> None:
    documents = [scattered(random, scierc_document(random, f"d{number}")) for number in range(random.randint(1, 3))]
    with tempfile.TemporaryDirectory() as folder:
        path = written(documents, Path(folder))
        shown = shown_by_pure(path)
        numbers = scored("pure", documents, Path(folder))
    assert shown == [[f"{number:f}" for number in row] for row in numbers]


def shown_by_pure(path: str) -> list[list[str]]:
    """Return precision, recall and F1 of entities, relations and typed relations as the drop-in prints them."""
    lines = str(pure.printed("", pure.evaluate(pure.read(path))).text).splitlines()[1:]
    return [[part.split(": ")[1] for part in line.split(" - ")[1].split(", ")] for line in lines]


PLAIN = {
    "doc_key": "d",
    "sentences": [["Ada", "saw"], ["Bern"]],
    "ner": [[[0, 0, "per"]], [[2, 2, "loc"]]],
    "relations": [[], [[0, 0, 2, 2, "in"]]],
    "predicted_ner": [[[0, 0, "per"]], [[2, 2, "org"]]],
    "predicted_relations": [[[0, 0, 2, 2, "in"]], [[0, 0, 2, 2, "in"]]],
    "clusters": [[[0, 0], [2, 2]]],
}
UNUSUAL = {
    "scores": {"predicted_ner": [[[0, 0, "per", 2.5, 0.9]], [[2, 2, "org", 1.5, 0.8]]]},
    "null": {"clusters": None},
    "without": {"relations": [], "predicted_relations": []},
    "flat": {"ner": [[0, 0, "per"]], "predicted_ner": [[0, 0, "per"]]},
}


@pytest.mark.parametrize("unusual", UNUSUAL.values(), ids=UNUSUAL)
def test_pure_counts_lines_that_are_not_plain_as_documents(unusual: Document, tmp_path: Path) -> None:
    documents = [PLAIN, PLAIN | unusual | {"doc_key": "e"}]
    shown = shown_by_pure(written(documents, tmp_path))
    assert shown == [[f"{number:f}" for number in row] for row in scored("pure", documents, tmp_path)]


FAULTS = {
    "'ner' has 1 lists": {"ner": [[[0, 0, "per"]]]},
    "which has the tokens 0 to 1": {"predicted_ner": [[[0, 2, "per"]], []]},
    "are outside of the document": {"relations": [[[0, 0, 3, 3, "in"]], []]},
    "ends before it begins": {"clusters": [[[1, 0]]]},
    "token 2 is empty": {"sentences": [["Ada", "saw"], [""]]},
}


@pytest.mark.parametrize("message", FAULTS)
def test_pure_refuses_what_readers_refuse(message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message) as error:
        pure.evaluate(pure.read(written([PLAIN, PLAIN | FAULTS[message]], tmp_path)))
    assert error.value.line == 2


@given(st.randoms(use_true_random=False))
def test_spert_prints_what_karat_counts(random: Random) -> None:
    documents = [linked(scierc_document(random, f"d{number}")) for number in range(random.randint(1, 3))]
    with tempfile.TemporaryDirectory() as folder:
        text = str(spert.printed(spert.evaluate(spert.read(written(documents, Path(folder))))).text)
        numbers = scored("spert", documents, Path(folder))
    shown = [list(map(float, line.split()[1:4])) for line in text.splitlines() if line.split()[:1] == ["micro"]]
    assert shown == [pytest.approx([100 * number for number in row], abs=0.005000001) for row in numbers]
