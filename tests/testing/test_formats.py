"""Our own formats keep the promises that ``karat.testing`` asks of others', and a broken one is caught."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.formats.test_exports import SAMPLES as EXPORTS

from karat.formats import format_named, formats
from karat.formats.base import Format, Problems, Want
from karat.model import Document, Mention
from karat.testing import check_format

EXAMPLES = Path(__file__).parents[2] / "examples"
HOLDS = {"scorch": ("id", "chains"), "hipe": ("id", "text", "metadata")}
"""What a format holds, if that is not all of a document; HIPE has a name for the layer without one."""
WRITABLE = [name for name, declared in formats().items() if declared.write is not None and name not in EXPORTS]
SAMPLES = {
    "cat": [
        b'<?xml version="1.0"?><Document doc_name="d"><token t_id="1" sentence="0" number="0">Bern</token></Document>'
    ],
    "pubtator": [b"7|t|Bern\n7|a|Is old.\n7\t0\t4\tBern\tLOC\tQ70\n"],
    "triples": [(EXAMPLES / "triples" / "gold.csv").read_bytes()],
    "coldstart": [(EXAMPLES / "coldstart" / "run.tab.txt").read_bytes()],
}


@pytest.mark.parametrize("name", dict.fromkeys([*WRITABLE, *SAMPLES]))
def test_our_formats_keep_their_promises(name: str) -> None:
    declared = format_named(name)
    keeps = {"keeps": HOLDS[name]} if name in HOLDS else {}
    check_format(declared, SAMPLES.get(name, ()), **keeps)


def read(path: str, *, problems: Problems, want: Want, options: Any) -> Iterator[Document]:
    """Read a text and its label from each line."""
    for number, line in enumerate(Path(path).read_text("utf-8", "replace").splitlines(), start=1):
        text, tab, label = line.partition("\t")
        if not tab or not text:
            problems.error(path, number, f"found {line!r}; expected a text, a tab and its label")
            continue
        yield Document(str(number), text, [Mention("T1", ((0, len(text)),), (label,), text)], source=path)


def write(documents: Iterable[Document], options: Any) -> dict[str, str]:
    lines = (f"{one.text}\t{one.mentions[0].labels[0] if one.mentions else ''}\n" for one in documents)
    return {"": "".join(lines)}


LINES = Format(
    name="labelled-lines", title="One text a line", read=read, sniff=lambda head: False, suffixes=(".labels",)
)
SAMPLE = b"Bern\tLOC\nAnton Vogelsang\tPER\n"


def test_a_sound_format_is_accepted() -> None:
    check_format(LINES, [SAMPLE])


def read_outside(path: str, **how: Any) -> Iterator[Document]:
    for document in read(path, **how):
        yield msgspec.structs.replace(document, mentions=[Mention("T1", ((0, 99),), ("LOC",))])


def read_twice(path: str, **how: Any) -> Iterator[Document]:
    for document in read(path, **how):
        yield msgspec.structs.replace(document, id="d")


def read_carelessly(path: str, **how: Any) -> Iterator[Document]:
    for line in Path(path).read_text("utf-8").splitlines():
        text, label = line.split("\t")
        yield Document(text, text, [Mention("T1", ((0, len(text)),), (label,))])


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        ({"read": read_outside}, "in which mention 'T1': span .* ends outside the text"),
        ({"read": read_twice}, "two documents with the id 'd'"),
        ({"read": read_carelessly}, "raises .*; raise an InputError with a sentence"),
        ({"write": write}, "reads back other (id|mentions)"),
    ],
)
def test_a_broken_format_is_caught(parts: dict[str, Any], fault: str) -> None:
    with pytest.raises(AssertionError, match=fault):
        check_format(msgspec.structs.replace(LINES, **parts), [SAMPLE])


def test_a_format_that_cannot_write_needs_a_sample() -> None:
    with pytest.raises(AssertionError, match="without a sample"):
        check_format(LINES)
