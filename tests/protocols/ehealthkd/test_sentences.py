from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.protocols.ehealthkd.rules import Rules
from karat.protocols.ehealthkd.sentences import Sentences, align, cut, fragments_of, normal_form

CORRECTED = Rules(corrected=True)
texts = st.lists(st.sampled_from(["Uno.", "uno", "Dos", "Tres", "", "…"]), max_size=6)
EVERY = [Rules(edition=edition, corrected=corrected) for edition in ("2019", "2021") for corrected in (False, True)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_every_line_boundary_cuts(end: str) -> None:
    assert Sentences(f"alfa{end}beta", Rules()).texts == ["alfa", "beta"]


def test_empty_lines_are_dropped_and_blank_ones_kept() -> None:
    sentences = Sentences("alfa\n\n  \n beta ", Rules())
    assert (sentences.texts, sentences.begins) == (["alfa", "", "beta"], [0, 5, 6])
    corrected = Sentences("alfa\n\n  \n beta ", CORRECTED)
    assert (corrected.texts, corrected.begins) == (["alfa", "beta"], [0, 10])


def test_in_2019_every_line_is_a_sentence() -> None:
    sentences = Sentences("alfa\n\nbe\u2028ta\n", Rules(edition="2019"))
    assert (sentences.texts, sentences.begins) == (["alfa", "", "be\u2028ta"], [0, 5, 6])


def test_a_start_at_the_end_of_a_sentence_belongs_to_the_next() -> None:
    sentences = Sentences("alfa\nbeta", Rules())
    assert sentences.place([(4, 6)]) == (1, -1, 1)
    assert sentences.place([(9, 10)]) is None


def test_fragments_of_the_first_sentence_keep_their_order() -> None:
    sentences = Sentences("uno dos tres\nuno dos tres", Rules())
    assert sentences.place([(8, 12), (0, 3)]) == (0, 8, 0, 12, 3)
    assert sentences.place([(21, 25), (13, 16)]) == (1, 0, 8, 3, 12)


def test_single_fragments_are_cut_at_each_blank() -> None:
    sentences = Sentences("uno  dos\ttres", Rules())
    assert sentences.place([(0, 13)]) == (0, 0, 4, 5, 3, 4, 13)
    assert Sentences("uno  dos\ttres", CORRECTED).place([(0, 13)]) == (0, 0, 5, 9, 3, 8, 13)


def test_corrected_words_are_compared() -> None:
    sentences = Sentences("uno dos tres", CORRECTED)
    assert (
        sentences.place([(0, 7), (8, 12)]) == sentences.place([(0, 12)]) == sentences.place([(8, 12), (0, 3), (4, 7)])
    )
    assert sentences.place([(3, 4)]) == (0, 3, 3)


def test_places_are_flat() -> None:
    assert list(fragments_of(cut(3, 0, 7, "uno dos"))) == [(0, 3), (4, 7)]


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
    partners = [partner for partner in found.partners if partner is not None]
    assert len(set(partners)) == len(partners)
    for here, there in enumerate(found.partners):
        assert there is None or normal_form(gold[there]) == normal_form(system[here])


@given(texts, st.sampled_from(EVERY))
def test_equal_texts_are_aligned_in_order(gold: list[str], rules: Rules) -> None:
    assert align(gold, list(gold), rules).partners == list(range(len(gold)))
