r"""Reading a span as a regular expression of Perl: from characters to parts, or a refusal.

Every byte of a line is a character up to U+00FF, and is a letter or not as Unicode says, as Perl has it for bytes in a
UTF-8 locale. ``\d`` are ten digits.
"""

from __future__ import annotations

import re
import string
from typing import Any, TypeAlias

from karat.errors import InputError

LATIN = frozenset(map(chr, range(256)))
ANY = LATIN - {"\n"}
_ACROSS = frozenset("\t \xa0")
_DOWN = frozenset("\n\v\f\r\x85")
CLASSES = {
    "d": frozenset(string.digits),
    "w": frozenset(letter for letter in LATIN if letter == "_" or letter in string.digits or letter.isalpha()),
    "s": _ACROSS | _DOWN,
    "h": _ACROSS,
    "v": _DOWN,
}
"""The classes by their letters; the capital letter is the complement."""
_CLASSES = CLASSES | {name.upper(): LATIN - characters for name, characters in CLASSES.items()}
_SINGLE = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "e": "\x1b", "a": "\a"}
_AS_THEY_ARE = frozenset("ijlmquyEFIJLMOQTUY")
"""Letters that Perl passes through with a warning."""
_NUMBER = re.compile(r"x\{([0-9A-Fa-f]{1,6})\}|x(?!\{)([0-9A-Fa-f]{0,2})|(0[0-7]{0,2})")
_SHARP_S = "\xdf"
MAX_DEPTH = 50
MAX_COUNT = 65_534
"""The highest number that Perl takes in a counted quantifier."""
_COUNTED = re.compile(r"\{[ \t]*([0-9]*)[ \t]*(?:(,)[ \t]*([0-9]*)[ \t]*)?\}")
_FLAGS = re.compile(r"\?([imns]*)(?:-([imns]*))?([:)])")
_SIMPLE = {"^": "start", "$": "end", "\\A": "start", "\\z": "end", "\\Z": "end", "\\b": "edge", "\\B": "no-edge"}
_COUNTS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}

Part: TypeAlias = tuple[Any, ...]
"""A part of a pattern: what it is, then what it is made of."""


class NotFollowed(Exception):  # noqa: N818 - no fault of the pattern
    """A part of a pattern that Karat does not follow, in words."""


def escaped(text: str, place: int, *, inside: bool) -> tuple[frozenset[str], int]:
    r"""Return what the escape stands for that begins behind the backslash, and where it ends.

    >>> sorted(escaped(r"\x31", 1, inside=False)[0]), escaped(r"\-", 1, inside=True)[1]
    (['1'], 2)
    """
    letter = text[place]
    if letter not in string.ascii_letters + string.digits:
        return frozenset(letter), place + 1
    match = _NUMBER.match(text, place)
    if match:
        code = int(match[3], 8) if match[3] else int(match[1] or match[2] or "0", 16)
        return frozenset(chr(code)) if code < 256 else frozenset(), match.end()
    if letter in _CLASSES:
        return _CLASSES[letter], place + 1
    if letter in _SINGLE:
        return frozenset(_SINGLE[letter]), place + 1
    if letter == "b" and inside:
        return frozenset("\b"), place + 1
    if (
        letter == "N"
        and not inside
        and (text[place + 1 : place + 2] != "{" or re.match(r"\{[0-9, ]+\}", text[place + 1 :]))
    ):
        return ANY, place + 1
    if letter in _AS_THEY_ARE:
        return frozenset(letter), place + 1
    raise NotFollowed(f"escapes such as \\{letter}")


def with_both_cases(characters: frozenset[str]) -> frozenset[str]:
    """Return the characters, letters in either case.

    >>> sorted(with_both_cases(frozenset("a1")))
    ['1', 'A', 'a']
    """
    if _SHARP_S in characters and len(characters) < 10:
        raise NotFollowed("a double or sharp s in either case")
    return frozenset(
        case for letter in characters for case in (letter, letter.lower(), letter.upper()) if case in LATIN
    )


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
        outer_any_case = self.any_case
        if self._peek() in ("?", "*"):
            flags = _FLAGS.match(self.text, self.place)
            if not flags:
                raise NotFollowed("extended groups but those of the flags i, m, n and s")
            self.place = flags.end()
            self.any_case = (outer_any_case or "i" in flags[1]) and "i" not in (flags[2] or "")
            if flags[3] == ")":
                return None
        inner = self._alternatives(depth + 1)
        if self._take() != ")":
            raise refused(self.span, "an opening parenthesis has no closing one")
        self.any_case = outer_any_case
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
