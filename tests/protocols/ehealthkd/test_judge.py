"""Entities and relations of sentences, and sentences of texts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from karat.protocols.ehealthkd.annotations import Annotations, Builder
from karat.protocols.ehealthkd.drop_in.evaluation import evaluate_annotations
from karat.protocols.ehealthkd.relations import match_relations
from karat.protocols.ehealthkd.rules import Rules
from karat.protocols.ehealthkd.sentences import Sentences

TEXTS = ["uno dos tres", "uno dos", "tres"]
SENTENCES = Sentences("\n".join(TEXTS), Rules())
SWITCHES = st.builds(
    Rules,
    edition=st.sampled_from(["2019", "2021"]),
    corrected=st.booleans(),
    skip_incorrect=st.booleans(),
    skip_same_as=st.booleans(),
    propagate_error=st.booleans(),
)


@st.composite
def annotations(draw: st.DrawFn) -> Annotations:
    builder = Builder()
    for _ in range(draw(st.integers(0, 8))):
        start = draw(st.integers(0, 5))
        name, label = draw(st.integers(1, 9)), draw(st.sampled_from("AB"))
        builder.add(name, label, (draw(st.integers(0, 2)), start, start + draw(st.integers(1, 4))))
    size = len(builder.ids)
    for _ in range(draw(st.integers(0, 6)) if size else 0):
        ends = draw(st.integers(0, size - 1)), draw(st.integers(0, size - 1))
        if builder.places[ends[0]][0] == builder.places[ends[1]][0]:
            builder.relations.append((draw(st.sampled_from(["is", "same-as"])), *ends))
    return builder.finished(SENTENCES, "")


@given(annotations())
def test_sentences_apart_hold_everything(whole: Annotations) -> None:
    apart = whole.apart()
    assert [one.texts for one in apart] == [[text] for text in TEXTS]
    assert [label for one in apart for label in one.labels] == list(whole.labels)
    words = [part.words(index) for part in apart for index in range(len(part.ids))]
    assert words == [whole.words(index) for index in range(len(whole.ids))]
    ends = [(label, part.words(one), part.words(two)) for part in apart for label, one, two in part.relations]
    assert ends == [(label, whole.words(one), whole.words(two)) for label, one, two in whole.relations]


@given(annotations(), SWITCHES)
def test_annotations_match_themselves(side: Annotations, rules: Rules) -> None:
    found = evaluate_annotations(side, side, rules).counts
    assert all(count == 0 for name, count in found.items() if not name.startswith("correct"))


def line(size: int) -> Annotations:
    """Return a sentence of single letters, each an entity."""
    return Annotations(["a" * size], [0], list(range(size)), ["C"] * size, [(0, at, at + 1) for at in range(size)])


def test_an_end_without_a_partner_is_never_found() -> None:
    found = match_relations(line(3), [("is", 0, 1)], [("is", 0, 2)], {0: 0}, Rules())
    assert (found.correct, found.spurious, found.missed) == ([], [0], [0])


def test_equivalence_is_transitive_and_of_the_gold_alone() -> None:
    gold = [("same-as", 0, 1), ("same-as", 1, 2), ("is", 0, 3)]
    meant = {at: at for at in range(4)}
    found = match_relations(line(4), gold, [("is", 2, 3)], meant, Rules())
    assert found.correct == [(0, 2, "equivalent")]
    found = match_relations(line(4), [("is", 0, 3)], [("same-as", 0, 2), ("is", 2, 3)], meant, Rules())
    assert found.correct == []
    swapped = match_relations(line(4), gold[:2], [("same-as", 2, 0)], meant, Rules())
    assert swapped.correct == [(0, 0, "equivalent")]


def test_documented_relations_are_exact() -> None:
    gold, meant = [("same-as", 0, 1), ("is", 0, 2)], {at: at for at in range(3)}
    rules = Rules(corrected=True, documented=True)
    system = [("same-as", 1, 0), ("is", 1, 2), ("is", 0, 2)]
    assert match_relations(line(3), gold, system, meant, rules).correct == [(2, 1, "exact")]
