"""Shares: some gold and system documents that belong together, by where they lie; read and judged wherever a worker is.

A worker is sent paths and ranges of bytes, never documents, and returns a part of the run. Where a file is odd, so that
what is read apart is not what is read in order, it says so, and everything is read in order.
Which documents meet, and so what a share is, is known from where they lie, before any of them is read.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from karat.errors import InputError
from karat.evaluation.corpora import Corpus, Recipe
from karat.evaluation.evaluation import Evaluation
from karat.evaluation.notices import Noted
from karat.evaluation.pairing import TakeNote
from karat.evaluation.part import Part, PartNumber, PartPairs
from karat.evaluation.protocol import Bound, Facts, Pair, Side
from karat.evaluation.running import WHOLE, scored
from karat.formats.base import Index, Place, Problems
from karat.io.excerpts import Excerpt
from karat.model import Document


class MiscutError(Exception):
    """Documents that were read apart are not those that were expected."""


class Extract(NamedTuple):
    """Some documents of a side, in the order of its file or folder."""

    places: Sequence[Place]
    head: int = 0

    def excerpt(self, path: str) -> Excerpt:
        """Return what is read of the path to read these documents."""
        if self.places and self.places[0].file:
            return Excerpt(path, names=[place.file for place in self.places])
        head = [(0, self.head)] if self.head else []
        return Excerpt(path, ranges=[*head, *((place.start, place.end) for place in self.places)])


NOBODY = -1


class Share(NamedTuple):
    """What a worker judges: documents of both sides, and the numbers of their pairs.

    ``partners`` says which document of one extract belongs to which of the other, if to any; without it they meet in
    their order. A share without pairs is only read, because whatever is read counts.
    """

    gold: Extract
    system: Extract
    pairs: Sequence[int] = ()
    partners: Sequence[tuple[int, int]] | None = None


class Job(NamedTuple):
    """What all shares of an evaluation have in common."""

    bound: Bound
    sides: tuple[Recipe, Recipe]
    names: tuple[str, str]
    folder: str
    facts: Facts | None = None
    identify: bool = True

    def place(self, side: int) -> str:
        """Return where a side is, for a worker who may be in another folder."""
        return str(Path(self.folder, self.sides[side].path))

    def packed(self) -> bytes:
        """Return the job as it travels: a protocol that can be found by its name travels by it."""
        return pickle.dumps(self)


class _Work:
    """A job where it is done: what is known is settled once for all of its shares."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.bound = job.bound

    @cached_property
    def known(self) -> Any:
        """What is known of all documents."""
        return self.bound.settle(self.job.facts or Counter())

    @cached_property
    def settled(self) -> Bound:
        """The protocol, which need not settle again what is known."""
        known = self.known
        return self.bound.with_rules(settle=lambda facts: known)

    def corpus(self, side: int, extract: Extract, *, for_facts: bool = False) -> Corpus:
        """Return some documents of a side, which are checked to be those that are expected."""
        recipe = self.job.sides[side].for_facts if for_facts else self.job.sides[side]

        def documents(problems: Problems) -> Iterator[Document]:
            if not extract.places:
                return iter(())
            return _expected(recipe.documents(problems, extract.excerpt(self.job.place(side))), extract.places)

        return recipe.corpus(self.job.names[side], documents, "nothing")


@lru_cache(maxsize=4)
def _work(job: bytes) -> _Work:
    return _Work(pickle.loads(job))  # noqa: S301 - it comes from whoever has started us


def _expected(documents: Iterable[Document], places: Sequence[Place]) -> Iterator[Document]:
    """Yield the documents that lie in these places; numbered ones get their number in the whole file."""
    document_number = 0
    for document_number, document in enumerate(documents, 1):
        place = places[document_number - 1] if document_number <= len(places) else None
        if place is None or document.id != (str(document_number) if place.numbered else place.id):
            raise MiscutError
        if place.numbered:
            document.id = place.id
        yield document
    if document_number != len(places):
        raise MiscutError


def locate(recipe: Recipe) -> Index | None:
    """Say where the documents of a side lie, if they do so apart, to a worker who must see its file or folder."""
    if not Path(recipe.path).exists():
        raise InputError("is not there for the workers, who must see files under the same paths", path=recipe.path)
    return recipe.places()


def gather(job: bytes, side: Side, extract: Extract) -> Facts:
    """Return the facts of some documents of a side."""
    work = _work(job)
    facts: Facts = Counter()
    for document in work.corpus(0 if side == "gold" else 1, extract, for_facts=True):
        facts.update(work.bound.facts(document, side))
    return facts


def judge(job: bytes, share: Share) -> Part:
    """Return what a share is worth: a part of the run, of which only those know who have cut it that it is none."""
    work = _work(job)
    gold, system = work.corpus(0, share.gold), work.corpus(1, share.system)
    for side in (gold, system):
        side.identifies = work.job.identify

    def pairs(golds: Iterable[Document], systems: Iterable[Document], *rest: Any) -> Iterator[Pair]:
        if not share.pairs:
            _read_through(golds, systems)
            return iter(())
        if share.partners is None:
            return work.bound.pairs(golds, systems, *rest)
        return _brought_together(golds, systems, share.partners)

    evaluation = Evaluation(work.settled, gold, system, facts=Counter(), pairs=pairs)
    part = scored(evaluation, WHOLE, {}, digests=("", ""))
    if len(part.origins.pairs) != len(share.pairs):
        raise MiscutError
    numbered = [Noted(noted.note, noted.times, share.pairs[noted.pair]) for noted in part.noted]
    origins = PartPairs(0, share.pairs, part.origins.sizes)
    return msgspec.structs.replace(part, origins=origins, noted=numbered, said=(), facts={})


def _read_through(*sides: Iterable[Document]) -> None:
    for side in sides:
        for _ in side:
            pass


def _brought_together(
    golds: Iterable[Document], systems: Iterable[Document], partners: Sequence[tuple[int, int]]
) -> Iterator[Pair]:
    """Yield the pairs; what one side lacks is an empty document there, as in :mod:`karat.evaluation.pairing`."""
    waiting_golds, waiting_systems = _ByNumber(golds), _ByNumber(systems)
    for left, right in partners:
        if left == NOBODY:
            system = waiting_systems.take(right)
            yield Document(system.id, text=system.text), system
        else:
            gold = waiting_golds.take(left)
            yield gold, Document(gold.id, text=gold.text) if right == NOBODY else waiting_systems.take(right)
    _read_through(waiting_golds.coming, waiting_systems.coming)


class _ByNumber:
    """The documents of an extract, to be asked for by their numbers; those that were read on the way wait until then.

    So a share whose sides have the same order holds no more than a pair, and what comes next takes the same memory.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self.coming = (document for document in documents)
        self._numbers = count()
        self._read: dict[int, Document] = {}

    def take(self, number: int) -> Document:
        """Return the document of that number, which only one asks for."""
        while number not in self._read:
            self._read[next(self._numbers)] = next(self.coming)
        return self._read.pop(number)


_NUMBER = "number"
_FILE = 4096
"""What a file of a folder costs beside its bytes."""

Numbers = tuple[int, int]
"""The numbers of a gold and a system document, from 0, or nobody."""


class PairPlan(NamedTuple):
    """Which documents meet, by their numbers, in the order of the pairs; and those that meet nobody."""

    indexes: tuple[Index, Index]
    pairs: Sequence[Numbers]
    alone: Sequence[Numbers]
    in_order: bool

    def shares(self, size: int, part: PartNumber | None = None) -> Iterator[Share]:
        """Yield shares of about so many bytes, of all pairs or those of a part.

        Documents without a partner are only read, by the first part. Where there is nothing, there is an empty share.
        """
        chosen = range(len(self.pairs)) if part is None else range(part.number - 1, len(self.pairs), part.of)
        alone = range(len(self.alone) if part is None or part.number == 1 else 0)
        for pair_numbers in self._chunks(chosen, self.pairs, size):
            yield self._share([self.pairs[pair] for pair in pair_numbers], pair_numbers)
        for pair_numbers in self._chunks(alone, self.alone, size):
            yield self._share([self.alone[pair] for pair in pair_numbers], ())
        if not chosen and not alone:
            yield self._share((), ())

    def _chunks(self, pair_numbers: Sequence[int], pairs: Sequence[Numbers], size: int) -> Iterator[list[int]]:
        chunk: list[int] = []
        total = 0
        for pair in pair_numbers:
            chunk.append(pair)
            total += sum(_size(index, own) for index, own in zip(self.indexes, pairs[pair], strict=True))
            if total >= size:
                yield chunk
                chunk, total = [], 0
        if chunk:
            yield chunk

    def _share(self, pairs: Sequence[Numbers], pair_numbers: Sequence[int]) -> Share:
        extracts, ranks = [], []
        for side, index in enumerate(self.indexes):
            own = sorted(pair[side] for pair in pairs if pair[side] != NOBODY)
            extracts.append(Extract([index.places[document] for document in own], index.head))
            ranks.append({document: rank for rank, document in enumerate(own)} | {NOBODY: NOBODY})
        partners = None if self.in_order else [(ranks[0][left], ranks[1][right]) for left, right in pairs]
        return Share(extracts[0], extracts[1], pair_numbers, partners)


def extracts_of(index: Index, size: int) -> Iterator[Extract]:
    """Yield the documents of a side in their order, about so many bytes at a time."""
    whole = PairPlan(
        (index, Index([])), [(document, NOBODY) for document in range(len(index.places))], (), in_order=False
    )
    return (share.gold for share in whole.shares(size))


def plan_of(
    bound: Bound, known: Any, indexes: tuple[Index, Index], paths: Sequence[str], note: TakeNote
) -> PairPlan | None:
    """Return which documents meet, as the protocol has it; nothing if it must look at all of them.

    What is said about those that one side lacks is noted, or raised, as it is where all are read.
    """
    meeting = bound.meeting(known)
    if meeting == "together" or bound.whole(known):
        return None
    golds, systems = (index.places for index in indexes)
    if meeting == "in order":
        document_numbers = range(len(golds))
        same = [(document, document) for document in document_numbers]
        return PairPlan(indexes, same, (), in_order=True) if len(golds) == len(systems) else None
    stub_pairs = bound.pairs(_stubs(golds, paths[0]), _stubs(systems, paths[1]), known, note)
    pairs = [(_number(gold), _number(system)) for gold, system in stub_pairs]
    alone: list[Numbers] = []
    for side, places in enumerate((golds, systems)):
        paired = {pair[side] for pair in pairs}
        left = (document for document in range(len(places)) if document not in paired)
        alone += [(NOBODY, document) if side else (document, NOBODY) for document in left]
    return PairPlan(indexes, pairs, alone, in_order=False)


def _stubs(places: Sequence[Place], path: str) -> Iterator[Document]:
    """Yield documents of which only the id is known, and their number."""
    for document, place in enumerate(places):
        source = f"{path}/{place.file}" if place.file else path
        yield Document(place.id, metadata={_NUMBER: str(document)}, source=source)


def _number(document: Document) -> int:
    return int(document.metadata.get(_NUMBER, NOBODY))


def _size(index: Index, document: int) -> int:
    if document == NOBODY:
        return 0
    place = index.places[document]
    return place.end - place.start + (_FILE if place.file else 0)
