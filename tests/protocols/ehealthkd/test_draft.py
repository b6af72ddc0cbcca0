"""From documents of any format to sentences: what is a unit, an entity, a relation, and what is left out."""

from __future__ import annotations

import pytest
from tests.protocols.ehealthkd.files import sketch

import karat
from karat.errors import InputError
from karat.evaluation.scores import Scores
from karat.model import Document, Mention, TokenTable

TEXT = "La tos seca.\nNada.\nEl asma grave."
MENTIONS = ("T1 C 3 6", "T2 C 22 26")


def score(gold: Document, system: Document, part: str = "entities", **options: str) -> Scores:
    return karat.score(f"ehealthkd2021-{part}", [gold], [system], **options)


def test_sentences_that_are_scored_are_units() -> None:
    gold = sketch(TEXT, *MENTIONS).document()
    found = score(gold, sketch(TEXT, "T1 C 3 6", "T2 C 13 17").document())
    assert found.tallies.units == ["d:1", "d:3"]
    assert found.notes == ("1 gold sentence without annotation, not scored",)
    assert (found.value("precision"), found.value("recall")) == (1.0, 0.5)
    assert "|sentences:2|" in found.signature
    documented = score(gold, sketch(f"{TEXT}\nMás.", "T1 C 3 6").document(), profile="documented")
    assert documented.tallies.units == ["d:1", "d:2", "d:3", "d:s4"]


def test_a_document_in_which_nothing_is_scored_is_an_empty_unit() -> None:
    found = score(sketch(TEXT).document(), sketch(TEXT, *MENTIONS).document())
    assert (found.tallies.units, found.value()) == (["d:0"], None)


def test_segments_of_tokens_are_sentences_on_both_sides() -> None:
    text = "La tos seca El asma"
    starts = [0, 3, 7, 12, 15]
    table = TokenTable(text.split(), segments=[0, 3], starts=starts)
    mentions = [Mention("T1", ((3, 6),), ("C",)), Mention("T2", ((15, 19),), ("C",))]
    with_table, without = Document("d", text, mentions, table=table), Document("d", text, mentions)
    for gold, system in ((with_table, without), (without, with_table), (with_table, with_table)):
        found = score(gold, system)
        assert (found.tallies.units, found.value()) == (["d:1", "d:2"], 1.0)
    assert score(without, without).tallies.units == ["d:1"]


def test_texts_may_differ_in_blanks_and_punctuation() -> None:
    gold, system = sketch("La tos, seca.", "T1 C 3 6"), sketch("la tos seca", "T1 C 3 6")
    assert score(gold.document(), system.document()).value() == 1
    other = score(gold.document(), sketch("Otra tos.", "T1 C 5 8").document())
    assert other.value("recall") == 0
    assert other.notes[0].startswith("document 'd' has 2 sentences without a partner, first: Match not found for gold")


def test_labels_and_layers() -> None:
    several = Document("d", "La tos", [Mention("T1", ((3, 6),), ("A", "B"))])
    single = Document("d", "La tos", [Mention("T1", ((3, 6),), ("B",))])
    assert score(several, single, profile="corrected").value("recall") == 0.5
    assert score(Document("d", "La tos", [Mention("T1", ((3, 6),))]), single).value() == 0
    layered = [
        Document("d", "La tos", [Mention(f"T{at}", ((3, 6),), ("A",), layer=layer) for at, layer in enumerate(layers)])
        for layers in (("x", "y"), ("x", "z"))
    ]
    rows = [row for row in score(*layered) if row.measure == "recall"]
    assert [(row.layer, row.value) for row in rows] == [("x", 1.0), ("y", 0.0), ("z", None)]
    nameless = Document("d", "La tos", [Mention("T1", ((3, 6),), ("A",))])
    assert score(Document("d", "La tos", layered[0].mentions[:1]), nameless).value() == 1


def test_relations_that_are_left_out() -> None:
    lines = ("R1 is T1 T2", "R2 is T1 T9", "R3 is T1", "R4 is T1 T1", "R5 is T1 T1")
    gold = sketch(TEXT, *MENTIONS, *lines).document()
    found = score(gold, sketch(TEXT, *MENTIONS, "R4 is T1 T1").document(), "relations")
    assert found.value() == 1
    assert {note for note in found.notes if note.endswith("left out")} == {
        "1 relation across sentences, left out",
        "1 relation without a mention at both ends, left out",
        "1 relation without exactly two ends, left out",
        "1 relation said before, left out",
    }


def test_events_and_chains_are_relations() -> None:
    places = ("T1 C 3 6", "T2 C 7 11", "T3 C 0 2")
    gold = sketch(TEXT, *places, "E1 T1 Theme2:T2", "R1 is E1 T3", "* same-as T1 T2 T3")
    plain = ("R1 theme T1 T2", "R2 is T1 T3", "R3 same-as T1 T2", "R4 same-as T1 T3")
    assert score(gold.document(), sketch(TEXT, *places, *plain).document(), "relations").value() == 1
    unnamed = sketch(TEXT, *places, "*  T1 T2").document()
    assert [entry.label for entry in karat.explain("ehealthkd2021-relations", [unnamed], [unnamed])] == ["Equiv"]


def test_missing_documents() -> None:
    gold = [sketch(TEXT, *MENTIONS).document(id="a"), sketch(TEXT, *MENTIONS).document(id="b")]
    with pytest.raises(InputError, match="the system lacks 1 document: b"):
        karat.score("ehealthkd2021-entities", gold, gold[:1])
    assert karat.score("ehealthkd2021-entities", gold, gold[:1], missing="empty").value("recall") == 0.5
    assert karat.score("ehealthkd2021-entities", gold, gold[:1], missing="skip").value("recall") == 1


def test_what_is_listed_first_is_the_first_over_a_span() -> None:
    gold = sketch(TEXT, "T10 B 3 6", "T9 A 3 6").document()
    assert score(gold, sketch(TEXT, "T1 A 3 6").document()).value("recall") == 0
    assert score(gold, sketch(TEXT, "T1 B 3 6").document()).value("recall") == 0.5
    assert score(gold, sketch(TEXT, "T1 A 3 6").document(), profile="corrected").value("recall") == 0.5


def test_a_side_without_what_is_judged_is_named() -> None:
    gold, bare = sketch(TEXT, *MENTIONS).document(), sketch(TEXT).document()
    assert "the gold has no relations" in score(gold, bare, "relations").notes
    assert [note for note in score(gold, bare).notes if "has no" in note] == ["the system has no entities"]


def test_a_sentence_without_words_behind_the_last_word_is_none() -> None:
    gold = sketch("La tos", "T1 C 3 6").document()
    gold.table = TokenTable(["La", "tos"], {}, [0, 2], [0, 3])
    assert score(gold, gold).tallies.units == ["d:1"]
