r"""Spans as regular expressions, which is how the published evaluation compares them.

``1.5`` in a span then also means ``1x5``. Only whether a pattern is found matters, so it is followed through all of its
states at once: the time is bounded by pattern times text, whatever the pattern. Known are ``. * + ? | ( ) [ ] ^ $`` and
escaped punctuation; what else Perl gives a meaning is refused.
"""

from __future__ import annotations

import re
import string
from typing import Any, NamedTuple, TypeAlias

from karat.errors import InputError

SPECIAL = re.compile(r"[.^$*+?()\[\]{}|\\]")
"""Characters that are more than themselves."""

MAX_LENGTH = 1_000
MAX_DEPTH = 50
_COUNTED = re.compile(r"[ \t]*[0-9]*[ \t]*(?:,[ \t]*[0-9]*[ \t]*)?\}")
_ANY = frozenset(map(chr, range(256))) - {"\n"}

Part: TypeAlias = tuple[Any, ...]
"""A part of a pattern: what it is, then what it is made of."""


class _State(NamedTuple):
    """A state: ``kind`` is ``char`` (one of ``characters``), ``split``, ``start``, ``end`` or ``found``."""

    kind: str
    following: tuple[int, ...] = ()
    characters: frozenset[str] = frozenset()


class Pattern:
    """A span to be found in others, between hyphens or ends.

    >>> Pattern("1.3").found_in("0-1-3"), Pattern("1|2").found_in("x12y"), Pattern("2+").found_in("1-22")
    (True, False, True)
    """

    def __init__(self, span: str) -> None:
        if len(span) > MAX_LENGTH:
            raise _not_followed(span, f"patterns of more than {MAX_LENGTH:,} characters")
        self._states = [_State("found")]
        self._begin = _Parser(span, self._states).parse()

    def found_in(self, text: str) -> bool:
        """Say whether the pattern is found anywhere in a text."""
        reached: set[int] = set()
        for place in range(len(text) + 1):
            reached.add(self._begin)
            reached = self._without_reading(reached, first=place == 0, last=place == len(text))
            if 0 in reached:
                return True
            if place < len(text):
                states = (self._states[one] for one in reached)
                reached = {state.following[0] for state in states if text[place] in state.characters}
        return False

    def _without_reading(self, reached: set[int], *, first: bool, last: bool) -> set[int]:
        found: set[int] = set()
        waiting = list(reached)
        while waiting:
            one = waiting.pop()
            if one in found:
                continue
            found.add(one)
            state = self._states[one]
            if state.kind == "split" or (state.kind == "start" and first) or (state.kind == "end" and last):
                waiting += state.following
        return found


class _Parser:
    """Turns a pattern into states, from the back to the front: each part is given the state that follows it."""

    def __init__(self, span: str, states: list[_State]) -> None:
        self.span = span
        self.text = rf"(^|\-){span}($|\-)"
        self.at = 0
        self.states = states

    def parse(self) -> int:
        tree = self._alternatives(0)
        if self.at < len(self.text):
            raise _refused(self.span, "a closing parenthesis has no opening one")
        return self._build(tree, 0)

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _take(self) -> str:
        self.at += 1
        return self.text[self.at - 1 : self.at]

    def _alternatives(self, depth: int) -> Part:
        if depth > MAX_DEPTH:
            raise _not_followed(self.span, f"more than {MAX_DEPTH} parentheses inside of each other")
        branches = [self._sequence(depth)]
        while self._peek() == "|":
            self._take()
            branches.append(self._sequence(depth))
        return "or", branches

    def _sequence(self, depth: int) -> Part:
        parts: list[Part] = []
        while self._peek() not in ("", "|", ")"):
            if self._peek() in ("*", "+", "?"):
                raise _refused(self.span, "a quantifier follows nothing")
            part = self._atom(depth)
            parts.append(self._repeated(part))
        return "then", parts

    def _repeated(self, part: Part) -> Part:
        if self._peek() not in ("*", "+", "?"):
            return part
        sign = self._take()
        if self._peek() == "?":  # a short match is a match
            self._take()
        elif self._peek() == "+":
            raise _not_followed(self.span, "possessive quantifiers")
        if self._peek() in ("*", "+", "?"):
            raise _refused(self.span, "a quantifier follows another")
        return sign, part

    def _atom(self, depth: int) -> Part:
        character = self._take()
        match character:
            case "(":
                return self._group(depth)
            case "[":
                return "char", self._class()
            case ".":
                return "char", _ANY
            case "^":
                return ("start",)
            case "$":
                return ("end",)
            case "\\":
                return "char", frozenset(self._escaped())
            case "{" if _COUNTED.match(self.text, self.at):
                raise _not_followed(self.span, "counted quantifiers")
            case _:
                return "char", frozenset(character)

    def _group(self, depth: int) -> Part:
        if self._peek() in ("?", "*"):
            raise _not_followed(self.span, "extended groups")
        inner = self._alternatives(depth + 1)
        if self._take() != ")":
            raise _refused(self.span, "an opening parenthesis has no closing one")
        return inner

    def _escaped(self) -> str:
        character = self._take()
        if character in string.ascii_letters + string.digits:
            raise _not_followed(self.span, "escapes such as \\d or \\1")
        return character

    def _class(self) -> frozenset[str]:
        """Read the rest of a character class."""
        negated = self._peek() == "^" and bool(self._take())
        found: set[str] = set()
        first = True
        while self._peek() != "]" or first:
            first = False
            low = self._member()
            high = low
            if self._peek() == "-" and self.text[self.at + 1 : self.at + 2] not in ("", "]"):
                self._take()
                high = self._member()
            if high < low:
                raise _refused(self.span, "a range of characters is reversed")
            found.update(map(chr, range(ord(low), ord(high) + 1)))
        self._take()
        return frozenset(map(chr, range(256))) - found if negated else frozenset(found)

    def _member(self) -> str:
        character = self._take()
        if not character:
            raise _refused(self.span, "an opening bracket has no closing one")
        if character == "[" and self._peek() in (":", ".", "="):
            raise _not_followed(self.span, "named classes")
        return self._escaped() if character == "\\" else character

    def _build(self, part: Part, following: int) -> int:
        """Add the states of a part and return its first."""
        match part:
            case ("or", branches):
                return self._add(_State("split", tuple(self._build(one, following) for one in branches)))
            case ("then", parts):
                for one in reversed(parts):
                    following = self._build(one, following)
                return following
            case ("?", inner):
                return self._add(_State("split", (self._build(inner, following), following)))
            case ("*" | "+" as sign, inner):
                loop = self._add(_State("split"))
                begin = self._build(inner, loop)
                self.states[loop] = _State("split", (begin, following))
                return loop if sign == "*" else begin
            case ("char", characters):
                return self._add(_State("char", (following,), characters))
            case _:
                return self._add(_State(part[0], (following,)))

    def _add(self, state: _State) -> int:
        self.states.append(state)
        return len(self.states) - 1


def _refused(span: str, reason: str) -> InputError:
    message = f"the span {_shown(span)} is no pattern, which the published program takes it for: {reason}"
    return InputError(f"{message}; choose --profile corrected")


def _not_followed(span: str, what: str) -> InputError:
    message = f"the published program takes the span {_shown(span)} for a pattern, and Karat does not follow {what}"
    return InputError(f"{message}; choose --profile corrected")


def _shown(span: str) -> str:
    return repr(span if len(span) <= 60 else span[:60] + "…")
