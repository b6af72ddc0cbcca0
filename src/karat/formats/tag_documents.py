"""Documents made from lists of tags; the tokens have no text, so each token is its number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from karat.annotations.columns import TAG
from karat.annotations.tokens import join_tokens
from karat.model import Document, Mention, TokenTable


@lru_cache(maxsize=256)
def _numbered_tokens(size: int) -> tuple[tuple[str, ...], str, list[int], list[int]]:
    """Return ``size`` numbers as tokens, their text, and the start and end offsets of each."""
    forms = tuple(map(str, range(size)))
    text, starts = join_tokens(forms)
    return forms, text, starts, [start + len(form) for start, form in zip(starts, forms, strict=True)]


@lru_cache(maxsize=1 << 14)
def _mention(index: int, start: int, end: int, label: str) -> Mention:
    """Return a mention of a list of tags; cached, since such lists share most of them."""
    return Mention(f"T{index}", ((start, end),), (label,))


def tag_document(tags: Sequence[str], position: int, chunks: Iterable[tuple[int, int, str]]) -> Document:
    """Return the document of a list of tags; ``position`` numbers it, ``chunks`` are its mentions."""
    forms, text, starts, ends = _numbered_tokens(len(tags))
    table = TokenTable(forms, {TAG: tags}, [0] if forms else [], list(starts))
    mentions = [
        _mention(index, starts[start], ends[end - 1], label) for index, (start, end, label) in enumerate(chunks, 1)
    ]
    return Document(str(position), text, mentions, table=table)
