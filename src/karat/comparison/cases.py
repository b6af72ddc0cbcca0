"""Which counts make the difference between two systems: each with its part of it, and the parts add up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.measures.ratios import Formula
    from karat.protocols.base import Figure, Protocol
    from karat.tally import Counts

_CREDIBLE = 2.0
"""By which factor the parts may miss the difference before they are made to add up; beyond, they are not told."""


class CaseShare(msgspec.Struct, frozen=True, omit_defaults=True):
    """How often something was counted for two systems, and what that adds to the difference of their scores.

    ``share`` is none where a published program rounds or cuts, so that parts do not add up.
    """

    name: str
    first: float
    second: float
    share: float | None = None


def case_shares(protocol: Protocol, figure: Figure, first: Counts, second: Counts) -> list[CaseShare]:
    """Return the counts behind a number of two systems, as far as it depends on them, by the names they are shown with.

    >>> from karat.protocols import protocols
    >>> seqeval = protocols()["seqeval"]
    >>> figure = next(figure for figure in seqeval.figures if figure.measure == "f1")
    >>> counts = [[0] * len(seqeval.counts) for _ in range(2)]
    >>> for place, (ours, theirs) in enumerate([(10, 10), (8, 10), (6, 5)]):
    ...     counts[0][place], counts[1][place] = ours, theirs
    >>> [(share.name, round(share.share, 3)) for share in case_shares(seqeval, figure, *map(tuple, counts))]
    [('gold', 0.0), ('system', 0.061), ('correct', 0.106)]
    """
    slopes = _slopes(figure.formula, first, second)
    found = []
    for shown, own in _shown(protocol, figure, slopes).items():
        ours, theirs = (sum(counts[place] for place in own) for counts in (first, second))
        share = sum(slopes[place] * (first[place] - second[place]) for place in own) if slopes else None
        if ours or theirs:
            found.append(CaseShare(shown, ours, theirs, share))
    return found


def _shown(protocol: Protocol, figure: Figure, slopes: Sequence[float]) -> dict[str, list[int]]:
    """Return the places of the counts by the names they are shown with; where these leave one out, by their own."""
    places = {name: place for place, name in enumerate(protocol.counts)}
    behind = figure.behind or {name: name for name in protocol.counts}
    shown = {
        name: [places[own] for own in ((several,) if isinstance(several, str) else several)]
        for name, several in behind.items()
    }
    counted = {place for place, slope in enumerate(slopes) if slope}
    if counted <= {place for own in shown.values() for place in own}:
        return shown
    return {name: [place] for name, place in places.items() if place in counted}


def _slopes(formula: Formula, first: Counts, second: Counts) -> Sequence[float]:
    """Return how much a number changes with each count between two systems, so that all changes add up."""
    import numpy as np

    from karat.measures.ratios import value
    from karat.statistics.estimands import slopes_of

    values = value(formula(first)), value(formula(second))
    if values[0] is None or values[1] is None:
        return ()
    halfway = (np.array([first]).T + np.array([second]).T) / 2
    slopes = slopes_of(formula, halfway)[:, 0]
    difference, told = values[0] - values[1], float(slopes @ (np.array(first) - np.array(second)))
    if abs(difference) <= 1e-12 or not 1 / _CREDIBLE < told / difference < _CREDIBLE:
        return ()
    return [float(slope) for slope in slopes * difference / told]
