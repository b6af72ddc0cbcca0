"""From two corpora to sheets: for every document the mentions of both sides with their identifiers, layer by layer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from karat.errors import many
from karat.model import Document, Mention
from karat.pairing import check_texts
from karat.pairing import paired as all_pairs
from karat.protocols.base import Case, Prepared
from karat.protocols.linking.clusters import aligned, in_clusters, joined_clusters
from karat.protocols.linking.counting import EMERGING, IN_KB
from karat.protocols.linking.items import Linked, chosen, in_order, linked
from karat.protocols.linking.judge import Layer, Rule, Sheet
from karat.protocols.linking.options import LinkingOptions, TacOptions
from karat.protocols.spans.items import has_place
from karat.protocols.spans.pairing import candidates
from karat.vocabularies import NIL
from karat.vocabularies.identifiers import Normalizer

_SIDES = ("gold", "system")


def prepare(
    gold: Iterable[Document],
    system: Iterable[Document],
    options: Any,
    *,
    rules: Callable[[Any], Sequence[Rule]],
    slices: Sequence[str] = ("",),
    given: Callable[[Any], bool],
) -> Prepared:
    """Pair the documents by their ids, read the identifiers and choose among gold alternatives."""
    pairing = all_pairs(list(gold), list(system), options.missing)
    for left, right in pairing.pairs:
        check_texts(left, right)
    reader = _Reader(pairing.pairs, options, given(options))
    layers = [reader.layers(left, right) for left, right in pairing.pairs]
    chosen_rules = rules(options)
    if isinstance(options, TacOptions) and options.clusters == "corpus":
        layers = _with_alignments([left.id for left, _ in pairing.pairs], layers, chosen_rules)
    used = [part for part in slices if _occurs(part, layers)]
    cases = [
        Case(left.id, Sheet(left.text, of_document, chosen_rules, used, (left.source, right.source)))
        for (left, right), of_document in zip(pairing.pairs, layers, strict=True)
    ]
    return Prepared(cases, [*pairing.notes, *reader.notes()])


class _Reader:
    """Reads the mentions of documents, and notices what a user should know before believing the numbers."""

    def __init__(self, pairs: Sequence[tuple[Document, Document]], options: LinkingOptions, given: bool) -> None:
        self.read = Normalizer(options)
        self.options, self.given = options, given
        self.counted = {side: Counter[str]() for side in _SIDES}
        self.nils = dict.fromkeys(_SIDES, 0)
        mentions = [mention for both in pairs for document in both for mention in document.mentions]
        with_links = {mention.layer for mention in mentions if mention.links}
        every = {mention.layer for mention in mentions}
        self.unlinked_layers = sorted(every - with_links) if with_links else []
        self.names = sorted(with_links or every) or [""]

    def layers(self, gold: Document, system: Document) -> list[Layer]:
        """Return the mentions of a document by layer."""
        sides = [self._side(name, document) for name, document in zip(_SIDES, (gold, system), strict=True)]
        if self.options.layers == "ignore":
            sides = [{"": [one for several in side.values() for one in several]} for side in sides]
        found = []
        for name in sides[0]:
            golds, systems = (self._different(at, side[name]) for at, side in enumerate(sides))
            if any(one.alternatives for one in golds):
                golds = in_order(chosen(golds, systems, candidates(systems, golds)))
            if self.given:
                systems = self._in_gold_places(golds, systems)
            found.append(Layer(name, golds, systems))
        return found

    def _side(self, side: str, document: Document) -> dict[str, list[Linked]]:
        found: dict[str, list[Linked]] = {name: [] for name in self.names}
        any_link = side == "gold" and self.options.alternatives == "any"
        for mention in document.mentions:
            if mention.layer in found and self._counts(side, mention):
                one = linked(mention, self.read, alternatives=any_link)
                self.counted[side].update(one.target.ways)
                self.nils[side] += one.target.name == NIL
                found[mention.layer].append(one)
        return found

    def _counts(self, side: str, mention: Mention) -> bool:
        if not has_place(mention):
            self.counted[side]["nowhere"] += 1
        elif not mention.links and self.options.unlinked == "leave-out":
            self.counted[side]["unlinked"] += 1
        else:
            return True
        return False

    def _different(self, at: int, items: Sequence[Linked]) -> list[Linked]:
        different = in_order(items)
        self.counted[_SIDES[at]]["repeated"] += len(items) - len(different)
        return different

    def _in_gold_places(self, gold: Sequence[Linked], system: Sequence[Linked]) -> list[Linked]:
        places = {one.spans for one in gold}
        kept = [one for one in system if one.spans in places]
        self.counted["system"]["elsewhere"] += len(system) - len(kept)
        return kept

    def notes(self) -> Iterator[str]:
        """Yield what was left out, changed, or may surprise."""
        yield from self.read.notes
        if self.unlinked_layers:
            names = ", ".join(name or "the nameless layer" for name in self.unlinked_layers)
            yield f"left out the layers without any link: {names}"
        for side in _SIDES:
            yield from _remarks(side, self.counted[side])
            if isinstance(self.options, TacOptions) and self.nils[side] > 1:
                yield f"{self.nils[side]} mentions of the {side} are NIL without a number, which makes them one cluster"


def _remarks(side: str, counted: Counter[str]) -> Iterator[str]:
    if number := counted["nowhere"]:
        yield f"left out {many(number, 'mention')} of the {side} without a place in the text"
    if number := counted["unlinked"]:
        yield f"left out {many(number, 'mention')} of the {side} without a link"
    if number := counted["repeated"]:
        yield f"left out {many(number, 'mention')} of the {side} with the place, type and link of another one"
    if number := counted["elsewhere"]:
        yield f"left out {many(number, 'mention')} of the {side} that no gold mention has the place of"
    if number := counted["redirect"]:
        yield f"followed redirects from the links of {many(number, 'mention')} of the {side}"
    if number := counted["same as"]:
        yield f"read the links of {many(number, 'mention')} of the {side} as others that mean the same"


def _with_alignments(
    units: Sequence[str], documents: Sequence[Sequence[Layer]], rules: Sequence[Rule]
) -> list[list[Layer]]:
    """Align the clusters of the whole corpus, layer by layer, for every rule that compares clusters."""
    found = [list(layers) for layers in documents]
    for place in range(len(found[0]) if found else 0):
        of_layer = [layers[place] for layers in found]
        alignments = {}
        for rule in rules:
            if rule.pairing == "clusters":
                golds = (in_clusters(layer.gold, map(rule.key, layer.gold)) for layer in of_layer)
                systems = (in_clusters(layer.system, map(rule.key, layer.system)) for layer in of_layer)
                alignments[rule.name] = aligned(
                    joined_clusters(zip(units, golds, strict=True)), joined_clusters(zip(units, systems, strict=True))
                )
        for layers in found:
            names = {one.target.name for one in layers[place].system}
            own = {
                rule: {name: of_rule[name] for name in names & of_rule.keys()} for rule, of_rule in alignments.items()
            }
            layers[place] = msgspec.structs.replace(layers[place], alignments=own)
    return found


def _occurs(part: str, documents: Sequence[Sequence[Layer]]) -> bool:
    """Say whether any mention of the corpus belongs to a slice."""
    if not part:
        return True
    sides = (side for layers in documents for layer in layers for side in (layer.gold, layer.system))
    if part in (IN_KB, EMERGING):
        return any(one.target.is_nil == (part == EMERGING) for side in sides for one in side)
    return any(not one.target.is_nil for layers in documents for layer in layers for one in layer.gold)
