"""Each surprise of the Universal Anaphora scorer, and what is counted where it is not wanted."""

from __future__ import annotations

import pytest
from tests.protocols.coreference.universal_anaphora.build import PAIR, counts, scores, value

from karat.api import score
from karat.errors import InputError
from karat.evaluation.registry import protocol
from karat.formats.base import Problems
from karat.formats.universal_anaphora.read import AnaphoraFileOptions, read_lines

KEPT = {"split_antecedents": "keep"}


def test_little_by_default() -> None:
    words = f"{PAIR} *~(1:z)"
    assert counts(words, words, "mentions") == (4, 4, 4, 4)
    assert counts(words, words, "mentions", singletons="keep") == (6, 6, 6, 6)
    assert counts(words, words, "mentions", split_antecedents="keep") == (7, 7, 7, 7)
    assert counts(words, words, "mentions", split_antecedents="keep", zeros="keep") == (8, 8, 8, 8)


def test_nothing_collected() -> None:
    words = "there~(4-Pseudo:x) Ada~(1:a) she~(1:b)~(MarkableID=b|MentionAnchor=a)"
    found = scores(words, words)
    for regime in ("non-referring", "bridging-anaphors", "bridging-mentions", "bridging-entities"):
        assert found.value("f1", regime=regime) == 1


def test_mention_refused() -> None:
    assert counts(PAIR, PAIR.replace("(2:b:", "(2:b:Min=3:"), "mentions", singletons="keep") == (6, 6, 6, 6)


def test_first_of_nothing() -> None:
    twice, apart = "it~(4-Pseudo:a) it~(4-Pseudo:b) x~(1:c)", "it~(4-Pseudo:a) it~(5-Pseudo:b) x~(1:c)"
    assert counts(twice, apart, "non-referring") == (1, 1, 1, 2)
    assert counts(apart, apart, "non-referring") == (2, 2, 2, 2)


def test_chains_of_zeros() -> None:
    words = "Ada~(1:a) came *~(2:z) left *~(2:y)"
    assert counts(words, words, "b3", singletons="keep") == (1, 1, 1, 1)
    assert "left out 1 gold chain of zeros" in scores(words, words, singletons="keep").notes


def test_craft_without_zeros() -> None:
    words = "Ada~(1:a) came *~(1:z)"
    assert counts(words, words, "muc", match="craft", zeros="keep") == (1, 1, 1, 1)


INSIDE = "a~(1:a b c d~) e~(1:b)", "a~(1:a b~) c~(1:c) d e~(1:b)"


def test_craft_tries_once() -> None:
    assert counts(*INSIDE, "mentions", match="craft") == (2, 2, 2, 3)
    assert counts(*INSIDE, "mentions", match="partial") == (1, 2, 1, 3)
    assert counts(INSIDE[0].replace("1:a", "1:a:Min=3"), INSIDE[1], "mentions", match="partial") == (2, 2, 2, 3)


def test_partial_both_ways() -> None:
    short, long = "the old~(1:a mayor~) saw~(1:b)", "the~(1:a:Min=3 old mayor~) saw~(1:b)"
    assert counts(short, long, "mentions", match="partial") == (2, 2, 2, 2)
    assert counts(short, long.replace(":Min=3", ""), "mentions", match="partial") == (1, 2, 1, 2)


def test_names_go_both_ways() -> None:
    gold, system = "a~(1:a:Min=2(2:b:Min=2 b c~)) x~(1:x) y~(2:y)", "a~(1:a b~)(2:b) c x~(1:x) y~(2:y)"
    assert counts(gold, system, "muc", match="partial") == (1, 2, 1, 2)
    once = gold.replace("(2:b:Min=2", "").replace("~))", "~)")
    assert counts(once, system, "muc", match="partial") == (1, 1, 1, 2)


def test_blanc_by_order() -> None:
    surplus = PAIR.replace("(4:f)", "(4:f:ElementOf=3)")
    found, gold, _, _ = counts(PAIR, surplus, "blanc-linked", **KEPT)
    assert (found, gold) == (3, 4)  # of two pairs with the split antecedent one counts, though it has all its credit
    assert counts(PAIR, PAIR, "blanc-linked", **KEPT) == (4, 4, 4, 4)


def test_blanc_either() -> None:
    assert value("a~(1:a) b~(2:b)", "a~(1:a) b~(1:b)", "blanc", singletons="keep") == 0
    assert value("a~(1:a) b~(2:b)", "a~(1:a) b~(2:b)", "blanc", singletons="keep") == 1


def test_blanc_of_splits() -> None:
    alone = "Ada~(1:a:ElementOf=3) met Bo~(2:b:ElementOf=3) they~(3:c) sang"
    assert value(alone, alone, "blanc", split_antecedents="only") == 1


def test_repeated_mentions() -> None:
    twice, once = "a~(1:a)(1:b) b~(1:c)", "a~(1:a) b~(1:c)"
    assert counts(twice, once, "ceafm") == (3, 3, 3, 2)
    assert counts(twice, once, "ceafm", **KEPT) == (2, 2, 2, 2)
    gold, system = "a~(1:a)(2:b) b~(1:c) c~(2:d)", "a~(1:a) b~(1:c) c~(2:d)"
    assert counts(gold, system, "muc") == (1, 2, 0, 1)
    assert counts(system, system, "muc") == (1, 1, 1, 1)


def test_ties_by_solver() -> None:
    gold = "x~(1:a:ElementOf=3) y~(2:b:ElementOf=4) u~(3:c) v~(4:d)"
    system = "x~(1:a:ElementOf=3) y~(2:b:ElementOf=3) u~(3:c) v~(4:d)"
    assert counts(gold, system, "ceafm", **KEPT) == pytest.approx((14 / 3, 6, 14 / 3, 5))


def test_elements_in_a_circle() -> None:
    circle = PAIR.replace("(3:c)", "(3:c:ElementOf=1)")
    with pytest.raises(InputError, match=r"d\.conllua: document 'd': entity '\d' is an element of itself by ElementOf"):
        scores(circle, PAIR, **KEPT)
    assert scores(circle, PAIR).value("f1", regime="conll") == 1


def test_brackets_behind() -> None:
    words = "a~(1:a b~(2:b)) c~(1:c)"
    assert counts(words, "a~(1:a b~)(2:b) c~(1:c)", "mentions", singletons="keep") == (3, 3, 3, 3)


def test_rows_before_a_document() -> None:
    rows = ["1 a _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=a)", "2 b _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=b)"]
    documents = list(read_lines(rows, "x", Problems(), AnaphoraFileOptions()))
    assert score("universal-anaphora", documents, documents).value("f1", regime="conll") == 1


def test_no_quirk_is_forgotten() -> None:
    names = {quirk.name for quirk in protocol("universal-anaphora").quirks}
    tested = {name.removeprefix("test_").replace("_", "-") for name in globals() if name.startswith("test_")}
    assert names == tested - {"no-quirk-is-forgotten"}
