"""Split antecedents, as the paper that defines their scores counts them."""

from __future__ import annotations

import pytest
from tests.protocols.coreference.universal_anaphora.build import counts, value

KEPT = {"split_antecedents": "keep"}
# a and b are one entity, c and d another, e a third; f and g are the first two together
GOLD = "a~(1:a:ElementOf=4) b~(1:b) c~(2:c:ElementOf=4) d~(2:d) e~(3:e) f~(4:f) g~(4:g)"


@pytest.mark.parametrize(
    ("system", "regime", "recall", "precision"),
    [
        (GOLD.replace(":ElementOf=4", ""), "b3", 19 / 24, 1),
        (GOLD.replace(":ElementOf=4", ""), "muc", 3 / 4, 1),
        (GOLD.replace(":ElementOf=4", ""), "ceafm", 7 / 8, 1),
        (GOLD.replace(":ElementOf=4", ""), "lea", 6 / 8, 1),
        (GOLD.replace("(3:e)", "(3:e:ElementOf=4)"), "muc", 1, 11 / 12),
        (GOLD.replace("(3:e)", "(3:e:ElementOf=4)"), "lea", 1, 7.6 / 8),
        (GOLD.replace("(3:e)", "(3:e:ElementOf=4)"), "ceafe", 59 / 60, 59 / 60),
        (GOLD.replace("(3:e)", "(3:e:ElementOf=4)").replace("(2:c:ElementOf=4)", "(2:c)"), "muc", 7 / 8, 7 / 8),
        (GOLD.replace("(3:e)", "(3:e:ElementOf=4)").replace("(2:c:ElementOf=4)", "(2:c)"), "lea", 7 / 8, 11 / 12),
    ],
)
def test_partly_right(system: str, regime: str, recall: float, precision: float) -> None:
    assert value(GOLD, system, regime, "recall", **KEPT) == pytest.approx(recall)
    assert value(GOLD, system, regime, "precision", **KEPT) == pytest.approx(precision)


@pytest.mark.parametrize(
    "system",
    [
        GOLD,
        GOLD.replace("(1:a:ElementOf=4)", "(1:a)").replace("(1:b)", "(1:b:ElementOf=4)"),
        GOLD.replace("ElementOf=4", "ElementOf=4,5").replace("(4:g)", "(5:g)"),
    ],
)
def test_any_mention_of_an_entity_speaks_for_it_and_equal_ones_are_one_chain(system: str) -> None:
    for regime in ("muc", "b3", "ceafe", "ceafm", "blanc", "lea", "conll"):
        assert value(GOLD, system, regime, **KEPT) == 1


def test_parts_of_parts_are_parts() -> None:
    nested = f"{GOLD} h~(5:h)".replace("(4:f)", "(4:f:ElementOf=5)").replace("(3:e)", "(3:e:ElementOf=5)")
    flat = f"{GOLD} h~(5:h)".replace("ElementOf=4", "ElementOf=4,5").replace("(3:e)", "(3:e:ElementOf=5)")
    assert value(nested, flat, "conll", **KEPT) == 1


def test_only_split_antecedents() -> None:
    only = {"split_antecedents": "only"}
    surplus = GOLD.replace("(3:e)", "(3:e:ElementOf=4)")
    assert counts(GOLD, surplus, "b3", **only) == (4, 4, 4, 5)
    assert counts(GOLD, surplus, "muc", **only) == (2, 2, 2, 3)
    assert counts(GOLD, surplus, "mentions", **only) == (1, 1, 1, 1)
    assert counts(GOLD, GOLD.replace(":ElementOf=4", ""), "b3", **only) == (0, 4, 0, 0)
