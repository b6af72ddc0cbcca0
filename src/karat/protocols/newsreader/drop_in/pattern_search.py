"""Which gold spans of a document a system span meets where some are patterns, found in many spans at once.

A pattern that is looked for in every span by itself reads the same beginnings again and again. Here the endings of all
spans are sorted, so that those that begin alike stand together, and are read once, as long as the pattern can go on.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from karat.errors import InputError
from karat.protocols.newsreader.drop_in._pattern_parser import CLASSES
from karat.protocols.newsreader.drop_in.patterns import FOUND, Pattern
from karat.protocols.newsreader.drop_in.runs import SPECIAL, RunIndex, StepsLeft

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
        self._endings: dict[bool, list[_Endings]] = {}

    def _sorted(self, *, anchored: bool) -> list[_Endings]:
        """Return the endings that begin at the start of a span, behind a character of a word, and behind others.

        If ``anchored``, all but the first of these begin with a hyphen.
        """
        kinds: dict[str, list[tuple[str, int]]] = {"": [], "0": [], "-": []}
        for owner, span in enumerate(self._spans):
            kinds[""].append((span[:_DEPTH], owner))
            for offset in range(1, len(span) + (not anchored)):
                if not anchored or span[offset] == "-":
                    kind = "0" if span[offset - 1] in CLASSES["w"] else "-"
                    kinds[kind].append((span[offset : offset + _DEPTH], owner))
        for endings in kinds.values():
            endings.sort()
        return [
            _Endings([text for text, _ in endings], [owner for _, owner in endings], before)
            for before, endings in kinds.items()
        ]

    def holding(self, pattern: Pattern) -> set[int]:
        """Return the spans in which a pattern is found, by their index."""
        owners: set[int] = set()
        anchored = pattern.is_anchored
        groups = self._endings.get(anchored) or self._endings.setdefault(anchored, self._sorted(anchored=anchored))
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


class GoldSpans:
    """The gold spans of a document with the line of each, in the order of the file.

    ``systems`` are the spans of the system, line by line; ``steps`` is what patterns may take.

    >>> list(GoldSpans({"1-2": 0, "2.3": 1, "9": 2}, ["2-3", "1.2"], StepsLeft()).met())
    [[1], [0]]
    """

    def __init__(self, lines: Mapping[str, int], systems: Sequence[str], steps: StepsLeft) -> None:
        self._lines, self._systems, self._steps = lines, systems, steps
        self._runs = RunIndex(lines, steps)
        self._patterns = list(filter(SPECIAL.search, lines))
        self._pattern_lines = {lines[span] for span in self._patterns}
        self._in_order = list(lines.values())
        self._ranks = {line: rank for rank, line in enumerate(self._in_order)}
        self._refused: dict[int, InputError] = {}

    def met(self) -> Iterator[list[int]]:
        """Yield for each system span the lines whose span it is found in, or is found in it, in their order."""
        return map(cache(self._matching), self._systems)

    def _matching(self, span: str) -> list[int]:
        if not SPECIAL.search(span):
            lines = set(self._runs.matching(span))
        elif self._lines:
            holding = self._texts.holding(Pattern(span, self._steps))
            lines = {self._in_order[rank] for rank in holding}
            lines.update(line for line in self._runs.parts_of(span) if line not in self._pattern_lines)
        else:
            lines = set()
        if self._patterns:
            lines.update(self._found.get(span, ()))
            for line, refusal in self._refused.items():
                if line not in lines:
                    raise refusal
        return sorted(lines, key=self._ranks.__getitem__)

    @cached_property
    def _texts(self) -> Texts:
        return Texts(list(self._lines))

    @cached_property
    def _found(self) -> dict[str, list[int]]:
        """The system spans in which gold patterns are found; those that are none are refused where they are needed."""
        systems = list(dict.fromkeys(self._systems))
        texts = Texts(systems)
        lines: dict[str, list[int]] = {}
        for gold in self._patterns:
            try:
                pattern = Pattern(gold, self._steps)
            except InputError as refusal:
                self._refused[self._lines[gold]] = refusal
                continue
            for system in texts.holding(pattern):
                lines.setdefault(systems[system], []).append(self._lines[gold])
        return lines
