"""WebAnno TSV 3: a row for each token, and columns for each layer of spans, relations and chains.

Module ``lines`` parses the file, :mod:`karat.formats.parts.cas` tells which types are mentions. Offsets count UTF-16
units, which the tokens verify. Gaps between sentences are filled with blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from karat.annotations.faults import shown
from karat.errors import InputError, many
from karat.formats.base import Format, NoOptions, Problems, Want
from karat.formats.parts.assembly import HEAD, TAIL, Assembly
from karat.formats.parts.cas import layer_of_type, parts_of
from karat.formats.parts.offset_units import Offsets, Unit, width
from karat.formats.webanno.lines import FORMAT_LINE, Layer, Sentence, TokenRow, parsed, split, stacked, value_of
from karat.io import lines
from karat.io.archives import bare_name
from karat.model import Document, Span

MAX_GAP = 65_536
_REFERENCE = re.compile(r"(\d{1,9}-\d{1,9}(?:\.\d{1,9})?)(?:\[(\d{1,9})(?:_(\d{1,9}))?\])?", re.ASCII)
_CHAINED = re.compile(r"(.*)->(\d{1,9})-(\d{1,9})", re.DOTALL | re.ASCII)
_ROLE = "ROLE_"
_ANYTHING = "uima.tcas.Annotation"
"""The type of slots that lead to annotations of any."""


def read(path: str, *, problems: Problems, want: Want, options: NoOptions) -> Iterator[Document]:
    """Yield the document of a file."""
    del want, options
    with problems.catching(path):
        layers, sentences = parsed(lines(path))
        problems.has("webanno", (name for layer in layers for name in (layer.type, layer.base, *layer.columns) if name))
        text, unit = _text(sentences, path, problems)
        assembly = Assembly(bare_name(path)[0], text, source=path)
        tsv = _Tsv(assembly, [row for part in sentences for row in part.rows], text, unit)
        document = tsv.document(layers)
        if tsv.empty:
            message = f"{many(tsv.empty, 'annotation')} of zero width left out"
            problems.drop(path, None, "annotations of zero width", message, tsv.empty)
        yield document


def _text(sentences: list[Sentence], path: str, problems: Problems) -> tuple[str, Unit]:
    """Return the text, and the unit in which its tokens are found."""
    units: tuple[Unit, ...] = ("utf16", "point")
    for unit in units:
        text = _laid_out(sentences, unit)
        offsets = Offsets(text, unit)
        wrong = next((row for part in sentences for row in part.rows if not _fits(row, text, offsets)), None)
        if wrong is None:
            if unit == "point":
                message = "offsets count code points, not UTF-16 units: the tokens are found only so"
                problems.repair(path, None, message)
            return text, unit
        if unit == "utf16":
            fault = wrong
    raise fault.fault(f"the token {shown(fault.form)} is not what stands at {fault.start}-{fault.end} in the text")


def _laid_out(sentences: list[Sentence], unit: Unit) -> str:
    parts: list[str] = []
    size = 0
    for sentence in sentences:
        text = sentence.text
        first = sentence.rows[0] if sentence.rows else None
        form_offset = text.find(first.form) if first else 0
        start = first.start - width(text[: max(form_offset, 0)], unit) if first else size
        gap = max(start - size, 0)
        if gap > MAX_GAP:
            raise InputError(
                f"a sentence begins at {start}; a gap may have {MAX_GAP:,} characters", line=sentence.rows[0].line
            )
        parts += [" " * gap, text]
        size += gap + width(text, unit)
    return "".join(parts)


def _fits(row: TokenRow, text: str, offsets: Offsets) -> bool:
    if row.start == row.end:
        return not row.form
    try:
        start, end = offsets.span(row.start, row.end)
    except InputError:
        return False
    return text[start:end] == row.form


class _Draft:
    """An annotation over several rows: the first and last of them, and the cells of the first."""

    def __init__(self, row: TokenRow, cells: list[str], number: int) -> None:
        self.row, self.cells, self.number = row, cells, number
        self.start, self.end = row.start, row.end
        self.name = ""

    def extend(self, row: TokenRow) -> None:
        self.start, self.end = min(self.start, row.start), max(self.end, row.end)


class _Tsv:
    """The annotations of a file under construction."""

    def __init__(self, assembly: Assembly, rows: list[TokenRow], text: str, unit: Unit) -> None:
        self.assembly, self.rows = assembly, rows
        self.offsets = Offsets(text, unit)
        self.by_address = {row.address: row for row in rows}
        self.drafts: dict[str, dict[str, list[_Draft]]] = {}
        """The annotations that have a row of some address, by type."""
        self.empty = 0

    def document(self, layers: list[Layer]) -> Document:
        """Return the document; mentions are added first, as relations, slots and chains refer to them."""
        hosts = []
        for layer in layers:
            if layer.kind == "SP" and layer_of_type(layer.type) is not None:
                hosts += [(layer, draft) for draft in self._spans(layer)]
        for layer, draft in hosts:
            self._slots(layer, draft)
        for layer in layers:
            if layer.kind == "RL" and layer_of_type(layer.type) is not None:
                self._relations(layer)
            elif layer.kind == "CH":
                self._chains(layer)
        return self.assembly.document

    def _place(self, draft: _Draft) -> Span | None:
        if draft.start == draft.end:
            self.empty += 1
            return None
        return self.offsets.span(draft.start, draft.end)

    def _spans(self, layer: Layer) -> list[_Draft]:
        """Add the mentions of a layer; rows with the same number are one mention."""
        numbered: dict[int, _Draft] = {}
        drafts: list[_Draft] = []
        for row in self.rows:
            for item in row.items(layer):
                cells, group_numbers = zip(
                    *(self._cell(layer, column, cell) for column, cell in enumerate(item)), strict=True
                )
                group = max(group_numbers)
                draft = numbered.get(group) if group else None
                if draft is None:
                    draft = _Draft(row, list(cells), group)
                    drafts.append(draft)
                    numbered[group] = draft
                draft.extend(row)
                self.drafts.setdefault(row.address, {}).setdefault(layer.type, []).append(draft)
        for draft in drafts:
            span = self._place(draft)
            if span is not None:
                label, links, attributes = parts_of(self._features(layer, draft.cells))
                name = layer_of_type(layer.type) or ""
                draft.name = self.assembly.mention([span], (label,), layer=name, links=links, attributes=attributes)
        return drafts

    def _cell(self, layer: Layer, column: int, cell: str) -> tuple[str, int]:
        """Return a cell without its number; numbers of targets tell what they refer to."""
        is_target = column > 0 and layer.columns[column - 1].startswith(_ROLE)
        return (cell, 0) if is_target else stacked(cell)

    def _features(self, layer: Layer, cells: list[str]) -> dict[str, str]:
        features = {}
        for column, (name, cell) in enumerate(zip(layer.columns, cells, strict=True)):
            slot = name.startswith((_ROLE, "BT_")) or (column and layer.columns[column - 1].startswith(_ROLE))
            value = value_of(cell)
            if name and value and not slot:
                features[name] = value
        return features

    def _slots(self, layer: Layer, draft: _Draft) -> None:
        """Add the event whose trigger is a mention with slots."""
        for column, name in enumerate(layer.columns[:-1]):
            if not name.startswith(_ROLE) or draft.cells[column + 1] in ("_", "*"):
                continue
            roles, targets = split(draft.cells[column], ";"), split(draft.cells[column + 1], ";")
            if len(roles) != len(targets):
                raise draft.row.fault(
                    f"{many(len(roles), 'role')} and {many(len(targets), 'target')} of slots; expected as many"
                )
            ends = []
            for role, target in zip(roles, targets, strict=True):
                address, group, _ = self._reference(draft.row, target)
                end = self._end(draft.row, layer.columns[column + 1], address, group)
                if end:
                    ends.append((value_of(role), end))
            if ends and draft.name:
                label = parts_of(self._features(layer, draft.cells))[0]
                self.assembly.tuple(label, ends, trigger=draft.name)

    def _reference(self, row: TokenRow, text: str) -> tuple[str, int, int]:
        match = _REFERENCE.fullmatch(text)
        if match is None:
            raise row.fault(f"{shown(text)} leads nowhere; expected the number of a token, such as 1-3 or 1-3[2_0]")
        return match[1], int(match[2] or 0), int(match[3] or 0)

    def _end(self, row: TokenRow, kind: str, address: str, group: int) -> str:
        """Return the mention of a type at a row, ``""`` if it has no width; another annotation becomes a mention."""
        if address not in self.by_address:
            raise row.fault(f"there is no token {shown(address)}")
        at_row = self.drafts.setdefault(address, {})
        drafts = at_row.get(kind, [])
        if kind == _ANYTHING:
            drafts = [draft for drafts_of_layer in at_row.values() for draft in drafts_of_layer]
        chosen = next((draft for draft in drafts if draft.number == group), drafts[0] if drafts else None)
        if chosen is None:
            target = self.by_address[address]
            chosen = _Draft(target, [], group)
            at_row.setdefault(kind, []).append(chosen)
            span = self._place(chosen)
            chosen.name = self.assembly.mention([span]) if span else ""
        return chosen.name

    def _relations(self, layer: Layer) -> None:
        """Add relations, which are in the row of their target and name their source."""
        for row in self.rows:
            for item in row.items(layer):
                address, source, target = self._reference(row, item[-1])
                head = self._end(row, layer.base, address, source)
                tail = self._end(row, layer.base, row.address, target)
                label, _, attributes = parts_of(self._features(layer, [stacked(cell)[0] for cell in item]))
                if head and tail:
                    self.assembly.tuple(label, [(HEAD, head), (TAIL, tail)], attributes=attributes)

    def _chains(self, layer: Layer) -> None:
        """Add chains; a link over a mention uses that mention."""
        links: dict[tuple[int, int], _Draft] = {}
        for row in self.rows:
            for item in row.items(layer):
                match = _CHAINED.fullmatch(item[0])
                if match is None:
                    raise row.fault(f"{shown(item[0])} is no link of a chain; expected such as *->1-2")
                draft = links.setdefault((int(match[2]), int(match[3])), _Draft(row, item, 0))
                draft.extend(row)
        places = {mention.spans: mention.id for mention in reversed(self.assembly.document.mentions)}
        chains: dict[int, dict[str, None]] = {}
        for (chain, _), draft in sorted(links.items()):
            span = self._place(draft)
            if span is None:
                continue
            if (span,) not in places:
                label = value_of(stacked(draft.cells[-1])[0])
                places[(span,)] = self.assembly.mention([span], (label,))
            chains.setdefault(chain, {}).setdefault(places[(span,)])
        for members in chains.values():
            self.assembly.chain(members)


def sniff(head: str) -> bool:
    r"""Tell whether the first line names this format.

    >>> sniff("#FORMAT=WebAnno TSV 3.3\n"), sniff("#FORMAT=WebAnno TSV 2\n")
    (True, False)
    """
    match = FORMAT_LINE.fullmatch(head.removeprefix("\ufeff").partition("\n")[0])
    return match is not None and match[1] == "3"


FORMAT = Format(
    name="webanno",
    title="WebAnno TSV 3, as WebAnno and INCEpTION export it",
    known_by="a first line `#FORMAT=WebAnno TSV 3`",
    read=read,
    sniff=sniff,
    layers="mentions in layers, links, relations, events, chains, attributes",
)
