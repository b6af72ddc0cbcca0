"""Lines of clusters: what offsets mean, what is refused, and that writing undoes reading."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.annotations.faults import faults
from karat.errors import InputError
from karat.formats.base import EVERYTHING, Problems
from karat.formats.jsonlines.declaration import FORMAT, JsonlinesOptions, sniff
from karat.model import Chain, Document, Link, Mention, Note, Relation, TokenTable

read = partial(FORMAT.read, want=EVERYTHING, options=JsonlinesOptions())


SENTENCES = [["Ada", "met", "Charles", "."], ["She", "liked", "him", "."]]


def write(documents: Iterable[Document], options: Any = None) -> str:
    assert FORMAT.write is not None
    return "".join(map(str, FORMAT.write(documents, options or JsonlinesOptions())))


def load(folder: Path, *found: Any, collect: bool = False, **options: str) -> tuple[list[Document], Problems]:
    path = folder / "in.jsonlines"
    lines = [one if isinstance(one, str) else json.dumps(one) for one in found]
    path.write_text("\n".join(lines), encoding="utf-8")
    problems = Problems(collect=collect)
    chosen = JsonlinesOptions(**options)  # type: ignore[arg-type]
    return list(read(str(path), problems=problems, options=chosen)), problems


def surfaces(document: Document) -> list[list[str]]:
    by_id = {mention.id: mention for mention in document.mentions}
    return [[by_id[mention].text for mention in chain.mentions] for chain in document.chains]


def test_words_of_sentences_are_inclusive_offsets_over_the_document(tmp_path: Path) -> None:
    line = {"doc_key": "d", "sentences": SENTENCES, "speakers": [], "clusters": [[[0, 0], [4, 4]], [[6, 6], [2, 3]]]}
    ((document,), problems) = load(tmp_path, line)
    assert document.text == "Ada met Charles . She liked him ."
    assert surfaces(document) == [["Ada", "She"], ["him", "Charles ."]]
    assert [mention.id for mention in document.mentions] == ["m1", "m2", "m3", "m4"]
    assert document.chains == [Chain("c1", ("m1", "m2")), Chain("c2", ("m3", "m4"))]
    assert document.table is not None
    assert document.table.segments == [0, 4]
    assert document.table.starts[4] == 18
    assert problems.found == []


def test_without_tokens_spans_count_words_themselves(tmp_path: Path) -> None:
    ((document,), _) = load(tmp_path, {"doc_key": "(wsj_1); part 000", "clusters": [[[3, 3], [7, 9]], []]})
    assert (document.text, document.table) == ("", None)
    assert [mention.spans for mention in document.mentions] == [((3, 4),), ((7, 10),)]
    assert document.chains == [Chain("c1", ("m1", "m2")), Chain("c2", ())]


def test_a_span_that_is_there_twice_is_two_mentions(tmp_path: Path) -> None:
    ((document,), _) = load(tmp_path, {"doc_key": "d", "clusters": [[[1, 1], [1, 1]], [[1, 1]]]})
    assert [mention.spans for mention in document.mentions] == [((1, 2),)] * 3
    assert document.chains == [Chain("c1", ("m1", "m2")), Chain("c2", ("m3",))]


def test_characters_of_a_text_end_behind_the_mention(tmp_path: Path) -> None:
    line = {"doc_key": "d", "text": "We saw it.", "clusters": [[[0, 2]], [[7, 9]]]}
    assert surfaces(load(tmp_path, line)[0][0]) == [["We"], ["it"]]
    line["clusters"] = [[[0, 1]], [[7, 8]]]
    assert surfaces(load(tmp_path, line, end="inclusive")[0][0]) == [["We"], ["it"]]


def test_output_with_words_and_characters_side_by_side(tmp_path: Path) -> None:
    line = {
        "tokens": ["We", "saw", "Rome"],
        "text": "We saw Rome",
        "clusters_token_offsets": [[[0, 0], [2, 2]]],
        "clusters_char_offsets": [[[0, 1], [7, 10]]],
    }
    assert surfaces(load(tmp_path, line)[0][0]) == [["We", "Rome"]]
    assert surfaces(load(tmp_path, line, unit="char")[0][0]) == [["We", "Rome"]]


def test_pieces_of_words_go_through_their_map(tmp_path: Path) -> None:
    line = {
        "doc_key": "d",
        "tokens": ["Zürichsee", "froze"],
        "sentences": [["[CLS]", "Zürich", "##see", "froze"]],
        "subtoken_map": [None, 0, 0, 1],
        "predicted_clusters": [[[1, 2], [3, 3]]],
    }
    ((document,), _) = load(tmp_path, line, unit="subtoken")
    assert surfaces(document) == [["Zürichsee", "froze"]]
    del line["tokens"]
    ((document,), _) = load(tmp_path, line, unit="subtoken")
    assert (document.text, [mention.spans for mention in document.mentions]) == ("", [((0, 1),), ((1, 2),)])
    line["sentences"] = [["Zürichsee", "froze"]]
    assert surfaces(load(tmp_path, line, unit="subtoken")[0][0]) == [["Zürichsee", "froze"]]


def test_offsets_that_may_count_pieces_are_pointed_out(tmp_path: Path) -> None:
    line = {"doc_key": "d", "subtoken_map": [0, 0, 1], "clusters": [[[0, 1], [2, 2]]]}
    ((document,), problems) = load(tmp_path, line)
    assert [mention.spans for mention in document.mentions] == [((0, 2),), ((2, 3),)]
    (repair,) = problems.found
    assert (repair.line, repair.severity) == (1, "repair")
    assert "its offsets are read as words; if they count subtokens, add --read unit=subtoken" in repair.message
    for unit in ("word", "subtoken"):
        assert load(tmp_path, line, unit=unit)[1].found == []
    with pytest.raises(InputError, match=r"which has 2 words; the line has a 'subtoken_map'.* --read unit=subtoken"):
        load(tmp_path, line | {"tokens": ["Zürichsee", "froze"]})


def test_tokens_find_their_place_in_the_text(tmp_path: Path) -> None:
    line = {"doc_key": "d", "text": "Ada's\n cat", "tokens": ["Ada", "'s", "cat"], "clusters": [[[0, 1], [2, 2]]]}
    assert surfaces(load(tmp_path, line)[0][0]) == [["Ada's", "cat"]]


def test_names_of_keys_may_be_chosen_and_documents_numbered(tmp_path: Path) -> None:
    line = {"name": 7, "gold": [[[0, 0]]], "system": [[[1, 1]]]}
    ((document,), _) = load(tmp_path, line, id="name", clusters="system")
    assert (document.id, document.mentions[0].spans) == ("7", ((1, 2),))
    documents, _ = load(tmp_path, {"clusters": []}, "", {"clusters": []})
    assert [document.id for document in documents] == ["1", "2"]


def test_a_mention_of_one_number_is_repaired_and_remembered(tmp_path: Path) -> None:
    documents, problems = load(tmp_path, {"doc_key": "d", "clusters": [[[4, 5], [10]]]})
    assert documents[0].mentions[1] == Mention("m2", ((10, 11),), attributes={"offset": "10"})
    assert [one.message for one in problems.found] == ["cluster 1: the mention [10] has no end; read as [10,10]"]
    assert write(documents) == '{"doc_key":"d","clusters":[[[4,5],[10]]]}\n'


def test_numbers_outside_of_the_document_are_mentions_to_coreference_eval(tmp_path: Path) -> None:
    written = [[0, 0], [-1, -1], [5, 4], [0, 9], [-3], [1, 2, 3], []]
    line = {"doc_key": "d", "tokens": ["a", "b"], "clusters": [written]}
    ((document,), problems) = load(tmp_path, line, rules="corefeval")
    assert [mention.attributes.get("place") for mention in document.mentions] == [None, *map(str, written[1:])]
    assert list(faults(document)) == []
    assert sum("as it is written" in found.message for found in problems.found) == len(written[1:])
    assert problems.found[0].message == "cluster 1: the mention [-1,-1] starts below 0; it is compared as it is written"
    with pytest.raises(InputError, match="not a pair"):
        load(tmp_path, {"doc_key": "d", "clusters": [[["a", 1]]]}, rules="corefeval")


@pytest.mark.parametrize(
    ("line", "options", "expected"),
    [
        ("{", {}, "not a JSON object"),
        ('"text"', {}, "not a JSON object"),
        ('{"clusters":' + "[" * 100_000, {}, "nested too deeply"),
        ({"doc_key": "d"}, {}, "there are no clusters"),
        ({"doc_key": "d", "clusters": []}, {"clusters": "mine"}, "there is no key 'mine'"),
        ({"doc_key": "d", "clusters": [], "predicted_clusters": []}, {}, "choose with --read clusters=KEY"),
        ({"doc_key": "d", "clusters": {}}, {}, "the clusters are not a list"),
        ({"doc_key": "d", "clusters": [3]}, {}, "cluster 1 is 3; expected a list"),
        ({"doc_key": "d", "clusters": [[[0, 0]], [["a", "b"]]]}, {}, 'cluster 2: the mention ["a","b"] is not a pair'),
        ({"doc_key": "d", "clusters": [[[0, True]]]}, {}, "not a pair"),
        ({"doc_key": "d", "clusters": [[[0, 1, 2]]]}, {}, "not a pair"),
        ({"doc_key": "d", "clusters": [[[0, 1.0]]]}, {}, "not a pair"),
        ({"doc_key": "d", "clusters": [["ab"]]}, {}, "not a pair"),
        ({"doc_key": "d", "clusters": [[[]]]}, {}, "not a pair"),
        ({"doc_key": "d", "clusters": [[[5, 4]]]}, {}, "[5,4] starts behind its end"),
        ({"doc_key": "d", "clusters": [[[4, 4]]]}, {"end": "exclusive"}, "add --read end=inclusive"),
        ({"doc_key": "d", "clusters": [[[-1, 4]]]}, {}, "[-1,4] starts below 0"),
        ({"doc_key": "d", "clusters": [[[0, 10**12]]]}, {}, "has an offset of 1,000,000,000 or more"),
        ('{"clusters":[[[0,' + "9" * 5000 + "]]]}", {}, "out of range"),
        ({"doc_key": "d", "tokens": ["a"], "clusters": [[[0, 1]]]}, {}, "the document, which has 1 words"),
        ({"doc_key": "d", "text": "ab", "clusters": [[[0, 3]]]}, {}, "which has 2 characters"),
        ({"doc_key": "d", "text": "ab", "clusters": []}, {"unit": "word"}, "add --read unit=char"),
        ({"doc_key": "d", "tokens": ["a"], "clusters": []}, {"unit": "char"}, "leave --read unit=char out"),
        ({"doc_key": "d", "tokens": ["a"], "text": "b", "clusters": []}, {}, "token 0, 'a', is not at its place"),
        ({"doc_key": "d", "tokens": [1], "clusters": []}, {}, "'tokens' is not a list of strings"),
        ({"doc_key": "d", "sentences": ["a"], "clusters": []}, {}, "'sentences' is not a list of lists"),
        ({"doc_key": "d", "sentences": [["a"]], "tokens": [], "clusters": []}, {}, "have not the same tokens"),
        ({"doc_key": "d", "text": 3, "clusters": []}, {}, "'text' is not a string"),
        ({"doc_key": "d", "clusters": []}, {"unit": "subtoken"}, "need 'subtoken_map'"),
        ({"subtoken_map": [None], "clusters": [[[0, 0]]]}, {"unit": "subtoken"}, "gives no word for piece 0"),
        ({"subtoken_map": [1, 0], "clusters": [[[0, 1]]]}, {"unit": "subtoken"}, "goes back from word 1 to 0"),
        ({"subtoken_map": [0], "clusters": [[[0, 1]]]}, {"unit": "subtoken"}, "which has 1 subtokens"),
        ({"doc_key": [], "clusters": []}, {}, "there is no id under the key 'doc_key'"),
        ({"doc_key": "d", "clusters": []}, {"id": "name"}, "there is no id under the key 'name'"),
        ([{"doc_key": "d_0", "sentence": [], "target_sentence": []}], {}, "convert them to clusters"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(
    tmp_path: Path, line: Any, options: dict[str, str], expected: str
) -> None:
    with pytest.raises(InputError) as error:
        load(tmp_path, "", line, **options)
    assert expected in str(error.value)
    assert str(error.value).startswith(f"{tmp_path / 'in.jsonlines'}:2: ")
    documents, problems = load(tmp_path, "", line, collect=True, **options)
    assert (documents, len(problems.found)) == ([], 1)


def test_documents_are_there_once(tmp_path: Path) -> None:
    line = {"doc_key": "d", "clusters": []}
    documents, problems = load(tmp_path, line, line, {"doc_key": "e", "clusters": []}, collect=True)
    assert [document.id for document in documents] == ["d", "e"]
    assert [(one.line, one.message) for one in problems.found] == [
        (2, "document 'd' is there twice, first on line 1; remove one")
    ]


def test_mentions_that_would_fill_the_memory_are_refused(tmp_path: Path) -> None:
    line = {"doc_key": "d", "text": "a" * 100_000, "clusters": [[[0, 100_000 - end] for end in range(100)]]}
    with pytest.raises(InputError, match="cover more than 6,400,000 characters"):
        load(tmp_path, line)
    ((document,), _) = load(tmp_path, line | {"clusters": [[[0, 100_000]] * 100]})
    assert len({id(mention.text) for mention in document.mentions}) == 1


def chained(*mentions: Mention, **parts: Any) -> Document:
    return Document("d", "ab cd", list(mentions), [Chain("c", tuple(mention.id for mention in mentions))], **parts)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (Document("d", "ab", [Mention("a", ((0, 1),))]), "mention 'a' cannot be written as jsonlines: it is in no"),
        (chained(Mention("a", ((0, 1), (3, 4)))), "2 fragments"),
        (chained(Mention("a", ((1, 1),))), "its span 1-1 is empty"),
        (chained(Mention("a", ((0, 9),))), "outside of the text"),
        (chained(Mention("a", ((0, 1),), ("LOC",))), "a label or a layer"),
        (chained(Mention("a", ((0, 1),), links=(Link("Q1"),))), "--drop links"),
        (chained(Mention("a", ((0, 1),), attributes={"head": "0"})), "--drop attributes"),
        (chained(Mention("a", ((0, 1),)), table=TokenTable(["ab", "cd"], starts=[0, 3])), "not at token boundaries"),
        (chained(relations=[Relation("r", "x", ())]), "--drop relations"),
        (chained(notes=[Note("n", "c", "?")]), "--drop notes"),
        (Document("d", chains=[Chain("c", ("a",))]), "names 'a', which is in another chain or missing"),
        (Document("d", chains=[Chain("c", (), "PER")]), "has a label"),
        (Document(""), "its id is empty"),
        (Document("d", "\ud800"), "surrogate"),
        (Document("d", "x", table=TokenTable(["ab"], starts=[0])), "is not at its place"),
    ],
)
def test_what_clusters_cannot_hold_is_refused(document: Document, expected: str) -> None:
    with pytest.raises(InputError) as error:
        write([document])
    assert expected in str(error.value)


def test_two_documents_with_one_id_are_refused() -> None:
    with pytest.raises(InputError, match="that of another document"):
        write([Document("d"), Document("d")])


def test_units_and_keys_of_writing() -> None:
    document = chained(Mention("a", ((3, 5),)), table=TokenTable(["ab", "cd"], starts=[0, 3]))
    assert json.loads(write([document])) == {"doc_key": "d", "tokens": ["ab", "cd"], "clusters": [[[1, 1]]]}
    characters = write([document], options=JsonlinesOptions(unit="char", id="name", clusters="gold"))
    expected = {"name": "d", "text": "ab cd", "tokens": ["ab", "cd"], "gold": [[[3, 5]]]}
    assert json.loads(characters) == expected
    assert json.loads(write([document], options=JsonlinesOptions(end="exclusive")))["clusters"] == [[[1, 2]]]
    with pytest.raises(InputError, match="--write unit=word"):
        write([document], options=JsonlinesOptions(unit="subtoken"))


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('{"doc_key": "d", "clusters": [[[0, 1]]]}\n', True),
        ('\ufeff\n{"clusters": []}', True),
        ('{"doc_key": "d", "sentences": [["cut o', True),
        ('{"doc_key": "d", "ner": [[]], "clusters": [[["cut o', False),
        ('[{"doc_key": "d_0", "sentence": ["a"]}]', True),
        ('{"name": "d", "type": "clusters", "clusters": {"0": ["0.0-1"]}}', False),
        ('{"id": "d1", "text": "Zürich"}', False),
        ('{"id": "d1", "text": "\\"clusters\\": x', False),
        ("[1, 2]", False),
        ("{" * 10, False),
        ("", False),
    ],
)
def test_sniffs_lines_with_clusters(head: str, *, expected: bool) -> None:
    assert sniff(head) is expected


@st.composite
def lines(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """Draw a line of any kind that is right."""
    line: dict[str, Any] = {"doc_key": name}
    word = st.text("ab'é \n", min_size=1, max_size=3)
    kind = draw(st.sampled_from(["sentences", "tokens", "text", "nothing"]))
    size = 9
    if kind == "sentences":
        line[kind] = draw(st.lists(st.lists(word, max_size=4), min_size=1, max_size=3))
        size = sum(map(len, line[kind]))
    elif kind == "tokens":
        line[kind] = draw(st.lists(word, max_size=8))
        size = len(line[kind])
    elif kind == "text":
        line[kind] = draw(st.text("ab é\n", min_size=1, max_size=9))
        size = len(line[kind])
    starts = st.integers(0, max(size - 1, 0))
    pairs = st.tuples(starts, starts).map(lambda pair: [min(pair), max(pair) + (kind == "text")])
    clusters = st.lists(st.lists(pairs, max_size=4), max_size=4)
    line["clusters"] = draw(clusters) if size else []
    return line


@given(st.tuples(lines("d1"), lines("d2")))
def test_what_is_read_is_written_back_in_its_order(drawn: tuple[dict[str, Any], ...]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        documents, problems = load(Path(folder), *drawn)
        assert problems.found == []
        written = write(documents)
        back, _ = load(Path(folder), written)
    assert [json.loads(line) for line in written.splitlines()] == list(drawn)
    assert back == documents


SOUND = json.dumps({"doc_key": "d", "sentences": SENTENCES, "subtoken_map": [0, 1], "clusters": [[[0, 1], [4, 4]]]})
SPLICES = ['"', "[", "]", "{", "}", ",", "null", "-1", "9" * 30, "1e9", "true", "\\ud800", "\x00", '"clusters":', "\n"]


@given(
    st.lists(st.tuples(st.integers(0, len(SOUND)), st.integers(0, 9), st.sampled_from(SPLICES)), max_size=3),
    st.sampled_from(["auto", "word", "subtoken", "char"]),
)
def test_damaged_lines_end_in_a_sentence(damage: list[tuple[int, int, str]], unit: str) -> None:
    text = SOUND
    for place, length, splice in damage:
        text = text[:place] + splice + text[place + length :]
    with tempfile.TemporaryDirectory() as folder:
        documents, problems = load(Path(folder), text, collect=True, unit=unit)
        for document in documents:
            for mention in document.mentions:
                assert 0 <= mention.start <= mention.end
        assert all(one.message and one.line for one in problems.found)


def test_the_declaration() -> None:
    assert (FORMAT.name, FORMAT.suffixes) == ("jsonlines", (".jsonlines",))
    document = msgspec.structs.replace(chained(Mention("a", ((0, 2),), text="ab")), source="elsewhere")
    assert FORMAT.write is not None
    assert json.loads("".join(FORMAT.write([document], JsonlinesOptions())))["text"] == "ab cd"


def test_a_mention_of_an_empty_word_is_one_to_coreference_eval_alone(tmp_path: Path) -> None:
    line = {"doc_key": "d", "sentences": [["", "met"]], "clusters": [[[0, 0], [1, 1]]]}
    with pytest.raises(InputError, match=r"the mention \[0,0\] covers nothing but empty words"):
        load(tmp_path, line)
    ((document,), problems) = load(tmp_path, line, rules="corefeval")
    assert [mention.spans for mention in document.mentions] == [(), ((1, 4),)]
    assert (list(faults(document)), len(problems.found)) == ([], 1)
