"""Gold documents made of judgements: the items that judges called right or found themselves."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from karat.annotations.faults import surface
from karat.errors import InputError
from karat.judge.items import ItemPart, JudgeItem, fact_item, place_of
from karat.judge.judgements import Judgements
from karat.judge.scheme import Question
from karat.model import Argument, Chain, Document, Link, Mention, Relation
from karat.signature import JUDGEMENTS


def gold_of(judgements: Judgements, unlabelled: str = "") -> list[Document]:
    """Return the documents of a project with all items that are known to be right.

    ``unlabelled`` is the label for mentions that the systems do not label, or label differently. The metadata of each
    document has the digest of the judgements, and whether a judge searched it for missed items.
    """
    question = judgements.scheme.deciding
    if question is None:
        raise InputError("no question of the scheme has right answers, so the right items are unknown")
    stamp = digest_of(judgements)
    documents = {}
    for page in judgements.pool.pages:
        searched = "yes" if page.id in judgements.finished else "no"
        metadata = {JUDGEMENTS: stamp, "searched": searched}
        documents[page.id] = _Gold(Document(id=page.id, text=page.text, metadata=metadata))
    seen: set[str] = set()
    for item in sorted(
        _right(judgements, question), key=lambda item: ([part.spans for part in item.parts], repr(item))
    ):
        key = item.key(judgements.pool.head.sameness)
        if key not in seen:
            seen.add(key)
            documents[item.document].add(item)
    return [gold.finished(unlabelled) for gold in documents.values()]


def _right(judgements: Judgements, question: Question) -> Iterator[JudgeItem]:
    """Yield the right items; for controls this is known and does not depend on the judges."""
    for entry in judgements.pool.entries:
        if judgements.is_right(entry, question) or entry.control == "right":
            yield entry.item
    for line in judgements.facts:
        yield fact_item(judgements.pool.head.kind, line.target, line.text)


def undecided(judgements: Judgements) -> int:
    """Return how many items are unjudged or tied between right and wrong; the gold does not have them."""
    question = judgements.scheme.deciding
    entries = [entry for entry in judgements.pool.entries if not entry.control]
    return sum(1 for entry in entries if question is None or judgements.rightness(entry, question) in (None, 0.5))


def digest_of(judgements: Judgements) -> str:
    """Return a 12-digit digest of all answers that count, independent of judges and order."""
    answers = sorted(
        (target, question, sorted(-1.0 if rating.value is None else rating.value for rating in ratings))
        for (target, question), ratings in judgements.ratings.items()
    )
    decided = sorted(judgements.decisions.items())
    facts = sorted((line.target, line.text) for line in judgements.facts)
    return hashlib.sha256(repr((answers, decided, facts)).encode()).hexdigest()[:12]


class _Gold:
    """A gold document to which right items are added.

    Judges are not asked for the label and the layer of a mention: it gets those on which all systems agree.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.names: dict[tuple[object, str, str], str] = {}
        self.parts: dict[str, ItemPart] = {}
        self.called: dict[str, set[str]] = {}
        self.layers: dict[str, set[str]] = {}

    def finished(self, unlabelled: str) -> Document:
        """Return the document with all its mentions."""
        for (_, label, target), name in self.names.items():
            part, called = self.parts[name], self.called[name]
            only = label or (next(iter(called)) if len(called) == 1 else unlabelled)
            labels = (only,) if only else ()
            links = (Link(target),) if target else ()
            words = surface(self.document.text, part.spans) or part.surface
            layers = self.layers[name]
            layer = next(iter(layers)) if len(layers) == 1 else ""
            mention = Mention(name, part.spans, labels, words, layer=layer, links=links)
            self.document.mentions.append(mention)
        return self.document

    def add(self, item: JudgeItem) -> None:
        match item.kind:
            case "mention":
                self._mention(item.parts[0], label=item.label)
            case "link":
                self._mention(item.parts[0], target=item.label)
            case "chain":
                names = tuple(self._mention(part) for part in item.parts)
                self.document.chains.append(Chain(f"c{len(self.document.chains) + 1}", names, item.label))
            case "relation" | "event":
                self._relation(item)

    def _relation(self, item: JudgeItem) -> None:
        ends = [(part.role, self._mention(part)) for part in item.parts]
        trigger = ends.pop(0)[1] if item.kind == "event" else None
        arguments = tuple(Argument(role, target) for role, target in ends)
        name = f"r{len(self.document.relations) + 1}"
        self.document.relations.append(Relation(name, item.label, arguments, trigger))

    def _mention(self, part: ItemPart, label: str = "", target: str = "") -> str:
        """Return the id of the mention for a part, which is added once; unknown spans are searched in the text."""
        spans = part.spans or place_of(self.document.text, part.surface)
        name = self.names.setdefault((spans or part.surface, label, target), f"m{len(self.names) + 1}")
        self.parts.setdefault(name, ItemPart("", part.surface, spans))
        self.called.setdefault(name, set()).update(part.labels)
        self.layers.setdefault(name, set()).update(part.layers)
        return name
