"""Where the tokens of a NAF document stand: in its raw text, or in a text that is put together from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from karat.annotations.faults import shown
from karat.annotations.tokens import join_tokens
from karat.formats.naf.layers import Token

_WINDOW = 1_000
"""Characters within which a token is looked for that is not at its offset."""
_STRETCH = 10
"""How much longer than its tokens a text may be that is made from their offsets."""

Repair = Callable[[int, str], None]


class Laid(NamedTuple):
    """A text with the form and the start of each token in it."""

    text: str
    forms: list[str]
    starts: list[int]


def lay_out(raw: str, tokens: Sequence[Token], repair: Repair) -> Laid:
    """Return the text and its tokens: the raw text if the tokens are found in it, else one made from the tokens."""
    if raw:
        placed = _place(raw, tokens, repair)
        if placed is not None:
            return placed
    forms = [token.text for token in tokens]
    starts = _offsets(tokens)
    if starts is None:
        text, starts = join_tokens(forms)
        return Laid(text, forms, starts)
    parts: list[str] = []
    end = 0
    for form, start in zip(forms, starts, strict=True):
        parts += [" " * (start - end), form]
        end = start + len(form)
    return Laid("".join(parts), forms, starts)


def _place(raw: str, tokens: Sequence[Token], repair: Repair) -> Laid | None:
    """Find each token at its offset, or near behind the one before it; a token spelt otherwise is read as the text."""
    forms: list[str] = []
    starts: list[int] = []
    end = 0
    for index, token in enumerate(tokens):
        start, form = token.offset, token.text
        if start is None or start < end or not raw.startswith(form, start):
            place = raw.find(form, end, end + _WINDOW + len(form))
            if place >= 0:
                start = place
            else:
                form = _stretch(raw, token, tokens[index + 1 : index + 2], end)
                if not form:
                    message = "is not in the raw text, which is made anew from the tokens"
                    repair(token.line, f"token {shown(token.id)} {message}")
                    return None
                message = f"is {shown(token.text)}, read as {shown(form)} of the raw text"
                repair(token.line, f"token {shown(token.id)} {message}")
        assert start is not None  # noqa: S101 - a token is found, or has an offset at which something stands
        forms.append(form)
        starts.append(start)
        end = start + len(form)
    return Laid(raw, forms, starts)


def _stretch(raw: str, token: Token, following: Sequence[Token], end: int) -> str:
    """Return what stands at the offset of a token up to the next one; some tools rewrite quotes to be longer."""
    start = token.offset
    if start is None or not token.length or start < end:
        return ""
    behind = start + token.length
    behind = min(
        [
            behind,
            *(neighbour.offset for neighbour in following if neighbour.offset is not None and neighbour.offset > start),
        ]
    )
    return raw[start:behind].rstrip()


def _offsets(tokens: Sequence[Token]) -> list[int] | None:
    """Return the offsets if they are sound and tell where blanks are; some tools count without blanks."""
    starts: list[int] = []
    end = gaps = 0
    for token in tokens:
        if token.offset is None or token.offset < end:
            return None
        gaps += token.offset - end
        end = token.offset + len(token.text)
        starts.append(token.offset)
    letters = end - gaps
    return starts if gaps and end <= _STRETCH * (letters + len(tokens)) else None
