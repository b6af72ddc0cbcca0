"""Finding patterns in many spans at once.

A pattern that is looked for in every span by itself reads the same beginnings again and again. Here the endings of all
spans are sorted, so that those that begin alike stand together, and are read once, as long as the pattern can go on.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from karat.protocols.newsreader.drop_in._pattern_characters import CLASSES
from karat.protocols.newsreader.drop_in.patterns import FOUND, Pattern

_DEPTH = 40
"""Endings are told apart by so many characters; where a pattern goes on behind them, spans are read one by one."""


class _Endings(NamedTuple):
    """Endings of spans in order, the span of each, and a character such as stands before them."""

    texts: list[str]
    owners: list[int]
    before: str


class _Branch(NamedTuple):
    """Endings from one place to another that begin with the same characters, and the states after these."""

    endings: _Endings
    low: int
    high: int
    depth: int
    states: frozenset[int]
    before: str


class Texts:
    """Spans in which patterns are looked for.

    >>> sorted(Texts(["1-3", "4", "0-1-3"]).holding(Pattern("1.3")))
    [0, 2]
    """

    def __init__(self, spans: Sequence[str]) -> None:
        self._spans = spans

    @cached_property
    def _at_hyphens(self) -> list[_Endings]:
        return self._sorted(anchored=True)

    @cached_property
    def _anywhere(self) -> list[_Endings]:
        return self._sorted(anchored=False)

    def _sorted(self, *, anchored: bool) -> list[_Endings]:
        """Return the endings that begin at the start of a span, behind a character of a word, and behind others."""
        kinds: dict[str, list[tuple[str, int]]] = {"": [], "0": [], "-": []}
        for owner, span in enumerate(self._spans):
            kinds[""].append((span[:_DEPTH], owner))
            for place in range(1, len(span) + (not anchored)):
                if not anchored or span[place] == "-":
                    kind = "0" if span[place - 1] in CLASSES["w"] else "-"
                    kinds[kind].append((span[place : place + _DEPTH], owner))
        for endings in kinds.values():
            endings.sort()
        return [
            _Endings([text for text, _ in endings], [owner for _, owner in endings], before)
            for before, endings in kinds.items()
        ]

    def holding(self, pattern: Pattern) -> set[int]:
        """Return the spans in which a pattern is found, by their index."""
        owners: set[int] = set()
        groups = self._at_hyphens if pattern.is_anchored else self._anywhere
        waiting = [_Branch(group, 0, len(group.texts), 0, pattern.begin, group.before) for group in groups]
        while waiting:
            branch = waiting.pop()
            if branch.depth == _DEPTH:
                rest = set(branch.endings.owners[branch.low : branch.high]) - owners
                owners.update(owner for owner in rest if pattern.found_in(self._spans[owner]))
                continue
            for low, high, behind in _next_characters(branch):
                passed = pattern.passed(branch.states, branch.before, behind)
                if FOUND in passed:
                    owners.update(branch.endings.owners[low:high])
                    continue
                states = pattern.read(passed, behind)
                if states:
                    waiting.append(_Branch(branch.endings, low, high, branch.depth + 1, states, behind))
        return owners


def _next_characters(branch: _Branch) -> Iterator[tuple[int, int, str]]:
    """Yield which endings go on with which character; those that go on with none are at their end."""
    texts, low = branch.endings.texts, branch.low
    while low < branch.high:
        text = texts[low]
        behind = text[branch.depth : branch.depth + 1]
        if behind:
            high = bisect_left(texts, text[: branch.depth] + chr(ord(behind) + 1), low, branch.high)
        else:
            high = bisect_right(texts, text, low, branch.high)
        yield low, high, behind
        low = high
