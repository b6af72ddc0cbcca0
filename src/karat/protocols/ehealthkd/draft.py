"""From documents of any format to pairs of sentences: mentions are entities, relations and chains are relations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from karat.errors import many
from karat.model import Document, Mention, Span
from karat.pairing import paired as all_pairs
from karat.protocols.base import Case, Prepared
from karat.protocols.ehealthkd.align import align
from karat.protocols.ehealthkd.annotations import Annotations, Draft
from karat.protocols.ehealthkd.judge import Part, Sheet
from karat.protocols.ehealthkd.options import EntityOptions
from karat.protocols.ehealthkd.rules import Rules
from karat.protocols.ehealthkd.sentences import Page

NO_LABEL = "Equiv"
"""The label of chains that have none, as BRAT writes it."""

_NUMBER = re.compile(r"([0-9]+)")
_EMPTY = Annotations([""], [0])

Sides = tuple[Document, Document]
Pools = dict[str, Annotations]
"""The annotations of a document, or of a sentence, by layer."""


def prepare(gold: Iterable[Document], system: Iterable[Document], options: EntityOptions, *, part: Part) -> Prepared:
    """Pair documents by their ids and their sentences by their texts; a sentence that is scored is a unit.

    A document in which nothing is scored is one unit too, an empty one, so that it is not lost.
    """
    paired = all_pairs(list(gold), list(system), options.missing)
    layers = _layers(paired.pairs)
    desk = _Desk(options.rules, part, layers)
    cases: list[Case] = []
    for sides in paired.pairs:
        found = list(desk.cases(sides))
        cases += found or [Case(f"{sides[0].id}:0", desk.sheets(sides, {}, {}))]
    return Prepared(cases, [*paired.notes, *desk.notes(), *_lacking(paired.pairs, part)])


def _lacking(pairs: Sequence[Sides], part: Part) -> Iterator[str]:
    """Yield which side has nothing to say about what is judged."""
    for side, name in enumerate(("gold", "system")):
        documents = [sides[side] for sides in pairs]
        if part == "relations" and not any(one.relations or one.chains for one in documents):
            yield f"the {name} has no relations"
        elif part != "relations" and not any(one.mentions for one in documents):
            yield f"the {name} has no entities"


def _layers(pairs: Sequence[Sides]) -> list[str]:
    """Return the layers that are judged apart: those of the data if both sides name some, else the nameless one."""
    named = [{mention.layer for sides in pairs for mention in sides[side].mentions} for side in (0, 1)]
    return sorted(named[0] | named[1]) if all(side - {""} for side in named) else [""]


class _Desk:
    """Cuts documents into sentences and brings these together, by the rules of one evaluation."""

    def __init__(self, rules: Rules, part: Part, layers: Sequence[str]) -> None:
        self.rules, self.part, self.layers = rules, part, layers
        self.remarks: Counter[tuple[str, str]] = Counter()
        self.texts: list[str] = []

    def notes(self) -> list[str]:
        """Return in words what was left out, and where texts do not agree."""
        return [f"{many(count, noun)} {rest}" for (noun, rest), count in self.remarks.items()] + self.texts

    def cases(self, sides: Sides) -> Iterator[Case]:
        """Yield the sentences of a document that are scored."""
        pages = [Page(text, self.rules) for text in _texts(*sides)]
        if not self.rules.corrected and any("\n".join(page.texts) != _plain(page.text) for page in pages):
            self.remarks["document", "with blank lines, or blanks around lines, which shift offsets as published"] += 1
        gold, system = (self._pools(document, page) for document, page in zip(sides, pages, strict=True))
        aligned = align(pages[0].texts, pages[1].texts, self.rules)
        if aligned.remarks:
            said = f"{many(len(aligned.remarks), 'sentence')} without a partner, first: {aligned.remarks[0]}"
            self.texts.append(f"document {sides[0].id!r} has {said}")
        partners = {there: here for here, there in enumerate(aligned.partners) if there is not None}
        golds, systems = _sentences(gold, len(pages[0].texts)), _sentences(system, len(pages[1].texts))
        for number, sentence in enumerate(golds):
            if number in aligned.dropped:
                continue
            if self.rules.documented or any(one.ids for one in sentence.values()):
                partner = systems[partners[number]] if number in partners else {}
                yield Case(f"{sides[0].id}:{number + 1}", self.sheets(sides, sentence, partner))
            else:
                self.remarks["gold sentence", "without annotation, not scored"] += 1
        if self.rules.documented:
            for number, there in enumerate(aligned.partners):
                if there is None:
                    yield Case(f"{sides[0].id}:s{number + 1}", self.sheets(sides, {}, systems[number]))

    def sheets(self, sides: Sides, gold: Pools, system: Pools) -> tuple[Sheet, ...]:
        """Return a sheet for each layer of a pair of sentences, of which one may be missing."""
        sources = (sides[0].source, sides[1].source)
        return tuple(
            Sheet(layer, gold.get(layer, _EMPTY), system.get(layer, _EMPTY), self.rules, self.part, sources)
            for layer in self.layers
        )

    def _pools(self, document: Document, page: Page) -> Pools:
        """Return the annotations of a document by layer.

        Mentions are taken in the order of their ids, so that the order in which they are listed makes no difference.
        """
        drafts = {layer: Draft() for layer in self.layers}
        known: dict[str, tuple[str, int]] = {}
        for mention in sorted(document.mentions, key=_by_id):
            place = page.place([_reach(mention.spans)] if self.rules.documented else mention.spans)
            if place is None:
                self.remarks["mention", "behind the last sentence, left out"] += 1
                continue
            layer = mention.layer if len(drafts) > 1 else self.layers[0]
            added = [drafts[layer].add(mention.id, label, place) for label in mention.labels or ("",)]
            known[mention.id] = layer, added[0]
        if self.part != "entities":
            self._connect(document, drafts, known)
        in_order = not self.rules.by_position
        return {
            layer: draft.finished(page.texts, page.begins, (), by_extent=in_order) for layer, draft in drafts.items()
        }

    def _connect(self, document: Document, drafts: dict[str, Draft], known: dict[str, tuple[str, int]]) -> None:
        """Add the relations between mentions of one sentence and layer."""
        aliases = {one.id: one.trigger for one in document.relations if one.trigger is not None}
        seen: dict[str, set[tuple[str, int, int]]] = {layer: set() for layer in drafts}
        for label, *ends in _triples(document, self._leave_out):
            found = [known.get(aliases.get(end, end)) for end in ends]
            if found[0] is None or found[1] is None:
                self._leave_out("without a mention at both ends")
                continue
            (layer, source), (other, target) = found[0], found[1]
            places = drafts[layer].places
            if layer != other or places[source][0] != places[target][0]:
                self._leave_out("across sentences")
                continue
            relation = (label.lower() if self.rules.edition == "2019" else label, source, target)
            if relation in seen[layer] and not self.rules.corrected:
                self._leave_out("said before")
            seen[layer].add(relation)
            drafts[layer].relations.append(relation)

    def _leave_out(self, reason: str) -> None:
        self.remarks["relation", f"{reason}, left out"] += 1


def _sentences(pools: Pools, size: int) -> list[Pools]:
    """Return the annotations of each sentence of a document."""
    apart = {layer: one.apart() for layer, one in pools.items()}
    return [{layer: several[number] for layer, several in apart.items()} for number in range(size)]


def _texts(gold: Document, system: Document) -> tuple[str, str]:
    """Return both texts with a sentence in each line; equal ones are both cut as the tokens of either are."""
    tables = [one.table if one.table is not None and one.table.starts else None for one in (gold, system)]
    if gold.text == system.text:
        tables = [tables[0] or tables[1]] * 2
    gold_text, system_text = (
        one.text if table is None else _cut(one.text, [table.starts[at] for at in table.segments if at])
        for one, table in zip((gold, system), tables, strict=True)
    )
    return gold_text, system_text


def _cut(text: str, starts: Iterable[int]) -> str:
    """Return the text with a line end in place of the blank before each start."""
    characters = list(text)
    for start in starts:
        if characters[start - 1].isspace():
            characters[start - 1] = "\n"
    return "".join(characters)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").removesuffix("\n")


def _triples(document: Document, leave_out: Callable[[str], None]) -> Iterator[tuple[str, str, str]]:
    """Yield label, source and target: of events, trigger and arguments; of relations; of chains, first and others."""
    for event in document.relations:
        if event.trigger is not None:
            for end in event.arguments:
                label = "".join([one for one in end.role if not one.isdigit()]).lower()
                yield label, event.trigger, end.target
    for relation in document.relations:
        if relation.trigger is None and len(relation.arguments) == 2:
            yield relation.label, relation.arguments[0].target, relation.arguments[1].target
        elif relation.trigger is None:
            leave_out("without exactly two ends")
    for chain in document.chains:
        for target in chain.mentions[1:]:
            yield chain.label or NO_LABEL, chain.mentions[0], target


def _reach(spans: Sequence[Span]) -> Span:
    return min(start for start, _ in spans), max(end for _, end in spans)


def _by_id(mention: Mention) -> list[tuple[int, str]]:
    """Return what puts ``T2`` before ``T10``."""
    parts = _NUMBER.split(mention.id)
    return [(len(part.lstrip("0")), part.lstrip("0")) if at % 2 else (0, part) for at, part in enumerate(parts)]
