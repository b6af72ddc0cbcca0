"""Entity links decided as OMIn does: a gold row lists up to three ever shorter phrases, each with its own identifier.

Three set-ups: ``strong`` takes the first phrase and wants the same one, ``weak`` takes the first phrase and one that
contains it or is contained in it, ``flexible`` wants the same as one of the three. The phrases of a row are its
*levels*; "FORWARD CARGO DOOR", "CARGO DOOR", "DOOR" are three.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from karat.evaluation.ledger import Item
from karat.protocols.omin.texts import TextSearch


class LinkLevel(NamedTuple):
    """A phrase of a gold row and its identifier; either may be missing."""

    phrase: str | None
    target: str | None


class LinkedPhrase(NamedTuple):
    """A phrase that the system linked, in capitals, the identifier it gave, and how the link is shown."""

    phrase: str
    target: str
    item: Item | None = None

    @property
    def label(self) -> str:
        """The identifier."""
        return self.target


class SystemLinks(tuple[LinkedPhrase, ...]):
    """The links of a document in their order, which know the first that fits a phrase."""

    def first(self, phrase: str, target: str | None = None, *, weak: bool = False) -> int | None:
        """Return the first link with the phrase or, if weak, one that contains it or is contained in it.

        If a target is given, it is the first of those that lead there.

        >>> phrases = ("CARGO DOOR", "Q1"), ("DOOR", "Q2"), ("DOOR", "Q1")
        >>> links = SystemLinks([LinkedPhrase(*phrase) for phrase in phrases])
        >>> links.first("DOOR"), links.first("DOOR", "Q1"), links.first("DOOR", weak=True)
        (1, 2, 0)
        """
        rows = self._by_target.get(target, [])
        if weak:
            if target not in self._texts:
                self._texts[target] = TextSearch(self[row].phrase for row in rows)
            rank = self._texts[target].near(phrase)
            return None if rank is None else rows[rank]
        return self._same.get((phrase, target))

    @cached_property
    def _by_target(self) -> dict[str | None, list[int]]:
        """The numbers of the links to each target; ``None`` has all of them."""
        rows_by_target: dict[str | None, list[int]] = {None: list(range(len(self)))}
        for row, link in enumerate(self):
            rows_by_target.setdefault(link.target, []).append(row)
        return rows_by_target

    @cached_property
    def _same(self) -> dict[tuple[str, str | None], int]:
        firsts: dict[tuple[str, str | None], int] = {}
        for row, link in enumerate(self):
            firsts.setdefault((link.phrase, None), row)
            firsts.setdefault((link.phrase, link.target), row)
        return firsts

    @cached_property
    def _texts(self) -> dict[str | None, TextSearch]:
        return {}


class Setup(NamedTuple):
    """Whether phrases need not be the same, or all levels count and not only the first; never both."""

    weak: bool = False
    extended: bool = False


Setups = Mapping[str, Setup]

SETUPS: Setups = {"strong": Setup(), "weak": Setup(weak=True), "flexible": Setup(extended=True)}
BEST: Setups = {"best": SETUPS["flexible"]}
"""The one set-up of the evaluation as first described."""


class Decision(NamedTuple):
    """The verdict on a gold row: the system link that decides, or None, and whether it is correct.

    ``levels`` are the indices of the levels whose identifiers the link is compared with for likeness.
    """

    correct: bool
    system: int | None = None
    levels: tuple[int, ...] = ()


def decide_published(levels: Sequence[LinkLevel], system: SystemLinks, setup: Setup) -> Decision | None:
    """Take the first level that a system link has a phrase for, and the first such link; no other one is tried.

    ``None`` says that no level of the row counts: none of the first, or of all three, has a phrase and an identifier.

    >>> row = [LinkLevel("CARGO DOOR", "Q1"), LinkLevel("DOOR", "Q2")]
    >>> decide_published(row, SystemLinks([LinkedPhrase("DOOR", "Q1")]), SETUPS["flexible"])
    Decision(correct=True, system=0, levels=(1,))
    >>> decide_published(row, SystemLinks([LinkedPhrase("DOOR", "Q1")]), SETUPS["strong"])
    Decision(correct=False, system=None, levels=())
    """
    considered = levels[: 3 if setup.extended else 1]
    counted = [(index, level.phrase) for index, level in enumerate(considered) if None not in level]
    if not counted:
        return None
    for rank, (index, phrase) in enumerate(counted):
        candidate = None if phrase is None else system.first(phrase, weak=setup.weak)
        if candidate is not None:
            accepted = counted[: rank + 1] if setup.extended else [(index, phrase)]
            correct = any(levels[level].target == system[candidate].target for level, _ in accepted)
            return Decision(correct, candidate, (index,))
    return Decision(correct=False)


def decide_best(levels: Sequence[LinkLevel], system: SystemLinks, setup: Setup) -> Decision | None:
    """Take the best of all links whose phrase is one of the row's, as the description of the evaluation says.

    A link is compared with the identifiers of its own phrase and of all longer ones; if its phrase has none, with the
    next one. ``None`` says that no level of the row has an identifier.

    >>> row = [LinkLevel("CART", "Q1"), LinkLevel("CART", "Q2"), LinkLevel(None, None)]
    >>> decide_best(row, SystemLinks([LinkedPhrase("CART", "Q9"), LinkedPhrase("CART", "Q2")]), SETUPS["flexible"])
    Decision(correct=True, system=1, levels=(0, 1))
    """
    counted = range(len(levels[: 3 if setup.extended else 1]))
    if all(levels[index].target is None for index in counted):
        return None
    deepest = {levels[index].phrase: index for index in counted}
    decided: list[Decision] = []
    for phrase, depth in deepest.items():
        first = None if phrase is None else system.first(phrase, weak=setup.weak)
        if phrase is None or first is None:
            continue
        accepted = [index for index in counted if index <= depth and levels[index].target is not None]
        if levels[depth].target is None:
            accepted += [index for index in counted if index > depth and levels[index].target is not None][:1]
        targets = {levels[index].target for index in accepted}
        rights = [system.first(phrase, target, weak=setup.weak) for target in targets]
        right = min((row for row in rights if row is not None), default=None)
        decided.append(Decision(right is not None, first if right is None else right, tuple(accepted)))
    return min(decided, key=lambda decision: (not decision.correct, decision.system), default=Decision(correct=False))
