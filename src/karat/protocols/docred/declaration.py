"""DocRED and Re-DocRED: relations between entities of a document, Ign F1 without facts of the training data, evidence.

Mirrors ``code/evaluation.py`` of thunlp/DocRED (commit 64622e6) and ``evaluation.py`` of tonytan48/Re-DocRED (commit
ccfb54f). What is right is the regime ``entity`` of the protocol ``relations``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from operator import attrgetter
from typing import Any

import msgspec

from karat.errors import many
from karat.evaluation.casebook import by_gold_item
from karat.evaluation.invented import counting_invented, with_invented
from karat.evaluation.pairing import TakeNote, check_texts, pair
from karat.evaluation.protocol import Average, Main, Pair, Protocol, Rules, Sheet, Side
from karat.evaluation.quirks import quirks_of
from karat.evaluation.regimebook import PublishedBook, RegimeBook
from karat.measures.ratios import Formula, Ratio
from karat.model import Document
from karat.protocols.docred import EVIDENCE, FACTS, OF_DOCRED, OF_REDOCRED, TRAINING
from karat.protocols.docred.facts import Directory, EvidenceSentence, RelationFact, facts_of
from karat.protocols.docred.judge import CASES, Page, item, judge, place, reason
from karat.protocols.docred.options import DocredOptions, RedocredOptions
from karat.protocols.relations.claims import Grounds, entities_of

UNKNOWN = "karat:unknown"
"""The metadata of a gold document that stands for one that the gold lacks."""
NO_SENTENCES, DROPPED = "documents without sentences", "a single fact"


def facts(document: Document, side: Side, options: DocredOptions) -> Iterator[str]:
    """Yield something for each fact of the system where the number of all of them decides."""
    if side == "system" and options.profile == "benchmark":
        yield from [FACTS] * len(document.relations)


def pairs(
    gold: Iterable[Document], system: Iterable[Document], known: Any, note: TakeNote, *, options: DocredOptions
) -> Iterator[Pair]:
    """Pair documents by title; facts of a title that the gold lacks are wrong."""
    del known
    titles: set[str] = set()

    def of_gold() -> Iterator[Document]:
        for document in gold:
            titles.add(document.id)
            yield document

    missing: Any = options.missing
    for left, right in pair(of_gold(), system, missing, surplus="empty", note=note):
        if left.id not in titles:
            left.metadata[UNKNOWN] = left.id
        yield left, right


def draft(gold: Document, system: Document, known: Any, options: DocredOptions) -> Iterator[Sheet]:
    """Yield the page of a document with the facts of both sides, and their evidence."""
    check_texts(gold, system)
    notes: list[Hashable] = []
    if options.profile == "benchmark" and known[FACTS] == 1 and system.relations:
        notes.append(DROPPED)
        system = Document(system.id, system.text, system.mentions, system.chains, source=system.source)
    grounds = Grounds(gold), Grounds(system)
    entities = entities_of(*grounds)
    directories = [
        Directory(document, meant, ground)
        for document, meant, ground in zip((gold, system), entities, grounds, strict=True)
    ]
    sides: list[list[RelationFact | EvidenceSentence]] = []
    labels: list[dict[Any, list[str]]] = [{}, {}]
    for index, (ground, meant) in enumerate(zip(grounds, entities, strict=True)):
        side = facts_of(ground, meant, directories, options, is_gold=index == 0)
        for fact in side:
            labels[index].setdefault(fact.ends, []).append(fact.label)
        is_counted = UNKNOWN not in gold.metadata or options.mends("evidence-of-unknown-titles")
        sides.append([*side, *(_sentences(side) if is_counted else ())])
    if not directories[0].has_sentences and UNKNOWN not in gold.metadata:
        notes.append(NO_SENTENCES)
    page = Page(sides[0], sides[1], labels[0], labels[1], (gold.source, system.source))
    yield Sheet(gold.id, (page,), notes)


def _sentences(facts: Iterable[RelationFact]) -> Iterator[EvidenceSentence]:
    for fact in facts:
        yield from (EvidenceSentence(fact.label, fact, sentence) for sentence in fact.evidence)
        yield from (EvidenceSentence(fact.label, fact, sentence, is_repeated=True) for sentence in fact.repeated)


def remarks(notes: Counter[Hashable], known: Any, options: DocredOptions) -> Iterator[str]:
    """Yield which numbers are not there, and why."""
    del known
    lacking = {regime: option for regime, option in TRAINING.items() if not getattr(options, option)}
    if lacking:
        flags = " and ".join(f"--{option}" for option in lacking.values())
        yield f"no {' and '.join(lacking)}: name the training data with {flags}"
    if documents := notes[NO_SENTENCES]:
        yield f"no intra and inter in {many(documents, 'document')}, of which the sentences are not known"
    if notes[DROPPED]:
        yield "the system has a single fact, which the program drops"


class DocredBook(PublishedBook):
    """A book of the programs: precision of nothing is 0, and Re-DocRED adds a little below the line.

    The precision of the ``filled`` regimes is 0 where a system gives nothing, and some counts of a regime are more than
    they are by what is ``added``.
    """

    def __init__(
        self, *, filled: Sequence[str] = (), added: Mapping[str, tuple[str, float]] | None = None, **declared: Any
    ) -> None:
        self.filled, self.added = filled, added or {}
        super().__init__(empty={}, **declared)

    def _published(self, formula: Formula, measure: str, regime: str, average: Average) -> Formula:
        del average
        added = [(self.counts.index(name), amount) for known, (name, amount) in self.added.items() if known == regime]
        fills = measure == "precision" and regime in self.filled
        return partial(_as_published, formula, added, fills) if added or fills else formula


def _as_published(formula: Formula, added: Sequence[tuple[int, float]], fills: bool, counts: Sequence[Any]) -> Ratio:
    """Return a ratio as the program divides.

    >>> _as_published(lambda counts: counts[:2], [(1, 0.5)], False, (1, 2)), _as_published(
    ...     lambda counts: counts[:2], [], True, (0, 0))
    ((1, 2.5), (0, 1))
    """
    changed = [*counts]
    for index, amount in added:
        changed[index] = changed[index] + amount
    above, below = formula(changed)
    return above, below + (below == 0) * fills


def _rules(regimes: Sequence[str], options: DocredOptions, **published: Any) -> Rules:
    kind = RegimeBook if options.profile == "corrected" else partial(DocredBook, **published)
    book = kind(
        **counting_invented(CASES, judge, item=item, reason=reason, is_invented=attrgetter("is_invented")),
        sided=True,
        regimes=regimes,
        optional=[regime for regime in regimes if regime != FACTS],
        order=place,
        together=by_gold_item,
    )
    return Rules(
        book,
        partial(draft, options=options),
        pairs=partial(pairs, options=options),
        remarks=partial(remarks, options=options),
        main=Main(regimes=book.regimes, averages=("micro",)),
    )


def _bind_docred(options: DocredOptions) -> Rules:
    return _rules(OF_DOCRED, options, filled=[EVIDENCE])


def _bind_redocred(options: RedocredOptions) -> Rules:
    added = {EVIDENCE: (f"{EVIDENCE}-gold", 1)} | {regime: (f"{regime}-system", 1e-5) for regime in TRAINING}
    rules = _rules(OF_REDOCRED, options, filled=OF_REDOCRED, added=added)
    return msgspec.structs.replace(rules, facts=partial(facts, options=options))


def _protocol(name: str, *, bind: Callable[[Any], Rules], **declared: Any) -> Protocol:
    profile = next(option for option in fields(declared["options"]) if option.name == "profile")
    return with_invented(
        Protocol(
            name=name,
            task="relations",
            unit="document",
            bind=bind,
            quirks=quirks_of("karat.protocols.docred", name, profile.metadata["choices"]),
            docs="docred",
            **declared,
        )
    )


PROTOCOLS = (
    _protocol(
        "docred",
        title="DocRED: relations between the entities of a document",
        bind=_bind_docred,
        options=DocredOptions,
        summary="Facts between the same entities, Ign F1 without facts of the training data, and evidence sentences.",
        reference="evaluation.py of thunlp/DocRED",
    ),
    _protocol(
        "redocred",
        title="Re-DocRED: relations between the entities of a document",
        bind=_bind_redocred,
        options=RedocredOptions,
        summary="As docred, with the constants of its program; also frequent relations and the others.",
        reference="evaluation.py of tonytan48/Re-DocRED",
    ),
)
