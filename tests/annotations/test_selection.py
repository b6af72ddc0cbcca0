from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import documents

from karat.annotations.faults import faults
from karat.annotations.selection import trim
from karat.model import Argument, Chain, Document, Link, Mention, Note, Relation, TokenTable

KINDS = ("links", "relations", "chains", "notes", "attributes")


@given(documents(), st.sets(st.sampled_from(KINDS)), st.sets(st.sampled_from(["", "NE-COARSE-LIT"])))
def test_what_is_left_is_sound_and_what_was_named_is_gone(
    document: Document, kinds: set[str], layers: set[str]
) -> None:
    trimmed = trim(document, kinds, layers)
    assert list(faults(trimmed)) == []
    for kind in kinds & {"relations", "chains", "notes"}:
        assert getattr(trimmed, kind) == []
    for mention in trimmed.mentions:
        assert not layers or mention.layer in layers
        assert "links" not in kinds or not mention.links
        assert "attributes" not in kinds or not mention.attributes
    if not kinds and not layers:
        assert trimmed is document


def test_what_refers_to_a_mention_that_is_gone_goes_too() -> None:
    mentions = [
        Mention("T1", ((0, 1),), layer="a", links=(Link("Q1"),)),
        Mention("T2", ((1, 2),), layer="b"),
        Mention("T3", ((0, 2),), layer="a"),
    ]
    document = Document(
        "d",
        "xy",
        mentions,
        [Chain("*1", ("T1", "T2")), Chain("*2", ("T1", "T3"))],
        [
            Relation("R1", "x", (Argument("A", "T1"), Argument("B", "T2"))),
            Relation("R2", "x", (Argument("A", "R1"),)),
            Relation("R3", "x", (Argument("A", "T1"),)),
            Relation("E1", "x", (Argument("A", "T1"),), trigger="T2"),
        ],
        [Note("#1", "R1", "gone"), Note("#2", "T1", "kept"), Note("#3", "*2", "kept")],
        table=TokenTable(["x", "y"], {"NE": ["O", "O"]}, [0], [0, 1], dialect="hipe"),
    )
    trimmed = trim(document, set(), {"a"})
    assert [mention.id for mention in trimmed.mentions] == ["T1", "T3"]
    assert [chain.id for chain in trimmed.chains] == ["*2"]
    assert [relation.id for relation in trimmed.relations] == ["R3"]
    assert [note.id for note in trimmed.notes] == ["#2", "#3"]
    assert trimmed.table == TokenTable(["x", "y"], {}, [0], [0, 1])
