"""What nervaluate takes: documents of dictionaries, of tags, or a text of columns. Places become half-open."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import chain
from operator import itemgetter
from typing import Any

from karat.compat.nervaluate.entities import Entity
from karat.compat.nervaluate.loaded import Loaded, LoadedSpans, SideColumns, entities_of
from karat.garbage import without_collection

_KEYS = ("label", "start", "end")
_UNLIKE = "Number of predicted documents does not equal true"


def loader_of(true: Any) -> str:
    """Return which loader input is for, by its type."""
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
    with without_collection():
        if name == "dict":
            return _as_many(from_dictionaries(true), from_dictionaries(pred))
        from karat.compat.nervaluate.tag_loaders import coded_tags, from_columns, from_tags

        read, kind = (from_tags, list) if name == "list" else (from_columns, str)
        loaded = coded_tags(true, pred) if isinstance(true, kind) else None
        return loaded if loaded is not None else _as_many(read(true), read(pred))


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
    """Say whether documents are lists of dictionaries with numbers and labels."""
    if not set(map(type, documents)) <= {list} or not set(map(type, entities)) <= {dict}:
        return False
    kinds: tuple[tuple[list[Any], type], ...] = ((columns.starts, int), (columns.ends, int), (columns.labels, str))
    return all(issubclass(value_type, kind) for column, kind in kinds for value_type in set(map(type, column)))


def _check_dictionaries(document: Any) -> None:
    """Refuse what is no list of entities, with the words of the package."""
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
    """Makes entities of what is given, document by document."""

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
