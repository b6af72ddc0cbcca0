"""One relation label per line, as relation classifiers write them and the TACRED scorer reads them.

Line *n* is the label of item *n* of another file, the ``records`` in the format ``tacred``. Without records, a line
becomes a document named by its number, with two placeholder mentions that have TACRED's names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from karat.annotations.faults import shown
from karat.errors import InputError, many
from karat.formats.base import EVERYTHING, Format, NoOptions, Problems, Want
from karat.formats.parts.assembly import HEAD, TAIL
from karat.io import lines
from karat.model import Argument, Document, Mention, Relation
from karat.settings import choice, option

NO_RELATION = "no_relation"
"""What TACRED calls an item without a relation."""
_MENTIONS = (Mention("subj", ((0, 4),), text="subj"), Mention("obj", ((5, 8),), text="obj"))
_ARGUMENTS = (Argument(HEAD, "subj"), Argument(TAIL, "obj"))


@dataclass(frozen=True)
class LabelOptions:
    """The file of the items, and which lines are labels."""

    records: str = option("", "the file of TACRED with the items that the labels are about", metavar="FILE")
    none: str = option(NO_RELATION, "the label that says that there is no relation")
    rules: str = choice(
        ("strict", "tacred"),
        "lines without a label, or with blanks around it: an error, or labels as they stand, as TACRED has it",
    )


def read(path: str, *, problems: Problems, want: Want, options: LabelOptions) -> Iterator[Document]:
    """Yield a document for each line."""
    del want
    return _documents(path, labels_in(path, problems, options.rules), problems, options)


def read_objects(objects: Any, *, problems: Problems, want: Want, options: LabelOptions) -> Iterator[Document]:
    """Yield a document for each label of a list, an array or a column."""
    del want
    labels = objects.tolist() if hasattr(objects, "tolist") else list(objects)
    odd = next((label for label in labels if not isinstance(label, str)), None)
    if odd is not None:
        raise InputError(f"found {shown(str(odd))} among the labels; expected the texts of labels, one for each item")
    return _documents("labels", iter(labels), problems, options)


def _documents(path: str, labels: Iterator[str], problems: Problems, options: LabelOptions) -> Iterator[Document]:
    items = _records(options.records, problems) if options.records else None
    line_number = 0
    for line_number, label in enumerate(labels, start=1):
        document = Document(str(line_number), "subj obj", list(_MENTIONS)) if items is None else next(items, None)
        if document is None:
            problems.error(path, line_number, f"the records, {options.records}, have no item for this line")
            return
        if label != options.none:
            document.relations = [Relation("r1", label, _ARGUMENTS)]
        document.source = path
        yield document
    rest = 0 if items is None else sum(1 for _ in items)
    if rest:
        lacking = f"the records, {options.records}, have {many(rest, 'more item')}"
        problems.error(path, line_number, f"this is the last label, but {lacking}")


def labels_in(path: str, problems: Problems, rules: str) -> Iterator[str]:
    """Return the label of each line."""
    return lines(path) if rules == "tacred" else _strict(path, problems)


def _strict(path: str, problems: Problems) -> Iterator[str]:
    for line_number, label in enumerate(lines(path), start=1):
        if not label or label != label.strip():
            problems.error(path, line_number, f"found {shown(label)}; expected a label without blanks around it")
        yield label


def _records(path: str, problems: Problems) -> Iterator[Document]:
    """Yield the items of the records, without their own relations."""
    from karat.formats import tacred

    for document in tacred.read(path, problems=problems, want=EVERYTHING, options=NoOptions()):
        document.relations.clear()
        yield document


FORMAT = Format(
    name="labels",
    title="One label a line, of items that stand elsewhere",
    known_by="nothing: it has to be named",
    read=read,
    options=LabelOptions,
    layers="a relation between two mentions",
    read_objects=read_objects,
)
