"""CoNLL-U Plus: columns that a header names; those that CoNLL-U lacks are layers of tags.

Rows, text and tags are read as in the format ``conll``. ``PARSEME:MWE`` (``.cupt``) has its own cells: ``1:LVC.full``
begins an expression, ``1`` continues it, ``*`` is outside, and ``_`` means that the sentence was not annotated. Files
of Universal NER have no header, and the tag in the third of five columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from karat.annotations.columns import EXPRESSIONS, FORM, TAG, tag_layer_of
from karat.annotations.faults import shown, surface
from karat.annotations.tokens import fragments, line_of
from karat.errors import InputError
from karat.formats.base import Format, Problems, Want
from karat.formats.conll.declaration import ConllReader
from karat.formats.conll.layout import HEADER, ConllOptions, Layout, cut_row, document_marker, is_anaphora
from karat.formats.parts.token_tables import segment_ranges
from karat.model import Document, Mention, TokenTable

_UNIVERSAL_NER = ("ID", FORM, TAG, "4", "5")
_TAG_CELL = re.compile(r"O|[BIES]-\S+")


def read(path: str, *, problems: Problems, want: Want, options: ConllOptions) -> Iterator[Document]:
    """Yield the documents of a file."""
    taken: set[str] = set()
    for document in _Reader(path, problems, want, options).documents():
        if document.id in taken:
            problems.error(path, None, f"document {shown(document.id)} is there twice; rename one")
            continue
        taken.add(document.id)
        with problems.catching(path):
            _add_expressions(document, problems)
            yield document


class _Reader(ConllReader):
    """Reads rows with a header, or those of Universal NER."""

    def _layout(self, source: Iterator[str]) -> Layout | None:
        head = []
        for line in source:
            head.append(line)
            if HEADER.match(line):
                return super()._layout(iter(head))
            if _is_row(line):
                if _is_universal_ner(line):
                    return Layout(_UNIVERSAL_NER, 1, declared=True, tabbed=True)
                break
        message = "expected a header, '# global.columns = ID FORM …', before the first row"
        self.problems.error(self.path, None, message)
        return None


def _is_row(line: str) -> bool:
    return bool(line.strip()) and not line.startswith("#") and document_marker(line) is None


def _is_universal_ner(line: str) -> bool:
    cells = cut_row(line)
    return len(cells) == len(_UNIVERSAL_NER) and cells[0].isdecimal() and _TAG_CELL.fullmatch(cells[2]) is not None


def _add_expressions(document: Document, problems: Problems) -> None:
    """Add the multiword expressions of a document, each within its sentence."""
    table = document.table
    cells = [] if table is None else list(table.columns.get(EXPRESSIONS, ()))
    if table is None or not cells or not table.starts:
        return
    if set(cells) == {"_"}:
        problems.repair(
            document.source, None, f"the column {EXPRESSIONS} is blind ('_') in document {shown(document.id)}"
        )
        return
    for start, end in segment_ranges(table.segments, len(cells)):
        for label, tokens in _expressions(cells, start, end, table):
            spans = fragments(tokens, table.starts, table.forms)
            name = f"T{len(document.mentions) + 1}"
            text = surface(document.text, spans)
            document.mentions.append(Mention(name, spans, (label,), text, EXPRESSIONS))


def _expressions(cells: list[str], start: int, end: int, table: TokenTable) -> Iterator[tuple[str, list[int]]]:
    """Yield the label and the tokens of each expression in a sentence."""
    labels: dict[str, str] = {}
    tokens: dict[str, list[int]] = {}
    for token in range(start, end):
        if cells[token] in ("*", "_"):
            continue
        for part in cells[token].split(";"):
            key, colon, label = part.partition(":")
            if colon:
                labels.setdefault(key, label)
            elif key not in labels:
                message = f"the expression {shown(key)} goes on, but nothing has begun it; expected '{key}:LABEL'"
                raise InputError(message, line=line_of(table, token))
            members = tokens.setdefault(key, [])
            if token not in members[-1:]:
                members.append(token)
    yield from ((labels[key], members) for key, members in tokens.items())


def sniff(head: str) -> bool:
    r"""Tell whether a header names ID, FORM and a column that CoNLL-U lacks, or rows are those of Universal NER.

    >>> sniff("# global.columns = ID FORM NER\n"), sniff("# global.columns = FORM NER\n")
    (True, False)
    """
    head_lines = head.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    header = next((match[1] for line in head_lines if (match := HEADER.match(line))), "")
    if header:
        names = header.split()
        layers = [name for name in names if name == EXPRESSIONS or tag_layer_of(name) is not None]
        return {"ID", FORM} <= set(names) and bool(layers) and not is_anaphora(header)
    rows = [line for line in head_lines[:-1] if _is_row(line)]
    return bool(rows) and all(map(_is_universal_ner, rows))


FORMAT = Format(
    name="conllup",
    title="CoNLL-U Plus: columns of tags beside those of CoNLL-U, also PARSEME and Universal NER",
    known_by="a line `# global.columns` with `ID`, `FORM` and a column of tags",
    read=read,
    sniff=sniff,
    options=ConllOptions,
    layers="mentions in a layer for each column, fragments of expressions, tokens, segments",
)
