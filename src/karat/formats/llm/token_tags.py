"""Answers that tag tokens: ``[["Ada", "B-PER"], ["left", "O"]]``, as mentions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from karat.annotations.tagging import chunks_in
from karat.errors import InputError

_TAG = re.compile(r"O|[BIESLU]-\S+")
_TOKENS, _TAGS = ("token", "word", "text"), ("tag", "label", "ner", "ner_tag", "bio", "type", "entity")


def mentions_of_tags(items: Sequence[Any]) -> list[dict[str, str]] | None:
    """Return the mentions of tokens with their tags, nothing if items are something else; tags alone are an error.

    >>> mentions_of_tags([["Ada", "B-PER"], ["Bo", "I-PER"], ["left", "O"]])
    [{'text': 'Ada Bo', 'type': 'PER'}]
    """
    if _are_tags(items):
        raise InputError("it is a list of tags without their tokens; ask for both")
    pairs = [_pair(item) for item in items]
    if not _are_tags([pair[1] for pair in pairs if pair is not None]) or None in pairs:
        return None
    tokens, tags = zip(*(pair for pair in pairs if pair is not None), strict=True)
    return [{"text": " ".join(tokens[start:end]), "type": label} for start, end, label in chunks_in(tags)]


def _are_tags(values: Sequence[Any]) -> bool:
    """Say whether values are tags, and not all of them outside."""
    return all(isinstance(value, str) and _TAG.fullmatch(value) for value in values) and not {"O"}.issuperset(values)


def _pair(item: Any) -> tuple[str, str] | None:
    """Return the token and the tag of an item."""
    if isinstance(item, dict):
        item = [next((item[key] for key in keys if key in item), None) for keys in (_TOKENS, _TAGS)]
    if isinstance(item, list) and len(item) == 2 and all(isinstance(part, str) for part in item):
        return item[0], item[1]
    return None
