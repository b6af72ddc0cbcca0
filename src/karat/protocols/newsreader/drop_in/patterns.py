r"""Spans as regular expressions, which is how the published evaluation compares them.

``1.5`` in a span then also means ``1x5``. Only whether a pattern is found matters, so it is followed through all of its
states at once: the time is bounded by pattern times text, whatever the pattern, and greedy or lazy makes no difference.
``_pattern_parser`` reads it. What else Perl knows is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from karat.protocols.newsreader.drop_in._pattern_parser import CLASSES, Parser, Part, not_followed
from karat.protocols.newsreader.drop_in.runs import StepsLeft

MAX_LENGTH = 1_000
MAX_STATES = 10_000
FOUND = 0
"""The state at which a pattern is found."""


class _State(NamedTuple):
    """A state: ``kind`` is ``char`` (one of ``characters``), ``split``, ``found``, or what must hold at a place."""

    kind: str
    following: tuple[int, ...] = ()
    characters: frozenset[str] = frozenset()

    def holds(self, before: str, behind: str) -> bool:
        """Say whether the state is passed without reading a character, between two, of which an end has none."""
        match self.kind:
            case "split":
                return True
            case "start":
                return not before
            case "end":
                return not behind
            case "edge" | "no-edge":
                word = CLASSES["w"]
                return ((before in word) != (behind in word)) == (self.kind == "edge")
            case "not":
                return behind not in self.characters
            case _:
                return False


class Pattern:
    """A span to be found in others, between hyphens or ends.

    ``begin`` are the states in which it begins, ``is_anchored`` says that this is at a hyphen or the start of a text.

    >>> Pattern("1.3").found_in("0-1-3"), Pattern("1|2").found_in("x12y"), Pattern("2+").found_in("1-22")
    (True, False, True)
    """

    def __init__(self, span: str, steps: StepsLeft | None = None) -> None:
        if len(span) > MAX_LENGTH:
            raise not_followed(span, f"patterns of more than {MAX_LENGTH:,} characters")
        tree = Parser(span).parse()
        self._span, self._steps = span, steps or StepsLeft()
        self._states = [_State("found")]
        self.begin = frozenset({self._build(tree, FOUND)})
        (_, first), *alternatives = tree[1]
        self.is_anchored = first[0][0] == "or" and not alternatives

    def found_in(self, text: str) -> bool:
        """Say whether the pattern is found anywhere in a text."""
        reached: frozenset[int] = frozenset()
        for before, behind in pairwise(["", *text, ""]):
            passed = self.passed(reached | self.begin, before, behind)
            if FOUND in passed:
                return True
            reached = self.read(passed, behind)
        return False

    def passed(self, reached: Iterable[int], before: str, behind: str) -> set[int]:
        """Return the states that are reached between two characters without reading the second."""
        passed: set[int] = set()
        waiting = list(reached)
        while waiting:
            index = waiting.pop()
            if index not in passed:
                passed.add(index)
                state = self._states[index]
                if state.holds(before, behind):
                    waiting += state.following
        self._steps.take(len(passed))
        return passed

    def read(self, passed: Iterable[int], character: str) -> frozenset[int]:
        """Return the states that are reached by reading a character."""
        states = map(self._states.__getitem__, passed)
        return frozenset(
            state.following[0] for state in states if state.kind == "char" and character in state.characters
        )

    def _build(self, part: Part, following: int) -> int:
        """Add the states of a part, which is given the state that follows it, and return its first."""
        match part:
            case ("or", branches):
                return self._add(_State("split", tuple(self._build(branch, following) for branch in branches)))
            case ("then", parts):
                for inner in reversed(parts):
                    following = self._build(inner, following)
                return following
            case ("repeat", inner, low, high, possessive):
                return self._build_repeated(inner, low, high, following, possessive)
            case ("char", characters):
                return self._add(_State("char", (following,), characters))
            case _:
                return self._add(_State(part[0], (following,)))

    def _build_repeated(self, inner: Part, low: int, high: int | None, following: int, possessive: bool) -> int:
        """Add the states of a repetition; a possessive one is only left where it cannot go on."""
        if high is not None and high < low:
            return self._add(_State("split"))
        leave = self._add(_State("not", (following,), inner[1])) if possessive else following
        if high is None:
            begin = self._add(_State("split"))
            self._states[begin] = _State("split", (self._build(inner, begin), leave))
        else:
            begin = following
            for _ in range(high - low):
                begin = self._add(_State("split", (self._build(inner, begin), leave)))
        for _ in range(low):
            begin = self._build(inner, begin)
        return begin

    def _add(self, state: _State) -> int:
        if len(self._states) >= MAX_STATES:
            raise not_followed(self._span, "repetitions of so many parts")
        self._states.append(state)
        return len(self._states) - 1
