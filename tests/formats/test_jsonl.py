from __future__ import annotations

import json
import tempfile
import tracemalloc
from collections.abc import Iterable
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import documents

from karat import formats
from karat.errors import InputError, UsageError
from karat.evaluation.corpora import Reading, load
from karat.evaluation.evaluation import Evaluation
from karat.evaluation.registry import configure
from karat.formats.base import EVERYTHING, Problems
from karat.formats.jsonl import FORMAT, JsonlOptions, sniff
from karat.model import Argument, Chain, Document, Link, Mention, Note, Relation, TokenTable

read = partial(FORMAT.read, want=EVERYTHING, options=JsonlOptions())


ZURICH = '{"id":"d1","text":"Zürich am See","mentions":[{"id":"m1","spans":[[0,6],[10,13]],"labels":["LOC"]}]}'


def write(documents: Iterable[Document], options: Any = None) -> str:
    assert FORMAT.write is not None
    return "".join(map(str, FORMAT.write(documents, options or JsonlOptions())))


def implied_schema() -> dict[str, Any]:
    """The schema that the model implies: its types, no other keys, no ``source``, at least one span."""
    (start,), components = msgspec.json.schema_components([Document], ref_template="#/$defs/{name}")
    for component in components.values():
        component["description"] = component["description"].partition("\n")[0]
        component["additionalProperties"] = False
    document = components["Document"]
    del document["properties"]["source"]
    document["description"] = "A text with its annotations."
    components["Mention"]["properties"]["spans"]["minItems"] = 1
    components["Argument"]["properties"]["chain"] = {"type": "string"}
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of Karat's JSON lines",
    }
    schema: dict[str, Any] = json.loads(json.dumps(head | start | {"$defs": dict(sorted(components.items()))}))
    return schema


def shipped_schema() -> dict[str, Any]:
    text = resources.files("karat.formats").joinpath("jsonl.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def read_lines(tmp_path: Path, *lines: str) -> tuple[list[Document], Problems]:
    path = tmp_path / "in.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    problems = Problems(collect=True)
    return list(read(str(path), problems=problems)), problems


def messages(tmp_path: Path, *lines: str) -> list[str]:
    found, problems = read_lines(tmp_path, *lines)
    assert found == []
    return [one.message for one in problems.found]


def test_reads_a_document_and_fills_in_the_text_of_its_mentions(tmp_path: Path) -> None:
    found, problems = read_lines(tmp_path, "\ufeff" + ZURICH, "", '{"id":"d2"}', "")
    mention = Mention("m1", ((0, 6), (10, 13)), ("LOC",), "Zürich See")
    source = str(tmp_path / "in.jsonl")
    assert found == [Document("d1", "Zürich am See", [mention], source=source), Document("d2", source=source)]
    assert problems.found == []


def test_the_first_error_stops_with_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text(ZURICH + "\n" + '{"id": 3}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"in\.jsonl:2: expected `str`, got `int` at \$\.id; see the schema"):
        list(read(str(path), problems=Problems()))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{", "not a JSON object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"id":"d","text":"\\ud800"}', "not a JSON object"),
        ("[]", "expected `object`, got `array`"),
        ('{"text":"a"}', "missing required field `id`"),
        ('{"id":"d","mention":[]}', "unknown key 'mention' at $; did you mean 'mentions'?"),
        ('{"id":"d","source":"x"}', "unknown key 'source' at $"),
        (
            '{"id":"d","mentions":[{"id":"m","spans":[[0,1]],"label":"x"}]}',
            "at $.mentions[0]; did you mean 'labels'",
        ),
        ('{"id":"d","mentions":[{"id":"m","spans":[[0,1,2]]}]}', "at $.mentions[0].spans[0]"),
        (
            '{"id":"d","mentions":[{"id":"m","spans":[[0,1]],"links":[{"qid":"Q1"}]}]}',
            "$.mentions[0].links[0]",
        ),
        ('{"id":"d","table":{"form":[]}}', "unknown key 'form' at $.table; did you mean 'forms'?"),
    ],
)
def test_malformed_lines_are_named(tmp_path: Path, line: str, expected: str) -> None:
    (message,) = messages(tmp_path, line)
    assert expected in message


def mention(**parts: Any) -> dict[str, Any]:
    return {"id": "m", "spans": [[0, 2]], **parts}


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"mentions": [mention(spans=[[0, 9]])]}, "ends outside the text, which has 5 characters"),
        ({"mentions": [mention(spans=[[-1, 2]])]}, "starts before the text"),
        ({"mentions": [mention(spans=[[2, 2]])]}, "span [2, 2] is empty or reversed"),
        ({"mentions": [mention(spans=[[3, 5], [0, 2]])]}, "out of order"),
        ({"mentions": [mention(text="xy")]}, "its text is 'xy', but at its spans stands 'ab'"),
        ({"mentions": [mention(), mention()]}, "mention 'm': the id is used twice"),
        ({"mentions": [mention(id="")]}, "empty id"),
        ({"chains": [{"id": "c", "mentions": ["m9"]}]}, "chain 'c' refers to 'm9'"),
        (
            {"relations": [{"id": "r", "label": "x", "arguments": [], "trigger": "t"}]},
            "relation 'r' refers to 't'",
        ),
        ({"notes": [{"id": "n", "target": "m9", "text": ""}]}, "note 'n' refers to 'm9'"),
        ({"table": {"forms": ["ab"], "columns": {"NE": []}}}, "column 'NE' has 0 cells for 1 tokens"),
        ({"table": {"forms": ["ab"], "starts": [0, 1]}}, "2 starts for 1 tokens"),
        ({"table": {"forms": ["ab"], "starts": [1]}}, "token 0 is 'ab' but the text at 1 is not"),
        ({"table": {"forms": ["ab", "b"], "starts": [0, 1]}}, "token 1 starts at 1, before the end"),
        ({"table": {"forms": ["ab", "c"], "segments": [1, 0]}}, "indices of segments do not ascend"),
        ({"table": {"forms": ["ab"], "comments": [[2, "#"]]}}, "comments names a token outside the table"),
    ],
)
def test_unsound_documents_are_refused_by_reader_and_writer(
    tmp_path: Path, parts: dict[str, Any], expected: str
) -> None:
    found = {"id": "d", "text": "ab cd", **parts}
    (message,) = messages(tmp_path, json.dumps(found))
    assert message.startswith("document 'd': ")
    assert expected in message
    with pytest.raises(InputError) as refusal:
        write([msgspec.convert(found, Document)])
    assert expected in str(refusal.value)


def test_all_faults_of_a_file_are_collected_and_sound_documents_kept(tmp_path: Path) -> None:
    found, problems = read_lines(tmp_path, '{"id":"a"}', "oops", '{"id":"a"}', '{"id":"b"}')
    assert [one.id for one in found] == ["a", "b"]
    assert [one.line for one in problems.found] == [2, 3]
    assert "'a' is there twice, first on line 1" in problems.found[1].message


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_scores_that_json_lacks_are_refused(score: float) -> None:
    with pytest.raises(InputError, match="not a finite number"):
        write([Document("d", "ab", [Mention("m", ((0, 1),), links=(Link("Q1", score),))])])


def test_a_table_whose_ids_are_too_few_is_refused(tmp_path: Path) -> None:
    table = {"forms": ["x", "y"], "columns": {"ID": ["1"]}, "starts": [0, 2]}
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "a", "text": "x y", "table": table}))
    with pytest.raises(InputError, match=r"a\.jsonl:1: document 'a': table: column 'ID' has 1 cells for 2 tokens"):
        list(read(str(tmp_path / "a.jsonl"), problems=Problems()))


def overlapping(path: Path, length: int, number: int) -> str:
    """Write a document with mentions that cover nearly all of its text, each from another place on."""
    mentions = [{"id": f"T{start}", "spans": [[start, length]]} for start in range(number)]
    path.write_text(json.dumps({"id": "d", "text": "a" * length, "mentions": mentions}))
    return str(path)


def test_long_mentions_over_each_other_are_refused_by_a_limit_that_can_be_raised(tmp_path: Path) -> None:
    path = overlapping(tmp_path / "a.jsonl", 100_000, 70)
    message = r"a\.jsonl:1: document 'd': the mentions .* cover more than 6,400,000 .* --read covered=128"
    with pytest.raises(InputError, match=message):
        list(read(path, problems=Problems()))
    (document,) = read(path, problems=Problems(), options=JsonlOptions(covered=128))
    assert (len(document.mentions[0].text), document.mentions[-1].text) == (100_000, "")
    with pytest.raises(UsageError, match="covered is 'many'; expected a whole number"):
        formats.read(path, "jsonl", options={"covered": "many"})


@pytest.mark.parametrize("covered", [64, 1_000_000])
def test_memory_grows_with_the_file_and_not_with_what_its_mentions_cover(covered: int, tmp_path: Path) -> None:
    def peak(number: int) -> int:
        path = overlapping(tmp_path / "a.jsonl", 20_000, number)
        tracemalloc.start()
        try:
            list(read(path, problems=Problems(collect=True), options=JsonlOptions(covered=covered)))
            return tracemalloc.get_traced_memory()[1] - 100 * number
        finally:
            tracemalloc.stop()

    peak(1)
    assert peak(1_000) < 1.5 * peak(500)


def test_a_text_that_is_not_copied_is_shown_all_the_same(tmp_path: Path) -> None:
    path = overlapping(tmp_path / "a.jsonl", 20_000, 70)
    readings = [Reading("jsonl", {"covered": "128"})] * 2
    bound = configure("overlap", {})
    sides = load(bound, [path, path], readings, lines=True)
    entries = list(Evaluation(bound, *sides).entries())
    assert [len(entry.gold.text) for entry in entries if entry.gold][-1] == 20_000 - 69


def test_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(InputError, match="surrogate"):
        write([Document("d", "\ud800")])


def test_two_documents_with_one_id_are_refused() -> None:
    with pytest.raises(InputError, match="same id"):
        write([Document("d"), Document("d")])


def test_writes_one_plain_line_without_defaults_and_source() -> None:
    table = TokenTable(["é"], {"Z": ["O"], "A": ["_"]}, [0], [0])
    written = write([Document("d", "é", [Mention("m", ((0, 1),))], table=table, source="somewhere")])
    assert written == (
        '{"id":"d","text":"é","mentions":[{"id":"m","spans":[[0,1]]}],'
        '"table":{"forms":["é"],"columns":{"Z":["O"],"A":["_"]},"segments":[0],"starts":[0]}}\n'
    )


@given(st.lists(documents(), max_size=3, unique_by=lambda one: one.id))
def test_what_is_written_reads_back_and_fits_the_schema(drawn: list[Document]) -> None:
    written = write(drawn)
    validator = jsonschema.Draft202012Validator(shipped_schema())
    for line in written.removesuffix("\n").split("\n") if drawn else []:
        validator.validate(json.loads(line))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out.jsonl"
        path.write_bytes(written.encode())
        back = list(read(str(path), problems=Problems()))
    assert [msgspec.structs.replace(one, source="") for one in back] == drawn
    assert write(back) == written


def test_the_shipped_schema_is_what_the_model_implies() -> None:
    jsonschema.Draft202012Validator.check_schema(shipped_schema())
    assert shipped_schema() == implied_schema(), "run this file to write the schema anew"


def test_the_schema_refuses_what_the_reader_refuses() -> None:
    validator = jsonschema.Draft202012Validator(shipped_schema())
    assert validator.is_valid(json.loads(ZURICH))
    assert not validator.is_valid({"id": "d", "mention": []})
    assert not validator.is_valid({"id": "d", "mentions": [{"id": "m", "spans": []}]})


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (ZURICH + "\n", True),
        ("\ufeff\n" + ZURICH, True),
        (ZURICH[:50], True),
        ('{"id": "d1", "entities": []}', False),
        ('{"doc": "d1", "mentions"', False),
        ("[1, 2]", False),
        ("TOKEN\tNE-COARSE-LIT\n", False),
        ("T1\tLOC 0 6\tZürich\n", False),
        ("", False),
    ],
)
def test_sniffs_its_own_lines_only(head: str, *, expected: bool) -> None:
    assert sniff(head) is expected


def test_an_end_that_is_a_chain_is_written_with_its_first_mention(tmp_path: Path) -> None:
    mentions = [Mention("m1", ((0, 1),), text="a"), Mention("m2", ((1, 2),), text="b")]
    ends = (Argument("head", "c"), Argument("tail", "m2"))
    document = Document("d", "ab", mentions, [Chain("c", ("m1",))], [Relation("r", "x", ends)])
    written = write([document])
    assert json.loads(written)["relations"][0]["arguments"] == [
        {"role": "head", "target": "m1", "chain": "c"},
        {"role": "tail", "target": "m2"},
    ]
    (back,), _ = read_lines(tmp_path, written)
    assert back.relations == document.relations


def test_every_kind_of_reference_may_be_used() -> None:
    document = Document(
        "d",
        "ab",
        [Mention("m", ((0, 1),), text="a")],
        [Chain("c", ("m",))],
        [Relation("r", "x", (), "m")],
        [Note("n", "c", "!"), Note("o", "n", "?")],
    )
    assert FORMAT.write is not None
    assert json.loads(write([document]))["notes"][1]["target"] == "n"


def test_a_mention_without_spans_is_written_with_a_span_that_says_so(tmp_path: Path) -> None:
    document = Document("d", "Bern", [Mention("m", (), ("PER",), "Eve", attributes={"by": "a model"})])
    written = write([document])
    (mention,) = json.loads(written)["mentions"]
    assert (mention["spans"], mention["attributes"]) == ([[0, 0]], {"by": "a model", "located": "no", "given": "Eve"})
    target = tmp_path / "a.jsonl"
    target.write_text(written, encoding="utf-8")
    assert next(iter(formats.read(target))).mentions == document.mentions
    target.write_text(written.replace("[[0,0]]", "[]"), encoding="utf-8")
    with pytest.raises(InputError, match="there is no span"):
        list(formats.read(target))


if __name__ == "__main__":
    target = Path(__file__).parents[2] / "src/karat/formats/jsonl.schema.json"
    target.write_text(json.dumps(implied_schema(), indent=2) + "\n", encoding="utf-8")
