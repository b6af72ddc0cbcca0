"""What nervaluate takes: documents of dictionaries, of tags, or a text of columns. Places become half-open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any

from karat.annotations.tag_chunks import OUTSIDE
from karat.errors import InputError
from karat.formats.objects import without_collection
from karat.protocols.spans.readings import nervaluate
from karat.protocols.spans.scenarios import Span

Spans = list[list[Span]]
_KEYS = ("label", "start", "end")


def loader_of(true: Any) -> str:
    """Return which loader input is for, by its type."""
    if isinstance(true, str):
        return "conll"
    if isinstance(true, list) and true and isinstance(true[0], list):
        return "dict" if isinstance(true[0][0], dict) else "list"
    raise ValueError("Could not infer loader from input type")


def load(true: Any, pred: Any, loader: str) -> tuple[Spans, Spans]:
    """Return the spans of both sides, document by document."""
    name = loader_of(true) if loader == "default" else loader
    if name not in _LOADERS:
        raise ValueError(f"Unknown loader: {loader}")
    kind, read = _LOADERS[name]
    if not isinstance(true, kind) or not isinstance(pred, kind):
        raise ValueError(f"the loader {name} takes {kind.__name__} on both sides")  # noqa: TRY004 - as there
    if name == "list":
        _check_lengths(true, pred)
    with without_collection():
        gold = read(true)
        sides = gold, _unless_known(true, gold, pred) if name == "list" else read(pred)
    if len(sides[0]) != len(sides[1]):
        raise ValueError("Number of predicted documents does not equal true")
    return sides


def _check_lengths(true: Any, pred: Any) -> None:
    for number, (gold, system) in enumerate(zip(true, pred, strict=False)):
        if len(gold) != len(system):
            raise ValueError(f"Document {number} has different lengths: true={len(gold)}, pred={len(system)}")


def _from_dictionaries(documents: Sequence[Any]) -> Spans:
    if set(map(type, documents)) > {list}:
        raise ValueError("Each document must be a list of entity dictionaries")
    try:
        spans = [[(one["start"], one["end"] + 1, one["label"]) for one in document] for document in documents]
    except (KeyError, TypeError):
        raise ValueError(f"an entity lacks one of {', '.join(_KEYS)}, or its places are no whole numbers") from None
    for place, kind in enumerate((int, int, str)):
        column = map(itemgetter(place), chain.from_iterable(spans))
        if not all(issubclass(found, kind) for found in set(map(type, column))):
            raise ValueError("Entity start and end must be integers, and its label a string")
    return spans


def _from_tags(documents: Sequence[Any]) -> Spans:
    try:
        return [_spans_in(tags) for tags in documents]
    except InputError as error:
        raise ValueError(str(error)) from None


def _unless_known(true: Any, spans: Spans, pred: Any) -> Spans:
    """Return the entities of tags, of which many are the same as the true ones."""
    if len(true) != len(pred):
        return _from_tags(pred)
    known = zip(true, spans, pred, strict=True)
    return [found if tags == guessed else _from_tags([guessed])[0] for tags, found, guessed in known]


def _spans_in(tags: Sequence[str]) -> list[Span]:
    """Return the entities of tags; each run between two O is read by itself, and known by heart if it is short."""
    inside = [place for place, tag in enumerate(tags) if tag != OUTSIDE]
    spans: list[Span] = []
    if inside:
        first, last = inside[0], inside[0] - 1
        for place in (*inside, len(tags) + 1):
            if place != last + 1:
                chunks = _read_run(tuple(tags[first : last + 1]))
                if len(chunks) == 1:
                    spans.append((first, last + 1, chunks[0][2]))
                else:
                    spans += [(start + first, end + first, label) for start, end, label in chunks]
                first = place
            last = place
    return spans


@lru_cache(maxsize=8192)
def _read_run(tags: tuple[str, ...]) -> list[Span]:
    return nervaluate(tags)


def _from_columns(text: str) -> Spans:
    trimmed = text.rstrip()
    return _from_tags([_second_column(document) for document in trimmed.split("\n\n")] if trimmed else [])


def _second_column(document: str) -> list[str]:
    """Return the tags of a document; an empty line keeps its place, so that those behind it are shifted."""
    tags = []
    for line in document.split("\n"):
        word, *fields = line.split("\t")
        if not fields and word.strip():
            raise ValueError(f"Invalid CoNLL format: line {line!r} does not contain a tab separator")
        tags.append(fields[0] if fields else OUTSIDE)
    return tags


_LOADERS: dict[str, tuple[type, Callable[[Any], Spans]]] = {
    "dict": (list, _from_dictionaries),
    "list": (list, _from_tags),
    "conll": (str, _from_columns),
}
"""Of what type input is, and what reads it, for each loader."""
