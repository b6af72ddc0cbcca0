"""Our own formats keep the promises that ``karat.testing`` asks of others', and a broken one is caught."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.formats.test_exports import SAMPLES as EXPORTS
from tests.formats.test_universal_anaphora import STORY

from karat.errors import InputError, UsageError
from karat.formats import format_named, formats
from karat.formats.base import Format, Problems, Want
from karat.io import lines
from karat.model import Document, Mention
from karat.testing import check_format

EXAMPLES = Path(__file__).parents[2] / "examples"
LOSES = {"scorch": ("texts",)}
"""What a format cannot hold of any document."""
WRITABLE = [name for name, declared in formats().items() if declared.write is not None and name not in EXPORTS]
SAMPLES = {
    "cat": [
        b'<?xml version="1.0"?><Document doc_name="d"><token t_id="1" sentence="0" number="0">Bern</token></Document>'
    ],
    "universal-anaphora": [STORY.encode()],
    "pubtator": [b"7|t|Bern\n7|a|Is old.\n7\t0\t4\tBern\tLOC\tQ70\n"],
    "triples": [(EXAMPLES / "triples" / "gold.csv").read_bytes()],
    "coldstart": [(EXAMPLES / "coldstart" / "run.tab.txt").read_bytes()],
}


@pytest.mark.parametrize("name", dict.fromkeys([*WRITABLE, *SAMPLES]))
def test_our_formats_keep_their_promises(name: str) -> None:
    declared = format_named(name)
    check_format(declared, SAMPLES.get(name, ()), loses=LOSES.get(name, ()))


def read(path: str, *, problems: Problems, want: Want, options: Any) -> Iterator[Document]:
    """Read a text and its label from each line."""
    for number, line in enumerate(Path(path).read_text("utf-8", "replace").splitlines(), start=1):
        text, tab, label = line.partition("\t")
        if not tab or not text:
            problems.error(path, number, f"found {line!r}; expected a text, a tab and its label")
            continue
        yield Document(str(number), text, [Mention("T1", ((0, len(text)),), (label,), text)], source=path)


def write(documents: Iterable[Document], options: Any) -> Iterator[str]:
    return (f"{one.text}\t{one.mentions[0].labels[0] if one.mentions else ''}\n" for one in documents)


LINES = Format(name="labelled-lines", title="One text a line", read=read, suffixes=(".labels",))
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


def write_nothing(documents: Iterable[Document], options: Any) -> dict[str, str]:
    raise InputError("no room")


def write_text(documents: Iterable[Document], options: Any) -> Any:
    return "Bern\tLOC\n"


def write_bytes(documents: Iterable[Document], options: Any) -> Any:
    return [b"Bern\tLOC\n"]


def write_path(documents: Iterable[Document], options: Any) -> Any:
    return {"../elsewhere": "Bern\tLOC\n"}


def write_badly(documents: Iterable[Document], options: Any) -> Any:
    raise ValueError("odd")


def read_nothing(path: str, **how: Any) -> Any:
    return None


def read_dictionaries(path: str, **how: Any) -> Any:
    return [{"id": "d"}]


def sniff_badly(head: str) -> bool:
    raise KeyError(head[:1])


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        ({"read": read_outside}, "in which mention 'T1': span .* ends outside the text"),
        ({"read": read_twice}, "two documents with the id 'd'"),
        (
            {"read": read_carelessly},
            r"fails in read, on .*: ValueError: .* \(test_formats.py, line \d+\); raise an Input",
        ),
        ({"read": read_nothing}, "reads None; read yields Document objects"),
        ({"read": read_dictionaries}, "reads dict objects; read yields Document objects"),
        ({"sniff": sniff_badly}, "fails in sniff: KeyError: 'B'"),
        ({"sniff": str.isdigit}, "does not recognise a sample by sniff"),
        ({"write": write}, "writes the documents letter and reads back 1"),
        ({"write": write_nothing}, r"refuses to write any document that has mentions \(no room\)"),
        ({"write": write_text}, "fails in write: TypeError: format labelled-lines writes 'Bern"),
        ({"write": write_bytes}, "writes bytes objects; expected pieces of text"),
        ({"write": write_path}, "writes .*elsewhere.*; expected pieces of text"),
        ({"write": write_badly}, "fails in write: ValueError: odd .*; raise an InputError with a sentence for what"),
    ],
)
def test_a_broken_format_is_caught(parts: dict[str, Any], fault: str) -> None:
    with pytest.raises(AssertionError, match=fault):
        check_format(msgspec.structs.replace(LINES, **parts), [SAMPLE])


def test_a_format_that_cannot_write_needs_a_sample() -> None:
    with pytest.raises(AssertionError, match="without a sample"):
        check_format(LINES)


def test_a_sample_that_is_refused_is_told() -> None:
    with pytest.raises(AssertionError, match=r"refuses a sample: sample\.labels:1: found 'nonsense'"):
        check_format(LINES, [b"nonsense"])


@pytest.mark.parametrize("samples", [SAMPLE, "towns.labels", ["towns.labels"], [{"a.labels": "Bern"}]])
def test_samples_are_contents(samples: Any) -> None:
    with pytest.raises(TypeError, match="expected a list of contents as bytes"):
        check_format(LINES, samples)


def write_spans(documents: Iterable[Document], options: Any) -> list[str]:
    """Write the id, the text, and the only label and place of each mention."""
    rows = []
    for document in documents:
        cells = [document.id, document.text]
        for mention in document.mentions:
            if len(mention.spans) > 1 or len(mention.labels) != 1 or mention.layer or mention.links:
                raise InputError(f"mention {mention.id} has more than a span and a label")
            cells.append(f"{mention.start} {mention.end} {mention.labels[0]}")
        if document.chains or document.relations or document.notes or document.metadata or "\t" in document.text:
            raise InputError(f"document {document.id} has more than mentions")
        rows.append("\t".join(cells) + "\n")
    return ["".join(rows)]


def read_spans(path: str, *, problems: Problems, want: Want, options: Any) -> Iterator[Document]:
    names = set()
    for number, line in enumerate(lines(path), start=1):
        name, tab, rest = line.partition("\t")
        text, *cells = rest.split("\t")
        places = [re.fullmatch(r"(\d{1,9}) (\d{1,9}) (\S+)", cell) for cell in cells]
        found = [(int(place[1]), int(place[2]), place[3]) for place in places if place]
        if not tab or name in names or len(found) < len(cells) or not all(a < b <= len(text) for a, b, _ in found):
            problems.error(path, number, "found an odd line")
            continue
        names.add(name)
        mentions = [Mention(f"T{index}", ((a, b),), (label,)) for index, (a, b, label) in enumerate(found)]
        yield Document(name, text, mentions)


SPANS = Format(
    name="spans", title="Spans", read=read_spans, write=write_spans, keeps=frozenset({"labels", "unchained"})
)


def write_another_label(documents: Iterable[Document], options: Any) -> list[str]:
    return ["".join(write_spans(documents, options)).replace("LOC", "X")]


def write_fewer(documents: Iterable[Document], options: Any) -> list[str]:
    return [re.sub(r"(?m)\t\d+ \d+ \S+$", "", "".join(write_spans(documents, options)))]


def read_no_labels(path: str, **how: Any) -> Iterator[Document]:
    for document in read_spans(path, **how):
        mentions = [msgspec.structs.replace(mention, labels=()) for mention in document.mentions]
        yield msgspec.structs.replace(document, mentions=mentions)


def read_too_far(path: str, **how: Any) -> Iterator[Document]:
    for document in read_spans(path, **how):
        mentions = [msgspec.structs.replace(one, spans=((one.start, one.end + 50),)) for one in document.mentions]
        yield msgspec.structs.replace(document, mentions=mentions)


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        ({"write": write_another_label}, r"wrote 'Bern' \[0, 4\] LOC and read back 'Bern' \[0, 4\] X; write it, or"),
        ({"write": write_fewer}, r"1 mention and 1 label .*: it wrote 'Lima' \[9, 13\] LOC and read back nothing"),
        ({"read": read_no_labels}, r"2 labels .*: it wrote 'Bern' \[0, 4\] LOC and read back 'Bern' \[0, 4\];"),
        ({"read": read_too_far}, "ends outside the text"),
        ({"sniff": sniff_badly}, "fails in sniff: KeyError: 'l'"),
    ],
)
def test_a_writer_is_tried_on_what_the_format_keeps(parts: dict[str, Any], fault: str) -> None:
    check_format(SPANS)
    with pytest.raises(AssertionError, match=fault):
        check_format(msgspec.structs.replace(SPANS, **parts))


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        ({"name": "my lines"}, "format 'my lines': a name has letters"),
        ({"keeps": frozenset({"labelz"})}, "in keeps, unknown kind 'labelz'; did you mean 'labels'"),
        ({"write": write, "keeps": frozenset({"labels"})}, "keeps has no room for mentions; add 'unchained'"),
        ({"suffixes": ("labels",)}, "expected a tuple such as"),
        ({"suffixes": ".labels"}, "expected a tuple such as"),
        ({"options": dict}, "expected a class with @dataclass"),
    ],
)
def test_a_declaration_that_nobody_could_use_is_refused(parts: dict[str, Any], fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        msgspec.structs.replace(LINES, **parts)
