"""Building an index from sources: numbering nodes, sorting edges, closing over superclasses, counting members."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError
from karat.vocabularies.ontology import closure, dump, kgtk, ntriples
from karat.vocabularies.ontology.facts import NO_COUNT, SUBCLASS, OntologyFacts, integers
from karat.vocabularies.ontology.ragged import chunks, distinct, find, first_of_each, offsets_of, places
from karat.vocabularies.ontology.store import Info, Writer, append, new_folder
from karat.vocabularies.ontology.streams import LineBlock, blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

LABELS_AS_READ = "labels_as_read"
"""A file that is gone when the index is complete."""

_KIND_BITS = 3
_CHUNK = 1 << 22
"""Bytes of labels that are put in order together."""
_KINDS = "KGTK edges (a header with node1, label, node2), N-Triples or the JSON dump of Wikidata"


def build(index: str, sources: Sequence[str], max_superclasses: int | None = None) -> Info:
    """Build an index from files of any supported kind, and return the facts to report about it.

    The folder appears as a whole or not at all; an existing index is replaced. ``max_superclasses`` bounds the number
    of pairs of a class and a superclass, if not by the default.
    """
    with new_folder(index) as writer:
        with (writer.folder / LABELS_AS_READ).open("wb") as labels:
            facts = OntologyFacts(labels)
            for path in sources:
                read_source(facts, path)
        if not len(facts.sources):
            message = "there is no statement that says what something is (P31, P279, P106, P39)"
            raise InputError(message, path=sources[0] if sources else None)
        info = _Building(writer, facts).run(max_superclasses)
        info["sources"] = [Path(path).name.encode("utf-8", "replace").decode() for path in sources]
        writer.finish(info)
    return info


def read_source(facts: OntologyFacts, path: str) -> None:
    """Read a file of any supported kind, which its first line tells."""
    source_blocks = blocks(path)
    first = next(source_blocks, None)
    if first is None:
        raise InputError(f"is empty; expected {_KINDS}", path=path)
    first = first._replace(text=first.text.removeprefix("\ufeff"))
    stream: Iterator[LineBlock] = chain([first], source_blocks)
    head = first.text.lstrip()
    line = first.text.partition("\n")[0]
    if kgtk.is_header(line):
        kgtk.read(facts, path, stream)
    elif head.startswith(("<", "#", "_:")):
        ntriples.read(facts, path, stream)
    elif head.startswith(("[", "{")):
        dump.read(facts, path, stream)
    else:
        raise InputError(f"begins with {line[:60]!r}; expected {_KINDS}", path=path, line=1)


class _Building:
    """The steps from facts to arrays; each frees what later steps do not need."""

    def __init__(self, writer: Writer, facts: OntologyFacts) -> None:
        self.writer = writer
        self.facts = facts
        self._write_names(facts.settle())
        self.keys = self._all_keys()
        self.nodes = len(self.keys)
        writer.write("keys", self.keys, "<i8")

    def run(self, max_superclasses: int | None) -> Info:
        """Write all arrays."""
        labels = self._write_labels()
        offsets, sources, targets, kinds = self._edges()
        self.writer.write("edge_offsets", offsets, "<i8")
        self.writer.write("edge_targets", targets, "<i4")
        self.writer.write("edge_kinds", kinds, "|u1")
        closed = self._closure(sources, targets, kinds, max_superclasses)
        self.writer.write("closure_row", closed.row, "<i4")
        self.writer.write("closure_offsets", closed.offsets, "<i8")
        self.writer.adopt("closure_members", "<i4")
        counts = self._counts(sources, targets, closed)
        self.writer.write("counts", counts, "<i8")
        self._write_compact()
        given = {"closure": self.facts.closure, "counts": self.facts.counts, "compact counts": self.facts.compact}
        return {
            "nodes": self.nodes,
            "edges": len(targets),
            "classes": int(np.count_nonzero(counts != NO_COUNT)),
            "superclasses": len(closed.members),
            "labels": labels,
            "left_out": self.facts.left_out,
            "given": [name for name, table in given.items() if len(table)],
        }

    def _write_names(self, ranked: list[str]) -> None:
        raw = [name.encode("utf-8", "replace") for name in ranked]
        self.writer.write("name_offsets", np.concatenate(([0], np.cumsum([len(encoded) for encoded in raw]))), "<i8")
        self.writer.write("name_text", np.frombuffer(b"".join(raw), np.uint8), "|u1")

    def _all_keys(self) -> NDArray[np.int64]:
        facts = self.facts
        parts = [facts.sources, facts.targets, facts.labelled, facts.closure.nodes, facts.closure.others]
        parts += [facts.counts.nodes, facts.compact.nodes, facts.compact.others]
        return distinct(np.concatenate([integers(part) for part in parts]))

    def _place(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.searchsorted(self.keys, keys).astype(np.int64)

    def _write_labels(self) -> int:
        """Write the location of each node's label; the first of several is used."""
        facts = self.facts
        came_at = np.zeros(self.nodes, np.int64)
        sizes = np.full(self.nodes, -1, np.int32)
        labelled = self._place(integers(facts.labelled))[::-1]
        came_at[labelled] = integers(facts.label_starts)[::-1]
        sizes[labelled] = np.array(facts.label_sizes, np.int32)[::-1]
        lengths = np.maximum(sizes, 0).astype(np.int64)
        self._write_label_text(came_at, lengths)
        self.writer.write("label_starts", np.where(sizes < 0, 0, np.cumsum(lengths) - lengths), "<i8")
        self.writer.write("label_sizes", sizes, "<i4")
        return int(np.count_nonzero(sizes >= 0))

    def _write_label_text(self, came_at: NDArray[np.int64], lengths: NDArray[np.int64]) -> None:
        """Write the used labels in the order of the nodes."""
        as_read = self.writer.folder / LABELS_AS_READ
        with (self.writer.folder / "label_text").open("wb") as stream:
            text = np.memmap(as_read, np.uint8, "r") if as_read.stat().st_size else np.empty(0, np.uint8)
            for part in chunks(lengths, _CHUNK):
                append(stream, text[places(came_at[part], lengths[part])])
            del text  # the file can be removed only when it is no longer mapped
        as_read.unlink()
        self.writer.adopt("label_text", "|u1")

    def _edges(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
        """Return the edges sorted by source, with parallel edges merged."""
        facts = self.facts
        sources, targets = self._place(integers(facts.sources)), self._place(integers(facts.targets))
        packed = (sources * self.nodes + targets) << _KIND_BITS
        packed |= np.frombuffer(facts.kinds, np.int8)
        del facts.sources[:], facts.targets[:], facts.kinds[:], sources, targets
        packed.sort()
        kinds = (packed & ((1 << _KIND_BITS) - 1)).astype(np.uint8)
        packed >>= _KIND_BITS
        first = np.flatnonzero(first_of_each(packed))
        sources, targets = np.divmod(packed[first], self.nodes)
        return offsets_of(sources, self.nodes), sources, targets, np.bitwise_or.reduceat(kinds, first)

    def _closure(
        self,
        sources: NDArray[np.int64],
        targets: NDArray[np.int64],
        kinds: NDArray[np.uint8],
        max_superclasses: int | None,
    ) -> closure.Closure:
        file = self.writer.folder / "closure_members"
        table = self.facts.closure
        if len(table):
            return closure.given(
                self.nodes, self._place(integers(table.nodes)), self._place(integers(table.others)), file
            )
        subclass = (kinds & SUBCLASS) != 0
        return closure.compute(self.nodes, sources[subclass], targets[subclass], file, max_superclasses)

    def _counts(
        self, sources: NDArray[np.int64], targets: NDArray[np.int64], closed: closure.Closure
    ) -> NDArray[np.int64]:
        counts = np.full(self.nodes, NO_COUNT, np.int64)
        table = self.facts.counts if len(self.facts.counts) else None
        if table is not None:
            counts[self._place(integers(table.nodes))[::-1]] = integers(table.numbers)[::-1]
        elif len(self.facts.compact):
            counts[self._place(integers(self.facts.compact.others))] = integers(self.facts.compact.numbers)
        else:
            rows = closed.row[targets]
            known = rows >= 0
            members = closure.member_counts(self.nodes, sources[known], rows[known].astype(np.int64), closed)
            counts[members > 0] = members[members > 0]
        return counts

    def _write_compact(self) -> None:
        """Write the compact counts that a source provides; without any, they are computed from the rest on demand."""
        table = self.facts.compact
        keys = self._place(integers(table.nodes)) * self.nodes + self._place(integers(table.others))
        chosen = distinct(keys.copy())
        numbers = np.zeros(len(chosen), np.int64)
        numbers[find(chosen, keys)] = integers(table.numbers)
        owners, classes = np.divmod(chosen, max(self.nodes, 1))
        self.writer.write("compact_offsets", offsets_of(owners, self.nodes) if len(table) else chosen, "<i8")
        self.writer.write("compact_classes", classes, "<i4")
        self.writer.write("compact_counts", numbers, "<i8")
