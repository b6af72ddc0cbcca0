"""Chunks that only well-formed tags make: the strict mode of seqeval, rule by rule.

A chunk starts where two neighbouring tags say so, goes on while they say so, and counts only if they say that it ends.
In IOB1 and IOE1 those rules are not the scheme: a ``B`` that nothing demands begins no chunk, yet the ``I`` behind it
does; an ``E`` that nothing demands ends none, and a chunk of a single ``E`` is not found behind an ``O``.
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
    """The rules of a scheme: pairs of letters, each with whether both tags have one label."""

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
    """Return the letter and the label of a tag: its first character, and the rest behind a hyphen.

    seqeval removes every hyphen at either end of a label; here a label stays what it is.

    >>> cell_of("B-x-loc"), cell_of("I")
    (('B', 'x-loc'), ('I', ''))
    """
    return tag[:1], tag[1:].removeprefix("-")


def strict_chunks(cells: Sequence[Cell], rules: SchemeRules) -> list[tuple[int, int, str]]:
    """Return start, end and label of the chunks of one segment.

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
