"""Answers that repeat the text with tags in it, ``<PER>Ada</PER> met Bo``, or tag tokens, ``[["Ada", "B-PER"], …]``."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from karat.annotations.faults import shown
from karat.annotations.tagging import chunks_in
from karat.errors import InputError
from karat.model import Span

_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]{0,60})((?:\s+[\w:-]{1,60}\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'))*)\s*(/?)>")
_ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_LABELS = ("type", "label", "category", "class")
_BIO = re.compile(r"O|[BIESLU]-\S+")
_TOKENS, _TAGS = ("token", "word", "text"), ("tag", "label", "ner", "ner_tag", "bio", "type", "entity")


class TaggedStretch(NamedTuple):
    """A stretch between two tags: its name, the attributes, and the characters without tags."""

    label: str
    attributes: dict[str, str]
    given: str
    span: Span


class Tagged(NamedTuple):
    """The stretches in the order in which they begin, whether their places are those of the text, what was mended."""

    tags: list[TaggedStretch]
    is_exact: bool
    mended: tuple[str, ...]


def tagged(answer: str, text: str | None) -> Tagged | None:
    """Return the stretches of an answer that is a text with tags.

    >>> tagged("<PER>Ada</PER> met Bo.", "Ada met Bo.").tags[0].span
    (0, 3)
    """
    if not _TAG.search(answer):
        return None
    as_written = _read(answer, str)
    bare, tags, mended = as_written if as_written[0] == (text or "").strip() else _read(answer, html.unescape)
    is_exact = text is not None and bare == text.strip()
    if not tags and not is_exact:
        return None
    if not is_exact and text is not None:
        mended.append("without tags the answer is not the text; mentions are located by their text")
    offset = len(text) - len(text.lstrip()) if is_exact and text is not None else 0
    moved = [tag._replace(span=(tag.span[0] + offset, tag.span[1] + offset)) for tag in tags]
    return Tagged(sorted(moved, key=lambda tag: (tag.span[0], -tag.span[1])), is_exact, tuple(mended))


def _read(answer: str, decoded: Callable[[str], str]) -> tuple[str, list[TaggedStretch], list[str]]:
    """Return the answer without tags, the stretches between them, and which are not closed or opened."""
    parts: list[str] = []
    opened: dict[str, list[tuple[int, str]]] = {}
    stretches: list[tuple[str, str, int, int]] = []
    mended: list[str] = []
    length = place = 0
    stripped = answer.strip()
    for tag in _TAG.finditer(stripped):
        part = decoded(stripped[place : tag.start()])
        parts.append(part)
        length += len(part)
        place = tag.end()
        closes, name, attributes, alone = tag.groups()
        if alone:
            continue
        if not closes:
            opened.setdefault(name, []).append((length, attributes))
        elif opened.get(name):
            start, attributes = opened[name].pop()
            stretches.append((name, attributes, start, length))
        else:
            mended.append(f"the tag {shown(name)} is not opened; left out")
    mended += [f"the tag {shown(name)} is not closed; left out" for name, some in opened.items() for _ in some]
    bare = "".join([*parts, decoded(stripped[place:])])
    return bare, [_tag(bare, *stretch) for stretch in stretches if bare[stretch[2] : stretch[3]].strip()], mended


def _tag(bare: str, name: str, attributes: str, start: int, end: int) -> TaggedStretch:
    given = bare[start:end]
    start += len(given) - len(given.lstrip())
    given = given.strip()
    values = {key.lower(): quoted or other for key, quoted, other in _ATTRIBUTE.findall(attributes)}
    label = next((values.pop(key) for key in _LABELS if values.get(key)), name)
    return TaggedStretch(label, values, given, (start, start + len(given)))


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
    return all(isinstance(value, str) and _BIO.fullmatch(value) for value in values) and not {"O"}.issuperset(values)


def _pair(item: Any) -> tuple[str, str] | None:
    """Return the token and the tag of an item."""
    if isinstance(item, dict):
        item = [next((item[key] for key in keys if key in item), None) for keys in (_TOKENS, _TAGS)]
    if isinstance(item, list) and len(item) == 2 and all(isinstance(part, str) for part in item):
        return item[0], item[1]
    return None
