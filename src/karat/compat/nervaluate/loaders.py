"""Loaders for the input of nervaluate: dictionaries, tags, or a text of columns. Spans become half-open."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, chain, pairwise
from operator import itemgetter, lt
from typing import Any, NamedTuple

from karat.compat.nervaluate.entities import Entity
from karat.protocols.spans.scenarios import LabelledSpan, LabelledSpans

_KEYS = ("label", "start", "end")
_UNLIKE = "Number of predicted documents does not equal true"

SpanLists = list[list[LabelledSpan]]
"""The entities of each document."""


class Component(NamedTuple):
    """Entities of both sides that overlap no others, and how often the same constellation occurs."""

    gold: LabelledSpans
    system: LabelledSpans
    times: int


class Loaded(ABC):
    """The documents that a loader has read."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def documents(self, side: int) -> SpanLists:
        """Return the entities of each document of the gold (0), or of the system (1)."""

    @abstractmethod
    def parts(self, tags: Collection[str]) -> Iterable[Component]:
        """Return all entities with these tags as components, which do not overlap each other."""

    @cached_property
    def gold(self) -> SpanLists:
        """The true entities of each document."""
        return self.documents(0)

    @cached_property
    def system(self) -> SpanLists:
        """The predicted entities of each document."""
        return self.documents(1)


class SideColumns(NamedTuple):
    """The entities of one side as columns: starts, ends, labels, and the number of entities in each document."""

    starts: list[int]
    ends: list[int]
    labels: list[str]
    sizes: list[int]

    @classmethod
    def of(cls, documents: SpanLists) -> SideColumns:
        """Return the entities of documents."""
        columns: list[list[Any]] = [list(column) for column in zip(*chain.from_iterable(documents), strict=True)]
        starts, ends, labels = columns or ([], [], [])
        return cls(starts, ends, labels, list(map(len, documents)))

    def lists(self) -> SpanLists:
        """Return the entities by document."""
        spans = list(zip(self.starts, self.ends, self.labels, strict=True))
        return [spans[first:past] for first, past in pairwise(accumulate(self.sizes, initial=0))]

    def is_plain(self) -> bool:
        """Return whether no entity is empty, and those of each document are sorted and do not overlap.

        >>> SideColumns([0, 2, 0], [2, 3, 1], ["A", "A", "A"], [2, 1]).is_plain()
        True
        >>> SideColumns([0, 1], [2, 3], ["A", "A"], [2]).is_plain()
        False
        """
        starts, ends = self.starts, self.ends
        if not all(map(lt, starts, ends)):
            return False
        inner = [bound for bound in accumulate(self.sizes[:-1]) if 0 < bound < len(starts)]
        between = sum(starts[bound] < ends[bound - 1] for bound in set(inner))
        return bool(sum(map(lt, starts[1:], ends)) == between)


class LoadedSpans(Loaded):
    """Documents that were read entity by entity.

    If no two entities of a side overlap, an entity that both sides have is right under every scenario and overlaps no
    other; an entity in a document without other entities of the other side has no partner. These need only be counted.
    """

    def __init__(self, gold: SideColumns, system: SideColumns) -> None:
        self.sides = gold, system

    def __len__(self) -> int:
        return len(self.sides[0].sizes)

    def documents(self, side: int) -> SpanLists:
        """Return the entities of each document of a side."""
        return self.sides[side].lists()

    def parts(self, tags: Collection[str]) -> Iterator[Component]:
        """Yield all entities with these tags by document; if both sides are plain, matching ones only as counts."""
        known = frozenset(tags)
        if not all(side.is_plain() for side in self.sides):
            yield from (Component(gold, system, 1) for gold, system in kept(self, known))
            return
        wrong: list[LabelledSpan] = []
        missed: list[LabelledSpan] = []
        spurious: list[LabelledSpan] = []
        for lacking, extra in self._differing():
            if not lacking:
                spurious += extra
            elif not extra:
                missed += lacking
            else:
                wrong += lacking
                gold, system = ([span for span in side if span[2] in known] for side in (lacking, extra))
                yield Component(gold, system, 1)
        right = Counter(self.sides[0].labels)
        right.subtract(_labels(chain(wrong, missed)))
        for label in known:
            alone = [(0, 1, label)]
            yield Component(alone, alone, right[label])
        yield from (Component([(0, 1, label)], [], times) for label, times in _labels(missed).items() if label in known)
        yield from (
            Component([], [(0, 1, label)], times) for label, times in _labels(spurious).items() if label in known
        )

    def _differing(self) -> Iterator[tuple[list[LabelledSpan], list[LabelledSpan]]]:
        """Yield the entities that only one side has, for documents with any; both sides must be plain."""
        for gold, system in zip(self.gold, self.system, strict=True):
            if gold != system:
                golds, systems = set(gold), set(system)
                yield sorted(golds - systems), sorted(systems - golds)


def entities_of(documents: Sequence[LabelledSpans]) -> list[list[Entity]]:
    """Return the entities of documents as nervaluate has them, with an inclusive end."""
    return [[Entity(label, start, end - 1) for start, end, label in document] for document in documents]


def _labels(spans: Iterable[LabelledSpan]) -> Counter[str]:
    return Counter(map(itemgetter(2), spans))


def kept(loaded: Loaded, known: Collection[str]) -> Iterator[tuple[LabelledSpans, LabelledSpans]]:
    """Yield the entities with known tags, for both sides of each document."""
    for pair in zip(loaded.gold, loaded.system, strict=True):
        gold, system = ([span for span in side if span[2] in known] for side in pair)
        yield gold, system


def loader_of(true: Any) -> str:
    """Return the name of the loader for an input, by its type."""
    if isinstance(true, str):
        return "conll"
    if isinstance(true, list) and true and isinstance(true[0], list):
        return "dict" if isinstance(true[0][0], dict) else "list"
    raise ValueError("Could not infer loader from input type")


def load(true: Any, pred: Any, loader: str) -> Loaded:
    """Return the entities of both sides, document by document."""
    name = loader_of(true) if loader == "default" else loader
    if name not in ("dict", "list", "conll"):
        raise ValueError(f"Unknown loader: {loader}")
    if name == "list":
        _check_lengths(true, pred)
    if name == "dict":
        return _as_many(from_dictionaries(true), from_dictionaries(pred))
    from karat.compat.nervaluate import tag_loaders

    if name == "list":
        coded, read = tag_loaders.coded(true, pred), tag_loaders.from_tags
    else:
        coded, read = tag_loaders.coded_columns(true, pred), tag_loaders.from_columns
    return coded if coded is not None else _as_many(read(true), read(pred))


def _as_many(gold: SideColumns, system: SideColumns) -> Loaded:
    if len(gold.sizes) != len(system.sizes):
        raise ValueError(_UNLIKE)
    return LoadedSpans(gold, system)


def _check_lengths(true: Any, pred: Any) -> None:
    if len(true) != len(pred):
        raise ValueError(_UNLIKE)
    for index, (gold, system) in enumerate(zip(true, pred, strict=True)):
        if len(gold) != len(system):
            raise ValueError(f"Document {index} has different lengths: true={len(gold)}, pred={len(system)}")


def from_dictionaries(documents: Any) -> SideColumns:
    """Return the entities of documents of dictionaries."""
    if not isinstance(documents, list):
        raise ValueError("DictLoader expects list input")  # noqa: TRY004 - as there
    try:
        entities = list(chain.from_iterable(documents))
        labels, starts, lasts = (list(map(itemgetter(key), entities)) for key in _KEYS)
        columns = SideColumns(starts, [last + 1 for last in lasts], labels, list(map(len, documents)))
    except (AttributeError, KeyError, TypeError):
        columns = None
    if columns is None or not _are_sound(documents, entities, columns):
        for document in documents:
            _check_dictionaries(document)
    return columns or SideColumns([], [], [], [])


def _are_sound(documents: Sequence[Any], entities: Sequence[Any], columns: SideColumns) -> bool:
    """Return whether documents are lists of dictionaries with numbers and labels."""
    if not set(map(type, documents)) <= {list} or not set(map(type, entities)) <= {dict}:
        return False
    kinds: tuple[tuple[list[Any], type], ...] = ((columns.starts, int), (columns.ends, int), (columns.labels, str))
    return all(issubclass(value_type, kind) for column, kind in kinds for value_type in set(map(type, column)))


def _check_dictionaries(document: Any) -> None:
    """Raise the error of nervaluate for a document that is not a list of entities."""
    if not isinstance(document, list):
        raise ValueError("Each document must be a list of entity dictionaries")  # noqa: TRY004 - as there
    for entity in document:
        if not isinstance(entity, dict):
            raise ValueError(f"Invalid entity type: {type(entity)}")  # noqa: TRY004 - as there
        if not all(key in entity for key in _KEYS):
            raise ValueError(f"Entity missing required keys: {set(_KEYS)}")
        if not isinstance(entity["label"], str):
            raise ValueError("Entity label must be a string")  # noqa: TRY004 - as there
        if not isinstance(entity["start"], int) or not isinstance(entity["end"], int):
            raise ValueError("Entity start and end must be integers")  # noqa: TRY004 - as there


class DataLoader(ABC):
    """Converts an input to entities by document."""

    @abstractmethod
    def load(self, data: Any) -> list[list[Entity]]:
        """Return the entities of each document."""


class ConllLoader(DataLoader):
    """Reads a text of columns."""

    def load(self, data: str) -> list[list[Entity]]:
        """Return the entities of each document.

        >>> ConllLoader().load("Ada\\tB-PER\\nB.\\tI-PER")
        [[Entity(label='PER', start=0, end=1)]]
        """
        from karat.compat.nervaluate.tag_loaders import from_columns

        return entities_of(from_columns(data).lists())


class ListLoader(DataLoader):
    """Reads lists of tags."""

    def load(self, data: list[list[str]]) -> list[list[Entity]]:
        """Return the entities of each document."""
        from karat.compat.nervaluate.tag_loaders import from_tags

        return entities_of(from_tags(data).lists())


class DictLoader(DataLoader):
    """Reads lists of dictionaries."""

    def load(self, data: list[list[dict[str, Any]]]) -> list[list[Entity]]:
        """Return the entities of each document."""
        return entities_of(from_dictionaries(data).lists())
