"""What annotation tools and corpora export: promises of every such format, hostile input, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.work import growth

import karat
from karat import formats
from karat.annotations.selection import kinds_in
from karat.cli import run
from karat.errors import InputError, KaratError
from karat.formats.base import Problems
from karat.model import Argument, Chain, Document, Link, Mention, Note, Relation
from karat.testing import check_format

TACRED = {"id": "n1", "token": ["Ada", "left", "Bern"], "subj_start": 0, "subj_end": 0, "obj_start": 2, "obj_end": 2}
TACRED |= {"subj_type": "PER", "obj_type": "LOC", "relation": "left", "docid": "d"}
SPERT = {
    "tokens": ["Ada", "left", "Bern"],
    "entities": [{"type": "PER", "start": 0, "end": 1}, {"type": "LOC", "start": 2, "end": 3, "sure": True}],
    "relations": [{"type": "left", "head": 0, "tail": 1}],
    "orig_id": 7,
}
DOCRED = {
    "title": "A",
    "sents": [["Ada", "left", "Bern"], ["She", "ran"]],
    "vertexSet": [
        [
            {"name": "Ada", "sent_id": 0, "pos": [0, 1], "type": "PER"},
            {"name": "She", "sent_id": 1, "pos": [0, 1], "type": "PER"},
        ],
        [{"name": "Bern", "sent_id": 0, "pos": [2, 3], "type": "LOC"}],
    ],
    "labels": [{"r": "left", "h": 0, "t": 1, "evidence": [0, 1]}],
}
SCIERC = {
    "doc_key": "s",
    "sentences": [["Ada", "was", "elected", "in", "Bern"], ["She", "ran"]],
    "ner": [[[0, 0, "PER"], [4, 4, "LOC"]], []],
    "relations": [[[0, 0, 4, 4, "in"], [0, 0, 3, 4, "near"]], []],
    "events": [[[[2, "Elect"], [0, 0, "Person"]]], [[[5, 6, "Run"], [5, 5, "Runner"]]]],
    "clusters": [[[0, 0], [5, 5]]],
    "event_clusters": [[[2, 2], [5, 6]]],
    "dataset": "made",
}
DOCCANO = [
    {"id": 1, "text": "Ada left 😀 Bern", "label": [[0, 3, "PER"], [12, 16, "LOC"]], "source": "wiki"},
    {
        "id": 2,
        "text": "Ada left Bern",
        "entities": [
            {"id": 5, "label": "PER", "start_offset": 0, "end_offset": 3},
            {"id": 6, "label": "LOC", "start_offset": 9, "end_offset": 13},
        ],
        "relations": [{"id": 1, "from_id": 5, "to_id": 6, "type": "left"}],
        "Comments": ["?"],
    },
]
PRODIGY = {
    "text": "Ada left Bern",
    "_input_hash": 7,
    "tokens": [
        {"text": "Ada", "start": 0, "end": 3, "id": 0},
        {"text": "left", "start": 4, "end": 8, "id": 1},
        {"text": "Bern", "start": 9, "end": 13, "id": 2},
    ],
    "spans": [
        {"start": 0, "end": 3, "token_start": 0, "token_end": 0, "label": "PER"},
        {"start": 9, "end": 13, "label": "LOC", "score": 0.5},
    ],
    "relations": [{"head": 0, "child": 2, "label": "left"}],
    "meta": {"source": "wiki"},
    "answer": "accept",
    "_annotator_id": "ada",
}
SPACY = {
    "id": "s",
    "text": "Ada left Bern",
    "ents": [{"start": 0, "end": 3, "label": "PERSON"}],
    "tokens": [{"id": 0, "start": 0, "end": 3}, {"id": 1, "start": 4, "end": 8}, {"id": 2, "start": 9, "end": 13}],
    "spans": {"el": [{"start": 0, "end": 13, "label": "X", "kb_id": ""}, {"start": 9, "end": 13, "kb_id": "Q70"}]},
    "cats": {"POS": 0.5},
}
ELEVANT = {
    "id": 5,
    "title": "T",
    "text": "Ada left Bern in 1842",
    "evaluation_span": [0, 21],
    "labels": [
        {"id": 0, "span": [0, 3], "entity_id": "Unknown3", "name": "Ada", "type": "Q5", "optional": True},
        {"id": 1, "span": [9, 13], "entity_id": "Q70", "name": "Bern", "type": "Q515|Q70208"},
    ],
}
BIOC = {
    "id": "b",
    "infons": {"journal": "J"},
    "passages": [
        {
            "offset": 0,
            "infons": {"type": "title"},
            "text": "Ada left.",
            "annotations": [
                {
                    "id": "1",
                    "infons": {"type": "PER", "identifier": "Q7259", "sure": True},
                    "text": "Ada",
                    "locations": [{"offset": 0, "length": 3}],
                }
            ],
        },
        {
            "offset": 10,
            "infons": {"type": "abstract"},
            "text": "Bern is old.",
            "annotations": [
                {"id": "2", "infons": {"type": "LOC"}, "text": "Bern", "locations": [{"offset": 10, "length": 4}]}
            ],
        },
    ],
    "annotations": [
        {
            "id": "3",
            "infons": {},
            "text": "Ada old",
            "locations": [{"offset": 0, "length": 3}, {"offset": 18, "length": 3}],
        }
    ],
    "relations": [
        {"id": "R1", "infons": {"type": "left", "sure": 1}, "nodes": [{"refid": "1", "role": "a"}, {"refid": "2"}]},
        {"id": "R2", "infons": {"type": "of"}, "nodes": [{"refid": "R1"}, {"refid": "3"}]},
    ],
}
LABEL_STUDIO = {
    "id": 7,
    "data": {"text": "Ada left Bern", "source": "wiki"},
    "annotations": [
        {
            "completed_by": {"id": 1, "email": "ada@example.org"},
            "result": [
                {
                    "id": "a",
                    "type": "labels",
                    "from_name": "ner",
                    "to_name": "text",
                    "value": {"start": 0, "end": 3, "text": "Ada", "labels": ["PER", "HUMAN"]},
                },
                {
                    "id": "b",
                    "type": "labels",
                    "from_name": "ner",
                    "to_name": "text",
                    "value": {"start": 9, "end": 13, "labels": ["LOC"]},
                    "score": 0.5,
                },
                {"type": "relation", "from_id": "a", "to_id": "b", "direction": "bi", "labels": ["left"]},
            ],
        }
    ],
}
SAMPLES: dict[str, list[Any]] = {
    "tacred": [TACRED],
    "spert": [SPERT],
    "docred": [DOCRED],
    "scierc": [SCIERC],
    "doccano": DOCCANO,
    "prodigy": [PRODIGY],
    "spacyjson": [SPACY],
    "elevant": [ELEVANT],
    "biocjson": [BIOC],
    "labelstudio": [LABEL_STUDIO],
}
"""Items that a format can hold and, if it can be written, write again."""

every_format = pytest.mark.parametrize("name", SAMPLES)


def write(tmp_path: Path, items: Any, *, lines: bool = False) -> Path:
    path = tmp_path / "a"
    path.write_text("\n".join(map(json.dumps, items)) if lines else json.dumps(items))
    return path


def read(tmp_path: Path, name: str, *items: Any, **options: str) -> list[Document]:
    return list(formats.read(write(tmp_path, items), name, options=options))


@every_format
def test_a_format_keeps_its_promises(name: str) -> None:
    samples = [json.dumps(SAMPLES[name]).encode(), "\n".join(map(json.dumps, SAMPLES[name])).encode()]
    check_format(formats.format_named(name), samples)


@every_format
def test_a_sample_is_written_as_it_was_read(name: str, tmp_path: Path) -> None:
    documents = read(tmp_path, name, *SAMPLES[name])
    assert all(document.mentions for document in documents)
    if formats.format_named(name).write is not None:
        formats.write(documents, tmp_path / "back", name)
        back = formats.read(tmp_path / "back", name)
        assert [msgspec.structs.replace(document, source="") for document in back] == [
            msgspec.structs.replace(document, source="") for document in documents
        ]


def changed(value: Any) -> list[Any]:
    """Return the value with each of its parts exchanged for something else, one at a time."""
    odd: list[Any] = [None, -1, 10**30, 0.5, True, "", "x", [], [[]], {}, {"": None}]
    found = list(odd)
    if isinstance(value, dict):
        for key, part in value.items():
            found.append({other: kept for other, kept in value.items() if other != key})
            found += [{**value, key: other} for other in changed(part)]
    if isinstance(value, list):
        for place, part in enumerate(value[:2]):
            found.append(value[:place] + value[place + 1 :])
            found += [[*value[:place], other, *value[place + 1 :]] for other in changed(part)]
    return found


@every_format
def test_items_of_any_other_shape_are_read_or_refused_in_a_sentence(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    sentences = []
    for items in changed(SAMPLES[name]):
        path.write_text(json.dumps(items))
        for collect in (False, True):
            try:
                documents = list(formats.read(path, name, problems=Problems(collect=collect)))
            except KaratError as error:
                sentences.append(str(error))
            else:
                formats.render(documents, "jsonl")
    assert sentences
    assert [sentence for sentence in sentences if "\n" in sentence] == []


@every_format
def test_a_misspelt_list_is_told(name: str, tmp_path: Path) -> None:
    first, *others = SAMPLES[name]
    for key in ("relatons", "my notes"):
        problems = Problems()
        path = write(tmp_path, [{**first, key: [{"a": 1}]}, *others])
        (document, *_) = formats.read(path, name, problems=problems)
        assert [problem.message for problem in problems.found if repr(key) in problem.message]
        assert document.metadata[key] == '[{"a": 1}]'


PLAIN = Document("7", "Ada left Bern", [Mention("1", ((0, 3),), ("PER",)), Mention("2", ((9, 13),), ("LOC",))])
SURPLUS = {
    "notes": {"notes": [Note("n", "1", "?")]},
    "no id": {"id": ""},
    "a layer": {"mentions": [msgspec.structs.replace(PLAIN.mentions[0], layer="x"), PLAIN.mentions[1]]},
    "three ends": {"relations": [Relation("r", "x", tuple(Argument("head", "1") for _ in range(3)))]},
    "a trigger": {"relations": [Relation("r", "x", (Argument("head", "1"), Argument("tail", "2")), "2")]},
    "a labelled chain": {"chains": [Chain("c", ("1", "2"), "x")]},
    "a scored link": {
        "mentions": [msgspec.structs.replace(PLAIN.mentions[0], links=(Link("Q1", 0.5),)), PLAIN.mentions[1]]
    },
}
CHAINED = msgspec.structs.replace(PLAIN, chains=[Chain("c1", ("1",)), Chain("c2", ("2",))])
FITTING = {"docred": CHAINED}
"""Documents for formats that cannot hold the plain one."""
HELD: dict[str, set[str]] = {"scierc": {"a trigger"}, "spacyjson": {"a layer"}, "biocjson": {"three ends"}}
"""What of the above a format can hold."""


@every_format
@pytest.mark.parametrize("what", SURPLUS)
def test_what_a_format_cannot_hold_is_refused(name: str, what: str, tmp_path: Path) -> None:
    declared = formats.format_named(name)
    if declared.write is None or what in HELD.get(name, ()):
        return
    document = msgspec.structs.replace(FITTING.get(name, PLAIN), **SURPLUS[what])
    refused = f"cannot be written as {name}: .*; the format jsonl holds everything"
    with pytest.raises(InputError, match=refused):
        list(declared.write([document], declared.options()))
    is_left_out = bool(kinds_in(document) - declared.keeps)
    lost = (
        f"the format {name} would lose 1 .*; write without them with --lossy, or choose jsonl, which holds everything"
    )
    with pytest.raises(InputError, match=lost if is_left_out else refused):
        formats.render([document], name)


@every_format
def test_two_documents_of_one_id_are_not_written(name: str) -> None:
    if formats.format_named(name).write is not None:
        documents = [msgspec.structs.replace(FITTING.get(name, PLAIN)) for _ in range(2)]
        with pytest.raises(InputError, match="that of another document"):
            formats.render(documents, name)


def told(tmp_path: Path, name: str, *items: Any, **options: str) -> list[str]:
    """Return what reading reports."""
    problems = Problems(collect=True)
    list(formats.read(write(tmp_path, items), name, problems=problems, options=options))
    return [problem.message for problem in problems.found]


def task(annotator: str, *spans: tuple[int, int], **more: Any) -> dict[str, Any]:
    found = [{"start": start, "end": end, "label": "X"} for start, end in spans]
    return {"text": "Ada left Bern", "_input_hash": 7, "_annotator_id": annotator, "spans": found, **more}


def test_tasks_of_several_annotators_are_told_apart(tmp_path: Path) -> None:
    tasks = task("ada", (0, 3)), task("bo", (9, 13))
    assert [document.id for document in read(tmp_path, "prodigy", *tasks, annotator="each")] == ["7@ada", "7@bo"]
    (document,) = read(tmp_path, "prodigy", *tasks, annotator="bo")
    assert document.mentions[0].text == "Bern"
    (message,) = told(tmp_path, "prodigy", *tasks, annotator="cy")
    assert message == "there is no annotator 'cy'; the annotators are 'ada', 'bo'"
    (message,) = told(tmp_path, "prodigy", *tasks)
    assert message == (
        "item 2: document '7' is annotated by 'ada' and 'bo'; choose with --read annotator=NAME, "
        "or read all with annotator=each; system.annotator=NAME holds for one side"
    )


def test_binary_tasks_are_merged_if_that_is_asked_for(tmp_path: Path) -> None:
    tasks = [task("ada", (0, 3)), task("ada", (9, 13)), task("ada", (0, 3)), task("ada", (4, 8), answer="reject")]
    (document,) = read(tmp_path, "prodigy", *tasks, merge="yes")
    assert [mention.text for mention in document.mentions] == ["Ada", "Bern"]
    with pytest.raises(InputError, match="item 2: document '7' is there twice, first item 1; remove one"):
        read(tmp_path, "prodigy", *tasks)
    assert told(tmp_path, "prodigy", *tasks, merge="yes") == [
        "1 document was rejected and left out; read them with --read answers=reject"
    ]


def test_the_first_span_over_a_token_is_meant(tmp_path: Path) -> None:
    tokens = [{"text": text, "start": 2 * place, "end": 2 * place + 1} for place, text in enumerate("abcd")]
    spans = [{"start": start, "end": end, "label": f"{start}-{end}"} for start, end in ((2, 5), (0, 5), (0, 1))]
    ends = [{"head": head, "child": child, "label": "x"} for head, child in ((0, 1), (2, 3))]
    (document,) = read(tmp_path, "prodigy", {"text": "a b c d", "tokens": tokens, "spans": spans, "relations": ends})
    labels = {mention.id: mention.labels for mention in document.mentions}
    found = [[labels[argument.target] for argument in relation.arguments] for relation in document.relations]
    assert found == [[("0-5",), ("2-5",)], [("2-5",), ()]]


def test_offsets_of_doccano_are_written_in_the_unit_that_is_asked_for(tmp_path: Path) -> None:
    document = Document("1", "😀 Ana", [Mention("m1", ((2, 5),), ("PER",))])
    for unit, start in (("utf16", 3), ("point", 2)):
        (line,) = formats.render([document], "doccano", {"unit": unit})[""].splitlines()
        assert json.loads(line)["label"] == [[start, start + 3, "PER"]]


def test_ids_that_are_there_twice_are_told_or_refused(tmp_path: Path) -> None:
    entities = [{"id": 1, "label": "X", "start_offset": start, "end_offset": start + 1} for start in (0, 1)]
    line = {"id": 1, "text": "ab", "entities": entities}
    assert told(tmp_path, "doccano", line) == ["item 1: the id 1 is there twice; the second is called 1#2"]
    (message,) = told(tmp_path, "doccano", line | {"relations": [{"from_id": 1, "to_id": 1, "type": "x"}]})
    assert message == "item 1: the id '1' is used twice, and something refers to it; give each its own"


def test_entities_of_spacy_may_not_overlap_and_have_the_text_they_state(tmp_path: Path) -> None:
    mentions = [Mention("a", ((0, 3),), ("X",)), Mention("b", ((2, 8),), ("Y",))]
    with pytest.raises(InputError, match="mention 'b' cannot be written as spacyjson: it overlaps another one"):
        formats.render([Document("d", "Ada left Bern", mentions)], "spacyjson")
    with pytest.raises(InputError, match=r"the text of a span is 'Bern', but at \[0, 3\] stands 'Ada'"):
        read(tmp_path, "spacyjson", {"text": "Ada left Bern", "ents": [{"start": 0, "end": 3, "text": "Bern"}]})
    grouped = [msgspec.structs.replace(mention, layer="sc") for mention in mentions]
    assert '"spans":{"sc":[' in formats.render([Document("d", "Ada left Bern", grouped)], "spacyjson")[""]


def test_paragraphs_of_spacy_2_are_one_text(tmp_path: Path) -> None:
    def paragraph(raw: str | None, *words: str) -> dict[str, Any]:
        tokens = [dict(zip(("orth", "ner"), word.split("/"), strict=True)) for word in words]
        return {"sentences": [{"tokens": tokens}], **({"raw": raw} if raw else {})}

    paragraphs = [paragraph("Ada left.", "Ada/U-PER", "left/O", "./-"), paragraph(None, "New/B-LOC", "York/L-LOC")]
    (document,) = read(tmp_path, "spacyjson", {"id": 3, "paragraphs": paragraphs})
    assert (document.id, document.text) == ("3", "Ada left.\nNew York")
    assert [(mention.text, mention.labels) for mention in document.mentions] == [
        ("Ada", ("PER",)),
        ("New York", ("LOC",)),
    ]
    with pytest.raises(InputError, match="not in the scheme BILUO: 'I-LOC'"):
        read(tmp_path, "spacyjson", {"paragraphs": [paragraph(None, "Bern/I-LOC")]})


def annotation(offset: int, text: str, **more: Any) -> dict[str, Any]:
    return {"id": text, "text": text, "infons": {}, "locations": [{"offset": offset, "length": len(text)}], **more}


def bioc(*passages: tuple[int, str, list[dict[str, Any]]], **more: Any) -> dict[str, Any]:
    parts = [{"offset": offset, "text": text, "annotations": found} for offset, text, found in passages]
    return {"id": "d", "passages": parts, **more}


def test_passages_of_bioc_are_found_again_in_the_unit_that_is_proved(tmp_path: Path) -> None:
    passages = (0, "Zürich 😀", [annotation(0, "Zürich", locations=[{"offset": 0, "length": 7}])]), (13, "Bern", [])
    (document,) = read(tmp_path, "biocjson", bioc(*passages, annotations=[annotation(13, "Bern")]))
    assert document.text == "Zürich 😀\nBern"
    assert json.loads(document.metadata["passages"])[1]["offset"] == 9
    assert [mention.text for mention in document.mentions] == ["Zürich", "Bern"]
    assert told(tmp_path, "biocjson", bioc(*passages)) == [
        "item 1: document 'd': offsets count bytes: the stated texts are found only so"
    ]


def test_sentences_of_bioc_stand_where_their_offsets_say_in_the_unit_that_is_proved(tmp_path: Path) -> None:
    city = annotation(0, "Łódź", locations=[{"offset": 0, "length": 7}])
    sentences = [{"offset": 0, "text": "Łódź.", "annotations": [city]}]
    sentences += [{"offset": 9, "text": "Bern.", "annotations": [annotation(9, "Bern")]}]
    (document,) = read(tmp_path, "biocjson", {"id": "d", "passages": [{"offset": 0, "sentences": sentences}]})
    assert (document.text, [mention.text for mention in document.mentions]) == ("Łódź. Bern.", ["Łódź", "Bern"])


def test_relations_of_concepts_reach_those_of_a_composite(tmp_path: Path) -> None:
    relation = {"id": "R1", "infons": {"type": "x", "entity1": "7", "entity2": "D1"}}
    found = [annotation(0, "Bern", infons={"identifier": "D1"}), annotation(5, "A, B", infons={"identifier": "6,7"})]
    (document,) = read(tmp_path, "biocjson", bioc((0, "Bern A, B", found), relations=[relation]))
    assert [argument.target for argument in document.relations[0].arguments] == ["A, B", "Bern"]


def test_relations_of_concepts_that_nobody_has_are_left_out_and_told(tmp_path: Path) -> None:
    relation = {"id": "R1", "infons": {"type": "x", "entity1": "D1", "entity2": "D2"}}
    item = bioc((0, "Bern", [annotation(0, "Bern", infons={"identifier": "D1"})]), relations=[relation])
    assert told(tmp_path, "biocjson", item) == [
        "item 1: a relation names 'D2', which no annotation has; it is left out"
    ]
    item["relations"].append({"infons": {}, "nodes": [{"refid": "R1"}]})
    assert "a relation names 'R1', which is neither" in told(tmp_path, "biocjson", item)[-1]


def test_every_document_of_a_collection_is_looked_at(tmp_path: Path) -> None:
    wrong = bioc((0, "Bern", [annotation(2, "Bern")])) | {"id": "wrong"}
    path = write(tmp_path, {"documents": [wrong, bioc((0, "Bern", [])), bioc((0, "Bern", []))], "key": ""})
    problems = Problems(collect=True)
    assert [document.id for document in formats.read(path, "biocjson", problems=problems)] == ["d"]
    assert [problem.message for problem in problems.found] == [
        "document 'wrong': mention 'Bern': the span [2, 6] is outside of the text, which has 4 characters",
        "document 'd' is there twice, first on line 1; remove one",
    ]


def test_the_infon_of_links_can_be_named(tmp_path: Path) -> None:
    item = bioc((0, "Bern", [annotation(0, "Bern", infons={"QID": "http://www.wikidata.org/entity/Q70"})]))
    (document,) = read(tmp_path, "biocjson", item, links="qid")
    assert document.mentions[0].links == (Link("Q70"),)


def region(name: str, start: Any, end: Any, kind: str = "labels", **value: Any) -> dict[str, Any]:
    labels = {kind: [name.upper()]} if kind.endswith("labels") else {}
    return {
        "id": name,
        "type": kind,
        "from_name": f"{kind} of {name}",
        "value": {"start": start, "end": end, **labels, **value},
    }


def labelled(data: dict[str, Any], *results: Any, **more: Any) -> dict[str, Any]:
    return {"id": 1, "data": data, "annotations": [{"result": list(results), **more}]}


def test_the_text_of_html_is_what_a_browser_shows(tmp_path: Path) -> None:
    page = "<div><p>Ada <!-- x -->&amp; <b>Bo</b></p><script>no</script><p>left <i>Bern</i>.</p></div>"
    path = {"startOffset": 0, "endOffset": 4, "text": "Bern"}
    steps = "/div[1]/p[2]/i[1]/text()[1]"
    task = labelled(
        {"page": page, "x": ""}, {**region("a", steps, steps, "hypertextlabels", **path), "to_name": "page"}
    )
    (document,) = read(tmp_path, "labelstudio", task)
    assert (document.text, document.mentions[0].spans) == ("Ada & Boleft Bern.", ((13, 17),))
    task["annotations"][0]["result"][0]["value"]["end"] = "/div[1]/p[9]/text()[1]"
    assert "region 'a': the path '/div[1]/p[9]/text()[1]' leads to no text" in told(tmp_path, "labelstudio", task)[0]
    deep = labelled({"html": "<b>" * 5000}, region("a", "/b[1]", "/b[1]", "hypertextlabels", text="x"))
    assert told(tmp_path, "labelstudio", deep)


def test_what_a_project_leaves_open_is_told(tmp_path: Path) -> None:
    skipped = labelled({"text": "Ada left"}, region("a", 0, 3), was_cancelled=True)
    assert "task 1 was skipped; it is read as one without" in told(tmp_path, "labelstudio", skipped)[0]
    problems = Problems()
    task = {"id": 1, "data": {"text": "Ada"}, "annotations": []}
    list(formats.read(write(tmp_path, [task]), "labelstudio", problems=problems))
    assert problems.counted == {"task without annotations": 1}
    texts = [{**region("a", 0, 3), "to_name": "one"}, {**region("b", 0, 3), "to_name": "two"}]
    both = labelled({"one": "Ada left", "two": "Bo left"}, *texts)
    assert "on the texts 'one' and 'two'; choose a control" in told(tmp_path, "labelstudio", both)[0]
    address = labelled({"text": "https://example.org/a.txt"}, region("a", 0, 3, text="Ada"))
    assert "the column has the address of the text" in told(tmp_path, "labelstudio", address)[0]


def test_tasks_without_annotations_are_recognised_by_the_keys_of_their_project(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps([{"id": 1, "data": {"text": "Ada"}, "annotations": [], "inner_id": 1, "project": 1}]))
    assert formats.sniff(path).name == "labelstudio"
    path.write_text('{"text": "Ada", "label": null}\n{"text": "Bo", "label": [[0, 2, "PER"]]}\n')
    assert formats.sniff(path).name == "doccano"
    path.write_text('{"text": "Ada", "label": 1}')
    with pytest.raises(InputError, match="the format is not recognised"):
        formats.sniff(path)


def test_a_list_that_is_null_is_one_that_is_missing(tmp_path: Path) -> None:
    lines = [{"text": "Ada", "label": None}, {"text": "Bo", "label": [[0, 2, "PER"]]}]
    problems = Problems()
    list(formats.read(write(tmp_path, lines, lines=True), "doccano", problems=problems))
    assert problems.counted == {"document without the key 'label'": 1}


def test_regions_of_one_id_stand_in_one_place(tmp_path: Path) -> None:
    first, second = region("a", 0, 3), {**region("b", 0, 3), "id": "a"}
    (document,) = read(tmp_path, "labelstudio", labelled({"text": "Ada left"}, first, second))
    assert document.mentions[0].labels == ("A", "B")
    second["value"]["end"] = 8
    (message,) = told(tmp_path, "labelstudio", labelled({"text": "Ada left"}, first, second))
    assert message == "item 1: region 'a' stands in 2 places; give each an id of its own"


def test_controls_can_be_chosen_and_be_layers(tmp_path: Path) -> None:
    arrow = {"type": "relation", "from_id": "a", "to_id": "b", "labels": []}
    task = labelled({"text": "Ada left"}, region("a", 0, 3), region("b", 4, 8), arrow)
    (document,) = read(tmp_path, "labelstudio", task, layers="from_name")
    assert [mention.layer for mention in document.mentions] == ["labels of a", "labels of b"]
    (document,) = read(tmp_path, "labelstudio", task, from_name="labels of b")
    (message,) = told(tmp_path, "labelstudio", task, from_name="lables")
    assert message.startswith("no control is called 'lables'; the controls are 'labels of a', 'labels of b'"), message
    assert ([mention.id for mention in document.mentions], document.relations) == (["b"], [])


def test_the_column_with_the_stated_texts_is_the_text(tmp_path: Path) -> None:
    data = {"title": "Bern", "body": "Ada left"}
    (document,) = read(tmp_path, "labelstudio", labelled(data, region("a", 0, 3, text="Ada")))
    assert (document.text, document.metadata) == ("Ada left", {"title": "Bern"})
    (message,) = told(tmp_path, "labelstudio", labelled(data, region("a", 0, 3)))
    assert "which column holds the text? Expected one called 'text'" in message
    assert message.endswith("there are 'title', 'body'")


def test_what_is_on_no_text_is_refused_or_told(tmp_path: Path) -> None:
    sound = labelled({"text": "a.wav"}, region("a", 0.5, 2.5, channel=0))
    assert told(tmp_path, "labelstudio", sound) == ["item 1: a region of the type 'labels' is not on a text"]
    ranking = labelled({"text": "Ada"}, {"type": "ranker", "value": {"ranker": {}}, "from_name": "r"})
    assert told(tmp_path, "labelstudio", ranking) == ["item 1: task 1: a result of the type 'ranker' is not read"]


def test_tasks_that_somebody_has_not_annotated_are_left_out(tmp_path: Path) -> None:
    tasks = [labelled({"text": "Ada"}, completed_by=who) | {"id": who} for who in (1, 2)]
    assert [document.id for document in read(tmp_path, "labelstudio", *tasks, annotator="2")] == ["2"]
    assert told(tmp_path, "labelstudio", *tasks, annotator="2") == ["1 task without annotations of '2' left out"]
    assert [document.id for document in read(tmp_path, "labelstudio", *tasks)] == ["1", "2"]


HOSTILE = {
    "a deep array": b"[" * 100_000,
    "a deep object": b'{"text":' * 100_000,
    "half a surrogate pair": b'{"text": "\\ud800", "id": "a"}',
    "no UTF-8": b'{"text": "\xff"}',
    "a number without end": b'{"text": "a", "id": ' + b"9" * 5000 + b"}",
    "a number beyond all": b'[{"text": "a", "id": 1e999}]',
    "no JSON": b"{'text': 'a'}",
    "another value": b'"text"',
}


@every_format
@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_files_end_with_a_sentence(
    name: str, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(HOSTILE[what])
    status = run(["convert", str(path), "-", "--from", name, "--to", "jsonl"])
    out, err = capsys.readouterr()
    assert (status, out) == (3, "")
    (sentence,) = err.splitlines()
    assert sentence.startswith(f"karat: {path}:")


ALIKE = {
    "spert": lambda size: [{"tokens": ["a"], "entities": [], "orig_id": 1}] * size,
    "doccano": lambda size: [
        {"text": "ab", "entities": [{"id": 1, "start_offset": 0, "end_offset": 1, "label": "X"}] * size}
    ],
    "prodigy": lambda size: [task("ada", (0, 3), label=str(number)) for number in range(size)],
    "scierc": lambda size: [{"sentences": [["a"]] * size, "ner": [[[number, number, "X"]] for number in range(size)]}],
    "biocjson": lambda size: [
        bioc(*[(2 * number, "é", [annotation(2 * number, "é", id=1)]) for number in range(size)])
    ],
}


@pytest.mark.parametrize("name", ALIKE)
def test_what_is_alike_takes_no_more_work(name: str, tmp_path: Path) -> None:
    options = {"merge": "yes"} if name == "prodigy" else {}

    def work(size: int) -> Any:
        path = write(tmp_path, ALIKE[name](size))
        return lambda: list(formats.read(path, name, options=options))

    assert growth(work, 200) < 2.5


def test_a_result_file_is_scored_beside_its_gold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, result = tmp_path / "dev.json", tmp_path / "result.json"
    gold.write_text(json.dumps([DOCRED]))
    result.write_text(json.dumps([{"title": "A", "h_idx": head, "t_idx": 1 - head, "r": "left"} for head in (0, 1)]))
    assert run(["score", "relations", str(gold), str(result), "--read", f"records={gold}", "--view", "json"]) == 0
    (row, *_) = [
        row
        for row in json.loads(capsys.readouterr().out)["scores"][0]["rows"]
        if (row["measure"], row["average"]) == ("precision", "micro")
    ]
    assert row["value"] == 0.5
    system = list(formats.read(result, "docred", options={"records": str(gold)}))
    scores = karat.score("relations", list(formats.read(gold)), system)
    assert scores.value("precision", regime=row["regime"]) == 0.5


def grown(value: Any) -> Any:
    """Return items in which every text, and every list of words, is long."""
    if isinstance(value, list):
        words = bool(value) and all(isinstance(word, str) for word in value)
        return value + ["x"] * 50_000 if words else [grown(part) for part in value]
    if isinstance(value, dict):
        texts = {key: part + " x" * 50_000 for key, part in value.items() if key == "text" and isinstance(part, str)}
        return {key: grown(part) for key, part in value.items()} | texts
    return value


@every_format
def test_a_file_with_a_long_text_is_recognised(name: str, tmp_path: Path) -> None:
    for lines in (False, True):
        assert formats.sniff(write(tmp_path, grown(SAMPLES[name]), lines=lines)).name == name


def test_two_annotations_of_one_person_are_told_apart_or_refused(tmp_path: Path) -> None:
    result = [{"id": "a", "type": "labels", "value": {"start": 0, "end": 3, "text": "Ada", "labels": ["PER"]}}]
    annotations = [{"completed_by": 1, "result": result}, {"completed_by": 1, "result": []}]
    item = {"id": 7, "data": {"text": "Ada left Bern"}, "annotations": annotations}
    assert [document.id for document in read(tmp_path, "labelstudio", item, annotator="each")] == ["7@1", "7@1#2"]
    (message,) = told(tmp_path, "labelstudio", item)
    assert "is annotated 2 times by '1'; remove what is out of date" in message


@pytest.mark.parametrize("name", ["labelstudio", "doccano", "spert", "prodigy"])
def test_a_file_is_known_though_its_first_item_is_empty(name: str, tmp_path: Path) -> None:
    first = {
        key: type(value)() if isinstance(value, list) and key != "tokens" else value
        for key, value in SAMPLES[name][0].items()
    }
    path = tmp_path / "a.json"
    path.write_text(json.dumps([first, *SAMPLES[name]]), "utf-8")
    assert formats.sniff(path).name == name


@pytest.mark.parametrize("protocol", ["docred", "relations"])
def test_a_result_file_of_docred_takes_its_documents_from_the_gold(protocol: str, tmp_path: Path) -> None:
    gold, result = tmp_path / "dev.json", tmp_path / "result.json"
    entities = [
        [{"name": name, "sent_id": 0, "pos": [place, place + 1], "type": "PER"}] for place, name in enumerate("AB")
    ]
    document = {"title": "A", "sents": [["A", "B"]], "vertexSet": entities}
    gold.write_text(json.dumps([document | {"labels": [{"h": 0, "t": 1, "r": "P1", "evidence": []}]}]))
    result.write_text(json.dumps([{"title": "A", "h_idx": h, "t_idx": 1, "r": "P1", "evidence": []} for h in (0, 7)]))
    scores = karat.score(protocol, gold, result)
    assert (scores.value("precision"), scores.value("recall")) == (0.5, 1.0)
    assert list(scores) == list(karat.score(protocol, gold, result, read={"records": str(gold)}))
