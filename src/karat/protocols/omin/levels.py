"""Entity links compared as OMIn does: a gold row lists up to three ever shorter phrases, each with its own identifier.

Three set-ups: ``strong`` takes the first phrase and wants the same one, ``weak`` takes the first phrase and one that
contains it or is contained in it, ``flexible`` wants the same as one of the three. The phrases of a row are its
*levels*; "FORWARD CARGO DOOR", "CARGO DOOR", "DOOR" are three.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Cell = str | float | None
"""What stands in a list: a text, a number, or nothing."""


class Level(NamedTuple):
    """A phrase of a gold row and its identifier; either may be missing."""

    phrase: Cell
    target: Cell


class Linked(NamedTuple):
    """A phrase that the system linked, in capitals, and the identifier it gave."""

    phrase: str
    target: Cell


class Setup(NamedTuple):
    """Whether phrases need not be the same, and whether all levels count or only the first."""

    weak: bool = False
    extended: bool = False


SETUPS = {"strong": Setup(), "weak": Setup(weak=True), "flexible": Setup(extended=True)}


class Decision(NamedTuple):
    """What became of a gold row: the system link that decides, if any, and whether it is correct.

    ``levels`` are the indices of the levels whose identifiers the link is compared with for likeness.
    """

    correct: bool
    system: int | None = None
    levels: tuple[int, ...] = ()


def kept(levels: Sequence[Level], setup: Setup) -> list[int]:
    """Return the indices of the levels that count: those with a phrase and an identifier, of the first or of three."""
    counted = levels[: 3 if setup.extended else 1]
    return [index for index, level in enumerate(counted) if None not in level]


def decide_published(levels: Sequence[Level], system: Sequence[Linked], setup: Setup) -> Decision | None:
    """Take the first level that a system link has a phrase for, and the first such link; no other one is tried.

    ``None`` says that no level of the row counts.

    >>> row = [Level("CARGO DOOR", "Q1"), Level("DOOR", "Q2")]
    >>> decide_published(row, [Linked("DOOR", "Q1")], SETUPS["flexible"])
    Decision(correct=True, system=0, levels=(1,))
    >>> decide_published(row, [Linked("DOOR", "Q1")], SETUPS["strong"])
    Decision(correct=False, system=None, levels=())
    """
    counted = kept(levels, setup)
    if not counted:
        return None
    for place, index in enumerate(counted):
        for candidate, link in enumerate(system):
            if _match(levels[index].phrase, link.phrase, setup.weak):
                accepted = counted[: place + 1] if setup.extended else [index]
                correct = any(levels[one].target == link.target for one in accepted)
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
        deepest = max((one for one in counted if _match(levels[one].phrase, link.phrase, setup.weak)), default=None)
        if deepest is None:
            continue
        accepted = [index for index in counted if index <= deepest and levels[index].target is not None]
        if levels[deepest].target is None:
            accepted += [index for index in counted if index > deepest and levels[index].target is not None][:1]
        correct = any(levels[index].target == link.target for index in accepted)
        if best is None or (correct and not best.correct):
            best = Decision(correct, candidate, tuple(accepted))
    return best or Decision(correct=False)


def _match(gold: Cell, system: str, weak: bool) -> bool:
    if not isinstance(gold, str):
        return False
    return gold in system or system in gold if weak else gold == system
