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

from msgspec.structs import replace

from karat.errors import many
from karat.evaluation.casebook import Casebook, RegimeCounts, by_gold_item, prf
from karat.evaluation.counting import Counting
from karat.evaluation.invented import counting_invented, with_invented
from karat.evaluation.pairing import TakeNote, check_texts, pair
from karat.evaluation.protocol import Figure, Main, Pair, Protocol, Rules, Sheet, Side
from karat.evaluation.quirks import quirks_of
from karat.measures.formulas import FMeasure, Quotient
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
            if fact.key is not None:
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


def _program_figures(
    counting: Counting, *, filled: Sequence[str], added: Mapping[str, tuple[str, float]]
) -> Iterator[Figure]:
    """Yield the figures of a program, which may add a little to what stands below the line.

    Args:
        counting: how verdicts are counted
        filled: the regimes whose precision is 0 where a system gives nothing
        added: for a regime, to which share (``precision`` or ``recall``) the program adds how much below the line

    """
    for figure in prf(counting):
        formula = figure.formula
        share, amount = added.get(figure.regime, ("", 0))
        if isinstance(formula, FMeasure) and share:
            formula = replace(formula, **{share: replace(getattr(formula, share), plus=amount)})
        elif isinstance(formula, Quotient):
            formula = replace(formula, plus=amount if figure.measure == share else 0)
            if figure.measure == "precision" and figure.regime in filled:
                formula = replace(formula, empty=0)
        yield replace(figure, formula=formula)


def _rules(regimes: Sequence[str], options: DocredOptions, figures: Callable[[Counting], Iterable[Figure]]) -> Rules:
    book = Casebook(
        **counting_invented(CASES, judge, reason=reason, is_invented=attrgetter("is_invented")),
        item=item,
        counting=partial(RegimeCounts, sided=True, optional=[regime for regime in regimes if regime != FACTS]),
        figures=prf if options.profile == "corrected" else figures,
        regimes=regimes,
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
    return _rules(OF_DOCRED, options, partial(_program_figures, filled=[EVIDENCE], added={}))


def _bind_redocred(options: RedocredOptions) -> Rules:
    added = {EVIDENCE: ("recall", 1.0)} | dict.fromkeys(TRAINING, ("precision", 1e-5))
    rules = _rules(OF_REDOCRED, options, partial(_program_figures, filled=OF_REDOCRED, added=added))
    return replace(rules, facts=partial(facts, options=options))


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
