"""Answers in markup: HTML lists, XML objects, and texts with inline tags, ``<PER>Ada</PER> met Bo``.

Tokens with tags, ``[["Ada", "B-PER"], …]``, also count as tagged texts.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from karat.annotations.faults import shown
from karat.annotations.tag_schemes import chunks_in
from karat.errors import InputError
from karat.model import Span

_LAYOUT = (
    "a b blockquote body br code div em h1 h2 h3 h4 h5 h6 hr html i li ol p pre strong table tbody td th thead tr u ul"
)
_LAYOUT_TAG = re.compile(rf"<(/?)({'|'.join(_LAYOUT.split())})(?:\s[^<>]*|/)?>")
_LINE_ENDS = frozenset(
    ("br", "div", "hr", "li", "ol", "p", "pre", "table", "tr", "ul", *(f"h{size}" for size in range(1, 7)))
)
_FIRST_ROW = re.compile(r"^\|.*\|$", re.MULTILINE)
_WRAPPER = re.compile(
    r"\s*<(answer|output|result|response|annotated|annotated_text|text|tagged_text|sentence)>(.*)</\1>\s*", re.DOTALL
)
_LEAF = re.compile(r"<([A-Za-z][\w.-]{0,60})>([^<>]*)</\1>")
_OBJECT = re.compile(r"<(\w[\w.-]{0,60})(?:\s[^<>]*)?>\s*((?:<(\w[\w.-]{0,60})>[^<>]*</\3>\s*){2,20})</\1>")
_MARK = re.compile(r"\[([A-Z][\w/-]{0,40}) ?[:|] ?([^\[\]\n]{1,200})\]|\[([^\[\]\n]{1,200})\]\(([A-Z][\w/-]{0,40})\)")
_KEYS = frozenset(
    ("text", "mention", "name", "surface", "span", "value", "entity_text", "entity_name", "head", "subject")
)
_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]{0,60})((?:\s+[\w:-]{1,60}\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'))*)\s*(/?)>")
_ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_LABELS = ("type", "label", "category", "class")
_BIO = re.compile(r"O|[BIESLU]-\S+")
_TOKENS, _TAGS = ("token", "word", "text"), ("tag", "label", "ner", "ner_tag", "bio", "type", "entity")


def without_layout(answer: str) -> str:
    """Return an answer with HTML layout replaced by lines and bullets; other tags are kept.

    >>> without_layout("<ul><li>Ada (PER)</li><li>Bo (PER)</li></ul>").split("\\n")[1:3]
    ['- Ada (PER)', '- Bo (PER)']
    """
    if not _LAYOUT_TAG.search(answer):
        return answer

    def line(tag: re.Match[str]) -> str:
        closes, name = tag.groups()
        if name in ("td", "th"):
            return " |" if closes else " "
        if name in ("li", "tr") and not closes:
            return "- " if name == "li" else "\n|"
        return "\n" if name in _LINE_ENDS else ""

    lines = html.unescape(_LAYOUT_TAG.sub(line, answer))
    return _FIRST_ROW.sub(lambda row: f"{row[0]}\n|{'---|' * (row[0].count('|') - 1)}", lines, count=1)


def unwrapped(answer: str) -> str:
    """Return the content of a tag around the whole answer, if there are other tags in it.

    >>> unwrapped("<answer><PER>Ada</PER> left.</answer>"), unwrapped("<PER>Ada</PER>")
    ('<PER>Ada</PER> left.', '<PER>Ada</PER>')
    """
    wrapped = _WRAPPER.fullmatch(answer)
    return wrapped[2] if wrapped and re.search(r"<\w", wrapped[2]) else answer


def objects_of(answer: str) -> list[dict[str, str]] | None:
    """Return the objects that an XML answer lists, each an element with an element for each value, or None.

    >>> objects_of("<entities><entity><text>Ada</text><type>PER</type></entity></entities>")
    [{'text': 'Ada', 'type': 'PER'}]
    """
    objects = []
    for element in _OBJECT.finditer(answer):
        parts = {name.lower(): html.unescape(value).strip() for name, value in _LEAF.findall(element[2])}
        if parts.keys() & _KEYS:
            objects.append(parts)
    return objects or None


def marks_as_tags(answer: str) -> str:
    """Return a text with bracketed annotations converted to tags; other answers are returned unchanged.

    >>> marks_as_tags("[PER: Ada] met [Bo](PER).")
    '<entity type="PER">Ada</entity> met <entity type="PER">Bo</entity>.'
    """
    if not re.search(r"\w", _MARK.sub("", answer)):
        return answer
    return _MARK.sub(lambda mark: f'<entity type="{mark[1] or mark[4]}">{mark[2] or mark[3]}</entity>', answer)


class TaggedStretch(NamedTuple):
    """A tagged span: the name of the tag, its attributes, and its text without tags."""

    label: str
    attributes: dict[str, str]
    given: str
    span: Span


class Tagged(NamedTuple):
    """The tagged spans in order, whether their offsets are those of the text, and the repairs."""

    tags: list[TaggedStretch]
    is_exact: bool
    mended: tuple[str, ...]


def tagged(answer: str, text: str | None) -> Tagged | None:
    """Return the tagged spans of an answer that repeats the text with tags, or None for other answers.

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
    """Return the answer without tags, its tagged spans, and the unbalanced tags."""
    parts: list[str] = []
    opened: dict[str, list[tuple[int, str]]] = {}
    stretches: list[tuple[str, str, int, int]] = []
    mended: list[str] = []
    length = offset = 0
    stripped = answer.strip()
    for tag in _TAG.finditer(stripped):
        part = decoded(stripped[offset : tag.start()])
        parts.append(part)
        length += len(part)
        offset = tag.end()
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
    mended += [f"the tag {shown(name)} is not closed; left out" for name, starts in opened.items() for _ in starts]
    bare = "".join([*parts, decoded(stripped[offset:])])
    return bare, [_tag(bare, *stretch) for stretch in stretches if bare[stretch[2] : stretch[3]].strip()], mended


def _tag(bare: str, name: str, attributes: str, start: int, end: int) -> TaggedStretch:
    given = bare[start:end]
    start += len(given) - len(given.lstrip())
    given = given.strip()
    values = {key.lower(): quoted or other for key, quoted, other in _ATTRIBUTE.findall(attributes)}
    label = next((values.pop(key) for key in _LABELS if values.get(key)), name)
    return TaggedStretch(label, values, given, (start, start + len(given)))


def mentions_of_tags(items: Sequence[Any]) -> list[dict[str, str]] | None:
    """Return the mentions of tokens with tags, or None for other items; tags without tokens are an error.

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
    """Tell whether values are tags, at least one of them other than outside."""
    return all(isinstance(value, str) and _BIO.fullmatch(value) for value in values) and not {"O"}.issuperset(values)


def _pair(item: Any) -> tuple[str, str] | None:
    if isinstance(item, dict):
        item = [next((item[key] for key in keys if key in item), None) for keys in (_TOKENS, _TAGS)]
    if isinstance(item, list) and len(item) == 2 and all(isinstance(part, str) for part in item):
        return item[0], item[1]
    return None
