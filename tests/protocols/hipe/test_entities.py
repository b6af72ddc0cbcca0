from __future__ import annotations

import pytest

from karat.protocols.hipe.entities import ColumnEntity, Conflict, link_entities, ner_entities


def links(cells: str, tags: str, rule: str, *, split: bool = False) -> list[tuple[tuple[str, ...], int, int]]:
    found = link_entities(cells.split(), tags.split(), rule, Conflict(print, split=split))
    return [(entity.labels, entity.start, entity.end) for entity in found]


def test_an_entity_is_a_label_over_tokens() -> None:
    assert ner_entities(["B-loc", "I-loc", "O", "O"]) == [ColumnEntity(("LOC",), 0, 2)]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("ner", [(("NIL",), 0, 1), (("NIL",), 1, 2), (("NIL",), 3, 4)]),
        ("runs", [(("NIL",), 0, 2), (("NIL",), 3, 4)]),
        ("fixed", [(("NIL",), 0, 1), (("NIL",), 1, 2), (("NIL",), 3, 4)]),
    ],
)
def test_neighbours_that_are_not_in_the_knowledge_base(rule: str, expected: list[object]) -> None:
    assert links("NIL NIL _ nil", "B-loc B-loc O B-loc", rule) == expected


@pytest.mark.parametrize(
    ("split", "expected"), [(False, [(("Q1",), 0, 2)]), (True, [(("Q1",), 0, 1), (("Q2", "Q3"), 1, 2)])]
)
def test_different_links_in_one_entity(split: bool, expected: list[object], capsys: pytest.CaptureFixture[str]) -> None:
    assert links("Q1 Q2|q3 _ _", "B-loc I-loc O O", "ner", split=split) == [*expected]
    assert capsys.readouterr().out.count("different links") == (2 if split else 1)


def test_links_outside_of_entities() -> None:
    assert links("_ _ Q5 Q5", "O O O O", "ner") == [(("Q5",), 2, 3), (("Q5",), 3, 4)]
    assert links("_ _ Q5 Q5", "O O O O", "fixed") == [(("Q5",), 2, 4)]
