"""TACRED and its revisions: a sentence in tokens with two mentions, and the relation between them.

An item becomes a document with the item's id; the mentions are ``subj`` and ``obj``. ``no_relation`` gives no relation.
Ends are the last token. The columns ``stanford_…`` are not read; other keys are metadata.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from karat.errors import many
from karat.formats.base import Format, NoOptions, Problems, Want
from karat.formats.labels import NO_RELATION
from karat.formats.parts.assembly import Assembly, SentenceWords
from karat.formats.parts.capacity import AllBut, Capacity, WrittenWords, plain_id, values_of
from karat.formats.parts.heads import first_object
from karat.formats.parts.json_items import JsonItem, documents_of, fields_of, texts_of
from karat.formats.parts.unread_names import Unread
from karat.model import Document

_ENDS = ("subj", "obj")


class _Example(msgspec.Struct):
    id: str | int
    token: list[str]
    subj_start: int
    subj_end: int
    obj_start: int
    obj_end: int
    subj_type: str | None = None
    obj_type: str | None = None
    relation: str | None = None


_COLUMNS = frozenset(f"stanford_{name}" for name in ("pos", "ner", "head", "deprel"))
_KEYS = fields_of(_Example)
_CAPACITY = Capacity("tacred", labels=(1, 1), relations=True, metadata=AllBut(_KEYS | _COLUMNS))


def read(path: str, *, problems: Problems, want: Want, options: NoOptions) -> Iterator[Document]:
    """Yield a document for each item; those without a relation are counted as a repair."""
    del want, options
    unread, bare = Unread(), 0

    def build(item: JsonItem) -> Iterator[Document]:
        nonlocal bare
        example = item.read(_Example)
        unread.look(item.value, _KEYS | _COLUMNS)
        bare += example.relation is None
        problems.has("tacred", (f"{name}_type" for name in _ENDS if getattr(example, f"{name}_type")))
        yield _document(example, texts_of(item.value, _KEYS | _COLUMNS))

    yield from documents_of(path, problems, build, unread)
    if bare:
        problems.repair(path, None, f"{many(bare, 'item')} without the key 'relation': read as without a relation")


def _document(example: _Example, metadata: dict[str, str]) -> Document:
    words = SentenceWords([example.token], "tacred")
    assembly = Assembly(str(example.id), words.text, words.table, metadata)
    for name in _ENDS:
        first, last = getattr(example, f"{name}_start"), getattr(example, f"{name}_end")
        label = getattr(example, f"{name}_type") or ""
        assembly.mention([words.span(first, last + 1, end=last)], (label,), name=name)
    if example.relation not in (None, NO_RELATION):
        assembly.relation(example.relation or "", *_ENDS)
    return assembly.document


def _item(document: Document) -> dict[str, object]:
    """Return the item of a document, which must have two mentions and at most one relation between them."""
    if len(document.mentions) != 2 or len(document.relations) > 1:
        _CAPACITY.refuse(document, "an item has two mentions and at most one relation")
    mentions = {mention.id: mention for mention in document.mentions}
    relation = document.relations[0] if document.relations else None
    if relation is not None and relation.label == NO_RELATION:
        _CAPACITY.refuse(document, f"its relation is called {NO_RELATION!r}, which says that there is none")
    ends = (
        sorted(mentions, key=lambda name: name == "obj")
        if relation is None
        else _CAPACITY.ends(document, relation, mentions)
    )
    words = WrittenWords(document, _CAPACITY)
    label = NO_RELATION if relation is None else relation.label
    item: dict[str, object] = {"id": plain_id(document.id), "relation": label, "token": words.forms}
    for name, end in zip(_ENDS, ends, strict=True):
        first, behind = words.tokens(mentions[end])
        item |= {f"{name}_start": first, f"{name}_end": behind - 1, f"{name}_type": mentions[end].labels[0]}
    return item | values_of(document.metadata)


def sniff(head: str) -> bool:
    """Tell whether the first object has a subject and an object among its tokens.

    >>> sniff('[{"token": ["Ada"], "subj_start": 0, "obj_start": 0}]'), sniff('{"token": []}')
    (True, False)
    """
    return first_object(head).keys() >= {"subj_start", "obj_start", "token"}


FORMAT = Format(
    name="tacred",
    title="TACRED: a sentence with two mentions and their relation an item",
    known_by="`token`, `subj_start` and `obj_start`",
    read=read,
    sniff=sniff,
    write=_CAPACITY.array(_item),
    keeps=_CAPACITY.keeps,
    layers="two mentions with a label each, a relation, tokens, metadata",
)
