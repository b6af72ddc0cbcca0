"""Documents that are invented by a design, with what two systems do in them, for many replications at once.

Documents have 5 to 60 gold items (log-normal, median 18) unless the design says otherwise. How hard a document is moves
the share of items that a system finds (probit) and the number that it invents (Poisson); both, and the luck with single
items, are partly shared by the systems. Both have the same F1 in the long run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Chance = np.random.Generator

_MANY = 1_000_000
"""Documents from which scores in the long run are known."""


class Side(NamedTuple):
    """What a system does: how well it finds items, how much documents differ in that, and how many it invents.

    ``length`` is by how much it is worse where documents are long.
    """

    skill: float
    spread: float
    invents: float
    length: float = 0.0


class World(NamedTuple):
    """A design: two systems, how alike their outcomes are, and how large documents are.

    ``sizes`` are the median, the deviation of the logarithm, the least and the most. ``same`` is the measure in which
    both systems are equal.
    """

    name: str
    about: str
    first: Side
    second: Side
    alike: float = 0.78
    sizes: tuple[float, float, int, int] = (18, 0.6, 5, 60)
    same: str = "f1"


class Documents(NamedTuple):
    """Right items and all items of two systems, and those of the gold (replication × document)."""

    right: Array
    actual: Array
    other_right: Array
    other_actual: Array
    gold: Array


_EVEN = Side(0.9, 0.6, 0.2)
WORLDS = (
    World("E1", "equal systems, contributions correlated by 0.55", _EVEN, _EVEN, 0.58),
    World("E2", "equal systems, contributions correlated by 0.75", _EVEN, _EVEN, 0.78),
    World("E3", "equal systems, contributions correlated by 0.91", _EVEN, _EVEN, 0.925),
    World("N", "equal F1, the second gives twice as many items", Side(0.2, 0.6, 0.1), Side(1.0, 0.6, 0.54)),
    World(
        "NP",
        "equal precision, the second gives twice as many items",
        Side(-0.3, 0.6, 0.1),
        Side(1.0, 0.6, 0.2),
        same="precision",
    ),
    World(
        "U",
        "equal F1, documents differ little for the first, much for the second",
        Side(0.9, 0.2, 0.2),
        Side(1.2, 1.2, 0.2),
    ),
    World("NU", "both, and the second is worse on long documents", Side(0.2, 0.2, 0.1), Side(1.4, 1.2, 0.54, 0.5)),
    World("HI", "F1 near 0.97", Side(2.1, 0.4, 0.03), Side(2.1, 0.4, 0.03)),
    World("HV", "documents of 1 to 600 items", _EVEN, _EVEN, 0.78, (18, 1.6, 1, 600)),
    World("V", "short documents, F1 near 0.63", Side(0.35, 0.6, 0.35), Side(0.35, 0.6, 0.35), 0.78, (5, 0.6, 1, 20)),
    World("V2", "F1 near 0.86, documents differ much", Side(1.6, 1.2, 0.12), Side(1.6, 1.2, 0.12)),
)
"""The designs; the skill of the second system is found by :func:`evened`, so that both are equally good."""


def invent(world: World, replications: int, units: int, chance: Chance) -> Documents:
    """Return replications of a number of documents."""
    shape = replications, units
    median, deviation, least, most = world.sizes
    longer = chance.standard_normal(shape)
    gold = np.clip(np.rint(median * np.exp(deviation * longer)), least, most)
    hard, more, luck = ([*_pair(world.alike, shape, chance)] for _ in range(3))
    rates, counts = [], []
    for place, side in enumerate((world.first, world.second)):
        likely = normal_shares(side.skill + side.spread * hard[place] - side.length * longer)
        noise = np.sqrt(gold * likely * (1 - likely)) * luck[place]
        counts.append(np.clip(np.rint(gold * likely + noise), 0, gold))
        rates.append(side.invents * gold * np.exp(0.5 * more[place] - 0.125))
    common = world.alike * np.minimum(*rates)
    shared = chance.poisson(common)
    invented = [shared + chance.poisson(rate - common) for rate in rates]
    return Documents(counts[0], counts[0] + invented[0], counts[1], counts[1] + invented[1], gold)


def _pair(alike: float, shape: tuple[int, int], chance: Chance) -> tuple[Array, Array]:
    """Return two normal numbers for each document that are correlated."""
    shared, rest = np.sqrt(alike) * chance.standard_normal(shape), np.sqrt(1 - alike)
    return shared + rest * chance.standard_normal(shape), shared + rest * chance.standard_normal(shape)


def normal_shares(values: Array) -> Array:
    """Return the normal distribution function."""
    from scipy.special import ndtr

    shares: Array = ndtr(values)
    return shares


def long_run(world: World, seed: int) -> list[float]:
    """Return precision, recall, F1 and the mean F1 of documents of the first system over very many documents."""
    return _scores(invent(world, 1, _MANY, np.random.default_rng([seed, 1])))


def evened(world: World, seed: int) -> World:
    """Return the design with the skill of the second system at which both have the same score in the long run."""
    if world.first == world.second:
        return world
    measure = ("precision", "recall", "f1").index(world.same)
    low, high = world.second.skill - 3, world.second.skill + 3
    tried = world
    for _ in range(20):
        tried = world._replace(second=world.second._replace(skill=(low + high) / 2))
        drawn = invent(tried, 1, _MANY // 2, np.random.default_rng(seed))
        turned = Documents(drawn.other_right, drawn.other_actual, drawn.right, drawn.actual, drawn.gold)
        ours, theirs = _scores(drawn)[measure], _scores(turned)[measure]
        low, high = (tried.second.skill, high) if theirs < ours else (low, tried.second.skill)
    return tried


def _scores(drawn: Documents) -> list[float]:
    right, actual, gold = drawn.right, drawn.actual, drawn.gold
    found, given, there = (float(part.sum()) for part in (right, actual, gold))
    return [found / given, found / there, 2 * found / (given + there), float((2 * right / (actual + gold)).mean())]


def correlation(drawn: Documents) -> float:
    """Return how much the contributions of documents to the F1 of both systems are correlated."""
    sides: Sequence[tuple[Array, Array]] = (
        (2 * drawn.right, drawn.actual + drawn.gold),
        (2 * drawn.other_right, drawn.other_actual + drawn.gold),
    )
    parts = [(above - above.sum() / below.sum() * below).ravel() for above, below in sides]
    return float(np.corrcoef(parts)[0, 1])
