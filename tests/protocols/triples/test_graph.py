from __future__ import annotations

from pathlib import Path

import pytest
from tests.protocols.triples.corpora import Parts, document

import karat
from karat.model import Span
from karat.protocols.triples.graph import Graph, graph_of
from karat.protocols.triples.triples import triples_of
from karat.vocabularies.predicates import NO_TABLE, Predicates, predicates

RULES = """tool_relation	canonical	direction	rules
owned by	owned by		asymmetric, irreflexive
owner of	owned by	inverse
possessed by	owned by
married to	spouse		symmetric
born in	place of birth		functional
father	father		excludes mother
mother	mother
"""


@pytest.fixture
def table(tmp_path: Path) -> Predicates:
    path = tmp_path / "rules.tsv"
    path.write_text(RULES, "utf-8")
    return predicates(str(path))


def graph(triples: list[Parts], table: Predicates) -> tuple[Graph, list[str]]:
    """Return the graph, and its facts in words."""
    found = triples_of(document(triples), table, {}).triples
    made = graph_of(found, table)
    return made, sorted(f"{fact.head.text} {fact.name} {fact.tail.text}" for fact in made.facts)


def test_what_says_the_same_is_one_fact(table: Predicates) -> None:
    made, facts = graph(
        [
            ("Mill", "owned by", "Ada"),
            ("Ada", "owner of", "Mill"),
            ("Mill", "possessed by", "Ada"),
            ("Ada", "married to", "Bo"),
            ("Bo", "married to", "Ada"),
        ],
        table,
    )
    assert len(facts) == 2
    assert (made.duplicates, made.inverses + made.synonyms) == (1, 2)


def test_contradictions_are_resolved_by_number(table: Predicates) -> None:
    _, facts = graph([("Mill", "owned by", "Ada"), ("Mill", "owner of", "Ada"), ("ADA", "owned by", "MILL")], table)
    assert facts == ["ADA OWNED BY MILL"]
    births: list[Parts] = [("Ada", "born in", "Rome"), ("Ada", "born in", "Bern"), ("Ada", "born in", "City of Bern")]
    made, facts = graph([*births, ("ada", "born in", "bern")], table)
    assert facts == ["Ada PLACE OF BIRTH Bern", "Ada PLACE OF BIRTH City of Bern"]
    assert list(made.left_out.values()) == ["a head has one tail, and 'Ada' PLACE OF BIRTH 'Bern' stays"]


def test_of_contradictions_that_are_said_equally_often_none_stays(table: Predicates) -> None:
    made, facts = graph([("Bo", "father", "Ada"), ("Bo", "mother", "Ada"), ("Bo", "father", "Cy")], table)
    assert facts == ["Bo FATHER Cy"]
    assert list(made.left_out.values()) == [
        "the two exclude each other, and 'Bo' MOTHER 'Ada' is said as often",
        "the two exclude each other, and 'Bo' FATHER 'Ada' is said as often",
    ]
    assert graph([("Ada", "born in", "Rome"), ("Ada", "born in", "Bern")], table)[1] == []


def test_nothing_is_related_to_itself_if_the_rules_say_so(table: Predicates) -> None:
    assert graph([("Mill", "owned by", "the mill")], table)[1] == []


def test_without_a_table_nothing_contradicts_anything() -> None:
    triples: list[Parts] = [("Mill", "owned by", "Ada"), ("Ada", "owned by", "Mill")]
    assert len(graph(triples, NO_TABLE)[1]) == 2


def test_the_graph_is_scored_and_shown(table: Predicates) -> None:
    gold = [document([("Mill", "owned by", "Ada"), ("Ada", "married to", "Bo")])]
    system = [
        document(
            [
                ("Ada", "owner of", "Mill"),
                ("Mill", "owned by", "Ada"),
                ("Ada", "owned by", "Mill"),
                ("Bo", "married to", "Ada"),
                ("Ada", "likes", "Bo"),
            ]
        )
    ]
    scores = karat.score("triples", gold, system, mapping=table)
    (row,) = [row for row in scores if (row.regime, row.measure, row.average) == ("graph", "f1", "micro")]
    assert row.counts == {"gold": 2, "system": 3, "correct": 2}
    notes = " ".join(scores.notes)
    assert "made one with another fact of the system graph: 1 inverse" in notes
    assert "left out of the system graph as contradictions: 1 fact" in notes
    assert "the table lacks the predicates of 1 of 5 system triples: likes" in notes


TEXT = "THE ACFT BEGAN TAXIING FOR TAKE OFF"
ACFT, TAXIING_FOR_TAKE_OFF, TAXIING, TAKE_OFF = (4, 8), (15, 35), (15, 22), (27, 35)


@pytest.mark.parametrize("more", [(TAKE_OFF, TAXIING), (TAXIING, ACFT)])
def test_phrases_inside_of_one_gold_mention_are_not_one_entity(more: tuple[Span, Span]) -> None:
    gold = [document([(ACFT, "part of", TAXIING_FOR_TAKE_OFF)], text=TEXT)]
    said: list[Parts] = [(ACFT, "part of", TAXIING_FOR_TAKE_OFF), (more[0], "part of", more[1])]
    scores = karat.score("triples", gold, [document(said, text=TEXT)], mapping="wikidata")
    (row,) = [row for row in scores if (row.regime, row.measure, row.average) == ("graph", "f1", "micro")]
    assert row.counts == {"gold": 1, "system": 2, "correct": 1}
    assert not any("contradictions" in note for note in scores.notes)


def test_an_article_or_a_mark_makes_no_other_entity() -> None:
    text = "THE ACFT LOST A WING."
    gold = [document([((9, 13), "lost", (16, 20))], text=text)]
    said: list[Parts] = [((0, 8), "has part", (14, 20)), ((16, 21), "part of", (4, 8))]
    scores = karat.score("triples", gold, [document(said, text=text)], mapping="wikidata")
    assert "made one with another fact of the system graph: 1 inverse" in scores.notes


def test_mentions_of_several_entities_are_no_relation_of_one_with_itself() -> None:
    text = "pilot flew. captain sat. pilot slept."
    one, captain, other = (0, 5), (12, 19), (25, 30)
    triples: list[Parts] = [(one, "part of", captain), (other, "part of", captain)]
    both = [document(triples, text=text, chains=[[one, captain]])]
    scores = karat.score("triples", both, both, mapping="wikidata")
    assert scores.value("f1", regime="graph") == 1.0
