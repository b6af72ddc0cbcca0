from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from karat.protocols.ehealthkd.align import align, normal_form
from karat.protocols.ehealthkd.rules import Rules

texts = st.lists(st.sampled_from(["Uno.", "uno", "Dos", "Tres", "", "…"]), max_size=6)
EVERY = [Rules(edition=edition, corrected=corrected) for edition in ("2019", "2021") for corrected in (False, True)]


def test_letters_and_digits_are_compared() -> None:
    assert normal_form("HCoV-229E, ¿sí?") == "hcov229esí"
    assert align(["El asma."], ["el ASMA"], Rules()).partners == [0]


def test_a_gold_sentence_may_be_left_out_but_none_put_in() -> None:
    assert align(["a", "b", "c"], ["a", "c"], Rules()).partners == [0, 2]
    found = align(["a", "b"], ["x", "a", "b"], Rules())
    assert found.partners == [None, None, None]
    assert found.remarks[0] == "Match not found for gold sentence: 'a'"
    assert found.remarks[-1] == "Spurious submission sentence not considered (gold ended): 'b'"
    assert align(["a", "b"], ["x", "a", "b"], Rules(corrected=True)).partners == [None, 0, 1]


def test_in_2019_other_texts_are_dropped() -> None:
    found = align(["a", "b", "c"], ["a", "B"], Rules(edition="2019"))
    assert (found.partners, found.dropped) == ([0, None], {1, 2})
    assert found.remarks == ["Wrong sentence: gold='b' vs submit='B'"]


@given(texts, texts, st.sampled_from(EVERY))
def test_partners_are_one_to_one_and_agree(gold: list[str], system: list[str], rules: Rules) -> None:
    found = align(gold, system, rules)
    assert len(found.partners) == len(system)
    partners = [one for one in found.partners if one is not None]
    assert len(set(partners)) == len(partners)
    for here, there in enumerate(found.partners):
        assert there is None or normal_form(gold[there]) == normal_form(system[here])


@given(texts, st.sampled_from(EVERY))
def test_equal_texts_are_aligned_in_order(gold: list[str], rules: Rules) -> None:
    assert align(gold, list(gold), rules).partners == list(range(len(gold)))
