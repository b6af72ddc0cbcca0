"""Documents as NAF files: tokens, terms, entities with references, coreference sets, and a refusal for the rest.

A document without tokens is cut into words; a term is written for each token, because entities point at terms. Tokens
keep the ids they had in NAF; raw cells of other formats, and metadata that NAF has no place for, are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NoReturn
from xml.sax.saxutils import escape, quoteattr

from karat.errors import InputError
from karat.formats._brat_write import name_fault
from karat.formats._faults import faults, shown
from karat.formats._naf_assembly import NafOptions, rank
from karat.formats._naf_text import fragments
from karat.model import Document, Link, Mention, Span
from karat.tokens import covered_tokens, cut_text

_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ATTRIBUTE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_TAKEN = frozenset({"id", "type", "layer"})
_FILE = (
    "author",
    "title",
    "filename",
    "filetype",
    "creationtime",
    "pages",
    "publisher",
    "section",
    "location",
    "magazine",
)
_PUBLIC = ("publicId", "uri")


def write(documents: Iterable[Document], options: NafOptions | None = None) -> dict[str, str]:
    """Return a file for each document, by name.

    >>> from karat.model import Document, Mention
    >>> files = write([Document("d1", "In Bern", [Mention("e1", ((3, 7),), ("LOC",))])])
    >>> files["d1.naf"].count("<wf "), '<target id="t2"/>' in files["d1.naf"]
    (2, True)
    """
    files: dict[str, str] = {}
    for document in documents:
        fault = name_fault(document.id)
        if fault is None and f"{document.id}.naf" in files:
            fault = "is the id of two documents"
        if fault is not None:
            _refuse(document, f"its id {fault}")
        files[f"{document.id}.naf"] = "".join(f"{line}\n" for line in _Lines(document, options or NafOptions()).lines())
    return files


def _refuse(document: Document, reason: str) -> NoReturn:
    raise InputError(f"document {document.id!r} cannot be written as NAF: {reason}", path=document.source or None)


class _Lines:
    """The lines of one document."""

    def __init__(self, document: Document, options: NafOptions) -> None:
        self.document, self.options = document, options
        for fault in faults(document):
            _refuse(document, fault)
        if document.relations or document.notes:
            _refuse(document, "NAF entities have no relations or notes; leave them out with --drop")
        self.tokens = self._tokens()
        self.starts = [start for start, _ in self.tokens]
        self.ends = [end for _, end in self.tokens]
        self.forms = [document.text[start:end] for start, end in self.tokens]
        self.ids = self._ids()
        self.terms = [re.sub(r"^w(?=[0-9])", "t", one) for one in self.ids]
        self.resource = next(iter(options.resources), document.metadata.get("resource", ""))

    def lines(self) -> Iterator[str]:
        """Yield the file, layer by layer."""
        metadata = self.document.metadata
        language = f" xml:lang={self._value(metadata['lang'])}" if "lang" in metadata else ""
        yield '<?xml version="1.0" encoding="UTF-8"?>'
        yield f"<NAF{language} version={self._value(metadata.get('version', 'v3'))}>"
        yield from self._header(metadata)
        yield f"  <raw>{self._text(self.document.text)}</raw>"
        yield from self._layer("text", self._words())
        yield from self._layer("terms", self._term_lines())
        yield from self._layer("entities", (line for one in self.document.mentions for line in self._entity(one)))
        yield from self._layer("coreferences", self._chains())
        yield "</NAF>"

    def _layer(self, name: str, lines: Iterable[str]) -> Iterator[str]:
        inside = [f"    {line}" for line in lines]
        if inside:
            yield from (f"  <{name}>", *inside, f"  </{name}>")

    def _header(self, metadata: dict[str, str]) -> Iterator[str]:
        inside = []
        for name, keys in (("fileDesc", _FILE), ("public", _PUBLIC)):
            known = "".join(f" {key}={self._value(metadata[key])}" for key in metadata if key in keys)
            inside += [f"<{name}{known}/>"] if known else []
        yield from self._layer("nafHeader", inside)

    def _tokens(self) -> list[Span]:
        table, text = self.document.table, self.document.text
        if table is not None and table.starts:
            return [(start, start + len(form)) for start, form in zip(table.starts, table.forms, strict=True) if form]
        return cut_text(text, (edge for one in self.document.mentions for span in one.spans for edge in span))

    def _ids(self) -> Sequence[str]:
        """Return the ids that the tokens had in NAF, if they are still those tokens; else number them."""
        known = self._cells("ID")
        return (
            known
            if len(set(known)) == len(self.tokens)
            else [f"w{number}" for number in range(1, len(self.tokens) + 1)]
        )

    def _cells(self, column: str) -> Sequence[str]:
        table = self.document.table
        cells = [] if table is None else table.columns.get(column, [])
        return cells if table is not None and table.dialect in ("naf", "cat") and len(cells) == len(self.tokens) else []

    def _words(self) -> Iterator[str]:
        segments = self.document.table.segments if self.document.table is not None else []
        sentences, paragraphs = self._cells("SENT"), self._cells("PARA")
        for index, (start, end) in enumerate(self.tokens):
            sentence = sentences[index] if sentences else str(bisect_right(segments, index) or 1)
            cells = {"id": self.ids[index], "sent": sentence, "para": paragraphs[index] if paragraphs else ""}
            known = "".join(f" {key}={self._value(value)}" for key, value in cells.items() if value)
            yield f'<wf{known} offset="{start}" length="{end - start}">{self._text(self.forms[index])}</wf>'

    def _term_lines(self) -> Iterator[str]:
        for term, word, form in zip(self.terms, self.ids, self.forms, strict=True):
            target = f"<span><target id={self._value(word)}/></span>"
            yield f"<term id={self._value(term)} lemma={self._value(form)}>{target}</term>"

    def _entity(self, mention: Mention) -> Iterator[str]:
        if len(mention.labels) > 1 or "" in mention.labels:
            self._refuse(mention, f"it has the labels {mention.labels}, NAF has room for one")
        cells = {"id": mention.id, "type": "".join(mention.labels), "layer": mention.layer}
        for name in mention.attributes:
            if name in _TAKEN or not _ATTRIBUTE.fullmatch(name):
                self._refuse(mention, f"NAF has no room for an attribute {shown(name)}")
        known = "".join(f" {key}={self._value(value)}" for key, value in cells.items() if value)
        known += "".join(f" {key}={self._value(value)}" for key, value in mention.attributes.items())
        yield f"<entity{known}>"
        if mention.links:
            yield from (
                "  <externalReferences>",
                *map(self._reference, self._ranked(mention)),
                "  </externalReferences>",
            )
        yield f"  <references>{self._span(mention)}</references>"
        yield "</entity>"

    def _ranked(self, mention: Mention) -> Sequence[Link]:
        links = mention.links
        if not all(one.target for one in links):
            self._refuse(mention, "a link has no target")
        if sorted(links, key=rank) != list(links):
            self._refuse(mention, "its links are not in the order of their scores, in which NAF ranks them")
        return links

    def _reference(self, link: Link) -> str:
        resource = f" resource={self._value(self.resource)}" if self.resource else ""
        confidence = "" if link.score is None else f' confidence="{link.score!r}"'
        return f"    <externalRef{resource} reference={self._value(link.target)}{confidence}/>"

    def _span(self, mention: Mention) -> str:
        places = [at for span in mention.spans for at in range(*covered_tokens(span, self.starts, self.ends))]
        if fragments(places, self.starts, self.forms) != mention.spans:
            self._refuse(mention, "it does not begin and end with a token, or its fragments touch")
        return f"<span>{''.join(f'<target id={self._value(self.terms[at])}/>' for at in places)}</span>"

    def _chains(self) -> Iterator[str]:
        by_id = {one.id: one for one in self.document.mentions}
        first = {one.spans: one.id for one in reversed(self.document.mentions)}
        for chain in self.document.chains:
            if len(set(chain.mentions)) < len(chain.mentions) or any(
                first[by_id[one].spans] != one for one in chain.mentions
            ):
                _refuse(self.document, f"chain {shown(chain.id)}: NAF cannot tell apart mentions of the same span")
            label = f" type={self._value(chain.label)}" if chain.label else ""
            yield f"<coref id={self._value(chain.id)}{label}>"
            yield from (f"  {self._span(by_id[one])}" for one in chain.mentions)
            yield "</coref>"

    def _refuse(self, mention: Mention, reason: str) -> NoReturn:
        _refuse(self.document, f"mention {shown(mention.id)}: {reason}")

    def _text(self, text: str) -> str:
        return escape(self._sound(text), {"\r": "&#13;"})

    def _value(self, text: str) -> str:
        return quoteattr(self._sound(text))

    def _sound(self, text: str) -> str:
        found = _NO_XML.search(text)
        if found:
            _refuse(self.document, f"it holds the character {found[0]!a}, which XML has no place for")
        return text
