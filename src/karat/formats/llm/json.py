"""Lenient JSON, as language models write it: trailing commas, comments, Python literals, or truncated.

Nothing else is repaired, and nothing is evaluated. Parsing is one pass over the characters with a depth limit.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from karat.errors import InputError

MAX_DEPTH = 64
COMMA = "a comma before a closing bracket"
BROKEN = "a part of its JSON is broken, so nothing of it is read"
COMMENTS = "comments in JSON"
PYTHON = "quotation marks or words of Python in JSON"

_TOKEN = re.compile(
    r"""(?P<open>[\[{(]) | (?P<close>[\]})]) | (?P<comma>,) | (?P<colon>:)
    | (?P<number>-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.]))
    | (?P<word>[A-Za-z]+)(?!\w)
    | (?P<text>"(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*')
    | (?P<broken>["'][^\n]*\Z)
    """,
    re.VERBOSE | re.DOTALL,
)
_BLANK = re.compile(r"\s*")
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_PAIRS = {"[": "]", "{": "}", "(": ")"}
_ESCAPE = re.compile(r"\\(?:(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\n": ""} | {sign: sign for sign in "\\/'\""}
_LONGEST_NUMBER = 300
_START = re.compile(r"[\[{]")


class Value(NamedTuple):
    """A JSON value, the repairs made to it, and whether the text ends within it."""

    content: Any
    mended: tuple[str, ...] = ()
    is_cut: bool = False


class _NotJsonError(Exception):
    """The text at this position is not JSON, not even approximately."""


def strict(text: str) -> Value | None:
    """Return the value of a text that is JSON as a whole, or None."""
    try:
        return Value(msgspec.json.decode(text))
    except (msgspec.DecodeError, UnicodeError):
        return None
    except RecursionError:
        raise _too_deep() from None


def values_in(text: str) -> list[Value]:
    """Return the values in a text, whatever text is between them; nested values are not listed separately.

    >>> [value.content for value in values_in("Here: {'a': [1, 2,]} and [3] // done")]
    [{'a': [1, 2]}, [3]]
    """
    reader = _Reader(text)
    read_values: list[Value] = []
    start = _START.search(text)
    while start is not None:
        try:
            read_values.append(reader.value(start.start()))
        except _NotJsonError:
            if reader.is_nested:
                raise InputError(BROKEN) from None
        start = _START.search(text, max(reader.place, start.end()))
    return read_values


def _too_deep() -> InputError:
    return InputError(f"it is nested more than {MAX_DEPTH} deep")


class _Open(NamedTuple):
    """A list or object that is not closed yet, and the key that waits for its value."""

    content: list[Any] | dict[str, Any]
    close: str
    keys: list[str]


class _Reader:
    """Reads values at given positions of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        """The offset up to which the text is read."""
        self._stack: list[_Open] = []
        self._mended: dict[str, None] = {}
        self._last_comment = len(text)
        """The offset from which on no comment is closed."""

    def value(self, start: int) -> Value:
        """Return the value that begins at a position."""
        self.place, self._stack, self._mended = start, [], {}
        stack, last_kind = self._stack, ""
        while True:
            self._skip()
            token = _TOKEN.match(self.text, self.place)
            if token is None and self.place < len(self.text):
                raise _NotJsonError
            if token is None or token.lastgroup == "broken":
                return self._cut()
            kind, symbol = str(token.lastgroup), token[0]
            if kind == "close":
                if stack[-1].close != symbol or last_kind in ("key", "colon"):
                    raise _NotJsonError
                self._mended |= {COMMA: None} if last_kind == "comma" else {}
                content, last_kind = stack.pop().content, "value"
            elif kind in ("comma", "colon"):
                if last_kind != ("key" if kind == "colon" else "value"):
                    raise _NotJsonError
                last_kind = kind
            else:
                content = self._item(kind, symbol)
                last_kind = self._add(content, last_kind)
                if kind == "open":
                    stack.append(_Open(content, _PAIRS[symbol], []))
                    last_kind = "open"
            self.place = token.end()
            if not stack:
                return Value(content, tuple(self._mended))

    @property
    def is_nested(self) -> bool:
        """Whether the current value has or has begun a nested one, unlike brackets in a sentence."""
        first = self._stack[0].content if self._stack else []
        return any(isinstance(item, dict | list) for item in (first.values() if isinstance(first, dict) else first))

    def _skip(self) -> None:
        """Move to the next token, after blanks and comments."""
        while True:
            self.place = _BLANK.match(self.text, self.place).end()  # type: ignore[union-attr]
            if self.text.startswith("//", self.place):
                line_end = self.text.find("\n", self.place)
                self.place = len(self.text) if line_end < 0 else line_end
            elif self.text.startswith("/*", self.place) and self.place < self._last_comment:
                close = self.text.find("*/", self.place)
                if close < 0:
                    self._last_comment = self.place
                    return
                self.place = close + 2
            else:
                return
            self._mended[COMMENTS] = None

    def _item(self, kind: str, symbol: str) -> Any:
        if kind == "open":
            if len(self._stack) == MAX_DEPTH:
                raise _too_deep()
            if symbol == "(":
                self._mended[PYTHON] = None
            return {} if symbol == "{" else []
        if kind == "number":
            return self._number(symbol)
        if kind == "word":
            if symbol not in _WORDS:
                raise _NotJsonError
            if symbol[0].isupper():
                self._mended[PYTHON] = None
            return _WORDS[symbol]
        return self._string(symbol)

    def _add(self, item: Any, last_kind: str) -> str:
        """Add an item to the open value, and return whether it is a key or a value."""
        if not self._stack:
            return "value"
        parent = self._stack[-1]
        if isinstance(parent.content, list):
            if last_kind not in ("open", "comma"):
                raise _NotJsonError
            parent.content.append(item)
            return "value"
        if last_kind == "colon":
            parent.content[parent.keys.pop()] = item
            return "value"
        if last_kind not in ("open", "comma") or not isinstance(item, str):
            raise _NotJsonError
        parent.keys.append(item)
        return "key"

    def _cut(self) -> Value:
        """Return the complete part of a truncated value, without the last item of an unclosed list."""
        for parent, child in pairwise(self._stack):
            if isinstance(parent.content, list):
                assert parent.content[-1] is child.content  # noqa: S101 - a child is open only if it came last
                parent.content.pop()
                break
        self.place = len(self.text)
        return Value(self._stack[0].content, tuple(self._mended), is_cut=True)

    def _number(self, symbol: str) -> int | float:
        if len(symbol) > _LONGEST_NUMBER:
            raise _NotJsonError
        return int(symbol) if symbol.lstrip("-").isdigit() else float(symbol)

    def _string(self, symbol: str) -> str:
        if symbol[0] == '"':
            try:
                return str(msgspec.json.decode(symbol))
            except (msgspec.DecodeError, UnicodeError):
                pass
        self._mended[PYTHON] = None
        content = _ESCAPE.sub(_unescaped, symbol[1:-1])
        try:
            return content.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeError:
            raise _NotJsonError from None


def _unescaped(escape: re.Match[str]) -> str:
    """Return the character for a Python escape."""
    if escape[1]:
        return chr(int(escape[1][1:], 16))
    if escape[2] not in _ESCAPED:
        raise _NotJsonError
    return _ESCAPED[escape[2]]
