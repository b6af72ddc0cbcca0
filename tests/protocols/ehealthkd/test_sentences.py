from __future__ import annotations

import pytest

from karat.protocols.ehealthkd.rules import Rules
from karat.protocols.ehealthkd.sentences import Sentences, cut, fragments_of

CORRECTED = Rules(corrected=True)


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
