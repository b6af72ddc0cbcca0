from __future__ import annotations

import pytest

from karat.protocols.ehealthkd.rules import Rules
from karat.protocols.ehealthkd.sentences import Page, cut, fragments_of

CORRECTED = Rules(corrected=True)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_every_line_boundary_cuts(end: str) -> None:
    assert Page(f"alfa{end}beta", Rules()).texts == ["alfa", "beta"]


def test_empty_lines_are_dropped_and_blank_ones_kept() -> None:
    page = Page("alfa\n\n  \n beta ", Rules())
    assert (page.texts, page.begins) == (["alfa", "", "beta"], [0, 5, 6])
    corrected = Page("alfa\n\n  \n beta ", CORRECTED)
    assert (corrected.texts, corrected.begins) == (["alfa", "beta"], [0, 10])


def test_in_2019_every_line_is_a_sentence() -> None:
    page = Page("alfa\n\nbe\u2028ta\n", Rules(edition="2019"))
    assert (page.texts, page.begins) == (["alfa", "", "be\u2028ta"], [0, 5, 6])


def test_a_start_at_the_end_of_a_sentence_belongs_to_the_next() -> None:
    page = Page("alfa\nbeta", Rules())
    assert page.place([(4, 6)]) == (1, -1, 1)
    assert page.place([(9, 10)]) is None


def test_fragments_of_the_first_sentence_keep_their_order() -> None:
    page = Page("uno dos tres\nuno dos tres", Rules())
    assert page.place([(8, 12), (0, 3)]) == (0, 8, 0, 12, 3)
    assert page.place([(21, 25), (13, 16)]) == (1, 0, 8, 3, 12)


def test_single_fragments_are_cut_at_each_blank() -> None:
    page = Page("uno  dos\ttres", Rules())
    assert page.place([(0, 13)]) == (0, 0, 4, 5, 3, 4, 13)
    assert Page("uno  dos\ttres", CORRECTED).place([(0, 13)]) == (0, 0, 5, 9, 3, 8, 13)


def test_corrected_words_are_compared() -> None:
    page = Page("uno dos tres", CORRECTED)
    assert page.place([(0, 7), (8, 12)]) == page.place([(0, 12)]) == page.place([(8, 12), (0, 3), (4, 7)])
    assert page.place([(3, 4)]) == (0, 3, 3)


def test_places_are_flat() -> None:
    assert list(fragments_of(cut(3, 0, 7, "uno dos"))) == [(0, 3), (4, 7)]
