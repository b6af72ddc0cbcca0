r"""Spans as regular expressions, which is how the published evaluation compares them.

``1.5`` in a span then also means ``1x5``. Only whether a pattern is found matters, so it is followed through all of its
states at once: the time is bounded by pattern times text, whatever the pattern, and greedy or lazy makes no difference.
``_pattern_parser`` reads it, and ``_pattern_characters`` says which characters escapes stand for. What else Perl knows
is refused.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from karat.protocols.newsreader.drop_in._pattern_characters import CLASSES
from karat.protocols.newsreader.drop_in._pattern_parser import Parser, Part, not_followed

SPECIAL = re.compile(r"[.^$*+?()\[\]{}|\\]")
"""Characters that are more than themselves."""

MAX_LENGTH = 1_000
MAX_STATES = 10_000


class _State(NamedTuple):
    """A state: ``kind`` is ``char`` (one of ``characters``), ``split``, ``found``, or what must hold at a place."""

    kind: str
    following: tuple[int, ...] = ()
    characters: frozenset[str] = frozenset()

    def holds(self, text: str, place: int) -> bool:
        """Say whether the state is passed at a place without reading a character."""
        match self.kind:
            case "split":
                return True
            case "start":
                return place == 0
            case "end":
                return place == len(text)
            case "edge" | "no-edge":
                word = CLASSES["w"]
                before, behind = text[place - 1 : place] if place else "", text[place : place + 1]
                return ((before in word) != (behind in word)) == (self.kind == "edge")
            case "not":
                return text[place : place + 1] not in self.characters
            case _:
                return False


class Pattern:
    """A span to be found in others, between hyphens or ends.

    >>> Pattern("1.3").found_in("0-1-3"), Pattern("1|2").found_in("x12y"), Pattern("2+").found_in("1-22")
    (True, False, True)
    """

    def __init__(self, span: str) -> None:
        if len(span) > MAX_LENGTH:
            raise not_followed(span, f"patterns of more than {MAX_LENGTH:,} characters")
        self._states = [_State("found")]
        self._begin = _States(span, self._states).build(Parser(span).parse(), 0)

    def found_in(self, text: str) -> bool:
        """Say whether the pattern is found anywhere in a text."""
        reached: set[int] = set()
        for place in range(len(text) + 1):
            reached.add(self._begin)
            reached = self._without_reading(reached, text, place)
            if 0 in reached:
                return True
            if place < len(text):
                states = (self._states[number] for number in reached)
                reached = {
                    state.following[0] for state in states if state.kind == "char" and text[place] in state.characters
                }
        return False

    def _without_reading(self, reached: set[int], text: str, place: int) -> set[int]:
        passed: set[int] = set()
        waiting = list(reached)
        while waiting:
            number = waiting.pop()
            if number not in passed:
                passed.add(number)
                state = self._states[number]
                if state.holds(text, place):
                    waiting += state.following
        return passed


class _States:
    """Turns a pattern into states, from the back to the front: each part is given the state that follows it."""

    def __init__(self, span: str, states: list[_State]) -> None:
        self.span, self.states = span, states

    def build(self, part: Part, following: int) -> int:
        """Add the states of a part and return its first."""
        match part:
            case ("or", branches):
                return self._add(_State("split", tuple(self.build(branch, following) for branch in branches)))
            case ("then", parts):
                for inner in reversed(parts):
                    following = self.build(inner, following)
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
            self.states[begin] = _State("split", (self.build(inner, begin), leave))
        else:
            begin = following
            for _ in range(high - low):
                begin = self._add(_State("split", (self.build(inner, begin), leave)))
        for _ in range(low):
            begin = self.build(inner, begin)
        return begin

    def _add(self, state: _State) -> int:
        if len(self.states) >= MAX_STATES:
            raise not_followed(self.span, "repetitions of so many parts")
        self.states.append(state)
        return len(self.states) - 1
