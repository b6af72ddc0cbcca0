"""Quantiles of the distributions that intervals are made of."""

from __future__ import annotations


def normal_quantile(share: float) -> float:
    """Return the value below which that share of a standard normal distribution lies.

    >>> round(normal_quantile(0.975), 4)
    1.96
    """
    from statistics import NormalDist

    return NormalDist().inv_cdf(share)


def normal_share(value: float) -> float:
    """Return the share of a standard normal distribution that lies below a value.

    >>> round(normal_share(1.96), 4)
    0.975
    """
    from statistics import NormalDist

    return NormalDist().cdf(value)


def t_quantile(share: float, freedom: float) -> float:
    """Return the value below which that share of Student's distribution lies; the normal one if freedom is infinite.

    >>> round(t_quantile(0.975, 11), 4)
    2.201
    """
    from scipy.special import stdtrit

    return normal_quantile(share) if freedom == float("inf") else float(stdtrit(freedom, share))


def beta_quantile(share: float, first: float, second: float) -> float:
    """Return the value below which that share of a beta distribution lies; 0 or 1 where it has no width.

    >>> round(beta_quantile(0.025, 45, 6), 4)
    0.7819
    """
    from scipy.special import betaincinv

    if first <= 0 or second <= 0:
        return 0.0 if first <= 0 else 1.0
    return float(betaincinv(first, second, share))


def t_tail(value: float, freedom: float) -> float:
    """Return the share of Student's distribution that lies beyond a value.

    >>> round(t_tail(2.201, 11), 4)
    0.025
    """
    from scipy.special import stdtr

    return float(stdtr(freedom, -value))
