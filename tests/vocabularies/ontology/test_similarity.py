from __future__ import annotations

import tempfile
import tracemalloc
from itertools import product
from math import log
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.vocabularies.ontology.graphs import AIRCRAFT, NAMES, ROOT, Edge, Slow, edges, kgtk

from karat.errors import UsageError
from karat.evaluation.quirks import quirks_of
from karat.vocabularies.ontology.builder import build
from karat.vocabularies.ontology.index import Ontology
from karat.vocabularies.ontology.similarity import Measured, OntologyProvider, measure, subsumers

PAIRS = list(product([*NAMES, "Q404"], [*NAMES, "Q404"]))


def ontology_of(folder: Path, rows: list[Edge]) -> Ontology:
    build(str(folder / "index"), [kgtk(folder / "claims.tsv", rows)])
    return Ontology(str(folder / "index"))


def near(value: float | None) -> object:
    return None if value is None else pytest.approx(value, abs=1e-9)


@settings(deadline=None, max_examples=20)
@given(edges)
def test_published_measures_are_those_of_the_definitions(rows: list[Edge]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ontology, slow = ontology_of(Path(folder), rows), Slow(rows)
        for (a, b), found in zip(PAIRS, measure(ontology, PAIRS), strict=True):
            described = bool(slow.features.get(a)), bool(slow.features.get(b))
            assert found.known == described
            if all(described):
                assert found.class_ == near(slow.class_(a, b)) or abs_mass(slow, a, b) < 1e-9
            else:
                assert found.class_ == 0.0
            assert found.jc == near(slow.jc(a, b))
            assert {name for name, _ in subsumers(ontology, a, b)} == slow.subsumers(a, b)


def abs_mass(slow: Slow, a: str, b: str) -> float:
    """Return how far from zero the weights sum to: near it, a quotient is not to be compared."""
    sets = [slow.features[node] | {node} for node in {a, b}]
    return abs(sum(log(slow.total / slow.counts.get(name, 1)) for one in sets for name in one)) if slow.total else 0.0


@settings(deadline=None, max_examples=20)
@given(edges)
def test_corrected_measures_are_likenesses(rows: list[Edge]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ontology = ontology_of(Path(folder), rows)
        found = dict(zip(PAIRS, measure(ontology, PAIRS, "corrected"), strict=True))
    for (a, b), one in found.items():
        other = found[b, a]
        assert (one.class_, one.jc) == (near(other.class_), near(other.jc))
        assert all(value is None or 0 <= value <= 1 + 1e-12 for value in one[:2])
        if not all(one.known):
            assert one[:2] == (None, None)
        elif a == b:
            assert one[:2] == (1.0, 1.0)


@settings(deadline=None, max_examples=20)
@given(edges)
def test_the_order_of_pairs_makes_no_difference(rows: list[Edge]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ontology = ontology_of(Path(folder), rows)
        assert measure(ontology, PAIRS) == measure(ontology, PAIRS[::-1])[::-1]


@settings(deadline=None, max_examples=10)
@given(edges, st.integers(1, 40), st.sampled_from(["published", "corrected"]))
def test_how_much_is_looked_at_together_makes_no_difference(rows: list[Edge], most: int, profile: str) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        ontology = ontology_of(Path(folder), rows)
        expected = measure(ontology, PAIRS, profile)
        patch.setattr("karat.vocabularies.ontology.index.MOST_ENTRIES", most)
        assert measure(ontology, PAIRS, profile) == expected


def chain(length: int) -> list[Edge]:
    """Return a class below another, and so on to the root."""
    return [(f"Q{number + 1}", "P279", f"Q{number}" if number else ROOT) for number in range(length)]


def everyone_above(length: int) -> list[Edge]:
    """Return classes each of which is below all before it."""
    return [(f"Q{below}", "P279", f"Q{above}") for below in range(2, length) for above in range(1, below)]


@pytest.mark.parametrize(
    ("rows", "asked"), [(chain(600), 1500), (everyone_above(200), 200)], ids=["chain", "everyone-above"]
)
def test_large_sets_take_little_memory(
    rows: list[Edge], asked: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ontology = ontology_of(tmp_path, rows)
    pairs = [(f"Q{100 + number % 99}", f"Q{199 - number % 97}") for number in range(asked)]
    monkeypatch.setattr("karat.vocabularies.ontology.index.MOST_ENTRIES", 5_000)
    tracemalloc.start()
    peaks = []
    for _ in range(3):  # other threads of the process are weighed with it, so that the least counts
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        measure(ontology, pairs)
        peaks.append(tracemalloc.get_traced_memory()[1] - before)
        if peaks[-1] < 2_000_000:
            break
    bounded = min(peaks)
    monkeypatch.undo()
    tracemalloc.reset_peak()
    measure(ontology, pairs)
    unbounded = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert bounded < 2_000_000 < 10_000_000 < unbounded


def one(rows: list[Edge], a: str, b: str, profile: str, folder: Path) -> Measured:
    (found,) = measure(ontology_of(folder, rows), [(a, b)], profile)
    return found


SIBLINGS = [*AIRCRAFT, ("Q9", "P31", "Q1")]
CYCLE: list[Edge] = [
    ("Q1", "P279", ROOT),
    ("Q2", "P279", "Q1"),
    ("Q1", "P279", "Q2"),
    ("Q3", "P31", "Q2"),
    ("Q4", "P31", ROOT),
]
PILOTS: list[Edge] = [*AIRCRAFT, ("Q9", "P106", "Q3"), ("Q10", "P106", "Q3")]
OUTSIDE: list[Edge] = [("Q1", "P31", ROOT), (ROOT, "P279", "Q9"), ("Q2", "P31", "Q9"), ("Q3", "P31", "Q9")]
LABELLED: list[Edge] = [*AIRCRAFT, ("Q50", "label", "'lonely'@en")]
EQUAL: list[Edge] = [("Q1", "P279", "Q2"), ("Q2", "P279", "Q1"), ("Q1", "P279", ROOT), ("Q2", "P279", ROOT)]


@pytest.mark.parametrize(
    ("quirk", "rows", "pair", "published", "corrected"),
    [
        ("dice-not-jaccard", AIRCRAFT, ("Q5", "Q6"), (0.13667, 0.22602), (0.07335, 0.22602)),
        ("negative-weights", OUTSIDE, ("Q2", "Q3"), (1.0, None), (None, None)),
        ("zero-weights", EQUAL, ("Q1", "Q2"), (None, 0.0), (None, None)),
        ("cycle-excludes-itself", CYCLE, ("Q1", "Q1"), (1.0, 0.0), (1.0, 1.0)),
        ("root-has-no-likeness", AIRCRAFT, (ROOT, ROOT), (0.0, 0.0), (1.0, 1.0)),
        ("identity-not-one", LABELLED, ("Q50", "Q50"), (0.0, 0.0), (1.0, 1.0)),
        ("missing-is-zero", AIRCRAFT, ("Q404", "Q5"), (0.0, 0.0), (None, None)),
        ("occupations-not-followed", PILOTS, ("Q9", "Q10"), (0.41980, 0.0), (0.26566, 0.52288)),
    ],
)
def test_quirks(
    quirk: str,
    rows: list[Edge],
    pair: tuple[str, str],
    published: tuple[float | None, float | None],
    corrected: tuple[float | None, float | None],
    tmp_path: Path,
) -> None:
    assert quirk in {known.name for known in quirks_of("karat.vocabularies.ontology")}
    for profile, expected in (("published", published), ("corrected", corrected)):
        found = one(rows, *pair, profile, tmp_path)
        assert found[:2] == tuple(None if value is None else pytest.approx(value, abs=5e-6) for value in expected)


def test_providers_have_no_answer_for_what_is_unknown(tmp_path: Path) -> None:
    provider = OntologyProvider(ontology_of(tmp_path, AIRCRAFT))
    known, unknown = provider.similarity([("Q5", "Q6"), ("Q5", "Q404")])
    assert known is not None
    assert known.jc == pytest.approx(0.22602, abs=5e-6)
    assert unknown is None


def test_no_pairs_and_no_profile(tmp_path: Path) -> None:
    ontology = ontology_of(tmp_path, AIRCRAFT)
    assert measure(ontology, []) == []
    with pytest.raises(UsageError, match="did you mean 'corrected'"):
        measure(ontology, [("Q1", "Q2")], "correct")
