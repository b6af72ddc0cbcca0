"""PubTator: a title and an abstract per document, annotations by offsets, relations between identifiers.

Rows are split at tabs and never stripped, so that an annotation with an empty identifier is not taken for a relation,
which has no two numbers after the document id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.base import Format, NoOptions, Problems, Want
from karat.formats.parts.assembly import Assembly, concepts_of, links_of
from karat.formats.parts.capacity import Capacity
from karat.formats.parts.offset_units import NOUNS, Offsets, Stated, placed, plainer_form, proven
from karat.io import lines
from karat.model import Document, Mention, Relation

_TITLE, _ABSTRACT = "|t|", "|a|"
_NUMBER = re.compile(r"[0-9]+")
_MOST_DIGITS = 18
_CONCEPTS = ("concept1", "concept2")
_CAPACITY = Capacity(
    "pubtator", links=1, relations=True, attributes=("parts",), relation_attributes=(*_CONCEPTS, "novel")
)


class _Row(NamedTuple):
    line: int
    cells: list[str]

    @property
    def is_annotation(self) -> bool:
        return len(self.cells) > 2 and all(_NUMBER.fullmatch(cell) for cell in self.cells[1:3])

    def stated(self) -> Stated:
        """Return the span and the text of an annotation."""
        if len(self.cells) < 5:
            raise self.fault(f"has {len(self.cells)} columns; an annotation has an id, start, end, text and type")
        if max(map(len, self.cells[1:3])) > _MOST_DIGITS:
            raise self.fault("an offset has too many digits")
        return Stated(f"line {self.line}", ((int(self.cells[1]), int(self.cells[2])),), self.cells[3])

    def fault(self, message: str) -> InputError:
        return InputError(message, line=self.line)


class _Block(NamedTuple):
    """The lines of one document."""

    name: str
    line: int
    title: str
    abstract: str
    rows: list[_Row]


def read(path: str, *, problems: Problems, want: Want, options: NoOptions) -> Iterator[Document]:
    """Yield the documents of a file."""
    del want, options
    places: dict[str, int] = {}
    for block in _blocks(path, problems):
        if block.name in places:
            message = f"document {shown(block.name)} is there twice, first on line {places[block.name]}; remove one"
            problems.error(path, block.line, message)
            continue
        places[block.name] = block.line
        with problems.catching(path, block.line):
            yield _document(block, path, problems)


def _blocks(path: str, problems: Problems) -> Iterator[_Block]:
    """Yield the lines of each document; lines outside of documents are an error."""
    block: _Block | None = None
    after_blank = True
    rows = enumerate(lines(path), start=1)
    for line_number, line in rows:
        content = line.removeprefix("\ufeff") if line_number == 1 else line
        name, title = _cut(content, _TITLE)
        if name:
            if block is not None:
                if not after_blank:
                    problems.repair(path, line_number, f"no blank line before document {shown(name)}")
                yield block
            _, following = next(rows, (0, ""))
            other, abstract = _cut(following, _ABSTRACT)
            if other != name:
                message = f"expected the abstract, a line '{name}{_ABSTRACT}…', behind the title"
                problems.error(path, line_number + 1, message)
            block = _Block(name, line_number, title, abstract, [])
        elif content.strip():
            if block is None:
                problems.error(path, line_number, f"expected a title, 'ID{_TITLE}…', but found {shown(content)}")
            else:
                block.rows.append(_Row(line_number, content.split("\t")))
        after_blank = not content.strip()
    if block is not None:
        yield block


def _cut(line: str, mark: str) -> tuple[str, str]:
    """Return the id and the text of a title or abstract, both empty for other lines."""
    name, separator, text = line.partition(mark)
    return (name, text) if separator and name.strip() and "\t" not in name else ("", "")


def _document(block: _Block, path: str, problems: Problems) -> Document:
    text = f"{block.title}\n{block.abstract}"
    for row in block.rows:
        if row.cells[0] != block.name:
            raise row.fault(f"is about document {shown(row.cells[0])}, but stands below {shown(block.name)}")
        if not row.is_annotation and len(row.cells) not in (4, 5):
            raise row.fault(
                f"has {len(row.cells)} columns; expected an annotation (id, start, end, text, type, identifier) "
                "or a relation (id, type, identifier, identifier)"
            )
    annotations = [(row, row.stated()) for row in block.rows if row.is_annotation]
    problems.has("pubtator", {f"annotations of {len(row.cells)} columns" for row, _ in annotations})
    unit = proven(text, [stated for _, stated in annotations]) or "point"
    if unit != "point":
        message = f"offsets count {NOUNS[unit]}: the stated texts are found only so"
        problems.repair(path, block.line, f"document {shown(block.name)}: {message}")
    assembly, offsets = Assembly(block.name, text, source=path), Offsets(text, unit)
    concepts: dict[str, str] = {}
    for row, stated in annotations:
        try:
            words = plainer_form(text, stated) if unit == "point" else ""
            mention = _mention(assembly, row.cells, placed(stated, offsets))
        except InputError as error:
            raise row.fault(error.message) from None
        if words:
            problems.repair(path, row.line, f"annotation on line {row.line}: {words}")
        for concept in concepts_of([*row.cells, ""][5]):
            concepts.setdefault(concept, mention)
    for row in block.rows:
        if not row.is_annotation:
            _relate(assembly, row, concepts, path, problems)
    return assembly.document


def _mention(assembly: Assembly, cells: list[str], spans: tuple[tuple[int, int], ...]) -> str:
    identifier, parts = [*cells, ""][5], "\t".join(cells[6:])
    return assembly.mention(
        spans, (cells[4],), links=links_of(identifier), attributes={"parts": parts} if parts else {}
    )


def _relate(assembly: Assembly, row: _Row, concepts: dict[str, str], path: str, problems: Problems) -> None:
    """Add a relation between the first mentions of its two concepts."""
    _, label, first, second, *novel = row.cells
    missing = [concept for concept in (first, second) if not concept or concept not in concepts]
    if missing:
        names = " and ".join(map(shown, missing))
        problems.repair(path, row.line, f"relation {shown(label)}: no mention has the identifier {names}; left out")
        return
    attributes = {"concept1": first, "concept2": second} | ({"novel": novel[0]} if novel and novel[0] else {})
    assembly.relation(label, concepts[first], concepts[second], attributes=attributes)


def write(documents: Iterable[Document], options: NoOptions) -> Iterator[str]:
    """Yield the documents with blank lines between; a text takes two lines, relations are between identifiers."""
    del options
    for index, document in enumerate(_CAPACITY.checked(documents)):
        yield f"\n{_written(document)}" if index else _written(document)


def _written(document: Document) -> str:
    name = document.id
    if document.text.count("\n") != 1 or "\r" in document.text:
        _CAPACITY.refuse(document, "its text is not two lines, a title and an abstract")
    if not name.strip() or re.search(r"[\t\r\n]|\|[ta]\|", name):
        _CAPACITY.refuse(document, "its id holds a tab, a line end or '|t|'")
    title, abstract = document.text.split("\n")
    mentions = {mention.id: mention for mention in document.mentions}
    rows = [_annotation(document, mention) for mention in document.mentions]
    rows += [_relation(document, relation, mentions) for relation in document.relations]
    return f"{name}{_TITLE}{title}\n{name}{_ABSTRACT}{abstract}\n" + "".join(f"{name}\t{row}\n" for row in rows)


def _annotation(document: Document, mention: Mention) -> str:
    text = document.text[mention.start : mention.end]
    identifier = mention.links[0].target if mention.links else ""
    cells = [str(mention.start), str(mention.end), text, next(iter(mention.labels), ""), identifier]
    _check_cells(document, [*cells, *mention.attributes.get("parts", "").split("\t")])
    return "\t".join([*cells, *mention.attributes.values()])


def _relation(document: Document, relation: Relation, mentions: dict[str, Mention]) -> str:
    ends = _CAPACITY.ends(document, relation, mentions)
    links = [mentions[end].links[0].target if mentions[end].links else "" for end in ends]
    concepts = [relation.attributes.get(name, link) for name, link in zip(_CONCEPTS, links, strict=True)]
    if not all(concepts):
        _CAPACITY.refuse(document, f"relation {shown(relation.id)} has an end without a link")
    cells = [relation.label, *concepts, *filter(None, [relation.attributes.get("novel", "")])]
    _check_cells(document, cells)
    return "\t".join(cells)


def _check_cells(document: Document, cells: list[str]) -> None:
    if any(re.search(r"[\t\r\n]", cell) for cell in cells):
        _CAPACITY.refuse(document, "a cell would hold a tab or a line end")


def sniff(head: str) -> bool:
    r"""Tell whether the first two lines are the title and the abstract of one document.

    >>> sniff("7|t|Bern\n7|a|Is old.\n"), sniff("7|t|Bern\n8|a|Is old.\n")
    (True, False)
    """
    first, _, rest = head.removeprefix("\ufeff").lstrip("\r\n").partition("\n")
    name, _ = _cut(first, _TITLE)
    return bool(name) and _cut(rest.partition("\n")[0], _ABSTRACT)[0] == name


FORMAT = Format(
    name="pubtator",
    title="PubTator: title and abstract, annotations by offsets, relations between identifiers",
    known_by="a line ID|t|title and a line ID|a|abstract",
    read=read,
    sniff=sniff,
    write=write,
    keeps=_CAPACITY.keeps,
    layers="mentions with one span, at most one label and one link; relations between identifiers",
)
