"""Limits between which a number lies, from its values in resamples, its standard error, or both.

How far each method can be believed was found by simulation: ``docs/uncertainty.md`` has the figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import copysign, exp, inf, log, log1p, sqrt
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from karat.analysis.statistics.quantiles import normal_quantile, normal_share, t_quantile
from karat.errors import UsageError, plural
from karat.evaluation.scores import Interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from karat.evaluation.scores import Row

    Array = NDArray[np.float64]
    Limits = tuple[float, float]

Method = Literal["studentised", "widened", "percentile", "bca", "linearised", "wilson"]
METHODS: tuple[Method, ...] = get_args(Method)
MOST_UNDEFINED = 0.05
"""The share of resamples without a value up to which the others make an interval."""
_SAME = 1e-12
"""How far apart values may be that are the same but for rounding."""
FEW_UNITS, FEW_ITEMS = 20, 50
"""Below so many units, or items, the studentised bootstrap is not believed, and percentiles are widened instead."""


@dataclass(frozen=True)
class Bootstrap:
    """How intervals are computed: by which method, from how many resamples of units, and for which level.

    ``clusters`` is what units that belong together share, and ``strata`` what those share within which units are drawn:
    a key of the metadata of documents, or ``document`` for the document itself.

    The third version of drawing units, ``v3``, is for intervals that are studentised unless another method is named.
    """

    resamples: int = 2000
    seed: int = 42
    level: float = 0.95
    method: Method = "studentised"
    clusters: str = ""
    strata: str = ""

    def __post_init__(self) -> None:
        if self.resamples < 1 or not 0 < self.level < 1:
            asked = f"an interval of level {self.level} from {self.resamples} resamples"
            raise UsageError(f"{asked}; expected a level between 0 and 1, as 0.95, and at least 1 resample")
        if self.method not in METHODS:
            raise UsageError(f"unknown method {self.method!r} for intervals; expected {', '.join(METHODS)}")

    def __str__(self) -> str:
        parts: list[str] = [self.method]
        if self.method not in ("linearised", "wilson"):
            parts = [f"{self.method}{self.resamples}", "v3", f"seed{self.seed}"]
        parts += [f"{self.level:g}"] * (self.level != 0.95)
        parts += [f"{name}={key}" for name, key in (("clusters", self.clusters), ("strata", self.strata)) if key]
        return "/".join(parts)


class Resampled(NamedTuple):
    """A number with its standard error, and both in every resample; ``units`` are those it depends on.

    ``freedom`` are the degrees of freedom of the error, ``stretch`` is what it was multiplied with because the units of
    a sample differ less than those that they stand for, and ``alone`` the number without each unit. ``least`` is what
    the number cannot be below: 0, or -1 for a difference.
    """

    value: float
    error: float
    values: Array
    errors: Array
    units: int
    freedom: float
    stretch: float
    alone: Array | None = None
    least: float = 0.0

    def limits(self, method: Method, level: float) -> Limits | None:
        """Return the limits by a method; none where there is too little to go by."""
        if self.units < 2 or not self.error > 0:
            return None
        if method == "linearised":
            return linearised(self.value, self.error, self.freedom, level, self.least)
        if self.undefined > MOST_UNDEFINED:
            return None
        values, errors = self._defined()
        if _are_one(values):
            return None
        if method == "studentised":
            return studentised(self.value, self.error, values, errors, level, self.least)
        if method == "bca":
            return bca(self.value, values, acceleration(self.alone), level)
        tail = (1 - level) / 2 if method == "percentile" else widened_tail(level, self.freedom, self.stretch)
        return percentile(values, tail, 1 - tail)

    def interval(self, method: Method, level: float) -> Interval | None:
        """Return the interval by a method; none where there is too little to go by."""
        limits = self.limits(method, level)
        return limits and Interval(*limits, level, method, self.units, self.undefined)

    @property
    def undefined(self) -> float:
        """The share of resamples in which the number has no value."""
        import numpy as np

        return int(np.count_nonzero(np.isnan(self.values))) / len(self.values) if len(self.values) else 0.0

    def _defined(self) -> tuple[Array, Array]:
        import numpy as np

        defined = ~np.isnan(self.values)
        return self.values[defined], self.errors[defined]


def _are_one(values: Array) -> bool:
    """Say whether all values are the same, so that nothing is known of how far they may be apart."""
    return not len(values) or float(values.max() - values.min()) <= _SAME


def widened_tail(level: float, freedom: float, stretch: float) -> float:
    """Return the share beyond each limit: less than the level says, as so few units vary less than what they stand for.

    >>> [round(widened_tail(0.95, units - 1, sqrt(units / (units - 1))), 4) for units in (20, 50, 1000)]
    [0.0159, 0.0212, 0.0248]
    """
    return normal_share(-stretch * t_quantile((1 + level) / 2, freedom))


def percentile(values: Array, low: float, high: float) -> Limits:
    """Return the values below which these shares of all lie, on the line between neighbours.

    >>> import numpy as np
    >>> percentile(np.array([0.0, 5.0, 1.0]), 0.25, 0.75)
    (0.5, 3.0)
    """
    import numpy as np

    last = len(values) - 1
    places = [(share * last, int(share * last)) for share in (low, high)]
    needed = {neighbour for _, below in places for neighbour in (below, min(below + 1, last))}
    ordered = np.partition(values, sorted(needed))
    limits = []
    for position, below in places:
        above = ordered[min(below + 1, last)]
        limits.append(float(min(ordered[below] + (position - below) * (above - ordered[below]), above)))
    return limits[0], limits[1]


def basic(value: float, limits: Limits) -> Limits:
    """Return percentile limits turned around the value."""
    return 2 * value - limits[1], 2 * value - limits[0]


def studentised(value: float, error: float, values: Array, errors: Array, level: float, least: float = 0.0) -> Limits:
    """Return limits by how far resamples are from the value, in their own standard errors; no less, and up to 1."""
    tail = (1 - level) / 2
    low, high = percentile(distances(values - value, errors), tail, 1 - tail)
    return max(least, value - high * error), min(1.0, value - low * error)


def distances(differences: Array, errors: Array) -> Array:
    """Return differences in standard errors; without an error they are as far as can be, unless they are nothing."""
    import numpy as np

    far = np.sign(differences) * 1e15
    quotients: Array = np.divide(differences, errors, out=far, where=errors > 0)
    return np.where(np.abs(differences) <= _SAME, 0.0, quotients)


def acceleration(alone: Array | None) -> float:
    """Return how fast the error changes with the number, from the number without each unit."""
    import numpy as np

    assert alone is not None  # noqa: S101 - made for the method that needs it
    defined = alone[~np.isnan(alone)]
    apart = defined.mean() - defined
    squares = float((apart**2).sum())
    return float((apart**3).sum()) / (6 * squares**1.5) if squares else 0.0


def share_below(value: float, values: Array) -> float:
    """Return the share of resamples below the value, those equal to it counted by half, never nothing or all."""
    import numpy as np

    below = np.count_nonzero(values < value - _SAME)
    equal = np.count_nonzero(np.abs(values - value) <= _SAME)
    share = (below + equal / 2) / len(values)
    return float(min(max(share, 0.5 / len(values)), 1 - 0.5 / len(values)))


def bca_levels(share: float, speed: float, level: float) -> Limits:
    """Return the shares of resamples that the limits of BCa leave below them."""
    shift = normal_quantile(share)
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        moved = shift + normal_quantile(tail)
        left = 1 - speed * moved  # where errors change so fast that nothing is left, the limit is the last resample
        ends.append(normal_share(shift + moved / left if left > 0 else copysign(inf, moved)))
    return ends[0], ends[1]


def bca(value: float, values: Array, speed: float, level: float) -> Limits:
    """Return percentile limits that are moved by the bias of the resamples and the speed at which errors change."""
    return percentile(values, *bca_levels(share_below(value, values), speed, level))


def linearised(value: float, error: float, freedom: float, level: float, least: float = 0.0) -> Limits:
    """Return limits by Student's distribution, on the scale of log odds for a number between 0 and 1.

    >>> [round(limit, 3) for limit in linearised(0.9, 0.05, 19, 0.95)]
    [0.738, 0.966]
    """
    width = t_quantile((1 + level) / 2, freedom)
    if least or not 0 < value < 1:
        return max(least, value - width * error), min(1.0, value + width * error)
    centre, half = log(value) - log1p(-value), width * error / (value * (1 - value))
    low, high = (1 / (1 + exp(-min(max(end, -700.0), 700.0))) for end in (centre - half, centre + half))
    return low, high


def stretched(units: int) -> float:
    """Return what makes the spread of so many units that of what they stand for."""
    return sqrt(units / (units - 1)) if units > 1 else 1.0


def few_of_many(rows: Sequence[Row], unit: str) -> Iterator[str]:
    """Say how many of the numbers rest on few units, or few items, where there are units enough for the others."""
    known = [row.interval for row in rows if row.interval is not None]
    few = sum(interval.units < FEW_UNITS or interval.method == "widened" for interval in known)
    if 0 < few < len(known):
        rest = "rests" if few == 1 else "rest"
        little = f"fewer than {FEW_UNITS} {plural(unit)} or {FEW_ITEMS} items"
        yield f"{few} of {len(known)} intervals {rest} on {little}, and may cover the true value less often than stated"


def undefined_draws(rows: Sequence[Row]) -> Iterator[str]:
    """Say which share of the draws has no value for the number that lacks most of them."""
    lacking = [(row.interval.undefined, row.name) for row in rows if row.interval is not None]
    share, name = max(lacking, default=(0.0, ""), key=lambda entry: entry[0])
    if share:
        yield f"{name} was undefined in up to {100 * share:.2g} % of the bootstrap samples, which were skipped"
