from __future__ import annotations

from typing import Any

import pytest

import karat
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.objects import documents_from
from karat.formats.plain import PlainOptions
from karat.model import Document


def test_the_three_shapes_of_a_document() -> None:
    given = [
        Document("x", "Bern"),
        {"text": "Bern", "mentions": [{"id": "T1", "spans": [[0, 4]], "labels": ["LOC"]}]},
        ["B-LOC", "I-LOC", "O", "I-PER"],
        (),
    ]
    first, second, third, fourth = documents_from(given)
    assert first is given[0]
    assert (second.id, second.mentions[0].spans) == ("2", ((0, 4),))
    assert [(mention.labels, mention.spans) for mention in third.mentions] == [
        (("LOC",), ((0, 3),)),
        (("PER",), ((6, 7),)),
    ]
    assert (fourth.id, fourth.text, fourth.mentions) == ("4", "", [])
    assert documents_from(first) == [first]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "message"),
    [
        ("B-LOC", "a list of texts is not a list of documents"),
        (["B-LOC", 1], "document 1 is a list; expected"),
        (None, "document 1 is a NoneType; expected"),
        ([1, 2], "document 1 is a list of numbers; tags are texts; look the numbers up"),
        ({"txet": "Ulm"}, r"document 1: unknown key 'txet' at \$; did you mean 'text'\?"),
        (
            {"mentions": [{"id": "T1", "span": [[0, 4]]}]},
            r"unknown key 'span' at \$\.mentions\[0\]; did you mean 'spans'",
        ),
        ({"text": "Ulm", "ents": []}, "this is a document of spacyjson: give documents of one format in one list"),
        ([{"label": "LOC", "start": 2, "end": 2}], "span 1: .2, 2. is empty or reversed; if the end is a part of the"),
        ([{"label": "LOC", "begin": 2}], "span 1 has the keys 'label', 'begin'; expected start, end, label"),
        ([{"label": 1, "start": 0, "end": 2}], "document 1, span 1 is .*; expected two whole numbers and a label"),
        ({"text": 1}, r"document 1: Expected `str`, got `int` - at `\$\.text`; see the schema"),
        (
            {"text": "Ulm", "mentions": [{"id": "T1", "spans": [[0, 4]]}]},
            r"document '1': mention 'T1': span \[0, 4\] ends outside",
        ),
    ],
)
def test_what_is_no_document(one: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        documents_from([one])


def test_one_dictionary_is_one_document() -> None:
    assert [document.id for document in documents_from({"id": "a"})] == ["a"]


@pytest.mark.parametrize("nothing", [None, 3, "gold.tsv"])
def test_what_is_no_list_of_documents(nothing: Any) -> None:
    with pytest.raises(InputError, match="expected a path, a Document, or a list of documents"):
        documents_from(nothing)


TAGS = [["B-LOC", "I-LOC", "O"], ["O", "B-PER", "O"]]


def tags_of(documents: list[Document]) -> list[list[str]]:
    return [list(document.table.columns["TAG"]) for document in documents if document.table is not None]


def test_whatever_can_be_gone_through_is_a_list() -> None:
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    held = [
        iter(TAGS),
        (tags for tags in TAGS),
        tuple(TAGS),
        numpy.array(TAGS),
        [numpy.array(tags) for tags in TAGS],
        pandas.Series(TAGS),
        pandas.DataFrame({"tags": TAGS})["tags"],
    ]
    assert [tags_of(documents_from(objects)) for objects in held] == [TAGS] * len(held)
    frame = pandas.DataFrame({"id": [3, 4], "text": ["Bern", "Ulm"]})
    assert [(document.id, document.text) for document in documents_from(frame)] == [("3", "Bern"), ("4", "Ulm")]


def test_ids_may_be_whole_numbers() -> None:
    mentions = [{"id": 7, "spans": [[0, 4]]}, {"id": 8, "spans": [[0, 4]]}]
    arguments = [{"role": "head", "target": 7}, {"role": "tail", "target": 8}]
    (document,) = documents_from(
        [
            {
                "id": 1,
                "text": "Bern",
                "mentions": mentions,
                "chains": [{"id": 2, "mentions": [7, 8]}],
                "relations": [{"id": 3, "label": "is", "arguments": arguments, "trigger": 7}],
            }
        ]
    )
    assert (document.id, document.chains[0].mentions, document.relations[0].trigger) == ("1", ("7", "8"), "7")
    assert document.mentions[0].spans == ((0, 4),)


def test_spans_without_a_text_as_nervaluate_takes_them() -> None:
    spans = [[{"label": "PER", "start": 2, "end": 4}], []]
    first, second = documents_from(spans)
    assert (first.text, first.mentions[0].spans, second.mentions) == ("", ((2, 4),), [])
    (inclusive, _) = documents_from(spans, options=PlainOptions(end="inclusive"))
    assert inclusive.mentions[0].spans == ((2, 5),)
    assert karat.score("semeval2013", spans, spans).value() == 1


def test_spans_as_pipelines_give_them() -> None:
    """Their labels are groups, their numbers NumPy's; a start, an end and a label may stand in a tuple."""
    numpy = pytest.importorskip("numpy")
    zero, four, score = numpy.int64(0), numpy.int64(4), numpy.float32(0.5)
    group = {"entity_group": "LOC", "score": score, "word": "Bern", "start": zero, "end": four}
    for spans in ([group], [(0, 4, "LOC")], [[zero, four, "LOC"]]):
        (document,) = documents_from([spans])
        assert [(mention.spans, mention.labels) for mention in document.mentions] == [(((0, 4),), ("LOC",))]
    (document,) = documents_from([{"text": "Bern", "entities": [group]}])
    assert document.mentions[0].attributes == {"score": "0.5"}


GOLD = [
    {"id": "a", "tokens": ["Ada", "saw", "Bern"], "ner_tags": ["B-PER", "O", "B-LOC"]},
    {"id": "b", "tokens": ["Ulm"], "ner_tags": ["B-LOC"]},
]


@pytest.mark.parametrize(
    "system",
    [[[(8, 12, "LOC")], [(0, 3, "LOC")]], [["O", "O", "B-LOC"], ["B-LOC"]]],
)
def test_lists_of_a_system_stand_on_the_text_of_the_gold(system: Any) -> None:
    for protocol in ("seqeval", "conll2003", "hipe2022-nerc-coarse", "semeval2013"):
        scores = karat.score(protocol, GOLD, system)
        assert (scores.value("precision"), scores.value("recall")) == (1, 2 / 3)
    items = [entry.system.text for entry in karat.explain("conll2003", GOLD, system) if entry.system]
    assert items == ["Bern", "Ulm"]


@pytest.mark.parametrize(
    ("gold", "system", "message"),
    [
        (GOLD[:1], [["O"]], "system: document 'a' has 3 tokens, but 1 tag$"),
        ([["O", "O"]], [["O"]], "system: document '1' has 2 tokens, but 1 tag$"),
        (GOLD[:1], [[(8, 13, "LOC")]], "document 'a': mention 'T1': span .8, 13. ends outside the text"),
        ([{"text": "Bern", "entities": [(0, 4, "LOC")]}], [["O"]], "document '1' has tags, but the gold has no tokens"),
        (GOLD, [[(8, 12, "LOC")]], "the system lacks 1 document: b"),
    ],
)
def test_lists_that_do_not_fit_the_gold(gold: Any, system: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        karat.score("conll2003", gold, system)


def test_tags_have_a_scheme_and_a_repair() -> None:
    problems = Problems()
    options = PlainOptions(scheme="IOB2", repair="discard")
    (document,) = documents_from([["I-LOC", "O"]], options=options, problems=problems)
    assert document.mentions == []
    assert [problem.message for problem in problems.found] == [
        "document 1, token 1: 'I-LOC' stands where IOB2 has 'B-LOC'; dropped with its chunk of 1 token"
    ]
    with pytest.raises(InputError, match="document 1, token 1: 'I-LOC' stands where IOB2 has 'B-LOC'"):
        documents_from([["I-LOC", "O"]], options=PlainOptions(scheme="IOB2", repair="strict"))
    tags = [["B-LOC", "E-LOC"], ["S-LOC", "O"]]
    documents = documents_from(tags, options=PlainOptions(repair="strict"))
    assert [len(document.mentions) for document in documents] == [1, 1]


class Features(dict[str, Any]):
    """The features of a data set, with its schema, as the library has them."""

    def __init__(self, schema: Any) -> None:
        self.arrow_schema = schema


class Dataset:
    """As much of a data set of Hugging Face as is asked of it."""

    def __init__(self, rows: list[dict[str, Any]], schema: Any) -> None:
        self.rows, self.features, self.column_names = rows, Features(schema), list(schema.names)

    def with_format(self, kind: None) -> Any:
        assert kind is None
        return self.rows


def test_a_dataset_is_read_with_the_names_of_its_classes() -> None:
    arrow = pytest.importorskip("pyarrow")
    names = b'{"info": {"features": {"ner_tags": {"feature": {"names": ["O", "B-LOC"], "_type": "ClassLabel"}}}}}'
    fields = [("tokens", arrow.list_(arrow.string())), ("ner_tags", arrow.list_(arrow.int64()))]
    schema = arrow.schema(fields, metadata={b"huggingface": names})
    dataset = Dataset([{"tokens": ["Bern", "liegt"], "ner_tags": [1, 0]}], schema)
    (document,) = documents_from(dataset)
    assert (document.text, document.mentions[0].labels) == ("Bern liegt", ("LOC",))


def test_a_doc_bin_and_examples_of_spacy() -> None:
    spacy = pytest.importorskip("spacy")
    from spacy.tokens import DocBin, Span
    from spacy.training import Example

    nlp = spacy.blank("en")
    gold, system = nlp("Ada met Bern"), nlp("Ada met Bern")
    gold.ents = [Span(gold, 0, 1, "PER"), Span(gold, 2, 3, "LOC")]
    system.ents = [Span(system, 0, 1, "PER")]
    example = Example(system, gold)
    for sides in ((DocBin(docs=[gold]), DocBin(docs=[system])), ([example], [example]), (example, example)):
        assert karat.score("conll2003", *sides).value("recall") == 0.5


BERN = {"id": 1, "text": "Ada in Bern", "label": [(0, 3, "PER"), (7, 11, "LOC")]}
ULM = {"id": 2, "text": "\N{GRINNING FACE} Ulm", "label": [[3, 6, "LOC"]]}


def test_what_a_tool_has_exported_is_read_as_its_file() -> None:
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    system = [BERN | {"label": [[0, 3, "PER"]]}, ULM]
    frame = pandas.DataFrame([*system, {"id": 3, "text": "Bo"}])  # whose label is NaN
    bo = {"id": 3, "text": "Bo", "label": []}
    assert karat.score("conll2003", [BERN, ULM, bo], frame).value("recall") == 2 / 3
    arrays = [{**document, "label": numpy.array(document["label"], dtype=object)} for document in system]
    for held in (system, iter(system), tuple(system), arrays):
        assert karat.score("conll2003", [BERN, ULM], held).value("recall") == 2 / 3
    scores = karat.score("conll2003", [BERN, ULM], {"ours": system, "theirs": [BERN, ULM]})
    assert [one.value() for one in scores.values()] == [0.8, 1]
    assert scores["ours"].notes[1] == (
        "1 repair while reading ours, the first: item 2: document 2: has characters of two UTF-16 units; offsets are "
        "read as such units"
    )
    assert karat.score("conll2003", [BERN, ULM], system, read={"unit": "utf16"}).notes == ()


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ([BERN, ULM | {"label": [[3, 9, "LOC"]]}], r"system: item 2: the span \[3, 9\] is outside of the text"),
        ([BERN, ULM | {"label": [["3", 6, "LOC"]]}], r"system: item 2: expected `int`, got `str` at \$.start_offset"),
        ([BERN, ULM | {"id": 1}], "system: item 2: document '1' is there twice, first item 1"),
        (
            [BERN, ULM | {"label": {(1, 2)}, "at": object()}],
            "system: item 2 has an object of the type object, which JSON cannot hold",
        ),
        ([BERN, ULM | {"text": "\ud800"}], "system: item 2 has half a surrogate pair, which JSON cannot hold"),
        ([{"id": 1, "text": "Bern"}, BERN], "system: document 2: .* this is a document of doccano: give documents of"),
        ([BERN | {"answer": "accept"}], "the formats doccano and prodigy; name the right one with format="),
    ],
)
def test_faults_of_exports_are_told_by_item(system: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        karat.score("conll2003", [BERN, ULM], system)


def test_one_dictionary_may_be_a_whole_corpus() -> None:
    location = {"offset": 0, "length": 3}
    annotation = {"id": "T1", "infons": {"type": "PER"}, "text": "Ada", "locations": [location]}
    passage = {"offset": 0, "text": "Ada", "annotations": [annotation], "relations": [], "infons": {}}
    corpus = {"key": "k", "documents": [{"id": "d", "passages": [passage], "relations": [], "infons": {}}]}
    assert karat.score("conll2003", corpus, corpus).value() == 1
    assert karat.score("conll2003", corpus, {"a": corpus})["a"].value() == 1


def test_results_of_docred_take_their_documents_from_the_gold() -> None:
    vertices = [
        [{"name": name, "sent_id": 0, "pos": [place, place + 1], "type": "X"}] for place, name in enumerate("ab")
    ]
    gold = [{"title": "t", "sents": [["a", "b"]], "vertexSet": vertices, "labels": [{"r": "P1", "h": 0, "t": 1}]}]
    results = [{"title": "t", "h_idx": 0, "t_idx": 1, "r": "P1"}, {"title": "t", "h_idx": 1, "t_idx": 0, "r": "P1"}]
    for protocol in ("docred", "relations"):
        assert karat.score(protocol, gold, results).value("precision") == 0.5
    gold[0]["labels"][0]["evidence"] = [0]  # type: ignore[index]
    assert "the system has no evidence, which the gold has" in karat.score("docred", gold, results).notes
    results[0]["evidence"] = [0]
    assert "system: 1 relation without the key 'evidence'" in karat.score("docred", gold, results).notes


def test_labels_of_items_and_triples_of_documents() -> None:
    scores = karat.score("tacred", ["a", "no_relation", "b"], ["a", "b", "b"], format="labels")
    assert (scores.value("precision"), scores.value("recall")) == (2 / 3, 1)
    born, met = ("Ada", "born in", "Bern"), ("Ada", "met", "Bo")
    for gold, system in (([[born, met]], [[born]]), ({"a": [born, met]}, {"a": [born]})):
        assert karat.score("triples", gold, system, format="triples").value("recall") == 0.5


@pytest.mark.parametrize(
    ("protocol", "gold", "name", "message"),
    [
        ("tacred", ["a", "b"], None, 'or say format="labels" if each is the label of an item'),
        ("tacred", ["a", 3], "labels", "found '3' among the labels; expected the texts of labels"),
        (
            "triples",
            [("Ada", "met", "Bo")],
            "triples",
            "document '1': triple 1 is 'Ada'; expected a list of .head, rel",
        ),
        ("triples", {"a": [("Ada", "Bo")]}, "triples", "document 'a': triple 1 is "),
    ],
)
def test_what_is_no_list_of_labels_or_triples(protocol: str, gold: Any, name: str | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        karat.score(protocol, gold, gold, format=name)


def test_texts_of_numpy_score_and_digest_like_plain_ones() -> None:
    numpy = pytest.importorskip("numpy")

    def as_numpy(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: as_numpy(inner) for key, inner in value.items()}
        return list(map(as_numpy, value)) if isinstance(value, list) else numpy.str_(value)

    tags = [["B-PER", "I-PER", "O"], ["B-LOC", "O"]], [["B-PER", "O", "O"], ["B-LOC", "O"]]
    tokens = ["Ada", "L", "saw"]
    rows = tuple([{"tokens": tokens, "tags": side[0]}] for side in tags)
    for gold, system in (tags, rows):
        plain = karat.score("seqeval", gold, system)
        scores = karat.score("seqeval", as_numpy(gold), as_numpy(system))
        assert (scores.signature, scores.value("f1")) == (plain.signature, plain.value("f1"))
