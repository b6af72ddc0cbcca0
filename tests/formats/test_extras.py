"""Formats whose readers need an extra: what they read, damage, and the sentence where the extra is missing."""

from __future__ import annotations

import builtins
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.fuzz.targets import targets
from tests.work import steps

from karat import formats
from karat.cli import run
from karat.errors import InputError, MissingExtraError
from karat.formats.base import Problems
from karat.formats.parts.arrow import most_values
from karat.io.archives import SETTING
from karat.model import Document
from karat.testing import check_format

TARGETS = {"hf": "pyarrow", "hf/arrow": "pyarrow", "nif": "pyoxigraph"}
every_target = pytest.mark.parametrize("title", TARGETS)


def sample(title: str) -> bytes:
    (content,) = targets()[f"format {title}"].files.values()
    return content


def read(tmp_path: Path, name: str, content: bytes, **options: str) -> tuple[list[Document], list[str]]:
    """Return the documents of a file, and what is told of it."""
    (tmp_path / "a").write_bytes(content)
    problems = Problems(collect=True)
    documents = list(formats.read(tmp_path / "a", name, problems=problems, options=options))
    return documents, [problem.message for problem in problems.found]


@every_target
def test_a_format_keeps_its_promises(title: str) -> None:
    pytest.importorskip(TARGETS[title])
    check_format(formats.format_named(title.partition("/")[0]), [sample(title)])


@every_target
def test_a_sample_is_recognised_without_the_extra(title: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(sample(title))
    assert formats.sniff(tmp_path / "a").name == title.partition("/")[0]


@every_target
def test_a_missing_extra_is_named_with_the_command_that_installs_it(
    title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] == TARGETS[title]:
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=r"pip install 'karat\[(arrow|rdf)\]'"):
        read(tmp_path, title.partition("/")[0], sample(title))


@every_target
def test_damage_ends_with_a_sentence(title: str, tmp_path: Path) -> None:
    pytest.importorskip(TARGETS[title])
    whole = sample(title)
    for place in range(0, len(whole), max(1, len(whole) // 40)):
        for damaged in (whole[:place], whole[:place] + b"\xff\x7f" + whole[place + 2 :]):
            assert len(read(tmp_path, title.partition("/")[0], damaged)[0]) <= 2


@pytest.mark.parametrize("title", ["hf", "hf/arrow"])
def test_tags_of_a_data_set_are_mentions(title: str, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (first, second), told = read(tmp_path, "hf", sample(title))
    assert [(mention.text, *mention.labels) for mention in first.mentions] == [("Ada Lovelace", "PER"), ("Łódź", "LOC")]
    assert (second.id, second.text, second.metadata) == ("1", "Bern", {"source": "news"})
    assert told == []


def table(**columns: list[Any]) -> bytes:
    """Return a Parquet file with these columns."""
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    stream = io.BytesIO()
    parquet.write_table(arrow.table(columns), stream)
    return stream.getvalue()


def test_what_a_data_set_lacks_is_named(tmp_path: Path) -> None:
    for columns, reason in (
        ({"tokens": [["Ada"]]}, "the columns of tags beside 'tokens' are missing; name one with --read tags=COLUMN"),
        ({"tokens": [["Ada"]], "tags": [["B-PER", "O"]]}, "document '1': it has 1 token and 2 tags"),
        ({"tokens": [[""]], "tags": [["O"]]}, "document '1': token 0 is empty; a token has at least one character"),
        ({"id": [1, 1], "tokens": [[], []], "tags": [["O"], []]}, "document '1' is there twice; remove one"),
        ({"text": ["Ada"], "spans": [[{"start": 0, "end": 9, "label": "X"}]]}, "outside of the text"),
        (
            {"text": ["\U0001f600 Ada "], "spans": [[{"start": 3, "end": 6, "label": "X", "text": "Ada"}]]},
            "the text of a span is 'Ada', but at [3, 6] stands 'da '",
        ),
        ({"text": [None], "spans": [[{"start": 0, "end": 9, "label": "X"}]]}, "expected `str`, got `null`"),
        ({"label": [1]}, "the columns are 'label'; expected 'tokens' and a column of tags, or 'text' and 'spans'"),
    ):
        documents, told = read(tmp_path, "hf", table(**columns))
        assert documents == []
        assert reason in told[-1], told


def test_spans_may_be_a_structure_of_lists_with_numbers_for_labels(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    labels = {"names": ["PER", "LOC"], "_type": "ClassLabel"}
    parts = {"start": {"dtype": "int64", "_type": "Value"}, "end": {"dtype": "int64", "_type": "Value"}}
    spans = [{"start": 0, "end": 3, "label": 0}, {"start": 4, "end": 8, "label": 1}]
    lists = {key: [span[key] for span in spans] for key in spans[0]}
    for rows, feature in (
        (spans, {"feature": parts | {"label": labels}, "_type": "List"}),
        (spans, [parts | {"label": labels}]),
        (lists, {"feature": parts | {"label": labels}, "_type": "Sequence"}),
        (lists, parts | {"label": {"feature": labels, "_type": "List"}}),
    ):
        written = arrow.table({"text": ["Ada Bern"], "spans": [rows]})
        metadata = {"huggingface": json.dumps({"info": {"features": {"spans": feature}}})}
        stream = io.BytesIO()
        with arrow.ipc.new_stream(stream, written.schema.with_metadata(metadata)) as sink:
            sink.write_table(written.replace_schema_metadata(metadata))
        (document,), told = read(tmp_path, "hf", stream.getvalue())
        assert formats.sniff(tmp_path / "a").name == "hf"
        assert [(mention.text, *mention.labels) for mention in document.mentions] == [("Ada", "PER"), ("Bern", "LOC")]
        assert told == []
    for rows, reason in (
        (spans, "the tags of the column 'spans' are numbers without names"),
        (lists | {"end": [3]}, "the lists of 'start', 'end', 'label' differ in length: [2, 1, 2]"),
    ):
        assert reason in read(tmp_path, "hf", table(text=["Ada Bern"], spans=[rows]))[1][-1]


def test_names_of_tags_may_have_blanks_between(tmp_path: Path) -> None:
    (document,), _ = read(tmp_path, "hf", table(tokens=[["Ada", "Bo"]], tags=[[1, 0]]), names="O, B-PER")
    assert document.mentions[0].labels == ("PER",)


def test_repairs_of_tags_are_one_sentence(tmp_path: Path) -> None:
    (document,), told = read(tmp_path, "hf", table(tokens=[["Ada", "Bo", "x"]], tags=[["I-PER", "I-PER", "E-PER"]]))
    assert [mention.text for mention in document.mentions] == ["Ada Bo x"]
    assert told == []
    _, told = read(tmp_path, "hf", table(tokens=[["Ada", "Bo"]], tags=[["PER", "PER"]]))
    assert told == ["the names of tags have no B- and I-: neighbours of one label are one mention"]


def test_a_column_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    content = table(tokens=[["a"] * 5000], tags=[["O"] * 5000])
    assert len(content) < 2000
    monkeypatch.setenv(SETTING, "4000")
    (tmp_path / "a.parquet").write_bytes(content)
    assert run(["convert", str(tmp_path / "a.parquet"), "-", "--to", "jsonl"]) == 3
    assert "a column unpacks to 5,000 values" in capsys.readouterr().err


def test_the_values_of_a_column_are_read_off_the_footer() -> None:
    """The footer says what ``pyarrow`` reads off it, whatever else stands there; a damaged one is a sentence."""
    parquet = pytest.importorskip("pyarrow.parquet")
    for columns in ({"a": [1]}, {"a": [[1, 2], [], [3]], "b": [{"c": "x"}] * 3}, {"a": ["x"] * 5000}, {"a": []}):
        content = table(**columns)
        metadata = parquet.ParquetFile(io.BytesIO(content)).metadata
        groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
        counts = [group.column(place).num_values for group in groups for place in range(group.num_columns)]
        assert most_values(io.BytesIO(content)) == max(counts, default=0)
    for damaged in (
        content[-8:],
        b"\xff" * 99 + b"PAR1",
        b"\x1c" * 99 + b"\x40\0\0\0PAR1",
        b"\x15\x01\0\0\0PAR1",
    ):
        with pytest.raises(InputError, match="is damaged: its footer"):
            most_values(io.BytesIO(damaged))


def test_a_number_without_an_end_in_a_footer_is_refused_at_once() -> None:
    """Bytes that all say that the number goes on were put together to one of millions of bits."""
    footer = b"\x06" + b"\xff" * 100_000
    content = b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1"

    def read() -> None:
        with pytest.raises(InputError, match="a number that is longer than any"):
            most_values(io.BytesIO(content))

    assert steps(read) < len(content) // 10


HEAD = """@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .
@prefix itsrdf: <http://www.w3.org/2005/11/its/rdf#> .
<http://d/1#char=0,4> a nif:Context ; nif:isString "Bern" .
<http://d/1#char=0,4p> nif:referenceContext <http://d/1#char=0,4> ; nif:beginIndex 0 ; nif:endIndex 4 """


def graphs() -> Iterator[tuple[str, str]]:
    """Yield the end of a graph, and what is told of it."""
    yield ".", "1 string with neither taIdentRef nor taClassRef left out: no phrases, words, sentences or paragraphs"
    yield "; a nif:Word .", ""
    yield '; itsrdf:taIdentRef <e:1> ; itsrdf:taConfidence "high" .', "taConfidence 'high'; expected a number"
    yield '; itsrdf:taIdentRef <e:1> ; itsrdf:taConfidence "NaN" .', "taConfidence 'NaN'; expected a number"
    yield "; itsrdf:taIdentRef <e:1> ; nif:beginIndex 1 .", "has beginIndex '0' and '1'; expected one whole number"
    yield "; itsrdf:taIdentRef <e:1> . <http://d/1#more> a nif:Context .", "document 'http://d/1' has two texts"
    yield "; itsrdf:taIdentRef <e:1> . <http://d/2> a nif:Context .", "has 0 texts under nif:isString; expected one"


def test_what_a_graph_lacks_is_named(tmp_path: Path) -> None:
    pytest.importorskip("pyoxigraph")
    for end, reason in graphs():
        _, told = read(tmp_path, "nif", (HEAD + end).encode())
        assert (reason in told[0]) if reason else told == []
    places = {"nif:beginIndex -1": "has beginIndex '-1'", "a nif:String": "has no beginIndex and endIndex, and its"}
    for place, reason in places.items():
        (told,) = read(tmp_path, "nif", (HEAD.replace("nif:beginIndex 0", place) + "; a nif:Phrase .").encode())[1]
        assert reason in told


def test_links_of_a_graph_have_its_score(tmp_path: Path) -> None:
    pytest.importorskip("pyoxigraph")
    (document,), told = read(tmp_path, "nif", "\ufeff".encode() + sample("nif"))
    ana, bern = document.mentions
    assert [(link.target, link.score) for link in ana.links] == [("http://e/Ana", 0.5), ("Q7259", 0.5)]
    assert (ana.labels, bern.text, bern.labels) == (("http://e/Person",), "Bern", ("http://e/Place",))
    assert told == [
        "a phrase has no beginIndex: the address says 12,16",
        "http://d/1: offsets count UTF-16 units: anchorOf is found only so",
    ]
