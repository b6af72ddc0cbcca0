"""Two roads to one number: ``karat pure`` and ``karat spert``, and ``karat.score``, on predictions drawn at random."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.differential.joint_models import linked
from tests.differential.relations import scierc_document, written_sides

import karat
from karat.protocols.relations.drop_in.program import as_pure, as_spert, counts_of

MEASURES = ("precision", "recall", "f1")
REGIMES = ("entities", "rel", "rel+")
Numbers = list[list[float]]


def both_roads(profile: str, random: Random) -> tuple[str, Numbers]:
    """Return what a program prints of random predictions, and what ``karat.score`` counts of them."""
    documents = [scierc_document(random, f"d{number}") for number in range(random.randint(1, 3))]
    if profile == "spert":
        documents = list(map(linked, documents))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "both.json")
        path.write_text("".join(f"{json.dumps(document)}\n" for document in documents), "utf-8")
        counts = counts_of(profile, str(path))
        scores = karat.score("relations", *written_sides(documents, path.parent), format="scierc", profile=profile)
    rows = {(row.regime, row.measure): row.value for row in scores if row.average == "micro" and row.label is None}
    numbers = [[rows.get((regime, measure)) or 0.0 for measure in MEASURES] for regime in REGIMES]
    return as_pure("", counts) if profile == "pure" else as_spert(counts), numbers


@given(st.randoms(use_true_random=False))
def test_pure_prints_what_karat_counts(random: Random) -> None:
    text, numbers = both_roads("pure", random)
    shown = [[part.split(": ")[1] for part in line.split(" - ")[1].split(", ")] for line in text.splitlines()[1:]]
    assert shown == [[f"{number:f}" for number in row] for row in numbers]


@given(st.randoms(use_true_random=False))
def test_spert_prints_what_karat_counts(random: Random) -> None:
    text, numbers = both_roads("spert", random)
    shown = [list(map(float, line.split()[1:4])) for line in text.splitlines() if line.split()[:1] == ["micro"]]
    assert shown == [pytest.approx([100 * number for number in row], abs=0.005000001) for row in numbers]
