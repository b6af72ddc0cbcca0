"""The entities and relations of a text or of one of its sentences, column by column."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import islice, pairwise
from operator import le
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from karat.protocols.ehealthkd.sentences import EntityPlace, Sentences, fragments_of, has_fragments

if TYPE_CHECKING:
    from karat.evaluation.ledger import Spans

T = TypeVar("T")

RelationRow = tuple[str, int, int]
"""The label of a relation and the indices of the entities that it connects."""


class Annotations(NamedTuple):
    """Entities and relations, both in the order of their sentences, with the texts and offsets of these.

    Entities are columns: the id, the label and the place of each. The programs know an entity by its number. ``first``
    holds for each entity the index of the first one with its id in its sentence, which is the one that relations mean;
    ``None`` says that no id is repeated.
    ``attributes`` are of those entities only that have some, and ``invented`` are the words of those that the text does
    not have. ``source`` is the file, and ``text`` the whole text.
    """

    texts: Sequence[str]
    begins: Sequence[int]
    ids: Sequence[int | str] = ()
    labels: Sequence[str] = ()
    places: Sequence[EntityPlace] = ()
    relations: Sequence[RelationRow] = ()
    first: Sequence[int] | None = None
    attributes: Mapping[int, tuple[str, ...]] = {}
    invented: Mapping[int, str] = {}
    warnings: Sequence[str] = ()
    source: str = ""
    text: str = ""

    def ends(self, entities: Sequence[int]) -> tuple[Spans, ...]:
        """Return where entities of the first sentence are in the text, if its offsets count the text as it is."""
        begin, sentence = self.begins[0], self.texts[0]
        if not sentence or not self.text.startswith(sentence, begin):
            return ()
        places = [fragments_of(self.places[entity]) for entity in entities if entity not in self.invented]
        return tuple(tuple((begin + start, begin + end) for start, end in fragments) for fragments in places)

    def words(self, entity: int) -> str:
        """Return the text of an entity, fragments joined by a blank."""
        if entity in self.invented:
            return self.invented[entity]
        place = self.places[entity]
        text = self.texts[place[0]]
        return " ".join([text[start:end] for start, end in fragments_of(place)])

    def sentence(self, relation: RelationRow) -> int:
        """Return the number of the sentence that a relation is in."""
        return self.places[relation[1]][0]

    def apart(self) -> list[Annotations]:
        """Return the annotations of each sentence by itself.

        >>> both = Annotations(["a", "b"], [0, 2], [1, 2], ["C", "D"], [(0, 0, 1), (1, 0, 1)], [("is", 1, 1)])
        >>> first, second = both.apart()
        >>> first.labels, second.labels, second.relations
        (['C'], ['D'], [('is', 0, 0)])
        """
        size = len(self.texts)
        entities = pairwise(_edges([place[0] for place in self.places], size))
        relations = pairwise(_edges([self.sentence(relation) for relation in self.relations], size))
        return [
            self._part(sentence, slice(*of_entities), slice(*of_relations))
            for sentence, (of_entities, of_relations) in enumerate(zip(entities, relations, strict=True))
        ]

    def _part(self, sentence: int, entities: slice, relations: slice) -> Annotations:
        """Return one sentence, given where its entities and relations stand; it counts entities from 0."""
        offset = entities.start
        return Annotations(
            texts=[self.texts[sentence]],
            begins=[self.begins[sentence]],
            ids=self.ids[entities],
            labels=self.labels[entities],
            places=[(0, *place[1:]) for place in self.places[entities]],
            relations=[
                (label, source - offset, target - offset) for label, source, target in self.relations[relations]
            ],
            first=None if self.first is None else [index - offset for index in self.first[entities]],
            attributes=_within(self.attributes, entities),
            invented=_within(self.invented, entities),
            source=self.source,
            text=self.text,
        )


class Builder:
    """Builds annotations while they are read: entities in the order of reading, relations between these."""

    def __init__(self) -> None:
        self.ids: list[int | str] = []
        self.labels: list[str] = []
        self.places: list[EntityPlace] = []
        self.relations: list[RelationRow] = []
        self.attributes: dict[int, tuple[str, ...]] = {}
        self.invented: dict[int, str] = {}
        self.distinct = False
        """Whether it is known that no id is repeated."""

    def add(self, name: int | str, label: str, place: EntityPlace) -> int:
        """Add an entity and return its index."""
        self.ids.append(name)
        self.labels.append(label)
        self.places.append(place)
        return len(self.ids) - 1

    def finished(
        self, sentences: Sentences, file: str, warnings: Sequence[str] = (), *, by_extent: bool = True
    ) -> Annotations:
        """Return the annotations with entities in order: by sentence, and in it by their extents or as read."""
        self._sort(sentences.begins, by_extent)
        first = None if self.distinct or len(set(self.ids)) == len(self.ids) else self._first()
        if first is not None:
            self.relations = [(label, first[source], first[target]) for label, source, target in self.relations]
        places = self.places
        sentence_numbers = [places[source][0] for _, source, _ in self.relations]
        if not _ascending(sentence_numbers):
            order = sorted(range(len(sentence_numbers)), key=sentence_numbers.__getitem__)
            self.relations = [self.relations[index] for index in order]
        return Annotations(
            texts=sentences.texts,
            begins=sentences.begins,
            ids=self.ids,
            labels=self.labels,
            places=self.places,
            relations=self.relations,
            first=first,
            attributes=self.attributes,
            invented=self.invented,
            warnings=warnings,
            source=file,
            text=sentences.text,
        )

    def _sort(self, begins: Sequence[int], by_extent: bool) -> None:
        keys: Sequence[Any] = self.places if by_extent else [place[0] for place in self.places]
        if by_extent and self.invented:
            keys = [(place[0], not has_fragments(place), place) for place in self.places]
        if _ascending(keys):
            return
        order = list(range(len(keys)))
        if (
            by_extent and not self.invented
        ):  # numbers are sorted much faster than places, which then are nearly in order
            order.sort(key=[begins[place[0]] + place[1] for place in self.places].__getitem__)
        order.sort(key=keys.__getitem__)
        rank = [0] * len(order)
        for position, index in enumerate(order):
            rank[index] = position
        self.ids = [self.ids[index] for index in order]
        self.labels = [self.labels[index] for index in order]
        self.places = [self.places[index] for index in order]
        self.relations = [(label, rank[source], rank[target]) for label, source, target in self.relations]
        self.attributes = {rank[index]: names for index, names in self.attributes.items()}
        self.invented = {rank[index]: words for index, words in self.invented.items()}

    def _first(self) -> list[int]:
        seen: dict[tuple[int, int | str], int] = {}
        keys = [(place[0], name) for place, name in zip(self.places, self.ids, strict=True)]
        return [seen.setdefault(key, index) for index, key in enumerate(keys)]


def _ascending(keys: Sequence[Any]) -> bool:
    return all(map(le, keys, islice(keys, 1, None)))


def _within(by_entity: Mapping[int, T], entities: slice) -> dict[int, T]:
    """Return what some of the entities have, which are counted from 0."""
    start, stop = entities.start, entities.stop
    return {index - start: member for index, member in by_entity.items() if start <= index < stop}


def _edges(ascending: Sequence[int], size: int) -> list[int]:
    """Return where each number of a range begins in an ascending list, and where the last one ends."""
    return [bisect_left(ascending, number) for number in range(size + 1)]
