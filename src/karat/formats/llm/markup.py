"""Answers in markup that is no tagged text yet: HTML around a list, objects in XML, and marks in brackets."""

from __future__ import annotations

import html
import re

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


def without_layout(answer: str) -> str:
    """Return an answer whose HTML is lines and bullets; other tags stay.

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
    """Return what stands in a tag around the whole answer that has other tags in it.

    >>> unwrapped("<answer><PER>Ada</PER> left.</answer>"), unwrapped("<PER>Ada</PER>")
    ('<PER>Ada</PER> left.', '<PER>Ada</PER>')
    """
    wrapped = _WRAPPER.fullmatch(answer)
    return wrapped[2] if wrapped and re.search(r"<\w", wrapped[2]) else answer


def objects_of(answer: str) -> list[dict[str, str]] | None:
    """Return the objects that an answer in XML lists, each an element with an element for each of its values.

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
    """Return an answer whose marks in brackets are tags, if it is a text with such marks in it.

    >>> marks_as_tags("[PER: Ada] met [Bo](PER).")
    '<entity type="PER">Ada</entity> met <entity type="PER">Bo</entity>.'
    """
    if not re.search(r"\w", _MARK.sub("", answer)):
        return answer
    return _MARK.sub(lambda mark: f'<entity type="{mark[1] or mark[4]}">{mark[2] or mark[3]}</entity>', answer)
