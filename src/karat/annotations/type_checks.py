"""Type checks for documents that users build in Python, where a number may stand where the model has text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import msgspec

from karat.errors import InputError
from karat.model import Argument, Chain, Document, Link, Mention, Note, Relation


def of_the_model(document: Document) -> Document:
    """Return a document whose values have the types of the model: the document itself, or a converted copy.

    Lists become tuples, and NumPy texts and numbers those of Python. Anything else of a wrong type is refused. A
    document that a reader has made, which names its source, is not checked.

    >>> of_the_model(Document("a", "Bern", [Mention("m", [[0, 4]], ["LOC"])])).mentions[0].spans
    ((0, 4),)
    >>> of_the_model(Document("a", "Bern", metadata={"year": 1191}))
    Traceback (most recent call last):
    ...
    karat.errors.InputError: document 'a': Expected `str`, got `int` - at `$.metadata[...]`; give texts, as str(…) does
    """
    try:
        if document.source or _is_plain(document):
            return document
    except (TypeError, ValueError, AttributeError):
        pass  # which is said below
    table, document = document.table, msgspec.structs.replace(document, table=None)
    try:
        copy = msgspec.convert(msgspec.to_builtins(document, builtin_types=(bytes,), enc_hook=_bare), Document)
    except (TypeError, msgspec.ValidationError) as error:
        advice = "; give texts, as str(…) does" if "Expected `str`" in str(error) else ""
        raise InputError(f"document {document.id!r}: {error}{advice}") from None
    copy.table = table
    return copy


def _is_plain(document: Document) -> bool:
    """Tell whether all values have the types of the model, as they usually do; checked by field, which is fast."""
    texts: list[Iterable[Any]] = [(document.id, document.text)]
    dictionaries = [document.metadata]
    tuples: list[Iterable[Any]] = []
    offsets: Iterable[Any] = ()
    links: list[Any] = []
    if document.mentions:
        ids, spans, labels, own, layers, linked, attributes = _columns(document.mentions, Mention)
        texts += (ids, own, layers, chain.from_iterable(labels))
        tuples += (spans, chain.from_iterable(spans), labels, linked)
        offsets = chain.from_iterable(chain.from_iterable(spans))
        links = list(chain.from_iterable(linked))
        dictionaries += filter(None, attributes)
    if links:
        targets, scores = _columns(links, Link)
        texts.append(targets)
        if not set(map(type, scores)) <= {float, int, type(None)}:
            return False
    if document.relations:
        ids, labels, arguments, triggers, attributes = _columns(document.relations, Relation)
        texts += (ids, labels, filter(None, triggers))
        texts += _columns(chain.from_iterable(arguments), Argument)
        tuples.append(arguments)
        dictionaries += filter(None, attributes)
    if document.chains:
        ids, members, labels = _columns(document.chains, Chain)
        texts += (ids, labels, chain.from_iterable(members))
        tuples.append(members)
    if document.notes:
        texts += _columns(document.notes, Note)
    texts += (chain(mapping, mapping.values()) for mapping in dictionaries)
    return (
        set(map(type, chain.from_iterable(texts))) == {str}
        and set(map(type, chain.from_iterable(tuples))) <= {tuple}
        and set(map(type, offsets)) <= {int}
    )


def _columns(structs: Iterable[Any], kind: type[msgspec.Struct]) -> Iterable[tuple[Any, ...]]:
    """Return the values of each field of structs of the same kind."""
    listed = list(structs) if isinstance(structs, chain) else structs
    if set(map(type, listed)) != {kind}:
        raise TypeError(kind)
    return zip(*map(msgspec.structs.astuple, listed), strict=True)


def _bare(value: Any) -> Any:
    """Return the Python text, number or list that a NumPy value stands for."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, Sequence):
        return list(value)
    raise NotImplementedError
