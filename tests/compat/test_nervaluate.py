"""The module that stands in for nervaluate: its versions, its loaders, and what they refuse."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from karat.compat import nervaluate
from karat.compat.nervaluate import Evaluator, v0_2_0, v1_1_0
from karat.compat.nervaluate.loaders import LoadedSpans, SideColumns
from karat.compat.nervaluate.tag_loaders import from_tags

HALVES = [["B-PER", "I-PER", "O"], ["B-PER", "I-PER", "O"]], [["B-PER", "O", "O"], ["B-PER", "O", "O"]]


def test_every_function_of_every_version_is_there() -> None:
    assert set(v0_2_0.__all__) <= set(nervaluate.__all__)
    assert set(v1_1_0.__all__) <= set(nervaluate.__all__)
    assert all(callable(getattr(nervaluate, name)) for name in nervaluate.__all__)
    assert nervaluate.compute_metrics is v0_2_0.compute_metrics
    with pytest.raises(AttributeError, match="no attribute 'other'"):
        _ = nervaluate.other


def test_versions_differ_where_they_are_known_to() -> None:
    partial = [version.Evaluator(*HALVES, tags=["PER"], loader="list").evaluate() for version in (nervaluate, v1_1_0)]
    assert [result["overall"]["partial"].precision for result in partial] == [0.5, 0.0]
    results, by_tag, indices, _ = v0_2_0.Evaluator(*HALVES, tags=["PER"], loader="list").evaluate()
    assert results["partial"] == by_tag["PER"]["partial"]
    assert results["partial"]["precision"] == 0.5
    assert indices["ent_type"]["correct_indices"] == []  # only what is identical is told of
    assert results["ent_type"]["correct"] == 2


def random_tags(random: Random, labels: int) -> list[list[str]]:
    kinds = ["O", *(f"{letter}-{number}" for number in range(labels) for letter in "BI")]
    return [[random.choice(("O", random.choice(kinds))) for _ in range(9)] for _ in range(40)]


@pytest.mark.parametrize("labels", [2, 200])
def test_coded_tags_are_counted_as_entities_are(labels: int) -> None:
    random = Random(labels)  # noqa: S311 - nothing here is secret
    sides = random_tags(random, labels), random_tags(random, labels)
    tags = [str(number) for number in range(labels) if number != 1]
    coded = Evaluator(*sides, tags=tags, loader="list")
    columns = ["\n\n".join("\n".join(f"w\t{tag}" for tag in tags) for tags in side) for side in sides]
    one_by_one = Evaluator([], [], tags=tags, loader="dict")
    one_by_one._loaded = LoadedSpans(*map(from_tags, sides))
    dictionaries = [
        [[vars_of(entity) for entity in document] for document in side] for side in (coded.true, coded.pred)
    ]
    wanted = repr(one_by_one.evaluate())
    assert repr(coded.evaluate()) == wanted
    assert repr(Evaluator(*columns, tags=tags).evaluate()) == wanted
    assert repr(Evaluator(*dictionaries, tags=tags, loader="dict").evaluate()) == wanted


def vars_of(entity: Any) -> dict[str, Any]:
    return {"label": entity.label, "start": entity.start, "end": entity.end}


def test_a_blank_line_belongs_to_the_entity_around_it() -> None:
    text = "a\tB-X\n \nb\tI-X\nc\tO"
    assert Evaluator(text, text, tags=["X"]).true == [[("X", 0, 2)]]


REFUSED = {
    "ListLoader expects list input": ("list", ({}, {})),
    "Each document must be a list of tags": ("list", ([("O",)], [("O",)])),
    "Invalid tag type: <class 'int'>": ("list", ([[1]], [["O"]])),
    "Invalid tag format: E-X": ("list", ([["O", "E-X", "S-X"]], [["O", "O", "O"]])),
    "Document 0 has different lengths: true=1, pred=2": ("list", ([["O"]], [["O", "O"]])),
    "Number of predicted documents does not equal true": ("list", ([["O"]], [])),
    "DictLoader expects list input": ("dict", ((), ())),
    "Each document must be a list of entity dictionaries": ("dict", ([()], [()])),
    "Invalid entity type: <class 'str'>": ("dict", ([["x"]], [["x"]])),
    "Entity missing required keys: ": ("dict", ([[{"label": "X"}]], [[]])),
    "Entity label must be a string": ("dict", ([[{"label": 1, "start": 0, "end": 0}]], [[]])),
    "Entity start and end must be integers": ("dict", ([[{"label": "X", "start": 0.0, "end": 0}]], [[]])),
    "ConllLoader expects string input": ("conll", ([], [])),
    "Invalid CoNLL format: line 'a' does not contain a tab separator": ("conll", ("a", "a")),
    "Unknown loader: x": ("x", ([], [])),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_is_refused(message: str) -> None:
    loader, sides = REFUSED[message]
    with pytest.raises(ValueError, match=re.escape(message)):
        Evaluator(*sides, tags=["X"], loader=loader)


def test_columns_know_whether_entities_overlap() -> None:
    assert SideColumns.of([[(0, 2, "A")], [], [(0, 1, "A"), (1, 2, "A")]]).is_plain()
    assert not SideColumns.of([[(0, 2, "A")], [(0, 2, "A"), (1, 2, "A")]]).is_plain()
    assert not SideColumns.of([[(3, 4, "A"), (0, 2, "A")]]).is_plain()


def test_an_entity_that_covers_nothing_is_in_its_place_and_overlaps_nothing() -> None:
    nothing = {"label": "A", "start": 5, "end": 4}
    counts = Evaluator([[nothing]], [[nothing, {"label": "A", "start": 5, "end": 6}]], ["A"], "dict").evaluate()
    assert [counts["overall"][name].correct for name in ("strict", "exact", "partial", "ent_type")] == [1, 1, 0, 0]
    assert counts["entities"]["A"]["strict"].correct == 1
    with pytest.raises(ZeroDivisionError, match="covers no position"):
        Evaluator([[nothing]], [[{"label": "A", "start": 4, "end": 6}]], ["A"], "dict").evaluate()
