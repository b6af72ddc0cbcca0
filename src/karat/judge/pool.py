"""The pool: the items of several systems, each once, in an order that does not reveal their systems.

A pool is a file of JSON lines: the head, the documents, the items. It is determined by the files of the systems, the
draw and the seed; the head records all three, so that anyone can rebuild it.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from karat.errors import InputError, UsageError, many
from karat.io import lines
from karat.io.outputs import write_whole
from karat.judge.items import JudgeItem, Kind, Sameness, items_of, with_names_of
from karat.model import Document

VERSION = 1
Control = Literal["", "right", "wrong"]
Strata = Literal["", "relation", "system"]


class PooledSystem(msgspec.Struct, frozen=True):
    """A pooled system: its name, the digest of its files, and its numbers of distinct items and of documents."""

    name: str
    digest: str
    items: int
    documents: int


class StratumCount(msgspec.Struct, frozen=True, omit_defaults=True):
    """The number of items of one stratum, label and set of systems before the draw."""

    stratum: str
    label: str
    systems: tuple[str, ...]
    items: int


class PoolHead(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="is", tag="pool"):
    """The sources and the settings of a pool; ``cells`` count the items of the drawn documents."""

    version: int
    kind: Kind
    sameness: Sameness
    seed: int
    sources: tuple[PooledSystem, ...]
    documents: int
    drawn_documents: int
    drawn_items: int | None
    stratified: Strata
    cells: tuple[StratumCount, ...]
    notes: tuple[str, ...] = ()


class JudgedDocument(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="is", tag="document"):
    """A document as judges see it: its id and its text."""

    id: str
    text: str


class PooledItem(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="is", tag="item"):
    """An item in the pool: its systems, the stratum it was drawn from, and whether all judges see it.

    ``control`` is the known answer of an item that was mixed in to test the judges; it is empty for all others.
    """

    id: str
    item: JudgeItem
    systems: tuple[str, ...] = ()
    stratum: str = ""
    shared: bool = False
    control: Control = ""


class Pool(msgspec.Struct, frozen=True):
    """A pool: its head, its documents, and its items in the order in which judges see them."""

    head: PoolHead
    pages: tuple[JudgedDocument, ...]
    entries: tuple[PooledItem, ...]


class Draw(NamedTuple):
    """The size of a draw: documents or items at random, or documents by name; by default everything."""

    documents: int | None = None
    names: tuple[str, ...] = ()
    items: int | None = None
    strata: Strata = ""


def make_pool(
    systems: Mapping[str, tuple[str, Iterable[Document]]],
    kind: Kind,
    *,
    draw: Draw = Draw(),  # noqa: B008 - immutable
    seed: int = 42,
    sameness: Sameness = "normalised",
    overlap: float = 0.0,
    controls: Mapping[Control, Iterable[Document]] | None = None,
) -> Pool:
    """Return a pool of the items of several systems.

    Args:
        systems: the digest of the files and the documents of each system, by its name.
        kind: the kind of items.
        draw: how much is drawn.
        seed: the seed of the draw and of the order.
        sameness: when two items count as one.
        overlap: the share of items that every judge sees; the others are seen by one judge. Unless single items are
            drawn, whole documents are shared, so that judges can be asked about documents.
        controls: documents with items whose answer is known, which test the judges.

    """
    if not 0 <= overlap <= 1:
        raise UsageError(f"an overlap of {overlap} is not possible; expected a share between 0 and 1")
    gathering = _ItemCollector(kind, sameness)
    sources = [gathering.add_system(name, digest, documents) for name, (digest, documents) in systems.items()]
    if not gathering.items:
        raise InputError(f"no system has a {kind}; choose another kind of item with --kind")
    documents = list(gathering.texts)
    chosen = drawn_documents(documents, draw, seed)
    strata = gathering.strata(chosen, draw.strata)
    picked = drawn_items(strata, draw.items, seed)
    entries = [gathering.entry(key, stratum) for stratum, keys in picked.items() for key in keys]
    entries += gathering.controls(controls or {})
    shared = set(_shared(entries, round(overlap * len(entries)), seed, by_document=draw.items is None))
    by_id = {entry.id: msgspec.structs.replace(entry, shared=entry.id in shared) for entry in entries}
    shown = dict.fromkeys([*chosen, *(entry.item.document for entry in entries)])
    pages = tuple(JudgedDocument(name, gathering.texts.get(name, "")) for name in shown)
    head = PoolHead(
        version=VERSION,
        kind=kind,
        sameness=sameness,
        seed=seed,
        sources=tuple(sources),
        documents=len(documents),
        drawn_documents=len(chosen),
        drawn_items=draw.items,
        stratified=draw.strata,
        cells=gathering.cells(strata),
        notes=(*gathering.notes, *_textless(pages)),
    )
    return Pool(head, pages, tuple(_in_order(list(by_id.values()), seed, by_document=draw.items is None)))


def _textless(pages: Sequence[JudgedDocument]) -> Iterator[str]:
    """Yield a note on the documents that judges see without their text."""
    without = sum(1 for page in pages if not page.text)
    if without:
        of = many(len(pages), "document")
        advice = "add the texts with --read records=FILE"
        yield f"{without} of {of} without a text, of which judges see only the claims; {advice}"


def _shared(entries: Sequence[PooledItem], wanted: int, seed: int, *, by_document: bool) -> Iterator[str]:
    """Yield at least ``wanted`` items for every judge to see: single items, or those of whole documents."""
    together: dict[str, list[str]] = {}
    for entry in entries:
        together.setdefault(entry.item.document if by_document else entry.id, []).append(entry.id)
    count = 0
    for name in shuffled(together, seed, "overlap"):
        if count >= wanted:
            return
        yield from together[name]
        count += len(together[name])


def _in_order(entries: Sequence[PooledItem], seed: int, *, by_document: bool) -> Iterator[PooledItem]:
    """Yield the entries in the order in which judges see them: shuffled, and by default document by document.

    If judging stops early, the judged part is therefore a random sample, too.
    """
    places = {
        name: index for index, name in enumerate(shuffled({entry.item.document for entry in entries}, seed, "order"))
    }
    by_id = {entry.id: entry for entry in entries}
    ordered = [by_id[key] for key in shuffled(by_id, seed, "order")]
    yield from sorted(ordered, key=lambda entry: places[entry.item.document] if by_document else 0)


class _ItemCollector:
    """Collects the distinct items of all systems."""

    def __init__(self, kind: Kind, sameness: Sameness) -> None:
        self.kind, self.sameness = kind, sameness
        self.items: dict[str, JudgeItem] = {}
        self.systems: dict[str, list[str]] = {}
        self.texts: dict[str, str] = {}
        self.notes: list[str] = []

    def add_system(self, name: str, digest: str, documents: Iterable[Document]) -> PooledSystem:
        """Add all items of a system, and return its counts of distinct items and documents."""
        count = places = 0
        for document in documents:
            count_before = count
            for key, item in self._read(document, name):
                self.items[key] = with_names_of(self.items.get(key, item), item)
                givers = self.systems.setdefault(key, [])
                if name not in givers:
                    givers.append(name)
                    count += 1
            places += count > count_before
        return PooledSystem(name, digest, count, places)

    def _read(self, document: Document, owner: str) -> Iterable[tuple[str, JudgeItem]]:
        """Yield the items of a document with their keys, without spans if another text is shown for the document."""
        text = self.texts.get(document.id) or document.text
        self.texts[document.id] = text
        elsewhere = bool(document.text) and document.text != text
        if elsewhere:
            self.notes.append(
                f"{owner}: document {document.id!r} has another text; its items are shown without location"
            )
        for item in items_of(document, self.kind):
            parts = tuple(msgspec.structs.replace(part, spans=()) for part in item.parts) if elsewhere else item.parts
            shown = msgspec.structs.replace(item, parts=parts)
            if not text and not any(part.surface for part in parts):
                advice = "add its words with --read tokens=FILE, or its texts with --read records=FILE"
                raise InputError(f"{owner}: a {self.kind} of document {document.id!r} has no words; {advice}")
            yield shown.key(self.sameness), shown

    def strata(self, documents: Sequence[str], by: Strata) -> dict[str, list[str]]:
        """Return the items of the documents by stratum: by label, by set of systems, or all in one."""
        wanted, parts = set(documents), dict[str, list[str]]()
        for key, item in self.items.items():
            if item.document in wanted:
                name = {"": "", "relation": item.label, "system": "+".join(sorted(self.systems[key]))}[by]
                parts.setdefault(name, []).append(key)
        return parts

    def cells(self, strata: Mapping[str, Sequence[str]]) -> tuple[StratumCount, ...]:
        """Return the counts of items of each stratum by label and by set of systems."""
        counts = Counter(
            (stratum, self.items[key].label, tuple(sorted(self.systems[key])))
            for stratum, keys in strata.items()
            for key in keys
        )
        return tuple(StratumCount(*stratum, items) for stratum, items in sorted(counts.items()))

    def entry(self, key: str, stratum: str) -> PooledItem:
        """Return the entry of an item that was drawn."""
        return PooledItem(key, self.items[key], tuple(sorted(self.systems[key])), stratum)

    def controls(self, given: Mapping[Control, Iterable[Document]]) -> list[PooledItem]:
        """Return the entries of control items; raise an error for one that a system gave as well."""
        entries: dict[str, PooledItem] = {}
        for control, documents in given.items():
            for document in documents:
                for key, item in self._read(document, f"controls ({control})"):
                    if key in self.items or entries.get(key, PooledItem(key, item, control=control)).control != control:
                        raise InputError(
                            f"the control {item.label!r} of document {item.document!r} is in the pool already"
                        )
                    entries[key] = PooledItem(key, item, control=control)
        return list(entries.values())


def write_pool(pool: Pool, path: str | os.PathLike[str]) -> None:
    """Write a pool to its file, whole or not at all."""
    write_whole({path: encoded([pool.head, *pool.pages, *pool.entries])})


def read_pool(path: str | os.PathLike[str]) -> Pool:
    """Read a pool from its file."""
    records = decoded(lines(path), PoolHead | JudgedDocument | PooledItem, path, "pool")
    heads = [record for record in records if isinstance(record, PoolHead)]
    if len(heads) != 1 or records[0] is not heads[0]:
        raise InputError("is not a pool: its first line, and no other, must be the head", path=path)
    if heads[0].version != VERSION:
        raise InputError(f"is a pool of version {heads[0].version}; this program reads version {VERSION}", path=path)
    pages = tuple(record for record in records if isinstance(record, JudgedDocument))
    entries = tuple(record for record in records if isinstance(record, PooledItem))
    lost = {entry.item.document for entry in entries} - {page.id for page in pages}
    if lost or len({entry.id for entry in entries}) < len(entries):
        raise InputError("is damaged: an item occurs twice, or its document is missing", path=path)
    return Pool(heads[0], pages, entries)


def encoded(records: Iterable[Any]) -> bytes:
    """Return records as JSON lines."""
    encode: Callable[[Any], bytes] = msgspec.json.Encoder().encode
    return b"".join(encode(record) + b"\n" for record in records)


def decoded(written: Iterable[str | bytes], kind: Any, path: str | os.PathLike[str], of: str) -> list[Any]:
    """Return the records in JSON lines of a pool or project (``of``); raise an error for an invalid line."""
    decoder = msgspec.json.Decoder(kind)
    records = []
    for line_number, line in enumerate(written, 1):
        try:
            records.append(decoder.decode(line))
        except (msgspec.DecodeError, RecursionError) as error:
            raise InputError(f"is not a line of a {of}: {error}", path=path, line=line_number) from error
    return records


def shuffled(names: Iterable[str], seed: int, purpose: str) -> list[str]:
    """Return names in a pseudorandom order that depends only on the seed, the purpose and the names.

    Adding or removing names does not change the order of the others, so a growing pool keeps its order.

    >>> shuffled(["a", "b", "c"], seed=1, purpose="order") == shuffled(["c", "a", "b"], seed=1, purpose="order")
    True
    """
    return sorted(names, key=lambda name: (hashlib.sha256(f"{seed}\0{purpose}\0{name}".encode()).digest(), name))


def drawn_documents(known: Sequence[str], draw: Draw, seed: int) -> list[str]:
    """Return the ids of the drawn documents, in order."""
    if draw.names:
        missing = sorted(set(draw.names) - set(known))
        if missing:
            raise UsageError(f"no system has a document {missing[0]!r}")
        chosen = set(draw.names)
    elif draw.documents is not None:
        if not 1 <= draw.documents <= len(known):
            raise UsageError(f"{draw.documents} documents cannot be drawn: the systems have {len(known)}")
        chosen = set(shuffled(known, seed, "documents")[: draw.documents])
    else:
        return list(known)
    return [name for name in known if name in chosen]


def drawn_items(strata: Mapping[str, Sequence[str]], wanted: int | None, seed: int) -> dict[str, list[str]]:
    """Return the items drawn in each stratum: in proportion to its size, but at least two."""
    sizes = {name: len(keys) for name, keys in strata.items()}
    if wanted is not None and not 1 <= wanted <= sum(sizes.values()):
        raise UsageError(f"{wanted} items cannot be drawn: there are {sum(sizes.values())}")
    shares = sizes if wanted is None else _shares(sizes, wanted)
    return {name: shuffled(keys, seed, "items")[: shares[name]] for name, keys in strata.items()}


def _shares(sizes: Mapping[str, int], wanted: int) -> dict[str, int]:
    """Allocate ``wanted`` items to strata by size (largest remainder), each at least two or all that it has."""
    least = {name: min(2 if len(sizes) > 1 else 1, size) for name, size in sizes.items()}
    if sum(least.values()) > wanted:
        needed = sum(least.values())
        raise UsageError(f"{wanted} items are too few for {len(sizes)} strata: each needs two, {needed} in total")
    total = sum(sizes.values())
    exact = {name: size * wanted / total for name, size in sizes.items()}
    shares = {name: max(least[name], int(exact[name])) for name in sizes}
    by_remainder: Callable[[str], tuple[float, str]] = lambda name: (shares[name] - exact[name], name)  # noqa: E731
    while sum(shares.values()) < wanted:
        shares[min((name for name in sizes if shares[name] < sizes[name]), key=by_remainder)] += 1
    while sum(shares.values()) > wanted:
        shares[max((name for name in sizes if shares[name] > least[name]), key=by_remainder)] -= 1
    return shares
