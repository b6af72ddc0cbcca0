"""The layers of a NAF document as plain data: header, raw text, tokens, terms, entities, coreference sets.

NAF is read leniently: with or without a namespace, and with spans below ``references`` or, since version 3.1,
directly below the entity. Tokens are located in the raw text, or a text is built from them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from karat.annotations.faults import shown
from karat.annotations.tokens import join_tokens
from karat.errors import InputError
from karat.formats.parts.xml import Element, parse_xml, text_of

_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_WINDOW = 1_000
"""Characters within which a token is looked for that is not at its offset."""
_STRETCH = 10
"""How much longer than its tokens a text may be that is made from their offsets."""


class WordForm(NamedTuple):
    """A ``wf``: a token, its stated offset in the raw text, and its line in the file.

    ``text`` is the part of ``written`` that is used; ``inside`` has the texts of its subtokens.
    """

    id: str
    text: str
    sentence: str
    paragraph: str
    offset: int | None
    length: int | None
    line: int = 0
    written: str = ""
    inside: str = ""


class Reference(NamedTuple):
    """An ``externalRef``; nested ones refer to the same entity in other resources."""

    attributes: dict[str, str]
    inner: tuple[Reference, ...] = ()

    @property
    def target(self) -> str:
        """The identifier that it refers to."""
        return self.attributes.get("reference", "")

    @property
    def resource(self) -> str:
        """The source of the reference, such as the name of a tool."""
        return self.attributes.get("resource", "")

    @property
    def confidence(self) -> str | None:
        """The confidence as written, or None."""
        return self.attributes.get("confidence")


class Marked(NamedTuple):
    """An entity or a coreference set: spans of target ids, with references."""

    id: str
    type: str
    spans: list[list[str]]
    references: list[Reference]
    attributes: dict[str, str]
    line: int = 0


class Layers(NamedTuple):
    """The parts of a NAF document that Karat reads."""

    metadata: dict[str, str]
    raw: str
    tokens: list[WordForm]
    terms: dict[str, list[str]]
    entities: list[Marked]
    coreferences: list[Marked]


def read_layers(path: str | os.PathLike[str]) -> Layers:
    """Return the layers of a file."""
    root = parse_xml(path)
    if _name(root) != "NAF":
        raise InputError(f"its root is <{_name(root)[:60]}>; expected <NAF>", path=path)
    raw = _below(root, "raw")
    return Layers(
        _metadata(root),
        text_of(raw[0]) if raw else "",
        [_token(element) for element in _below(root, "text", "wf")],
        {term.get("id", ""): _ids(_below(term, "span", "target")) for term in _below(root, "terms", "term")},
        [_marked(entity) for entity in _below(root, "entities", "entity")],
        [_marked(coref) for coref in _below(root, "coreferences", "coref")],
    )


def _name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _below(element: Element, *path: str) -> list[Element]:
    """Return the elements at a path of names below an element, in document order, in any namespace."""
    elements = [element]
    for name in path:
        elements = [child for parent in elements for child in parent if _name(child) == name]
    return elements


def _metadata(root: Element) -> dict[str, str]:
    """Return language, version and the attributes of file and publication."""
    described = {"lang": root.get(_LANGUAGE), "version": root.get("version")}
    for name in ("fileDesc", "public"):
        for element in _below(root, "nafHeader", name):
            described |= _attributes(element)
    return {key: value for key, value in described.items() if value}


def _token(element: Element) -> WordForm:
    """Return a token; subtokens within it repeat its text."""
    own, inside = element.text or "", ""
    if len(element):
        whole = text_of(element)
        own, inside = (own, whole[len(own) :]) if own.strip() else (whole, "")
    return WordForm(
        element.get("id", ""),
        own.strip() if inside else own,
        element.get("sent", ""),
        element.get("para", ""),
        _whole(element.get("offset")),
        _whole(element.get("length")),
        element.sourceline or 0,
        own,
        inside,
    )


def _whole(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None


def _ids(targets: Iterable[Element]) -> list[str]:
    return [target.get("id", "") for target in targets]


def _marked(element: Element) -> Marked:
    spans = _below(element, "references", "span") + _below(element, "span")
    own = ("id", "type")
    return Marked(
        element.get("id", ""),
        element.get("type", ""),
        [_ids(_below(span, "target")) for span in spans],
        [_reference(reference) for reference in _below(element, "externalReferences", "externalRef")],
        {key: value for key, value in _attributes(element).items() if key not in own},
        element.sourceline or 0,
    )


def _reference(element: Element) -> Reference:
    return Reference(_attributes(element), tuple(map(_reference, _below(element, "externalRef"))))


def _attributes(element: Element) -> dict[str, str]:
    """Return the attributes without a namespace."""
    return {str(key): str(value) for key, value in element.attrib.items() if not str(key).startswith("{")}


class Laid(NamedTuple):
    """A text with the form and the start of each token."""

    text: str
    forms: list[str]
    starts: list[int]


def lay_out(raw: str, tokens: Sequence[WordForm], repair: Callable[[int, str], None]) -> Laid:
    """Return the text and its tokens: the raw text if it has the tokens, else one built from the tokens."""
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


def _place(raw: str, tokens: Sequence[WordForm], repair: Callable[[int, str], None]) -> Laid | None:
    """Locate each token at its offset, or soon after the previous one; the text decides its spelling."""
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


def _stretch(raw: str, token: WordForm, following: Sequence[WordForm], end: int) -> str:
    """Return the text from the offset of a token to the next token; some tools lengthen quotes."""
    start = token.offset
    if start is None or not token.length or start < end:
        return ""
    behind = start + token.length
    for neighbour in following:
        if neighbour.offset is not None and neighbour.offset > start:
            behind = min(behind, neighbour.offset)
    return raw[start:behind].rstrip()


def _offsets(tokens: Sequence[WordForm]) -> list[int] | None:
    """Return the offsets if they are consistent and show where blanks are; some tools do not count blanks."""
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
