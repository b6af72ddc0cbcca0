"""Builds a document from the layers of a NAF file: resolves targets to tokens, ranks references, reports faults.

What the model cannot hold is kept as raw cells of the tokens, so that it can be written back.

============  ======================================================================================
column        cell of a token, in JSON; one without anything is empty
============  ======================================================================================
``TERM``      the ids of the terms that it belongs to
``ENTITY``    the entities that begin here as they stand: id, type, targets, references, attributes
``COREF``     the same of the coreference sets
``FORM``      how the file spells it, if not as the text does
``INSIDE``    the text of its subtokens
============  ======================================================================================

If the cells and the mentions of a document disagree, the mentions count.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from karat.annotations.faults import shown, surface
from karat.annotations.tokens import fragments
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.naf.layers import Laid, Layers, Marked, Reference, lay_out
from karat.model import Chain, Document, Link, Mention, Span, TokenTable
from karat.settings import choice, option

DIALECT = "naf"
TERM, ENTITY, COREF, FORM, INSIDE = "TERM", "ENTITY", "COREF", "FORM", "INSIDE"
_ENCODER = msgspec.json.Encoder()
MAX_COVERED = 20_000_000
"""Tokens of all spans together; a few lines of XML can name a long term very often."""


@dataclass(frozen=True)
class NafOptions:
    """Which external references of an entity are its links."""

    resource: str = option(
        "",
        "read only references of these resources, separated by commas, and write them as of the first",
        metavar="NAME,NAME…",
    )
    nested: str = choice(
        ("skip", "only"),
        "references inside of references, such as the English ones of other languages: skip them, or take only them",
    )

    @property
    def resources(self) -> list[str]:
        """The resources that count; empty means all."""
        return [name for name in self.resource.split(",") if name]


class NafAssembly:
    """Builds a document from the layers of a file, and reports faults."""

    def __init__(self, layers: Layers, path: Path, problems: Problems, options: NafOptions) -> None:
        self.layers, self.path, self.problems, self.options = layers, path, problems, options
        self.wrong = self.covered = 0
        self.tokens = [token for token in layers.tokens if token.text]
        self.entities: list[Marked] = []
        self.sets: list[Marked] = []
        self.laid: Laid = lay_out(layers.raw, self.tokens, lambda line, text: problems.repair(path, line, text))
        self.places = {token.id: index for index, token in enumerate(self.tokens)}
        self.resources: set[str] = set()

    def document(self, name: str) -> Document | None:
        """Return the document, or None if faults were reported."""
        if len(self.places) < len(self.tokens):
            repeated = next(token for index, token in enumerate(self.tokens) if self.places[token.id] != index)
            self._fault(repeated.line, f"two tokens have the id {shown(repeated.id)}; each needs its own")
            return None
        for empty in (token for token in self.layers.tokens if not token.text):
            self.problems.repair(self.path, empty.line, f"token {shown(empty.id)} is empty and was left out")
        entities = (self._with_id(entity, f"entity-{number}") for number, entity in enumerate(self.layers.entities, 1))
        self.entities = [entity._replace(references=list(self._references(entity))) for entity in entities]
        mentions = [mention for entity in self.entities for mention in self.mentions_of(entity)]
        sets = enumerate(self.layers.coreferences, 1)
        self.sets = [self._with_id(coref, f"coref-{set_number}") for set_number, coref in sets]
        chains = self._chains(mentions)
        self._check_ids(mentions, chains)
        metadata = dict(self.layers.metadata)
        if len(self.resources) == 1 and "" not in self.resources:
            metadata["resource"] = next(iter(self.resources))
        table = TokenTable(self.laid.forms, self._columns(), self._segments(), self.laid.starts, dialect=DIALECT)
        document = Document(name, self.laid.text, mentions, chains, metadata=metadata, table=table)
        document.source = str(self.path)
        return None if self.wrong else document

    def _fault(self, line: int, message: str) -> None:
        self.wrong += 1
        self.problems.error(self.path, line or None, message)

    def _with_id(self, marked: Marked, name: str) -> Marked:
        """Return the entity or coreference set with an id: its own, or else this one."""
        if marked.id:
            return marked
        self.problems.repair(self.path, marked.line, f"there is no id, and {shown(name)} was given for it")
        return marked._replace(id=name)

    def _columns(self) -> dict[str, Sequence[str]]:
        columns = {
            "ID": [token.id for token in self.tokens],
            "SENT": [token.sentence for token in self.tokens],
            "PARA": [token.paragraph for token in self.tokens],
        }
        return {name: cells for name, cells in columns.items() if name == "ID" or any(cells)}

    def _segments(self) -> list[int]:
        """Return the first token of each sentence, where the sentence number changes."""
        tokens = groupby(enumerate(self.tokens), key=lambda pair: pair[1].sentence)
        return [next(pairs)[0] for _, pairs in tokens]

    def mentions_of(self, entity: Marked) -> Iterator[Mention]:
        """Yield a mention for each span of an entity."""
        if not entity.spans:
            self.problems.repair(self.path, entity.line, f"entity {shown(entity.id)} has no span and was left out")
        attributes = dict(entity.attributes)
        layer = attributes.pop("layer", "")
        labels = (entity.type,) if entity.type else ()
        links = self._links(entity)
        for span_number, targets in enumerate(entity.spans, 1):
            spans = self._spans(entity, targets)
            if spans:
                name = entity.id if span_number == 1 else f"{entity.id}.{span_number}"
                yield Mention(name, spans, labels, surface(self.laid.text, spans), layer, links, dict(attributes))

    def _spans(self, owner: Marked, targets: Sequence[str]) -> tuple[Span, ...]:
        places: set[int] = set()
        for target in targets:
            tokens = self.tokens_of(target)
            if tokens is None:
                self._fault(owner.line, f"{shown(owner.id)} refers to {shown(target)}, neither a term nor a token")
                return ()
            self.covered += len(tokens)
            if self.covered > MAX_COVERED:
                message = f"its spans cover more than {MAX_COVERED:,} tokens, again and again; split the document"
                raise InputError(message, path=self.path)
            places.update(tokens)
        if not places:
            self._fault(owner.line, f"a span of {shown(owner.id)} has no target")
        return fragments(sorted(places), self.laid.starts, self.laid.forms)

    def tokens_of(self, target: str) -> list[int] | None:
        """Return the tokens of a term, or None; without terms a target is a token, and ``t5`` means ``w5``."""
        names = self.layers.terms.get(target)
        if names is None:
            own = f"w{target[1:]}" if not self.layers.terms and target.startswith("t") else target
            names = [own if own in self.places else target]
        tokens = [self.places[name] for name in names if name in self.places]
        return tokens or None

    def _links(self, entity: Marked) -> tuple[Link, ...]:
        """Return the references, best first; those without a confidence come last."""
        links = [
            Link(reference.target, self._score(entity, reference))
            for reference in entity.references
            if reference.target
        ]
        if len(links) > 1 and any(link.score is None for link in links):
            self.problems.count("entity with several references that lack a confidence and rank last, as in the file")
        return tuple(sorted(links, key=rank))

    def _references(self, entity: Marked) -> Iterator[Reference]:
        wanted = self.options.resources
        for outer in entity.references:
            for reference in outer.inner if self.options.nested == "only" else (outer,):
                if not wanted or reference.resource in wanted:
                    self.resources.add(reference.resource)
                    yield reference

    def _score(self, entity: Marked, reference: Reference) -> float | None:
        if reference.confidence is None:
            return None
        try:
            score = float(reference.confidence)
        except ValueError:
            score = math.nan
        if math.isfinite(score):
            return score
        message = f"{shown(entity.id)} has the confidence {shown(reference.confidence)}, not a number; left out"
        self.problems.repair(self.path, entity.line, message)
        return None

    def _chains(self, mentions: list[Mention]) -> list[Chain]:
        """Return the coreference sets as chains; a span without an entity becomes a mention without a label."""
        known = {mention.spans: mention.id for mention in reversed(mentions)}
        ids = {mention.id for mention in mentions}
        chains = []
        for coref in self.sets:
            members: list[str] = []
            for span_number, targets in enumerate(coref.spans, 1):
                spans = self._spans(coref, targets)
                if not spans:
                    continue
                if spans not in known:
                    known[spans] = f"{coref.id}.{span_number}"
                    ids.add(known[spans])
                    mentions.append(Mention(known[spans], spans, text=surface(self.laid.text, spans)))
                members.append(known[spans])
            name = f"chain {coref.id}" if coref.id in ids else coref.id
            chains.append(Chain(name, tuple(dict.fromkeys(members)), coref.type))
        return chains

    def _check_ids(self, mentions: Sequence[Mention], chains: Sequence[Chain]) -> None:
        seen: set[str] = set()
        lines = {mark.id: mark.line for mark in (*self.layers.entities, *self.layers.coreferences)}
        for name in [*(mention.id for mention in mentions), *(chain.id for chain in chains)]:
            if name in seen:
                self._fault(lines.get(name, 0), f"the id {shown(name)} is used twice; each needs its own")
            seen.add(name)

    def raw_cells(self) -> dict[str, Sequence[str]]:
        """Return the columns with what the file has beyond its mentions."""
        terms: list[list[str]] = [[] for _ in self.tokens]
        for term in self.layers.terms:
            for index in dict.fromkeys(self.tokens_of(term) or ()):
                terms[index].append(term)
        columns = {
            TERM: [_json(sorted(names)) for names in terms],
            ENTITY: self._begun(self.entities),
            COREF: self._begun(self.sets),
            FORM: [
                _json(token.written) if token.written != form else ""
                for token, form in zip(self.tokens, self.laid.forms, strict=True)
            ],
            INSIDE: [_json(token.inside) for token in self.tokens],
        }
        return {name: cells for name, cells in columns.items() if any(cells)}

    def _begun(self, marks: Iterable[Marked]) -> list[str]:
        """Return for each token the marks that begin there, without their line in the file."""
        begun: list[list[Any]] = [[] for _ in self.tokens]
        for mark in marks:
            if mark.spans:
                first = min(index for target in mark.spans[0] for index in self.tokens_of(target) or ())
                begun[first].append(mark[:-1])
        return [_json(cell) for cell in begun]


def rank(link: Link) -> tuple[bool, float]:
    """Return the sort key of a link: the highest score first, links without a score last."""
    return link.score is None, -(link.score or 0.0)


class Kept(NamedTuple):
    """The content of a table's cells: the tokens of each term by index, entities and coreference sets."""

    terms: dict[str, list[int]]
    entities: list[Marked]
    coreferences: list[Marked]


def _json(cell: Any) -> str:
    return _ENCODER.encode(cell).decode() if cell else ""


def kept(table: TokenTable, path: str) -> Kept:
    """Return the content of a table from NAF; that of other tables is empty.

    >>> kept(TokenTable(["Bern"], {"TERM": ['["t1"]']}, dialect="naf"), "").terms
    {'t1': [0]}
    """
    terms: dict[str, list[int]] = {}
    for index, names in enumerate(cells(table, TERM, list[str], path)):
        for name in names or ():
            terms.setdefault(name, []).append(index)
    marks = [
        [mark for begun in cells(table, name, list[Marked], path) for mark in begun or ()] for name in (ENTITY, COREF)
    ]
    return Kept(terms, marks[0], marks[1])


def cells(table: TokenTable, name: str, kind: Any, path: str) -> list[Any]:
    """Return the decoded cells of a column, None for empty ones; an empty list if the column does not exist."""
    if table.dialect != DIALECT:
        return []
    decoder = msgspec.json.Decoder(kind)
    try:
        return [decoder.decode(cell) if cell else None for cell in table.columns.get(name, ())]
    except (msgspec.DecodeError, RecursionError) as error:
        message = f"a cell of the column {name} is not what is kept of NAF: {error}"
        raise InputError(f"{message}; leave the raw cells out", path=path or None) from error
