"""Tests of a difference by its values in resamples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.statistics.intervals import distances

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_TIE = 1e-12


def p_by_sign(values: Array) -> float:
    """Return the p-value by how many resampled differences have the other sign."""
    import numpy as np

    fewer = min(np.count_nonzero(values <= _TIE), np.count_nonzero(values >= -_TIE))
    return float(min(1.0, 2 * (1 + fewer) / (len(values) + 1)))


def p_centred(value: float, values: Array) -> float:
    """Return the p-value by how many resampled differences are as far from the difference as that is from nothing."""
    import numpy as np

    extreme = np.count_nonzero(np.abs(values - value) >= abs(value) - _TIE)
    return float((1 + extreme) / (len(values) + 1))


def p_studentised(value: float, error: float, values: Array, errors: Array) -> float:
    """Return the same with every distance in its own standard error."""
    import numpy as np

    observed = abs(float(distances(np.array([value]), np.array([error]))[0]))
    extreme = np.count_nonzero(np.abs(distances(values - value, errors)) >= observed - _TIE * max(1.0, observed))
    return float((1 + extreme) / (len(values) + 1))
