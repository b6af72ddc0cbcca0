r"""Which characters the escapes of a pattern stand for, as Perl has it for bytes in a UTF-8 locale.

Every byte of a line is a character up to U+00FF, and is a letter or not as Unicode says. ``\d`` are ten digits.
"""

from __future__ import annotations

import re
import string

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
