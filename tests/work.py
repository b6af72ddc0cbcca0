"""Counting work instead of seconds: how many lines of Python a call runs, whatever the machine and its load."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


class TooMuchWorkError(AssertionError):
    """A call was stopped because it did more than it may."""


def steps(call: Callable[[], object], most: int = 50_000_000) -> int:
    """Return how many lines of Python a call runs; it is stopped when there are more than ``most``.

    >>> steps(lambda: [number for number in range(3)]) < 10
    True
    """
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        if event == "line":
            count += 1
            if count > most:
                raise TooMuchWorkError(f"more than {most} steps")
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


def growth(work: Callable[[int], Callable[[], object]], size: int) -> float:
    """Return how many times as much is to be done for input of twice the size; ``work`` makes a call for a size.

    Work that is linear grows by 2, with a logarithm by a little more, quadratic work by 4.
    """
    small, large = (steps(work(scale * size)) for scale in (1, 2))
    return large / small
