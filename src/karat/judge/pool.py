"""The pool: what several systems extracted, each item once, in an order that shows nothing of who gave it.

A pool is a file of JSON lines: the head, the documents, the items. It follows from the systems' files, the draw and the
seed; the head has their digests, so that anyone can make it again.
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
    """A system: its name, the digest of its files, and how many different items it gave in how many documents."""

    name: str
    digest: str
    items: int
    documents: int


class StratumCount(msgspec.Struct, frozen=True, omit_defaults=True):
    """How many items of one stratum, label and set of systems there were before any was drawn."""

    stratum: str
    label: str
    systems: tuple[str, ...]
    items: int


class PoolHead(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="is", tag="pool"):
    """What the pool was made of, and how; ``cells`` count the items of the drawn documents."""

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
    """A document as judges see it: its text."""

    id: str
    text: str


class PooledItem(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="is", tag="item"):
    """An item in the pool: who gave it, which stratum it was drawn from, and whether all judges see it.

    ``control`` says what is known of an item that was mixed in to test the judges.
    """

    id: str
    item: JudgeItem
    systems: tuple[str, ...] = ()
    stratum: str = ""
    shared: bool = False
    control: Control = ""


class Pool(msgspec.Struct, frozen=True):
    """Items to be judged, in the order in which they are shown, with the texts they come from."""

    head: PoolHead
    pages: tuple[JudgedDocument, ...]
    entries: tuple[PooledItem, ...]


class Draw(NamedTuple):
    """How much is drawn: whole documents or single items, at random or by name; nothing given means everything."""

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
    """Pool the items of systems, by name: the digest of each system's files, and its documents.

    ``overlap`` is the share of items that every judge sees; the others are seen by one. Unless single items are drawn,
    these are whole documents, as many as it takes, so that judges can be asked about them.
    """
    if not 0 <= overlap <= 1:
        raise UsageError(f"an overlap of {overlap} makes no sense; expected a share between 0 and 1")
    gathering = _Gathering(kind, sameness)
    sources = [gathering.add_system(name, digest, documents) for name, (digest, documents) in systems.items()]
    if not gathering.items:
        raise InputError(f"none of the systems has a single {kind}; name what is judged with --kind")
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
    """Say how many documents judges see without their text."""
    without = sum(1 for page in pages if not page.text)
    if without:
        of = many(len(pages), "document")
        advice = "give tools their texts by --read records=FILE"
        yield f"{without} of {of} without a text, so that judges see the claims alone; {advice}"


def _shared(entries: Sequence[PooledItem], wanted: int, seed: int, *, by_document: bool) -> Iterator[str]:
    """Yield the items that every judge sees, until there are enough: single ones, or those of whole documents."""
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
    """Yield the entries as they are shown: shuffled or, unless single items were drawn, document by document.

    So what was judged before somebody stops is a sample of the same kind as the whole.
    """
    places = {
        name: index for index, name in enumerate(shuffled({entry.item.document for entry in entries}, seed, "order"))
    }
    by_id = {entry.id: entry for entry in entries}
    ordered = [by_id[key] for key in shuffled(by_id, seed, "order")]
    yield from sorted(ordered, key=lambda entry: places[entry.item.document] if by_document else 0)


class _Gathering:
    """The different items of all systems, while they are read."""

    def __init__(self, kind: Kind, sameness: Sameness) -> None:
        self.kind, self.sameness = kind, sameness
        self.items: dict[str, JudgeItem] = {}
        self.systems: dict[str, list[str]] = {}
        self.texts: dict[str, str] = {}
        self.notes: list[str] = []

    def add_system(self, name: str, digest: str, documents: Iterable[Document]) -> PooledSystem:
        """Add all items of a system, and say how many different ones it gave."""
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
        """Yield the items of a document with their keys; they lose their places if another text is shown for it."""
        text = self.texts.get(document.id) or document.text
        self.texts[document.id] = text
        elsewhere = bool(document.text) and document.text != text
        if elsewhere:
            self.notes.append(f"{owner}: document {document.id!r} has another text; its items are shown without places")
        for item in items_of(document, self.kind):
            parts = tuple(msgspec.structs.replace(part, spans=()) for part in item.parts) if elsewhere else item.parts
            shown = msgspec.structs.replace(item, parts=parts)
            if not text and not any(part.surface for part in parts):
                advice = "give the tool its words by --read tokens=FILE, or its texts by --read records=FILE"
                raise InputError(f"{owner}: a {self.kind} of document {document.id!r} shows no words; {advice}")
            yield shown.key(self.sameness), shown

    def strata(self, documents: Sequence[str], by: Strata) -> dict[str, list[str]]:
        """Divide the items of the documents by their label, by the set of systems that gave them, or not at all."""
        wanted, parts = set(documents), dict[str, list[str]]()
        for key, item in self.items.items():
            if item.document in wanted:
                name = {"": "", "relation": item.label, "system": "+".join(sorted(self.systems[key]))}[by]
                parts.setdefault(name, []).append(key)
        return parts

    def cells(self, strata: Mapping[str, Sequence[str]]) -> tuple[StratumCount, ...]:
        """Count the items of each stratum by label and by the systems that gave them."""
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
        """Return the entries of items of which it is known what they are; one that a system gave is refused."""
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
        raise InputError("is no pool: its first line, and no other, must be the head", path=path)
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
    """Return the records of JSON lines, which are of a pool or of a project; a line that is none is refused."""
    decoder = msgspec.json.Decoder(kind)
    records = []
    for line_number, line in enumerate(written, 1):
        try:
            records.append(decoder.decode(line))
        except (msgspec.DecodeError, RecursionError) as error:
            raise InputError(f"is no line of a {of}: {error}", path=path, line=line_number) from error
    return records


def shuffled(names: Iterable[str], seed: int, purpose: str) -> list[str]:
    """Return names in an order that depends on nothing but the seed, the purpose and the names themselves.

    What is added or left out does not move the others, so that a pool that grows keeps its order.

    >>> shuffled(["a", "b", "c"], seed=1, purpose="order") == shuffled(["c", "a", "b"], seed=1, purpose="order")
    True
    """
    return sorted(names, key=lambda name: (hashlib.sha256(f"{seed}\0{purpose}\0{name}".encode()).digest(), name))


def drawn_documents(known: Sequence[str], draw: Draw, seed: int) -> list[str]:
    """Return the documents whose items may be judged, in their order."""
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
    """Return the items that are drawn in each stratum: its share of the number wanted, but at least two."""
    sizes = {name: len(keys) for name, keys in strata.items()}
    if wanted is not None and not 1 <= wanted <= sum(sizes.values()):
        raise UsageError(f"{wanted} items cannot be drawn: there are {sum(sizes.values())}")
    shares = sizes if wanted is None else _shares(sizes, wanted)
    return {name: shuffled(keys, seed, "items")[: shares[name]] for name, keys in strata.items()}


def _shares(sizes: Mapping[str, int], wanted: int) -> dict[str, int]:
    """Divide a number among strata by their size, by largest remainders, none below two or all that it has."""
    least = {name: min(2 if len(sizes) > 1 else 1, size) for name, size in sizes.items()}
    if sum(least.values()) > wanted:
        needed = sum(least.values())
        raise UsageError(f"{wanted} items are too few for {len(sizes)} strata: two of each make {needed}")
    total = sum(sizes.values())
    exact = {name: size * wanted / total for name, size in sizes.items()}
    shares = {name: max(least[name], int(exact[name])) for name in sizes}
    by_remainder: Callable[[str], tuple[float, str]] = lambda name: (shares[name] - exact[name], name)  # noqa: E731
    while sum(shares.values()) < wanted:
        shares[min((name for name in sizes if shares[name] < sizes[name]), key=by_remainder)] += 1
    while sum(shares.values()) > wanted:
        shares[max((name for name in sizes if shares[name] > least[name]), key=by_remainder)] -= 1
    return shares
