"""Lists in cells in Python or JSON syntax, parsed within bounds without evaluating anything.

Only lists, tuples, texts, numbers, ``None``, ``True`` and ``False`` are accepted.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

MAX_DEPTH = 16
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<open>[\[(]) | (?P<close>[\])]) | (?P<comma>,)
    | (?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    | (?P<word>None|True|False)\b
    | (?P<text>'(?:[^'\\\n]|\\.)*' | "(?:[^"\\\n]|\\.)*")
    )\s*""",
    re.VERBOSE | re.DOTALL,
)
_WORDS = {"None": None, "True": True, "False": False}
_PAIRS = {"[": "]", "(": ")"}
_LONGEST_NUMBER = 30


class NotALiteralError(ValueError):
    """A cell is not a list; the message says where it stops being one."""


def parse_list(text: str) -> Any:
    """Return the list in a cell; tuples become lists.

    >>> parse_list("[[[0, 0], (7, 7)]]"), parse_list("['LEFT WING', None]")
    ([[[0, 0], [7, 7]]], ['LEFT WING', None])
    >>> parse_list("[1, 2")
    Traceback (most recent call last):
    karat.formats.parts.literals.NotALiteralError: the list is not closed
    """
    top: list[Any] = []
    stack: list[tuple[list[Any], str]] = []
    current, ready = top, True
    """``ready`` says that an item may come, because nothing or a comma stands before it."""
    offset = 0
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        if match is None:
            raise NotALiteralError(f"{text[offset : offset + 20]!r} is not part of a list")
        kind, token = match.lastgroup, match[match.lastgroup or 0]
        offset = match.end()
        if kind == "close":
            if not stack or stack[-1][1] != token:
                raise NotALiteralError(f"{token!r} closes nothing")
            current, ready = stack.pop()[0], False
        elif kind == "comma":
            if ready or not stack:
                raise NotALiteralError("there is nothing before a comma")
            ready = True
        elif not ready:
            raise NotALiteralError(f"there is no comma before {token[:20]!r}")
        elif kind == "open":
            if len(stack) == MAX_DEPTH:
                raise NotALiteralError(f"lists are nested more than {MAX_DEPTH} deep")
            inner: list[Any] = []
            current.append(inner)
            stack.append((current, _PAIRS[token]))
            current = inner
        else:
            current.append(_VALUES[str(kind)](token))
            ready = False
    if stack:
        raise NotALiteralError("the list is not closed")
    if len(top) != 1 or not isinstance(top[0], list):
        raise NotALiteralError("it is not a list")
    return top[0]


def _number(token: str) -> int | float:
    if len(token) > _LONGEST_NUMBER:
        raise NotALiteralError(f"the number {token[:10]}… has {len(token)} digits")
    digits = token.lstrip("+-")
    if digits.isdigit() and (digits[0] != "0" or not digits.strip("0")):
        return int(token)
    if digits.isdigit():
        raise NotALiteralError(f"the number {token} begins with 0")
    return float(token)


def _text(token: str) -> str:
    try:
        return str(ast.literal_eval(token))  # one text and nothing else: the pattern lets no other through
    except (SyntaxError, ValueError) as error:
        raise NotALiteralError(f"{token[:20]} is no text") from error


_VALUES: dict[str, Callable[[str], Any]] = {"number": _number, "text": _text, "word": _WORDS.__getitem__}
