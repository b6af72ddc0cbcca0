"""Characters as the published Perl programs read them: blanks, words, case, numbers within text, and comments.

Perl's rules differ from Python's in corner cases: the information separators U+001C to U+001F are not blanks, combining
marks are parts of words, and text that does not begin with a number counts as 0.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

BLANKS = "\t\n\x0b\x0c\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
"""The characters that count as blank."""

BLANK = re.compile(f"[{BLANKS}]")
_RARE_BLANKS = BLANKS.translate(dict.fromkeys(b"\t\n "))
_EDGES = ("\t ", " \t", "\n ", " \n", "\t\t", "\t\n", "\n\t")
_SEPARATORS = "\x1c\x1d\x1e\x1f"
_BEFORE_COMMENT = re.compile(r'[^#"]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*"[^#"]*+)*')
_NAME = re.compile(r":?\w+", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_EXACT_DIGITS = 18
_WORD_CATEGORIES = ("L", "M", "Nd", "Nl", "Pc")
_WORD_SYMBOLS = re.compile("[\u200c\u200d\u24b6-\u24e9\U0001f130-\U0001f149\U0001f150-\U0001f169\U0001f170-\U0001f189]")


def trim(text: str) -> str:
    r"""Return the text without leading and trailing blanks.

    >>> trim("\tAda\u3000"), trim("\x1fAda")
    ('Ada', '\x1fAda')
    """
    return text.strip(BLANKS)


def trimmer(text: str) -> Callable[[str], str] | None:
    r"""Return the fastest function equivalent to :func:`trim` on the fields of these lines; None if none needs it.

    >>> trimmer(":E1\ttype\tPER\n:E2\ttype\tORG") is None, trimmer(":E1\ttype \tPER")(" a")
    (True, 'a')
    """
    if any(separator in text for separator in _SEPARATORS):
        return trim
    at_an_edge = text[:1] in BLANKS or text[-1:] in BLANKS or _has_blank_at_an_edge(text)
    return str.strip if at_an_edge or any(blank in text for blank in _RARE_BLANKS) else None


def _has_blank_at_an_edge(text: str) -> bool:
    """Tell whether a field begins or ends with a blank, or is empty; fast if no two blanks are adjacent."""
    blanks_alike = text.replace(" ", "\t").replace("\n", "\t")
    return "\t\t" in blanks_alike and any(pair in text for pair in _EDGES)


def is_blank(text: str) -> bool:
    """Tell whether the text is empty or has only blanks."""
    return not text.strip(BLANKS)


def is_entity_name(text: str) -> bool:
    r"""Tell whether the text is the name of an entity: word characters, optionally after one colon.

    >>> [is_entity_name(one) for one in (":E1", "E_1", ":", ":a-b", ":क्या")]
    [True, True, False, False, True]
    """
    if text.isascii():
        return _NAME.fullmatch(text) is not None
    word = text.removeprefix(":")
    return bool(word) and all(map(_is_word, word))


def _is_word(character: str) -> bool:
    category = unicodedata.category(character)
    return category.startswith(_WORD_CATEGORIES) or _WORD_SYMBOLS.match(character) is not None


def lower(text: str) -> str:
    """Return the text in lower case, character by character, so that capital sigma ignores its position."""
    return text.lower() if "Σ" not in text else "".join(map(str.lower, text))


def number(text: str) -> int | float:
    """Return the number at the beginning of the text, 0 if there is none; very large ones are floats.

    >>> number("0042"), number("7 of 9"), number("many"), number("1e3")
    (42, 7, 0, 1000.0)
    """
    if text.isdecimal() and text.isascii() and len(text) <= _EXACT_DIGITS:
        return int(text)
    match = _NUMBER.match(text.lstrip(BLANKS))
    if match is None:
        return 0
    value = match.group()
    whole = value.lstrip("+-")
    return int(value) if whole.isdecimal() and len(whole) <= _EXACT_DIGITS else float(value)


def number_text(value: float) -> str:
    """Return a number as the published programs print it.

    >>> number_text(149), number_text(1e20)
    ('149', '1e+20')
    """
    return str(value) if isinstance(value, int) else f"{value:.15g}"


def split_comment(line: str) -> tuple[str, str]:
    r"""Return a line without its comment, and the comment, which begins at a ``#`` outside of quotes.

    An unterminated quoted string extends to the end of the line, comments included.

    >>> split_comment(':E1 mention "a # b" # c')
    (':E1 mention "a # b" ', '# c')
    >>> split_comment(':E1 mention "a # c')
    (':E1 mention "a # c', '')
    """
    if "#" not in line:
        return line, ""
    match = _BEFORE_COMMENT.match(line)
    end = match.end() if match else 0
    return (line[:end], line[end:]) if line.startswith("#", end) else (line, "")


def split_list(text: str) -> list[str]:
    """Return the elements of a colon-separated list; empty elements at its end are dropped.

    >>> split_list("A::B::")
    ['A', '', 'B']
    """
    text = text.rstrip(":")
    return text.split(":") if text else []
