"""NIF 2 as Turtle or N-Triples, as GERBIL and DBpedia Spotlight use it: texts, and linked substrings.

Graphs are unordered, so documents are sorted by URI, mentions by span, links by URI. ``pyoxigraph``, an optional
dependency, parses the files.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections import defaultdict
from collections.abc import Iterator
from math import isfinite, nan
from typing import Any

import msgspec

from karat.annotations.faults import shown
from karat.errors import InputError, many, needing
from karat.formats.base import Format, NoOptions, Problems, Want
from karat.formats.parts.assembly import Assembly, links_of
from karat.formats.parts.offset_units import NOUNS, Offsets, Stated, mismatch, placed, proven
from karat.io import open_bytes, read_bytes
from karat.model import Document, Link

_NIF = "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#"
_ITS = "http://www.w3.org/2005/11/its/rdf#"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_SAME = "http://www.w3.org/2002/07/owl#sameAs"
_CONTEXT, _TEXT, _IN = f"{_NIF}Context", f"{_NIF}isString", f"{_NIF}referenceContext"
_BEGIN, _END, _ANCHOR = f"{_NIF}beginIndex", f"{_NIF}endIndex", f"{_NIF}anchorOf"
_LINK, _CLASS, _SCORE = f"{_ITS}taIdentRef", f"{_ITS}taClassRef", f"{_ITS}taConfidence"
_PHRASES = {f"{_NIF}Phrase", f"{_NIF}EntityOccurrence"}
_NO_MENTIONS = {f"{_NIF}{name}" for name in ("Word", "Sentence", "Paragraph", "Title", "Structure")}
_ADDRESS = re.compile(r"#(?:char=|offset_)([0-9]{1,18})[,_]([0-9]{1,18})$")
_INDEX = re.compile(r"[+]?0*([0-9]{1,18})")

Statements = dict[str, dict[str, list[str]]]
"""What is said of each address, by predicate."""


def read(path: str, *, problems: Problems, want: Want, options: NoOptions) -> Iterator[Document]:
    """Yield a document for each context of a graph."""
    del want, options
    with problems.catching(path):
        yield from _Graph(_graph(path), path, problems).documents()


def _graph(path: str) -> Statements:
    with needing("reading Turtle", "rdf"):
        import pyoxigraph
    with open_bytes(path) as stream:
        content = read_bytes(stream, -1, path).removeprefix(BOM_UTF8)
    graph: Statements = defaultdict(lambda: defaultdict(list))
    try:
        for triple in pyoxigraph.parse(content, format=pyoxigraph.RdfFormat.TURTLE):
            graph[_name(triple.subject)][triple.predicate.value].append(_name(triple.object))
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        raise InputError(f"is not valid Turtle: {getattr(error, 'msg', error)}", path=path, line=line) from error
    return graph


def _name(term: Any) -> str:
    """Return a URI or a text; a blank node is written as in Turtle."""
    return str(getattr(term, "value", term))


class _Graph:
    """The documents of a graph."""

    def __init__(self, graph: Statements, path: str, problems: Problems) -> None:
        self.graph, self.path, self.problems = graph, path, problems
        self.contexts = sorted(name for name, said in graph.items() if _CONTEXT in said.get(_TYPE, ()))
        self.strings: dict[str, list[str]] = {name: [] for name in self.contexts}
        self.surplus = 0
        for name, said in graph.items():
            if name not in self.strings and _IN in said:
                self._assign(name, said)
        if not self.contexts:
            raise InputError("the graph has no nif:Context, so it has no text")

    def _assign(self, name: str, said: dict[str, list[str]]) -> None:
        """Record a string that is a mention under the context that it refers to."""
        types = set(said.get(_TYPE, ()))
        if not (_LINK in said or _CLASS in said or types & _PHRASES):
            self.surplus += not types & _NO_MENTIONS
            return
        for context in said[_IN]:
            if context not in self.strings:
                raise InputError(f"{name} refers to {context}, which is not a nif:Context of the graph")
            self.strings[context].append(name)

    def documents(self) -> Iterator[Document]:
        """Yield the documents by URI; a fault is an error of its document."""
        taken: set[str] = set()
        for context in self.contexts:
            name = context.partition("#")[0]
            if name in taken:
                self.problems.error(self.path, None, f"document {shown(name)} has two texts; give each its own address")
                continue
            taken.add(name)
            with self.problems.catching(self.path, of=f"document {shown(name)}: "):
                yield self._document(name, context)
        if self.surplus:
            message = f"{many(self.surplus, 'string')} with neither taIdentRef nor taClassRef left out"
            self.problems.repair(self.path, None, f"{message}: no phrases, words, sentences or paragraphs")

    def _document(self, name: str, context: str) -> Document:
        texts = self.graph[context].get(_TEXT, [])
        if len(texts) != 1:
            raise InputError(f"the context has {many(len(texts), 'text')} under nif:isString; expected one")
        text = texts[0]
        stated = {string: self._stated(string) for string in self.strings[context]}
        unit = proven(text, stated.values()) or "point"
        if unit != "point":
            message = f"{name}: offsets count {NOUNS[unit]}: anchorOf is found only so"
            self.problems.repair(self.path, None, message)
        offsets = Offsets(text, unit)
        assembly = Assembly(name, text, source=self.path)
        for string, mention in sorted(stated.items(), key=lambda item: (item[1].spans, item[0])):
            if fault := mismatch(text, mention, unit):
                raise InputError(fault)
            assembly.mention(
                placed(mention, offsets),
                self._labels(string),
                links=self._links(string),
                attributes=self._attributes(string),
            )
        return assembly.document

    def _stated(self, string: str) -> Stated:
        """Return the span of a mention and its text, as stated."""
        said = self.graph[string]
        offsets = [self._index(string, key) for key in (_BEGIN, _END) if key in said]
        if len(offsets) != 2:
            address = _ADDRESS.search(string)
            if address is None:
                raise InputError(f"{string} has no beginIndex and endIndex, and its address has no place")
            offsets = [int(address[1]), int(address[2])]
            key = "endIndex" if _BEGIN in said else "beginIndex"
            message = f"a phrase has no {key}: the address says {offsets[0]},{offsets[1]}"
            self.problems.repair(self.path, None, message)
        return Stated(string, ((offsets[0], offsets[1]),), next(iter(said.get(_ANCHOR, ())), None))

    def _index(self, string: str, key: str) -> int:
        """Return a begin or end index of a mention; several values, or one that is not an integer, are an error."""
        written = sorted(set(self.graph[string][key]))
        index = _INDEX.fullmatch(written[0])
        if index is None or len(written) > 1:
            listed = " and ".join(map(shown, written))
            raise InputError(f"{string} has {key.removeprefix(_NIF)} {listed}; expected one whole number")
        return int(index[1])

    def _links(self, string: str) -> tuple[Link, ...]:
        """Return the links of a mention, then equivalent ones; all have the score of the mention."""
        entities = sorted(self.graph[string].get(_LINK, ()))
        same = sorted({other for entity in entities for other in self.graph.get(entity, {}).get(_SAME, ())})
        links = dict.fromkeys(links_of(*entities, *same))
        score = self._score(string)
        return tuple(link if score is None else msgspec.structs.replace(link, score=score) for link in links)

    def _score(self, string: str) -> float | None:
        written = self.graph[string].get(_SCORE)
        if not written:
            return None
        try:
            score = float(written[0])
        except ValueError:
            score = nan
        if not isfinite(score):
            raise InputError(f"{string} has taConfidence {shown(written[0])}; expected a number")
        return score

    def _labels(self, string: str) -> list[str]:
        """Return the classes of a mention, or else those of its linked entity."""
        classes = self.graph[string].get(_CLASS)
        if not classes:
            entities = self.graph[string].get(_LINK, ())
            classes = [kind for entity in entities for kind in self.graph.get(entity, {}).get(_TYPE, ())]
        return sorted(set(classes))

    def _attributes(self, string: str) -> dict[str, str]:
        """Return all other properties of a mention, except its relations to other strings."""
        read = (_TYPE, _LINK, _CLASS, _SCORE)
        rest = {key: values for key, values in self.graph[string].items() if key not in read}
        foreign = sorted(item for item in rest.items() if not item[0].startswith(_NIF))
        return {re.split(r"[#/]", key)[-1]: " ".join(sorted(values)) for key, values in foreign}


def sniff(head: str) -> bool:
    """Tell whether the file is Turtle or N-Triples with the namespace of NIF.

    >>> sniff("@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .")
    True
    >>> sniff("<http://a> <http://b> 'nif-core#' .")
    False
    """
    first = head.removeprefix("\ufeff").lstrip()
    return first.lower().startswith(("@prefix", "prefix", "@base", "base", "<", "#")) and f"<{_NIF}" in head


FORMAT = Format(
    name="nif",
    title="NIF 2 as Turtle: strings of texts with links and classes",
    known_by="Turtle or N-Triples with the namespace `nif-core#`",
    read=read,
    sniff=sniff,
    suffixes=(".ttl", ".nt"),
    layers="mentions with one span, links with one score, attributes",
)
