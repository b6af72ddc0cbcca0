"""Chunks of well-formed tags only: the strict mode of seqeval, rule by rule.

Two neighbouring tags decide whether a chunk starts, continues or ends, and a chunk counts only if its end is
well-formed. For IOB1 and IOE1 these rules deviate from the scheme: a ``B`` that is not required starts no chunk,
but the ``I`` after it does; an ``E`` that is not required ends none, and a single ``E`` after ``O`` is not found.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

OUTSIDE = ("O", "")

Cell = tuple[str, str]
"""The letter of a tag, and its label."""

RULES = {
    "IOB1": ("IOB", "OI II≠ BI IB= BB=", "BI= II=", "II≠ IO IB BO BI≠ BB="),
    "IOB2": ("IOB", "*B", "BI= II=", "II≠ IO IB BO BI≠ BB"),
    "IOE1": ("IOE", "OI II≠ EI EE=", "II= IE=", "II≠ IO IE≠ EI= EE="),
    "IOE2": ("IOE", "OI OE EI EE II≠ IE≠", "II= IE=", "E*"),
    "BIOES": ("IOBES", "*B *S", "BI= BE= II= IE=", "S* E*"),
    "BILOU": ("IOBLU", "*B *U", "BI= BL= II= IL=", "U* L*"),
}
"""For each scheme its letters, and the neighbours between which a chunk starts, goes on and ends: two letters, of one
label (``=``), of two (``≠``), or of any; ``*`` is any letter."""


class SchemeRules(NamedTuple):
    """The rules of a scheme: pairs of letters, each with whether both tags must have the same label."""

    letters: str
    starts: frozenset[tuple[str, str, bool]]
    inside: frozenset[tuple[str, str, bool]]
    ends: frozenset[tuple[str, str, bool]]


@lru_cache
def rules_of(scheme: str) -> SchemeRules:
    """Return the rules of a scheme.

    >>> rules_of("IOB2").letters, sorted(rules_of("IOB2").inside)
    ('IOB', [('B', 'I', True), ('I', 'I', True)])
    """
    letters, *rules = RULES[scheme]
    starts, inside, ends = (
        frozenset(neighbours for rule in line.split() for neighbours in _spelled_out(rule, letters)) for line in rules
    )
    return SchemeRules(letters, starts, inside, ends)


def _spelled_out(rule: str, letters: str) -> list[tuple[str, str, bool]]:
    firsts, seconds = (letters if letter == "*" else letter for letter in rule[:2])
    labels = {"=": [True], "≠": [False], "": [True, False]}[rule[2:]]
    return list(product(firsts, seconds, labels))


def cell_of(tag: str) -> Cell:
    """Return the letter and the label of a tag: its first character, and the part after the hyphen.

    seqeval strips all hyphens from both ends of a label; here the label is left unchanged.

    >>> cell_of("B-x-loc"), cell_of("I")
    (('B', 'x-loc'), ('I', ''))
    """
    return tag[:1], tag[1:].removeprefix("-")


def strict_chunks(cells: Sequence[Cell], rules: SchemeRules) -> list[tuple[int, int, str]]:
    """Return the start, end and label of the chunks of one segment.

    >>> strict_chunks([cell_of(tag) for tag in ("B-per", "I-per", "O", "I-loc")], rules_of("IOB1"))
    [(1, 2, 'per'), (3, 4, 'loc')]
    """
    chunks: list[tuple[int, int, str]] = []
    extended = [OUTSIDE, *cells, OUTSIDE]  # a cell and its place are one apart

    def holds(neighbours: frozenset[tuple[str, str, bool]], index: int) -> bool:
        (previous, first), (here, second) = extended[index - 1], extended[index]
        return (previous, here, first == second) in neighbours

    index = 1
    while index <= len(cells):
        end = index + 1
        if holds(rules.starts, index):
            while holds(rules.inside, end):
                end += 1
            if holds(rules.ends, end):
                chunks.append((index - 1, end - 1, extended[index][1]))
        index = end
    return chunks
