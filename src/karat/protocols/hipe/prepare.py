"""From two corpora to sheets: for every document, layer and slice, the gold and system entities to be judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from karat.model import Document
from karat.protocols.base import SYSTEM_FILE, Case, Prepared
from karat.protocols.hipe.entities import Entities
from karat.protocols.hipe.judge import Place, Sheet
from karat.protocols.hipe.options import Column, HipeOptions, Slice
from karat.protocols.hipe.tables import TableCorpus
from karat.tally import Group

Warn = Callable[[str], None]


class Pair(Protocol):
    """A gold document with the system's version of it."""

    @property
    def unit(self) -> str:
        """The id of the document."""

    @property
    def places(self) -> tuple[Place, Place]:
        """Where the gold and the system tokens stand."""

    def entities(self, column: Column, part: Slice) -> Entities:
        """Return the tokens of a slice and the entities of a column in it."""


class Corpus(Protocol):
    """All documents of an evaluation, paired, with the tags that occur in each column of either side."""

    @property
    def pairs(self) -> Sequence[Pair]:
        """The documents, paired, in gold order."""

    @property
    def columns(self) -> Sequence[Column]:
        """The columns to evaluate."""

    def tags(self, column: Column) -> tuple[set[str], set[str]]:
        """Return the tags of a column in the gold and in the system data, always in all of it."""


def prepare(
    gold: Iterable[Document], system: Iterable[Document], options: HipeOptions, *, columns: Sequence[Column]
) -> Prepared:
    """Prepare an evaluation: by raw cells where both sides are HIPE tables, by mentions everywhere else."""
    gold, system = list(gold), list(system)
    notes: list[str] = []
    corpus = _bring_together(gold, system, columns, options, notes.append)
    pairs = corpus.pairs
    begin = len(notes)
    sheets: list[dict[Group, Sheet]] = [{} for _ in pairs]
    for column in corpus.columns:
        gold_tags, system_tags = corpus.tags(column)
        tags = _evaluated_tags(column, gold_tags, system_tags, options)
        for part in options.slices:
            _note_tags(column, gold_tags, system_tags, options, notes.append)
            for index, pair in enumerate(pairs):
                sheets[index].update((sheet.group, sheet) for sheet in _sheets(pair, column, part, tags, options))
    if any(column.bounds for column in columns):
        # The scorer evaluates links once more for every cutoff, and warns each time.
        notes += notes[begin:] * (len(options.n_best) - 1)
    return Prepared([Case(pair.unit, tuple(sheets[at].values())) for at, pair in enumerate(pairs)], notes)


def _bring_together(
    gold: list[Document], system: list[Document], columns: Sequence[Column], options: HipeOptions, warn: Warn
) -> Corpus:
    if all(one.table is not None and one.table.dialect == "hipe" for one in (*gold, *system)):
        return TableCorpus(gold, system, columns, options, warn)
    from karat.protocols.hipe.mentions import MentionCorpus

    return MentionCorpus(gold, system, columns, options, warn)


def _evaluated_tags(column: Column, gold: set[str], system: set[str], options: HipeOptions) -> frozenset[str]:
    """Return the tags that count: the gold's, and for links, or by a tag set, also the system's own."""
    if column.bounds is not None:
        return frozenset(gold | system)
    return frozenset(gold | (system & set(options.tagset)))


def _note_tags(column: Column, gold: set[str], system: set[str], options: HipeOptions, warn: Warn) -> None:
    """Warn of system labels that do not count, in the words of the scorer's log."""
    if column.bounds is not None:
        return
    if not system and not options.tagset:
        warn(f"No tags in the column '['{column.name}']' of the system response file: '{SYSTEM_FILE}'")
    for tag in sorted(system - set(options.tagset or gold)):
        warn(
            f"Spurious entity label '{tag}' in column ['{column.name}'] of system response file: '{SYSTEM_FILE}'."
            f"{' ' * 17}As the tag is not part of the gold standard, it is ignored in the evaluation."
        )


def _sheets(pair: Pair, column: Column, part: Slice, tags: frozenset[str], options: HipeOptions) -> list[Sheet]:
    """Return the sheets of one document and column: one for labels, one for each cutoff of ranked links."""
    forms, gold, system = pair.entities(column, part)
    gold = [entity for entity in gold if entity.labels[0] in tags]
    sheets = []
    for layer, cutoff in column.layers(options):
        found = system
        if cutoff is not None:
            found = [entity._replace(labels=entity.labels[:cutoff]) for entity in system]
        sheets.append(
            Sheet(
                group=Group(layer, part.name),
                gold=gold,
                system=[entity for entity in found if not tags.isdisjoint(entity.labels)],
                tags=tags,
                compare_text=options.rules.compare_text,
                best_overlap=options.overlap == "best",
                charge_both=options.charge == "both",
                forms=forms,
                gold_place=pair.places[0],
                system_place=pair.places[1],
            )
        )
    return sheets
