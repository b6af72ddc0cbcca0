"""How a number follows from named counts, as data: a quotient of sums, an F-measure, a mean, or a published odd one.

A formula is told the names of the counts of a tally once, with ``over``, and then divides such counts: plain numbers or
arrays of them (one for each sample). So the same data serve a score, an average over units, a bootstrap, and those who
ask whether a number is a plain ratio of sums.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any, Literal

import msgspec

from karat.measures.published import FORMULAS, truncated_share
from karat.measures.ratios import Computation, Ratio, quotient

Sides = Literal["either", "both", "gold"]
"""Which sides must have something, or an F-measure is undefined."""
Total = Callable[[Sequence[Any]], Any]
"""Returns a sum of counts, given all counts."""


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """What holds where there is nothing below the line, which leaves a number undefined if nothing else is said.

    Args:
        empty: The value that a program prints there.
        needed: Counts of which one must be more than 0 for that; all of them are 0 where there is nothing to score.
        perfect: Counts of which none may be more than 0 for a value of 1 instead: nothing to find, and nothing found.
        unless: A count that makes the number undefined, whatever else is counted, if it is more than 0.

    """

    empty: float | None = None
    needed: tuple[str, ...] = ()
    perfect: tuple[str, ...] = ()
    unless: str = ""

    @property
    def ruling(self) -> tuple[str, ...]:
        """The counts that these rules look at."""
        return (*self.needed, *self.perfect, *([self.unless] if self.unless else ()))

    @property
    def is_plain(self) -> bool:
        """Whether none of them is in force."""
        return self.empty is None and not self.perfect and not self.unless

    def is_idle(self, below: Set[str]) -> bool:
        """Say whether the rules change nothing, given the counts below the line: if those needed are all of these."""
        never_filled = self.empty is None or (bool(self.needed) and below >= set(self.needed))
        return never_filled and not self.perfect and not self.unless

    def ruled(self, divide: Computation, names: Sequence[str]) -> Computation:
        """Return a ratio by these rules.

        >>> rule = Rule(empty=1, needed=("gold",))
        >>> ratio = rule.ruled(lambda counts: counts[:2], ["correct", "system", "gold"])
        >>> ratio((0, 0, 3)), ratio((0, 0, 0)), ratio((1, 2, 3))
        ((1, 1), (0, 0), (1, 2))
        """
        if self.is_plain:
            return divide
        needed, perfect, unless = (
            summing(dict.fromkeys(own, 1), names)
            for own in (self.needed, self.perfect, [self.unless] if self.unless else [])
        )

        def ratio(counts: Sequence[Any]) -> Ratio:
            above, below = divide(counts)
            if self.empty is not None:
                hole = 1 * (below == 0)
                if self.needed:
                    hole = hole * (needed(counts) > 0)
                above, below = above + self.empty * hole, below + hole
            if self.perfect:
                above = above + (perfect(counts) == 0)
            return above, below * (unless(counts) == 0) if self.unless else below

        return ratio


class Quotient(Rule, frozen=True):
    """A sum of counts by another one: each count is taken so many times.

    ``plus`` is an amount that a program adds below the line.

    >>> recall = Quotient(above={"correct": 1, "partial": 0.5}, below={"gold": 1})
    >>> recall.over(["gold", "correct", "partial"])((10, 4, 2))
    (5.0, 10)
    """

    above: Mapping[str, float]
    below: Mapping[str, float]
    plus: float = 0

    @property
    def counts(self) -> tuple[str, ...]:
        """The counts that it looks at."""
        return tuple(dict.fromkeys((*self.above, *self.below, *self.ruling)))

    def terms(self, names: Sequence[str]) -> Computation:
        """Return what is above and below the line, whatever is to hold where there is nothing below it."""
        above, below, plus = summing(self.above, names), summing(self.below, names), self.plus
        if plus:
            return lambda counts: (above(counts), below(counts) + plus)
        return lambda counts: (above(counts), below(counts))

    def over(self, names: Sequence[str]) -> Computation:
        """Return what divides counts of these names."""
        return self.ruled(self.terms(names), names)

    def factors(self, names: Sequence[str]) -> tuple[list[float], list[float]] | None:
        """Return how often each count is taken above and below the line, if it is a ratio of sums and nothing else."""
        if self.plus or not self.is_idle(self.below.keys()):
            return None
        return [self.above.get(name, 0) for name in names], [self.below.get(name, 0) for name in names]


class Published(msgspec.Struct, frozen=True):
    """A formula of a published program that is no quotient of sums, by its name in ``karat.measures.published``.

    ``counts`` are what it takes, in its order.
    """

    name: str
    counts: tuple[str, ...]

    def terms(self, names: Sequence[str]) -> Computation:
        """Return what is above and below the line."""
        columns, formula = [names.index(count) for count in self.counts], FORMULAS[self.name]
        return lambda counts: formula(*[counts[column] for column in columns])

    over = terms

    def factors(self, names: Sequence[str]) -> None:
        """Return nothing: it is no ratio of sums."""
        del names


class FMeasure(Rule, frozen=True):
    """The F-measure of a precision and a recall: ``beta`` is how many times as much recall matters.

    What a program prints where precision or recall is undefined makes no difference to it; where there is nothing on
    either side it is undefined itself, or what its own rules say.

    Args:
        precision: What is right among what the system gave.
        recall: What is right among what the gold has; it may be another sum, where partners have different labels.
        beta: How many times as much recall matters as precision.
        sides: Which sides must have something, or it is undefined.
        divides_first: Whether precision and recall are divided before they are brought together, as many programs do:
            the same but for the last digit, unless one of them has an amount added below.
        plus: An amount that a program adds below the line of two that are divided first.

    >>> f1 = FMeasure(Quotient({"right": 1}, {"system": 1}), Quotient({"right": 1}, {"gold": 1}))
    >>> f1.over(["gold", "system", "right"])((4, 2, 1)), f1.factors(["gold", "system", "right"])
    ((2, 6), ([0, 0, 2], [1, 1, 0]))

    """

    precision: Quotient | Published
    recall: Quotient | Published
    beta: float = 1
    sides: Sides = "either"
    divides_first: bool = False
    plus: float = 0

    @property
    def counts(self) -> tuple[str, ...]:
        """The counts that it looks at."""
        return tuple(dict.fromkeys((*self.precision.counts, *self.recall.counts, *self.ruling)))

    @property
    def square(self) -> float:
        """The square of beta, a whole number if beta is one."""
        beta = int(self.beta) if float(self.beta).is_integer() else self.beta
        return beta * beta

    @property
    def _shared(self) -> Mapping[str, float] | None:
        """What stands above the line of both, if it is the same."""
        precision, recall = self.precision, self.recall
        if isinstance(precision, Quotient) and isinstance(recall, Quotient) and precision.above == recall.above:
            return precision.above
        return None

    def over(self, names: Sequence[str]) -> Computation:
        """Return what divides counts of these names."""
        precision, recall, square = self.precision.terms(names), self.recall.terms(names), self.square
        together = (
            _of_quotients if self.divides_first else _of_one_credit if self._shared is not None else _of_two_credits
        )

        def ratio(counts: Sequence[Any]) -> Ratio:
            (right, system), (found, gold) = precision(counts), recall(counts)
            above, below = together(right, system, found, gold, square)
            if self.divides_first:
                below = below + self.plus if self.plus else below + (below == 0) * (gold + system > 0)
            if self.sides == "both":
                below = below * (system > 0)
            return above, below if self.sides == "either" else below * (gold > 0)

        return self.ruled(ratio, names)

    def factors(self, names: Sequence[str]) -> tuple[list[float], list[float]] | None:
        """Return how often each count is taken above and below the line, if it is a ratio of sums and nothing else."""
        if self._shared is None or self.divides_first or self.sides != "either":
            return None
        if not isinstance(self.precision, Quotient) or not isinstance(self.recall, Quotient):
            return None
        if self.precision.plus or self.recall.plus:
            return None
        below = self.precision.below, self.recall.below
        if not self.is_idle(below[0].keys() | below[1].keys()):
            return None
        return (
            [(1 + self.square) * self._shared.get(name, 0) for name in names],
            [below[0].get(name, 0) + self.square * below[1].get(name, 0) for name in names],
        )


def _of_one_credit(right: Any, system: Any, found: Any, gold: Any, square: float) -> Ratio:
    """Return the F-measure of a precision and a recall with the same above the line."""
    del found
    return (1 + square) * right, square * gold + system


def _of_two_credits(right: Any, system: Any, found: Any, gold: Any, square: float) -> Ratio:
    """Return the F-measure where partners may have different labels.

    Then what is right among the system items of a label, and what is found of its gold items, are two numbers. It is
    undefined where neither side has anything, and where one of both is undefined although the other is more than 0.

    >>> _of_two_credits(2, 4, 2, 4, 1), _of_two_credits(0, 1, 0, 2, 1), _of_two_credits(0, 0, 1, 1, 1)
    ((8, 16), (0, 3), (0, 0))
    """
    nothing = (found + right) == 0
    return (1 + square) * right * found, square * right * gold + found * system + nothing * (system + gold)


def _of_quotients(right: Any, system: Any, found: Any, gold: Any, square: float) -> Ratio:
    """Return the F-measure of a precision and a recall that are divided first."""
    precision, recall = quotient(right, system), quotient(found, gold)
    return (1 + square) * precision * recall, square * precision + recall


class Mean(msgspec.Struct, frozen=True):
    """The mean of some numbers, each 0 where it is undefined; undefined if all of them are.

    ``counted`` has counts for each part: only parts for which one of them is more than 0 are averaged. With
    ``truncated``, parts are cut off after two digits of their percentage before.
    """

    parts: tuple[Quotient | FMeasure | Published, ...]
    counted: tuple[tuple[str, ...], ...] = ()
    truncated: bool = False
    unless: str = ""

    @property
    def counts(self) -> tuple[str, ...]:
        """The counts that it looks at."""
        several = (*(part.counts for part in self.parts), *self.counted, (self.unless,) if self.unless else ())
        return tuple(dict.fromkeys(name for own in several for name in own))

    def over(self, names: Sequence[str]) -> Computation:
        """Return what divides counts of these names."""
        parts = [part.over(names) for part in self.parts]
        counted = [summing(dict.fromkeys(own, 1), names) for own in self.counted]
        rule = Rule(unless=self.unless)

        def ratio(counts: Sequence[Any]) -> Ratio:
            ratios = [part(counts) for part in parts]
            quotients = [quotient(*own) for own in ratios]
            if counted:
                weights = [1 * (count(counts) > 0) for count in counted]
                return sum([own * weight for own, weight in zip(quotients, weights, strict=True)]), sum(weights)
            if self.truncated:
                quotients = list(map(truncated_share, quotients))
            is_defined = sum([1 * (below != 0) for _, below in ratios]) > 0
            return sum(quotients) * is_defined, len(parts) * is_defined

        return rule.ruled(ratio, names)

    def factors(self, names: Sequence[str]) -> None:
        """Return nothing: it is no ratio of sums."""
        del names


Formula = Quotient | FMeasure | Mean | Published
UNDEFINED = Quotient({}, {})
"""The formula of what is not defined."""


def with_beta(formula: Formula, beta: float) -> Formula | None:
    """Return the formula of an F1 with another beta, none if it is not one of precision and recall.

    >>> f1 = FMeasure(Quotient({"right": 1}, {"system": 1}), Quotient({"right": 1}, {"gold": 1}))
    >>> with_beta(f1, 2).factors(["gold", "system", "right"])
    ([0, 0, 5], [4, 1, 0])
    """
    if isinstance(formula, FMeasure):
        return msgspec.structs.replace(formula, beta=beta)
    if isinstance(formula, Mean):
        parts = [with_beta(part, beta) for part in formula.parts]
        return None if None in parts else msgspec.structs.replace(formula, parts=tuple(parts))
    return None


def summing(factors: Mapping[str, float], names: Sequence[str]) -> Total:
    """Return what adds up counts of these names, each so many times."""
    terms = [(names.index(name), times) for name, times in factors.items()]
    if len(terms) == 1 and terms[0][1] == 1:
        only = terms[0][0]
        return lambda counts: counts[only]
    return lambda counts: sum([counts[column] * times for column, times in terms])
