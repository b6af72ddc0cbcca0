from __future__ import annotations

import pytest
from tests.protocols.coreference.corefud.build import counts

GOLD = "Ada|(e1) and Bo|(e2) came _|(e1)|4:nsubj and went _|(e2)|6:nsubj"


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        (GOLD, (2, 2, 2, 2)),
        ("Ada|(e1) and Bo|(e2) came _|(e2)|4:nsubj and went _|(e1)|6:nsubj", (0, 2, 0, 2)),  # linked wrongly
        ("Ada|(e1) and Bo|(e2) came and went _|(e2)|6:nsubj", (1, 2, 1, 1)),  # one is missed
        ("Ada and Bo|(e2) came _|(e1)|4:nsubj and went _|(e2)|6:nsubj", (1, 2, 1, 1)),  # first of its chain
        ("Ada|(e1) _|(e1)|1:obj and Bo|(e2) came and went _|(e2)|6:nsubj", (1, 2, 1, 2)),  # another zero
    ],
)
def test_zero_anaphors(system: str, expected: tuple[int, ...]) -> None:
    assert counts(GOLD, system, "zero", singletons="keep") == expected


def test_words_are_no_zero_anaphors() -> None:
    assert counts("Ada|(e1) saw herself|(e1)", "Ada|(e1) saw herself|(e1)", "zero") == (0, 0, 0, 0)
