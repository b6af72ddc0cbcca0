"""Entity links decided as OMIn does: a gold row lists up to three ever shorter phrases, each with its own identifier.

Three set-ups: ``strong`` takes the first phrase and wants the same one, ``weak`` takes the first phrase and one that
contains it or is contained in it, ``flexible`` wants the same as one of the three. The phrases of a row are its
*levels*; "FORWARD CARGO DOOR", "CARGO DOOR", "DOOR" are three.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from karat.ledger import Item


class Level(NamedTuple):
    """A phrase of a gold row and its identifier; either may be missing."""

    phrase: str | None
    target: str | None


class Linked(NamedTuple):
    """A phrase that the system linked, in capitals, the identifier it gave, and how the link is shown."""

    phrase: str
    target: str
    item: Item | None = None

    @property
    def label(self) -> str:
        """The identifier."""
        return self.target


class Setup(NamedTuple):
    """Whether phrases need not be the same, and whether all levels count or only the first."""

    weak: bool = False
    extended: bool = False


Setups = Mapping[str, Setup]

SETUPS: Setups = {"strong": Setup(), "weak": Setup(weak=True), "flexible": Setup(extended=True)}
BEST: Setups = {"best": SETUPS["flexible"]}
"""The one set-up of the evaluation as first described."""


class Decision(NamedTuple):
    """What became of a gold row: the system link that decides, if any, and whether it is correct.

    ``levels`` are the indices of the levels whose identifiers the link is compared with for likeness.
    """

    correct: bool
    system: int | None = None
    levels: tuple[int, ...] = ()


def decide_published(levels: Sequence[Level], system: Sequence[Linked], setup: Setup) -> Decision | None:
    """Take the first level that a system link has a phrase for, and the first such link; no other one is tried.

    ``None`` says that no level of the row counts: none of the first, or of all three, has a phrase and an identifier.

    >>> row = [Level("CARGO DOOR", "Q1"), Level("DOOR", "Q2")]
    >>> decide_published(row, [Linked("DOOR", "Q1")], SETUPS["flexible"])
    Decision(correct=True, system=0, levels=(1,))
    >>> decide_published(row, [Linked("DOOR", "Q1")], SETUPS["strong"])
    Decision(correct=False, system=None, levels=())
    """
    considered = levels[: 3 if setup.extended else 1]
    counted = [index for index, level in enumerate(considered) if None not in level]
    if not counted:
        return None
    for place, index in enumerate(counted):
        for candidate, link in enumerate(system):
            if _match(levels[index].phrase, link.phrase, setup.weak):
                accepted = counted[: place + 1] if setup.extended else [index]
                correct = any(levels[level].target == link.target for level in accepted)
                return Decision(correct, candidate, (index,))
    return Decision(correct=False)


def decide_best(levels: Sequence[Level], system: Sequence[Linked], setup: Setup) -> Decision | None:
    """Take the best of all links whose phrase is one of the row's, as the description of the evaluation says.

    A link is compared with the identifiers of its own phrase and of all longer ones; if its phrase has none, with the
    next one. ``None`` says that no level of the row has an identifier.

    >>> row = [Level("CART", "Q1"), Level("CART", "Q2"), Level(None, None)]
    >>> decide_best(row, [Linked("CART", "Q9"), Linked("CART", "Q2")], SETUPS["flexible"])
    Decision(correct=True, system=1, levels=(0, 1))
    """
    counted = range(len(levels[: 3 if setup.extended else 1]))
    if all(levels[index].target is None for index in counted):
        return None
    best: Decision | None = None
    for candidate, link in enumerate(system):
        matching = (index for index in counted if _match(levels[index].phrase, link.phrase, setup.weak))
        deepest = max(matching, default=None)
        if deepest is None:
            continue
        accepted = [index for index in counted if index <= deepest and levels[index].target is not None]
        if levels[deepest].target is None:
            accepted += [index for index in counted if index > deepest and levels[index].target is not None][:1]
        correct = any(levels[index].target == link.target for index in accepted)
        if best is None or (correct and not best.correct):
            best = Decision(correct, candidate, tuple(accepted))
    return best or Decision(correct=False)


def _match(gold: str | None, system: str, weak: bool) -> bool:
    if gold is None:
        return False
    return gold in system or system in gold if weak else gold == system
