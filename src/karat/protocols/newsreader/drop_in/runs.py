"""Spans in extracted files, as lists of ids: finds those that are a contiguous run of another."""

from __future__ import annotations

import re
from collections.abc import Mapping

from karat.errors import InputError
from karat.protocols.newsreader.spans import ids_in

MAX_STEPS = 10_000_000
"""Limit on the comparisons of spans that share an id, over a whole evaluation."""
SPECIAL = re.compile(r"[.^$*+?()\[\]{}|\\]")
"""Characters with a meaning in a regular expression, which is what the published program makes of a span."""

FREE_LOOKS = 64
"""Spans that share an id with another and are compared with it without being counted: texts have few, attacks many."""


class StepsLeft:
    """Counts down the comparisons of spans that an evaluation may still make."""

    def __init__(self, most: int = MAX_STEPS) -> None:
        self.most = self.left = most

    def take(self, steps: int) -> None:
        """Count some steps, and raise an error if none are left."""
        self.left -= steps
        if self.left < 0:
            message = f"comparing these spans as the published program does takes more than {self.most:,} steps"
            raise InputError(f"{message}; choose --profile corrected")


class RunIndex:
    """An index of spans by their ids, which finds candidates without comparing all spans.

    Each span has a number, such as the index of its link. Where very many share an id, looking at them takes steps.
    """

    def __init__(self, numbers: Mapping[str, int], steps: StepsLeft | None = None) -> None:
        self._steps = steps or StepsLeft()
        self._spans = [f"-{span}-" for span in numbers]
        self._numbers = list(numbers.values())
        self._holding: dict[str, list[int]] = {}
        for index, span in enumerate(numbers):
            ids = ids_in(span)
            for token in ids if len(ids) == 1 else set(ids):
                if token in self._holding:
                    self._holding[token].append(index)
                else:
                    self._holding[token] = [index]

    def matching(self, span: str) -> list[int]:
        """Return the numbers of spans that are a run of this one or of which this one is a run, in their order.

        >>> RunIndex({"1": 0, "5-6-7": 1, "2-3": 2, "6": 3}).matching("6-7")
        [1, 3]
        """
        numbers, holding = self._numbers, self._holding
        ids = ids_in(span)
        if len(ids) == 1:
            return [numbers[index] for index in holding[span]] if span in holding else []
        places = {index for token in ids if token in holding for index in holding[token]}
        if not places:
            return []
        self._steps.take(max(0, len(places) - FREE_LOOKS))
        spans, span = self._spans, f"-{span}-"
        return [numbers[index] for index in sorted(places) if span in spans[index] or spans[index] in span]
