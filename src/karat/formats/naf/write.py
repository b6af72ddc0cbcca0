"""Writes documents as NAF: header, text, tokens, terms, entities with references, coreference sets.

A document without tokens is split into words, and a term is written for each token, because entities refer to terms.
Documents from NAF keep their tokens, terms and references. Raw cells of other formats, and metadata whose names are not
valid in XML, are left out.

Entities and coreference sets are those that a document was read from, if they still match it, or new ones. The result
is read back before it is written; a document that would change is refused.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NoReturn
from xml.sax.saxutils import escape, quoteattr

import msgspec

from karat.annotations.faults import faults, shown, surface
from karat.annotations.tokens import covered_tokens, cut_text, fragments
from karat.errors import InputError
from karat.formats.base import File, Problems
from karat.formats.naf.assembly import DIALECT, FORM, INSIDE, Kept, NafAssembly, NafOptions, cells, kept, rank
from karat.formats.naf.layers import Layers, Marked, Reference, WordForm
from karat.formats.parts.xml import NO_XML
from karat.model import Chain, Document, Link, Mention, Span

MAX_TARGETS = 2_000_000
"""Targets of new spans; a file with many more could not be read back."""
MAX_DEPTH = 200
"""References inside of each other; more could not be read back."""
_TAKEN = frozenset({"id", "type", "layer"})
_ATTRIBUTE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_PUBLIC = ("publicId", "uri")
_NO_HEADER = ("lang", "version", "resource")
"""Metadata that stand elsewhere."""


def write(documents: Iterable[Document], options: NafOptions) -> Iterator[File]:
    """Yield a file for each document.

    >>> from karat.model import Document, Mention
    >>> document = Document("d1", "In Bern", [Mention("e1", ((3, 7),), ("LOC",))])
    >>> (file,) = write([document], NafOptions())
    >>> file.content.count("<wf "), '<target id="t2"/>' in file.content
    (2, True)
    """
    for document in documents:
        lines = _Lines(document, options).lines()
        yield File(document, ".naf", "".join(f"{line}\n" for line in lines))


class _Lines:
    """The lines of one document."""

    def __init__(self, document: Document, options: NafOptions) -> None:
        self.document, self.options = document, options
        for fault in faults(document):
            _refuse(document, fault)
        if document.relations or document.notes:
            _refuse(document, "NAF entities have no relations or notes; leave them out with --drop")
        table = document.table
        self.own = (
            table is not None
            and table.dialect == DIALECT
            and "ID" in table.columns
            and len(table.starts) == len(table.forms)
            and all(table.forms)
        )
        self.tokens = self._tokens()
        self.kept = kept(table, document.source) if table is not None and self.own else Kept({}, [], [])
        self.terms = self._terms()
        resource = next(iter(options.resources), document.metadata.get("resource", ""))
        self.marks = _Marking(document, self.tokens, self.terms, self.kept, resource).marks()

    def lines(self) -> Iterator[str]:
        """Yield the file, layer by layer."""
        metadata = self.document.metadata
        language = f" xml:lang={self._value(metadata['lang'])}" if "lang" in metadata else ""
        version = metadata.get("version", "" if self.own else "v3")
        yield '<?xml version="1.0" encoding="UTF-8"?>'
        yield f"<NAF{language}{self._known({'version': version})}>"
        yield from self._header(metadata)
        yield f"  <raw>{self._text(self.document.text)}</raw>"
        yield from self._layer("text", self._words())
        yield from self._layer("terms", self._term_lines())
        yield from self._layer("entities", (line for entity in self.marks.entities for line in self._entity(entity)))
        yield from self._layer(
            "coreferences", (line for coref in self.marks.coreferences for line in self._coref(coref))
        )
        yield "</NAF>"

    def _layer(self, name: str, lines: Iterable[str]) -> Iterator[str]:
        inside = [f"    {line}" for line in lines]
        if inside:
            yield from (f"  <{name}>", *inside, f"  </{name}>")

    def _header(self, metadata: dict[str, str]) -> Iterator[str]:
        known = {key: value for key, value in metadata.items() if key not in _NO_HEADER and _ATTRIBUTE.fullmatch(key)}
        public = {key: known.pop(key) for key in _PUBLIC if key in known}
        resources = {reference.resource for mark in self.marks.entities for reference in mark.references}
        if resources != {metadata.get("resource")}:
            known["resource"] = metadata.get("resource", "")
        inside = [f"<{name}{self._known(cells)}/>" for name, cells in (("fileDesc", known), ("public", public))]
        yield from self._layer("nafHeader", [line for line in inside if " " in line])

    def _tokens(self) -> list[WordForm]:
        table = self.document.table
        spans = self._token_spans()
        ids, sentences, paragraphs = (self._cells(name, len(spans)) for name in ("ID", "SENT", "PARA"))
        if len(set(ids)) != len(spans):
            ids = [f"w{token_number}" for token_number in range(1, len(spans) + 1)]
        if not sentences and not self.own:
            segments = [] if table is None else table.segments
            sentences = [str(bisect_right(segments, index) or 1) for index in range(len(spans))]
        none = [""] * len(spans)
        cells = zip(spans, ids, sentences or none, paragraphs or none, strict=True)
        return [
            WordForm(name, self.document.text[start:end], sentence, paragraph, start, end - start)
            for (start, end), name, sentence, paragraph in cells
        ]

    def _token_spans(self) -> list[Span]:
        table, text = self.document.table, self.document.text
        if table is not None and (table.starts or self.own):
            return [(start, start + len(form)) for start, form in zip(table.starts, table.forms, strict=True) if form]
        return cut_text(text, (edge for mention in self.document.mentions for span in mention.spans for edge in span))

    def _cells(self, column: str, size: int) -> Sequence[str]:
        """Return the cells that the tokens had in NAF or CAT, if the tokens are still the same."""
        table = self.document.table
        cells = table.columns.get(column, []) if table is not None and table.dialect in (DIALECT, "cat") else []
        return cells if len(cells) == size else []

    def _terms(self) -> dict[str, list[str]]:
        """Return the tokens of each term: the original ones, else a term for each token."""
        if self.own:
            return {term: [self.tokens[index].id for index in places] for term, places in self.kept.terms.items()}
        return {re.sub(r"^w(?=[0-9])", "t", token.id): [token.id] for token in self.tokens}

    def _words(self) -> Iterator[str]:
        table = self.document.table
        written: dict[str, list[str | None]] = {
            name: cells(table, name, str, self.document.source) if table is not None else [] for name in (FORM, INSIDE)
        }
        for index, token in enumerate(self.tokens):
            known = self._known({"id": token.id, "sent": token.sentence, "para": token.paragraph})
            form, inside = (column[index] if column else None for column in written.values())
            text = self._text(token.text if form is None else form)
            text += f"<subtoken>{self._text(inside)}</subtoken>" if inside else ""
            yield f'<wf{known} offset="{token.offset}" length="{token.length}">{text}</wf>'

    def _term_lines(self) -> Iterator[str]:
        forms = {token.id: token.text for token in self.tokens}
        for term, names in self.terms.items():
            lemma = self._value(" ".join(forms[name] for name in names))
            yield f"<term id={self._value(term)} lemma={lemma}>{self._span(names)}</term>"

    def _entity(self, mark: Marked) -> Iterator[str]:
        yield f"<entity{self._known({'id': mark.id, 'type': mark.type})}{self._attributes(mark.attributes)}>"
        yield from self._references(mark)
        yield f"  <references>{''.join(map(self._span, mark.spans))}</references>"
        yield "</entity>"

    def _coref(self, mark: Marked) -> Iterator[str]:
        yield f"<coref{self._known({'id': mark.id, 'type': mark.type})}{self._attributes(mark.attributes)}>"
        yield from (f"  {self._span(names)}" for names in mark.spans)
        yield from self._references(mark)
        yield "</coref>"

    def _span(self, names: Sequence[str]) -> str:
        return f"<span>{''.join(f'<target id={self._value(name)}/>' for name in names)}</span>"

    def _references(self, mark: Marked) -> Iterator[str]:
        if mark.references:
            names = self.options.resources
            named = {"resource": names[0]} if names else {}
            yield "  <externalReferences>"
            for reference in mark.references:
                yield from self._reference(reference._replace(attributes=reference.attributes | named), 1)
            yield "  </externalReferences>"

    def _reference(self, reference: Reference, depth: int) -> Iterator[str]:
        if depth > MAX_DEPTH:
            _refuse(self.document, f"its references are more than {MAX_DEPTH} deep inside of each other")
        indent = "  " * (depth + 1)
        begin = f"{indent}<externalRef{self._attributes(reference.attributes)}"
        if not reference.inner:
            yield f"{begin}/>"
            return
        yield f"{begin}>"
        for inner in reference.inner:
            yield from self._reference(inner, depth + 1)
        yield f"{indent}</externalRef>"

    def _known(self, cells: dict[str, str]) -> str:
        return self._attributes({key: value for key, value in cells.items() if value})

    def _attributes(self, cells: dict[str, str]) -> str:
        for name in cells:
            if not _ATTRIBUTE.fullmatch(name):
                _refuse(self.document, f"NAF has no room for an attribute {shown(name)}")
        return "".join(f" {key}={self._value(value)}" for key, value in cells.items())

    def _text(self, text: str) -> str:
        return escape(self._sound(text), {"\r": "&#13;"})

    def _value(self, text: str) -> str:
        return quoteattr(self._sound(text))

    def _sound(self, text: str) -> str:
        match = NO_XML.search(text)
        if match:
            _refuse(self.document, f"it holds the character {match[0]!a}, which XML has no place for")
        return text


def _refuse(document: Document, reason: str) -> NoReturn:
    raise InputError(f"document {document.id!r} cannot be written as NAF: {reason}", path=document.source or None)


class _Marking:
    """Chooses the entities and coreference sets of one document, given its tokens and terms."""

    def __init__(
        self, document: Document, tokens: Sequence[WordForm], terms: dict[str, list[str]], kept: Kept, resource: str
    ) -> None:
        self.document, self.tokens, self.terms, self.kept, self.resource = document, tokens, terms, kept, resource
        self.starts = [token.offset or 0 for token in tokens]
        self.forms = [token.text for token in tokens]
        self.ends = [start + len(form) for start, form in zip(self.starts, self.forms, strict=True)]
        single = {names[0]: term for term, names in terms.items() if len(names) == 1}
        self.targets = [single.get(token.id, token.id) for token in tokens]
        self.sets = {coref.id: coref for coref in kept.coreferences}
        self.by_id = {mention.id: mention for mention in document.mentions}
        self.first = {mention.spans: mention.id for mention in reversed(document.mentions)}
        self.made: dict[str, tuple[Marked, list[Mention]]] = {}
        """The kept entities with the mentions that come of them, by the first of these."""
        assembly = self._assembly(self._layers(kept.entities, []))
        for entity in kept.entities:
            if mentions := list(assembly.mentions_of(entity)):
                self.made[mentions[0].id] = entity, mentions
        self.written = 0

    def marks(self) -> Layers:
        """Return layers that are read back as the mentions and chains of the document."""
        bare = self._bare()
        for without, keep in ((bare, True), (bare, False), (set[str](), False)):
            self.written = 0
            mentions = [mention for mention in self.document.mentions if mention.id not in without]
            known = self.sets if keep else {}
            sets = [
                known.get(chain.id) or known.get(chain.id.removeprefix("chain ")) or self._new_set(chain)
                for chain in self.document.chains
            ]
            layers = self._layers(self._entities(mentions), sets)
            if self._is_read_back(layers):
                return layers
        _refuse(self.document, "its mentions or chains would be read back otherwise")

    def _bare(self) -> set[str]:
        """Return mentions that carry no information beyond a span of their original coreference set."""
        names = {f"{coref.id}.{number}" for coref in self.kept.coreferences for number, _ in enumerate(coref.spans, 1)}
        return {
            mention.id
            for mention in self.document.mentions
            if mention.id in names and not (mention.labels or mention.links or mention.attributes or mention.layer)
        }

    def _entities(self, mentions: Sequence[Mention]) -> list[Marked]:
        entities: list[Marked] = []
        index = 0
        while index < len(mentions):
            entity, made = self.made.get(mentions[index].id, (None, []))
            if entity is not None and list(mentions[index : index + len(made)]) == made:
                entities.append(entity)
                index += len(made)
                continue
            mention = mentions[index]
            new = self._new_entity(mention)
            if entity is not None and mention.links == made[0].links:  # what has not changed stays as it was
                new = new._replace(references=entity.references)
            if entity is not None and mention.spans == made[0].spans:
                new = new._replace(spans=entity.spans[:1])
            entities.append(new)
            index += 1
        return entities

    def _new_entity(self, mention: Mention) -> Marked:
        if len(mention.labels) > 1 or "" in mention.labels:
            self._refuse(mention, f"it has the labels {mention.labels}, NAF has room for one")
        for name in mention.attributes:
            if name in _TAKEN:
                self._refuse(mention, f"NAF has no room for an attribute {shown(name)}")
        layer = {"layer": mention.layer} if mention.layer else {}
        if not all(link.target for link in mention.links):
            self._refuse(mention, "a link has no target")
        if sorted(mention.links, key=rank) != list(mention.links):
            self._refuse(mention, "its links are not in the order of their scores, in which NAF ranks them")
        references = [self._reference(link) for link in mention.links]
        return Marked(
            mention.id, "".join(mention.labels), [self._span(mention)], references, layer | mention.attributes
        )

    def _reference(self, link: Link) -> Reference:
        resource = {"resource": self.resource} if self.resource else {}
        confidence = {} if link.score is None else {"confidence": repr(link.score)}
        return Reference(resource | {"reference": link.target} | confidence)

    def _span(self, mention: Mention) -> list[str]:
        places = [index for span in mention.spans for index in range(*covered_tokens(span, self.starts, self.ends))]
        if fragments(places, self.starts, self.forms) != mention.spans:
            self._refuse(mention, "it does not begin and end with a token, or its fragments touch")
        self.written += len(places)
        if self.written > MAX_TARGETS:
            _refuse(self.document, f"its mentions cover more than {MAX_TARGETS:,} tokens; split the document")
        return [self.targets[index] for index in places]

    def _new_set(self, chain: Chain) -> Marked:
        members = [self.by_id[name] for name in chain.mentions]
        if len(set(chain.mentions)) < len(members) or any(self.first[member.spans] != member.id for member in members):
            _refuse(self.document, f"chain {shown(chain.id)}: NAF cannot tell apart mentions of the same span")
        return Marked(chain.id, chain.label, [self._span(member) for member in members], [], {})

    def _layers(self, entities: list[Marked], coreferences: list[Marked]) -> Layers:
        return Layers({}, self.document.text, list(self.tokens), self.terms, entities, coreferences)

    def _assembly(self, layers: Layers) -> NafAssembly:
        return NafAssembly(layers, Path(self.document.source), Problems(collect=True), NafOptions())

    def _is_read_back(self, layers: Layers) -> bool:
        back = self._assembly(layers).document(self.document.id)
        text = self.document.text
        mentions = [
            mention if mention.text else msgspec.structs.replace(mention, text=surface(text, mention.spans))
            for mention in self.document.mentions
        ]
        return back is not None and (back.mentions, back.chains) == (mentions, self.document.chains)

    def _refuse(self, mention: Mention, reason: str) -> NoReturn:
        _refuse(self.document, f"mention {shown(mention.id)}: {reason}")
