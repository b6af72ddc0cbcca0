"""From documents of any format to pairs of sentences: mentions are entities, relations and chains are relations."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from karat.errors import many
from karat.evaluation.protocol import Facts, Lack, Sheet, Side, judged_layers
from karat.evaluation.tally import Group
from karat.model import Document, Mention, Span
from karat.protocols.ehealthkd.annotations import Annotations, Builder
from karat.protocols.ehealthkd.judge import SentencePage, SentencePair, Subtasks
from karat.protocols.ehealthkd.options import EhealthOptions
from karat.protocols.ehealthkd.rules import Rules
from karat.protocols.ehealthkd.sentences import Alignment, EntityPlace, Sentences, align, scored_pairs

NO_LABEL = "Equiv"
"""The label of chains that have none, as BRAT writes it."""

_NUMBER = re.compile(r"([0-9]+)")
_EMPTY = Annotations([""], [0])

AnnotationsByLayer = dict[str, Annotations]
"""The annotations of a document, or of a sentence, by layer."""


class Remark(NamedTuple):
    """Something that happened to things of one kind, which are counted."""

    noun: str
    rest: str


class EhealthKnown(NamedTuple):
    """What is known of both sides before any pair is drafted: layers, sides that lack what is judged or have chains."""

    layers: Sequence[str]
    lacking: Sequence[tuple[Side, str]]
    chained: Sequence[Side]


def facts(document: Document, side: Side) -> Iterator[Hashable]:
    """Yield the layers of a document, and whether it has entities, relations and chains."""
    for layer in {mention.layer for mention in document.mentions}:
        yield side, "layer", layer
    if document.mentions:
        yield side, "entities"
    if document.relations or document.chains:
        yield side, "relations"
    if document.chains:
        yield side, "chains"


def settle(counted: Facts) -> EhealthKnown:
    """Return the layers that are judged apart, those of the data if both sides name some, else the nameless one."""
    sides: tuple[Side, Side] = ("gold", "system")
    layers = judged_layers(Counter(fact[::2] for fact in counted if fact[1] == "layer"))  # type: ignore[index]
    kinds = ("entities", "relations")
    lacking = [(side, kind) for side in sides for kind in kinds if (side, kind) not in counted]
    return EhealthKnown(layers, lacking, [side for side in sides if (side, "chains") in counted])


def remarks(noted: Counter[Hashable], known: EhealthKnown, *, part: Subtasks) -> Iterator[str]:
    """Yield in words what was left out, where texts do not agree, and which side has nothing to say."""
    yield from (f"{many(count, note.noun)} {note.rest}" for note, count in noted.items() if isinstance(note, Remark))
    yield from (note for note in noted if isinstance(note, str))
    judged = "relations" if part == "relations" else "entities"
    yield from (Lack(side, kind) for side, kind in known.lacking if kind == judged)
    if len(known.chained) == 1 and part != "entities":
        yield f"only the {known.chained[0]} has chains, which count as relations"


def draft(
    gold: Document, system: Document, known: EhealthKnown, options: EhealthOptions, *, part: Subtasks
) -> Iterator[Sheet]:
    """Pair the sentences of two documents by their texts; a sentence that is scored is a unit.

    A document in which nothing is scored is one unit too, an empty one, so that it is not lost.
    """
    desk = _Desk((gold, system), options.rules, part, known.layers)
    units = list(desk.units()) or [(f"{gold.id}:0", desk.pages({}, {}))]
    for index, (name, pages) in enumerate(units):
        yield Sheet(name, pages, desk.notes if index == 0 else ())


class _Desk:
    """Cuts two documents into sentences and brings these together."""

    def __init__(self, sides: tuple[Document, Document], rules: Rules, part: Subtasks, layers: Sequence[str]) -> None:
        self.sides, self.rules, self.part, self.layers = sides, rules, part, layers
        self.notes: list[Hashable] = []

    def units(self) -> Iterator[tuple[str, tuple[SentencePage, ...]]]:
        """Yield the sentences that are scored, each with its name."""
        name, rules = self.sides[0].id, self.rules
        texts = [Sentences(text, rules) for text in _texts(*self.sides)]
        if not rules.mends("stripped-text-offsets") and any(
            "\n".join(sentences.texts) != sentences.text.replace("\r\n", "\n").removesuffix("\n") for sentences in texts
        ):
            self._remark("document", "with blank lines, or blanks around lines, which shift offsets as published")
        aligned = align(texts[0].texts, texts[1].texts, rules)
        golds, systems = (
            _sentences(self._layers(document, sentences, home), len(sentences.texts))
            for document, sentences, home in zip(self.sides, texts, self._homes(texts[0], aligned), strict=True)
        )
        if aligned.remarks:
            alone = f"{many(len(aligned.remarks), 'sentence')} without a partner, first: {aligned.remarks[0]}"
            self.notes.append(f"document {name!r} has {alone}")
        annotated = {number for number, layers in enumerate(golds) if any(side.ids for side in layers.values())}
        for gold_number, system_number in scored_pairs(aligned, len(golds), annotated, rules):
            system = {} if system_number is None else systems[system_number]
            if gold_number is not None:
                yield f"{name}:{gold_number + 1}", self.pages(golds[gold_number], system)
            elif system_number is not None:
                yield f"{name}:s{system_number + 1}", self.pages({}, system)
        if not rules.documented:
            for _ in set(range(len(golds))) - aligned.dropped - annotated:
                self._remark("gold sentence", "without annotation, not scored")

    def pages(self, gold: AnnotationsByLayer, system: AnnotationsByLayer) -> tuple[SentencePage, ...]:
        """Return a page for each layer of a pair of sentences, of which one may be missing."""
        return tuple(
            SentencePage(
                Group(layer), SentencePair((gold.get(layer, _EMPTY), system.get(layer, _EMPTY)), self.rules), self.part
            )
            for layer in self.layers
        )

    def _homes(self, sentences: Sentences, aligned: Alignment) -> tuple[int, int] | tuple[None, None]:
        """Return the sentence of each side that gets what none has: the first that is scored, if there is one."""
        gold, system = self.sides
        if all(mention.spans for mention in [*gold.mentions, *system.mentions]):
            return None, None
        annotated = {bisect_right(sentences.ends, mention.start) for mention in gold.mentions if mention.spans}
        pairs = [(partner, index) for index, partner in enumerate(aligned.partners) if partner is not None]
        return min(pairs, key=lambda pair: (pair[0] not in annotated, pair), default=(None, None))

    def _layers(self, document: Document, sentences: Sentences, home: int | None) -> AnnotationsByLayer:
        """Return the annotations of a document by layer.

        As published, mentions are taken in the order in which they are listed, which is that of the file; corrected, in
        that of their ids, so that it makes no difference. One that the text does not have is at ``home``, but shares
        nothing there with any other.
        """
        builders = {layer: Builder() for layer in self.layers}
        known: dict[str, tuple[str, int]] = {}
        in_turn = sorted(document.mentions, key=_by_id) if self.rules.mends("file-order") else document.mentions
        for mention in in_turn:
            place: EntityPlace | None = None
            if mention.spans:
                place = sentences.place([_reach(mention.spans)] if self.rules.documented else mention.spans)
            elif home is not None:
                place = (home,)
            if place is None:
                self._remark("mention", "behind the last sentence, left out")
                continue
            layer = mention.layer if len(builders) > 1 else self.layers[0]
            added = [builders[layer].add(mention.id, label, place) for label in mention.labels or ("",)]
            known[mention.id] = layer, added[0]
            if not mention.spans:
                self._remark("mention", "that the text does not have, and that pair with nothing")
                builders[layer].invented |= dict.fromkeys(added, mention.text)
        if self.part != "entities":
            self._connect(document, builders, known)
        in_order = not self.rules.by_position
        return {
            layer: builder.finished(sentences, document.source, by_extent=in_order)
            for layer, builder in builders.items()
        }

    def _connect(self, document: Document, builders: dict[str, Builder], known: dict[str, tuple[str, int]]) -> None:
        """Add the relations between mentions of one sentence and layer; an event stands for its trigger."""
        for event in document.relations:
            if event.trigger in known:
                known[event.id] = known[event.trigger]
        seen: dict[str, set[tuple[str, int, int]]] = {layer: set() for layer in builders}
        for label, *ends in _triples(document, self._leave_out):
            first, second = map(known.get, ends)
            if first is None or second is None:
                self._leave_out("without a mention at both ends")
                continue
            (layer, source), (target_layer, target) = first, second
            places = builders[layer].places
            if layer != target_layer or places[source][0] != places[target][0]:
                self._leave_out("across sentences")
                continue
            relation = (label.lower() if self.rules.edition == "2019" else label, source, target)
            if relation in seen[layer] and not self.rules.mends("repeated-relations-removed"):
                self._leave_out("said before")
            seen[layer].add(relation)
            builders[layer].relations.append(relation)

    def _leave_out(self, reason: str) -> None:
        self._remark("relation", f"{reason}, left out")

    def _remark(self, noun: str, rest: str) -> None:
        self.notes.append(Remark(noun, rest))


def _sentences(layers: AnnotationsByLayer, size: int) -> list[AnnotationsByLayer]:
    """Return the annotations of each sentence of a document."""
    apart = {layer: annotations.apart() for layer, annotations in layers.items()}
    return [{layer: sentences[index] for layer, sentences in apart.items()} for index in range(size)]


def _texts(gold: Document, system: Document) -> tuple[str, str]:
    """Return both texts with a sentence in each line; equal ones are both cut as the tokens of either are."""
    tables = [side.table if side.table is not None and side.table.starts else None for side in (gold, system)]
    if gold.text == system.text:
        tables = [tables[0] or tables[1]] * 2
    gold_text, system_text = (
        side.text
        if table is None
        else _cut(side.text, [table.starts[token] for token in table.segments if 0 < token < len(table.starts)])
        for side, table in zip((gold, system), tables, strict=True)
    )
    return gold_text, system_text


def _cut(text: str, starts: Iterable[int]) -> str:
    """Return the text with a line end in place of the blank before each start."""
    characters = list(text)
    for start in starts:
        if characters[start - 1].isspace():
            characters[start - 1] = "\n"
    return "".join(characters)


def _triples(document: Document, leave_out: Callable[[str], None]) -> Iterator[tuple[str, str, str]]:
    """Yield label, source and target: of events, trigger and arguments; of relations; of chains, first and others."""
    for event in document.relations:
        if event.trigger is not None:
            for argument in event.arguments:
                label = "".join([character for character in argument.role if not character.isdigit()]).lower()
                yield label, event.trigger, argument.target
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
    return [(len(part.lstrip("0")), part.lstrip("0")) if index % 2 else (0, part) for index, part in enumerate(parts)]
