"""Which entities and coreference sets say what a document says: those it was read from if they still do, or new ones.

What is chosen is read back before it is written; what would come back otherwise is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

import msgspec

from karat.annotations.faults import shown, surface
from karat.annotations.tokens import covered_tokens, fragments
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.naf.assembly import Assembly, NafOptions, rank
from karat.formats.naf.keep import Kept
from karat.formats.naf.layers import Layers, Marked, Reference, Token
from karat.model import Chain, Document, Link, Mention

MAX_TARGETS = 2_000_000
"""Targets of new spans; a file with many more could not be read back."""
_TAKEN = frozenset({"id", "type", "layer"})


class Marks(NamedTuple):
    """Entities and coreference sets, ready to be written."""

    entities: list[Marked]
    coreferences: list[Marked]


def refuse(document: Document, reason: str) -> NoReturn:
    """Say that a document cannot be written, and why."""
    raise InputError(f"document {document.id!r} cannot be written as NAF: {reason}", path=document.source or None)


def _as_before(new: Marked, mention: Mention, entity: Marked, made: Mention) -> Marked:
    """Return an entity whose mention has changed, with what has not: its references, and the targets of its span."""
    if mention.links == made.links:
        new = new._replace(references=entity.references)
    return new._replace(spans=entity.spans[:1]) if mention.spans == made.spans else new


class Marking:
    """Chooses the marks of one document over its tokens and terms."""

    def __init__(
        self, document: Document, tokens: Sequence[Token], terms: dict[str, list[str]], kept: Kept, resource: str
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
        self.made = self._made()
        self.written = 0

    def marks(self) -> Marks:
        """Return marks that are read back as the mentions and chains of the document."""
        bare = self._bare()
        for without, keep in ((bare, True), (bare, False), (set[str](), False)):
            self.written = 0
            mentions = [mention for mention in self.document.mentions if mention.id not in without]
            sets = [(keep and self._kept_set(chain)) or self._new_set(chain) for chain in self.document.chains]
            marks = Marks(self._entities(mentions), sets)
            if self._is_read_back(marks):
                return marks
        refuse(self.document, "its mentions or chains would be read back otherwise")

    def _made(self) -> dict[str, tuple[Marked, list[Mention]]]:
        """Return the kept entities with the mentions that come of them, by the first of these."""
        assembly = self._assembly(Marks(self.kept.entities, []))
        pairs = ((entity, list(assembly.mentions_of(entity))) for entity in self.kept.entities)
        return {mentions[0].id: (entity, mentions) for entity, mentions in pairs if mentions}

    def _bare(self) -> set[str]:
        """Return mentions that say nothing but that a coreference set they came from has a span there."""
        names = {f"{coref.id}.{number}" for coref in self.kept.coreferences for number, _ in enumerate(coref.spans, 1)}
        return {
            mention.id
            for mention in self.document.mentions
            if mention.id in names and not (mention.labels or mention.links or mention.attributes or mention.layer)
        }

    def _entities(self, mentions: Sequence[Mention]) -> list[Marked]:
        entities: list[Marked] = []
        place = 0
        while place < len(mentions):
            entity, made = self.made.get(mentions[place].id, (None, []))
            if entity is not None and list(mentions[place : place + len(made)]) == made:
                entities.append(entity)
                place += len(made)
                continue
            new = self._new_entity(mentions[place])
            entities.append(new if entity is None else _as_before(new, mentions[place], entity, made[0]))
            place += 1
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
        places = [place for span in mention.spans for place in range(*covered_tokens(span, self.starts, self.ends))]
        if fragments(places, self.starts, self.forms) != mention.spans:
            self._refuse(mention, "it does not begin and end with a token, or its fragments touch")
        self.written += len(places)
        if self.written > MAX_TARGETS:
            refuse(self.document, f"its mentions cover more than {MAX_TARGETS:,} tokens; split the document")
        return [self.targets[place] for place in places]

    def _kept_set(self, chain: Chain) -> Marked | None:
        return self.sets.get(chain.id) or self.sets.get(chain.id.removeprefix("chain "))

    def _new_set(self, chain: Chain) -> Marked:
        members = [self.by_id[name] for name in chain.mentions]
        if len(set(chain.mentions)) < len(members) or any(self.first[member.spans] != member.id for member in members):
            refuse(self.document, f"chain {shown(chain.id)}: NAF cannot tell apart mentions of the same span")
        return Marked(chain.id, chain.label, [self._span(member) for member in members], [], {})

    def _assembly(self, marks: Marks) -> Assembly:
        layers = Layers({}, self.document.text, list(self.tokens), self.terms, marks.entities, marks.coreferences)
        return Assembly(layers, Path(self.document.source), Problems(collect=True), NafOptions())

    def _is_read_back(self, marks: Marks) -> bool:
        back = self._assembly(marks).document(self.document.id)
        text = self.document.text
        mentions = [
            mention if mention.text else msgspec.structs.replace(mention, text=surface(text, mention.spans))
            for mention in self.document.mentions
        ]
        return back is not None and (back.mentions, back.chains) == (mentions, self.document.chains)

    def _refuse(self, mention: Mention, reason: str) -> NoReturn:
        refuse(self.document, f"mention {shown(mention.id)}: {reason}")
