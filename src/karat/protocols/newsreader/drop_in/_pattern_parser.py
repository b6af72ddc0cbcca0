"""Reading a span as a regular expression of Perl: from characters to parts, or a refusal."""

from __future__ import annotations

import re
from typing import Any, TypeAlias

from karat.errors import InputError
from karat.protocols.newsreader.drop_in._pattern_characters import ANY, LATIN, NotFollowed, escaped, with_both_cases

MAX_DEPTH = 50
MAX_COUNT = 65_534
"""The highest number that Perl takes in a counted quantifier."""
_COUNTED = re.compile(r"\{[ \t]*([0-9]*)[ \t]*(?:(,)[ \t]*([0-9]*)[ \t]*)?\}")
_FLAGS = re.compile(r"\?([imns]*)(?:-([imns]*))?([:)])")
_SIMPLE = {"^": "start", "$": "end", "\\A": "start", "\\z": "end", "\\Z": "end", "\\b": "edge", "\\B": "no-edge"}
_COUNTS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}

Part: TypeAlias = tuple[Any, ...]
"""A part of a pattern: what it is, then what it is made of."""


class Parser:
    """Reads a span as Perl does between the two parts that stand for a hyphen or an end."""

    def __init__(self, span: str) -> None:
        self.span = span
        self.text = rf"(^|\-){span}($|\-)"
        self.place = 0
        self.any_case = False

    def parse(self) -> Part:
        """Return the parts of the pattern."""
        try:
            tree = self._alternatives(0)
        except NotFollowed as error:
            raise not_followed(self.span, str(error)) from error
        if self.place < len(self.text):
            raise refused(self.span, "a closing parenthesis has no opening one")
        return tree

    def _peek(self) -> str:
        return self.text[self.place : self.place + 1]

    def _take(self) -> str:
        self.place += 1
        return self.text[self.place - 1 : self.place]

    def _alternatives(self, depth: int) -> Part:
        if depth > MAX_DEPTH:
            raise NotFollowed(f"more than {MAX_DEPTH} parentheses inside of each other")
        branches = [self._sequence(depth)]
        while self._peek() == "|":
            self._take()
            branches.append(self._sequence(depth))
        return "or", branches

    def _sequence(self, depth: int) -> Part:
        parts: list[Part] = []
        while self._peek() not in ("", "|", ")"):
            if self._peek() in ("*", "+", "?"):
                raise refused(self.span, "a quantifier follows nothing")
            part = self._atom(depth)
            if part is not None:
                parts.append(self._repeated(part))
        return "then", parts

    def _quantifier(self) -> re.Match[str] | str | None:
        """Return the quantifier that stands here, if one does."""
        if self._peek() in ("*", "+", "?"):
            return self._peek()
        counts = _COUNTED.match(self.text, self.place)
        return counts if counts and (counts[1] or counts[3]) else None

    def _repeated(self, part: Part) -> Part:
        sign = self._quantifier()
        if not sign:
            return part
        self.place += len(sign if isinstance(sign, str) else sign[0])
        low, high = _COUNTS[sign] if isinstance(sign, str) else self._counts(sign)
        if high is not None and high < low and (self._peek() == "+" or self._quantifier()):
            raise NotFollowed("more behind a quantifier that cannot be met")
        possessive = self._peek() == "+"
        if self._peek() in ("?", "+"):  # a short match is a match
            self._take()
        if self._quantifier():
            raise refused(self.span, "a quantifier follows another")
        if possessive and part[0] in ("or", "then"):
            raise NotFollowed("possessive quantifiers of groups")
        return "repeat", part, low, high, possessive and part[0] == "char"

    def _counts(self, sign: re.Match[str]) -> tuple[int, int | None]:
        if any(len(count or "") > 1 and count.startswith("0") for count in (sign[1], sign[3])):
            raise NotFollowed("counts that begin with 0")
        low = int(sign[1] or 0) if len(sign[1]) < 6 else MAX_COUNT + 1
        last = sign[1] if sign[2] is None else sign[3]
        high = None if not last else int(last) if len(last) < 6 else MAX_COUNT + 1
        if max(low, high or 0) > MAX_COUNT:
            raise refused(self.span, f"a count is higher than {MAX_COUNT:,}")
        return low, high

    def _atom(self, depth: int) -> Part | None:
        """Read one part; flags are none."""
        character = self._take()
        match character:
            case "(":
                return self._group(depth)
            case "[":
                return "char", self._class()
            case ".":
                return "char", ANY
            case "^" | "$":
                return (_SIMPLE[character],)
            case "\\" if self._peek() and f"\\{self._peek()}" in _SIMPLE:
                name = f"\\{self._take()}"
                if self._peek() == "{":
                    raise NotFollowed("escapes with braces")
                return (_SIMPLE[name],)
            case "\\":
                letter = self._peek().isalpha() and self._peek() != "x"
                characters = self._cased(self._escaped(inside=False))
                if letter and self._peek() == "{" and not self._quantifier():
                    raise refused(self.span, "a brace that counts nothing follows an escape")
                return "char", characters
            case "s" | "S" if self.any_case and self._peek() in ("s", "S"):
                raise NotFollowed("a double or sharp s in either case")
            case _:
                return "char", self._cased(frozenset(character))

    def _cased(self, characters: frozenset[str]) -> frozenset[str]:
        return with_both_cases(characters) if self.any_case else characters

    def _group(self, depth: int) -> Part | None:
        """Read the rest of a group; flags count up to its end, and such without a group up to the end of this one."""
        before = self.any_case
        if self._peek() in ("?", "*"):
            flags = _FLAGS.match(self.text, self.place)
            if not flags:
                raise NotFollowed("extended groups but those of the flags i, m, n and s")
            self.place = flags.end()
            self.any_case = (before or "i" in flags[1]) and "i" not in (flags[2] or "")
            if flags[3] == ")":
                return None
        inner = self._alternatives(depth + 1)
        if self._take() != ")":
            raise refused(self.span, "an opening parenthesis has no closing one")
        self.any_case = before
        return inner

    def _escaped(self, *, inside: bool) -> frozenset[str]:
        if self.place >= len(self.text):
            raise refused(self.span, "nothing follows the last backslash")
        characters, self.place = escaped(self.text, self.place, inside=inside)
        return characters

    def _class(self) -> frozenset[str]:
        """Read the rest of a character class."""
        negated = self._peek() == "^" and bool(self._take())
        members: set[str] = set()
        first = True
        while self._peek() != "]" or first:
            first = False
            low = self._member()
            members |= low
            if self._peek() != "-" or self.text[self.place + 1 : self.place + 2] in ("", "]"):
                continue
            self._take()
            high = self._member()
            members |= high
            if len(low) == 1 == len(high):
                bottom, top = ord(min(low)), ord(min(high))
                if top < bottom:
                    raise refused(self.span, "a range of characters is reversed")
                members.update(map(chr, range(bottom, top + 1)))
            else:
                members.add("-")
        self._take()
        characters = self._cased(frozenset(members))
        return LATIN - characters if negated else characters

    def _member(self) -> frozenset[str]:
        character = self._take()
        if not character:
            raise refused(self.span, "an opening bracket has no closing one")
        if character == "[" and self._peek() in (":", ".", "="):
            raise NotFollowed("named classes")
        return self._escaped(inside=True) if character == "\\" else frozenset(character)


def refused(span: str, reason: str) -> InputError:
    """Return what to say of a span that is no pattern."""
    message = f"the span {_shown(span)} is no pattern, which the published program takes it for: {reason}"
    return InputError(f"{message}; choose --profile corrected")


def not_followed(span: str, what: str) -> InputError:
    """Return what to say of a pattern that Karat does not follow."""
    message = f"the published program takes the span {_shown(span)} for a pattern, and Karat does not follow {what}"
    return InputError(f"{message}; choose --profile corrected")


def _shown(span: str) -> str:
    return repr(span if len(span) <= 60 else span[:60] + "…")
