"""What language models write: everything odd is reported, and the rest is read."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import steps

import karat
from karat import formats
from karat.cli import run
from karat.errors import InputError
from karat.formats.base import Problems
from karat.model import Document, Mention

TEXT = "Ada met Bob, and Ada left Bern."


def read(path: Path, content: str, **options: str) -> tuple[list[Document], list[str]]:
    path.write_text(content, "utf-8")
    problems = Problems()
    documents = list(formats.read(path, "llm", problems=problems, options=options))
    return documents, [f"{one.line}: {one.message}" for one in problems.found]


def places(document: Document) -> list[tuple[str, tuple[int, int]]]:
    given = [mention.attributes.get("given", mention.text) for mention in document.mentions]
    return [(words, (mention.start, mention.end)) for words, mention in zip(given, document.mentions, strict=True)]


@pytest.mark.parametrize(
    "mentions",
    [
        ["Ada", "Bob", "Ada"],
        [{"text": "Ada"}, {"mention": "Bob"}, {"entity": "Ada"}],
        [{"text": "Ada", "start": 0, "end": 3}, {"text": "Bob", "start": 8, "end": 11}, "Ada"],
    ],
)
def test_mentions_in_many_shapes(mentions: list[object], tmp_path: Path) -> None:
    for key in ("mentions", "entities"):
        (document,), messages = read(tmp_path / "x", json.dumps({"id": "d", "text": TEXT, key: mentions}))
        assert places(document) == [("Ada", (0, 3)), ("Bob", (8, 11)), ("Ada", (17, 20))]
        assert messages == []


def test_mentions_by_label_and_links(tmp_path: Path) -> None:
    content = {
        "id": "d",
        "text": TEXT,
        "entities": {"PER": ["Bob"], "LOC": [{"text": "Bern", "type": "LOC", "qid": "Q70"}]},
    }
    (document,), _ = read(tmp_path / "x", json.dumps(content))
    assert [(mention.labels, mention.text) for mention in document.mentions] == [(("PER",), "Bob"), (("LOC",), "Bern")]
    assert document.mentions[1].links[0].target == "Q70"


def test_what_is_odd_is_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    content = "\n".join(
        [
            "```json",
            json.dumps({"id": "a", "text": TEXT, "mentions": ["Ada", "Eve", 7, "Bob", "Bob"], "mood": "good"}),
            '{"id": "b", "text": "cut off',
            "Here is the JSON you asked for:",
            json.dumps({"id": "a", "text": TEXT, "mentions": []}),
            json.dumps({"id": "c", "text": TEXT, "mentions": [{"text": "Ada", "start": 1, "end": 3, "sure": 1}]}),
            json.dumps({"id": "d", "text": TEXT}),
            "[1]",
            "```",
        ]
    )
    (first, second), messages = read(tmp_path / "x", content)
    assert places(first) == [("Ada", (0, 3)), ("Eve", (0, 0)), ("Bob", (8, 11)), ("Bob", (0, 0))]
    assert places(second) == [("Ada", (0, 3))]
    wanted = [
        "2: document 'a': '7' is not a mention",
        "2: document 'a': 'Eve' is hallucinated",
        "2: document 'a': 'Bob' is named more often than the text has it",
        "3: not JSON",
        "4: not JSON",
        "5: document 'a' is there already",
        "6: document 'c': the offsets 1-3 are not where 'Ada' stands",
        "7: document 'd' has no answer that can be read",
        "8: document '5': '1' is not a mention",
        "8: document '5' has no answer that can be read: nothing in it is a mention",
    ]
    assert len(messages) == len(wanted)
    for message, beginning in zip(messages, wanted, strict=True):
        assert message.startswith(beginning), message


def test_one_array(tmp_path: Path) -> None:
    documents = [{"id": "a", "text": TEXT, "mentions": ["Ada"]}, 5, {"id": "b", "text": TEXT, "mentions": []}]
    found, messages = read(tmp_path / "x", json.dumps(documents, indent=1))
    assert [document.id for document in found] == ["a", "b"]
    assert len(messages) == 1
    (alone,), messages = read(tmp_path / "x", '["Ada", {"text": "Bob", "label": "PER"}]')
    assert (alone.id, len(alone.mentions)) == ("1", 2)
    assert any("without a text" in message for message in messages)


def test_a_broken_array_is_read_line_by_line(tmp_path: Path) -> None:
    lines = ["[", json.dumps({"id": "a", "text": TEXT, "mentions": ["Ada"]}) + ",", '{"id": "b", "te']
    (document,), messages = read(tmp_path / "x", "\n".join(lines))
    assert document.id == "a"
    assert messages[0].startswith("3: not JSON")


def test_texts_come_from_the_records(tmp_path: Path) -> None:
    (tmp_path / "records.csv").write_text(f'id,sample\na,"{TEXT}"\n', "utf-8")
    content = json.dumps({"id": "a", "mentions": ["Bern"]})
    (document,), messages = read(tmp_path / "x", content, records=str(tmp_path / "records.csv"))
    assert (places(document), messages) == ([("Bern", (26, 30))], [])


def test_relations(tmp_path: Path) -> None:
    relations = [["Ada", "met", "Bob"], {"subject": "Ada", "predicate": "left", "object": "Bern"}, ["Ada", "met"], "x"]
    (document,), messages = read(tmp_path / "x", json.dumps({"id": "a", "text": TEXT, "relations": relations}))
    assert [(relation.label, relation.arguments[1].target) for relation in document.relations] == [
        ("met", "m2"),
        ("left", "m3"),
    ]
    assert len(messages) == 2


CONTENT = '{"entities": [{"text": "Ada", "type": "PER"}]}'


@pytest.mark.parametrize(
    "wrapped",
    [
        {"response": {"status_code": 200, "body": {"choices": [{"message": {"content": CONTENT}}]}}, "error": None},
        {"response": {"body": {"output": [{"content": [{"type": "output_text", "text": CONTENT}]}]}}},
        {"result": {"type": "succeeded", "message": {"content": [{"type": "text", "text": CONTENT}]}}},
        {"result": {"message": {"content": [{"type": "tool_use", "input": json.loads(CONTENT)}]}}},
        {"response": {"candidates": [{"content": {"parts": [{"text": CONTENT}]}, "finishReason": "STOP"}]}},
        {"choices": [{"message": {"content": None, "tool_calls": [{"function": {"arguments": CONTENT}}]}}]},
        {"message": {"role": "assistant", "content": CONTENT}},
        {"generated_text": CONTENT},
        {"completion": CONTENT},
        {"output": json.loads(CONTENT)},
        {"response": json.loads(CONTENT)},
        {"response": [{"generated_text": CONTENT}]},
        {
            "response": {
                "body": {"output": [{"type": "reasoning", "content": [{"text": "[7]"}]}, {"arguments": CONTENT}]}
            }
        },
        {"response": {"candidates": [{"content": {"parts": [{"text": "[]", "thought": True}, {"text": CONTENT}]}}]}},
        {"modelOutput": {"output": {"message": {"content": [{"text": CONTENT}]}}}},
        {"modelOutput": {"results": [{"outputText": CONTENT}]}},
        {"outputs": [{"text": CONTENT}]},
        {"messages": [{"role": "user", "content": "[]"}, {"role": "assistant", "content": CONTENT}]},
        {"choices": [{"message": {"content": None, "function_call": {"arguments": CONTENT}}}]},
        {"response": {"candidates": [{"content": {"parts": [{"functionCall": {"args": json.loads(CONTENT)}}]}}]}},
        {"modelOutput": {"output": {"message": {"content": [{"toolUse": {"input": json.loads(CONTENT)}}]}}}},
        {"output": {"content": CONTENT, "type": "ai"}},
        {"generations": [{"text": CONTENT}]},
    ],
)
def test_what_providers_wrap_around_an_answer(wrapped: dict[str, object], tmp_path: Path) -> None:
    content = json.dumps({"id": "request 7", "custom_id": "a", "text": TEXT, **wrapped})
    (document,), messages = read(tmp_path / "x", content)
    assert (document.id, places(document), messages) == ("a", [("Ada", (0, 3))], [])


@pytest.mark.parametrize(
    ("wrapped", "reason"),
    [
        ({"response": None, "error": {"message": "no money"}}, "no money"),
        ({"result": {"type": "errored", "error": {"error": {"message": "overloaded"}}}}, "overloaded"),
        ({"result": {"type": "expired"}}, "expired"),
        ({"choices": [{"message": {"content": None, "refusal": "I won't"}}]}, "I won't"),
        ({"response": {"body": {"output": [{"content": [{"refusal": "I won't"}]}]}}}, "I won't"),
        ({"modelInput": {}, "error": {"errorMessage": "too long"}}, "too long"),
        ({"response": {"body": {}}}, "no content"),
        ({"answer": '[{text: "Ada", type: "PER"}]'}, "a part of its JSON is broken, so nothing of it is read"),
        ({"answer": "<think>hm, Ada"}, "it is empty"),
        ({"answer": '{"error": "I cannot do that"}'}, "nothing in it is a mention"),
        ({"answer": "{entities: [Ada]}"}, "no list, table, tags or JSON"),
        ({"answer": "[7, 8]"}, "nothing in it is a mention"),
        ({"answer": '["O", "B-PER"]'}, "a list of tags without their tokens"),
        ({"result": {"message": {"content": [], "stop_reason": "refusal"}}}, "no content (stop_reason refusal)"),
        ({"response": {"candidates": [{"finishReason": "SAFETY"}]}}, "no content (finishReason SAFETY)"),
        ({"choices": [{"message": {"content": '[{"text": "A'}, "finish_reason": "length"}]}, "(finish_reason length)"),
    ],
)
def test_no_answer_is_told_from_an_empty_one(wrapped: dict[str, object], reason: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="document 'a' has no answer") as caught:
        read(tmp_path / "x", json.dumps({"custom_id": "a", "text": TEXT, **wrapped}))
    assert reason in str(caught.value)
    assert caught.value.line == 1


@pytest.mark.parametrize(
    "answer",
    [
        '{"Entities": {"PER": ["Bob"], "LOC": ["Bern"]}}',
        json.dumps('{"PER": ["Bob"], "LOC": ["Bern"]}'),
        '{"result": {"entities": [{"text": "Bob", "type": "PER"}, {"text": "Bern", "type": "LOC"}]}}',
        '{"text": "Bob", "type": "PER"}\n{"text": "Bern", "type": "LOC"}',
        'They are ["Bob", "PER"] and ["Bern", "LOC"], I think.',
        '[["PER", "Bob"], ["LOC", "Bern"]]',
        '[[8, 11, "PER"], [26, 30, "LOC"]]',
        '[{"start": 8, "end": 11, "label": "PER"}, {"span": [26, 30], "label": "LOC"}]',
        "[('Bob', 'PER'), ('Bern', 'LOC')]",
        '{"PER": "Bob", "LOC": "Bern"}',
        "### PER\n- Bob\n\n### LOC\n- Bern\n",
        "**PER:**\n* Bob\n**LOC:**\n* Bern",
        "Bob (PER), Bern (LOC)",
        "1) Bob -> PER\n2) Bern -> LOC",
        "```\nPER: Bob\nLOC: Bern\nORG: none\n```",
        "| Type | Name |\n|:--|--:|\n| PER | **Bob** |\n| LOC | `Bern` |",
        "Ada met <PER>Bob</PER>, and Ada left <LOC>Bern</LOC>.",
        "```xml\nAda met <e type='PER'>Bob</e>, and Ada left <e type='LOC'>Bern</e>.\n```",
        "<answer>Ada met <PER>Bob</PER>, and Ada left <LOC>Bern</LOC>.</answer>",
        "Ada met [PER: Bob], and Ada left [LOC: Bern].",
        "Ada met [Bob](PER), and Ada left [Bern](LOC).",
        "<ul><li>Bob (PER)</li><li><b>Bern</b> (LOC)</li></ul>",
        "<table><tr><th>Name</th><th>Type</th></tr><tr><td>Bob</td><td>PER</td></tr><tr><td>Bern</td><td>LOC</td></tr></table>",
        "<list><entity><text>Bob</text><type>PER</type></entity><entity><text>Bern</text><type>LOC</type></entity></list>",
        "entities:\n- text: Bob\n  type: PER\n- text: Bern\n  type: LOC",
        "entity,type\nBob,PER\nBern,LOC",
        "**PER**\n- Bob\n\n**LOC**\n- Bern",
        "met O\nBob B-PER\nleft O\nBern B-LOC",
        '[["met", "O"], ["Bob", "B-PER"], ["Bern", "B-LOC"]]',
        '{"entities": [{"token": "Bob", "tag": "B-PER"}, {"token": "Bern", "tag": "B-LOC"}]}',
        '{"entities": ["Bob (PER)", "Bern (LOC)"]}',
        '[{"type": "PER", "mentions": ["Bob"]}, {"type": "LOC", "text": ["Bern"]}]',
        json.dumps({"output": '{"PER": ["Bob"], "LOC": ["Bern"]}'}),
    ],
)
def test_the_forms_of_an_answer(answer: str, tmp_path: Path) -> None:
    (document,), _ = read(tmp_path / "x", json.dumps({"id": "a", "text": TEXT, "answer": answer}))
    found = [(mention.labels, mention.spans[0]) for mention in document.mentions]
    assert found == [(("PER",), (8, 11)), (("LOC",), (26, 30))]


@pytest.mark.parametrize(
    "answer",
    [
        "(Ada, met, Bob)\n(Ada; left; Bern)",
        '[["Ada", "met", "Bob"], ["Ada", "left", "Bern"]]',
        "- [Ada | met | Bob]",
        "Ada | met | Bob",
    ],
)
def test_triples_in_brackets(answer: str, tmp_path: Path) -> None:
    (document,), messages = read(tmp_path / "x", json.dumps({"id": "a", "text": TEXT, "answer": answer}))
    assert [relation.label for relation in document.relations][:1] == ["met"]
    assert {mention.text for mention in document.mentions} <= {"Ada", "Bob", "Bern"}
    assert messages == []


def test_ends_of_relations_are_the_mentions_of_the_list(tmp_path: Path) -> None:
    relation = {"subject": {"text": "Ada", "type": "PER"}, "type": "met", "object": "bob"}
    answer = {"entities": ["Bob"], "relations": [relation]}
    (document,), _ = read(tmp_path / "x", json.dumps({"id": "a", "text": TEXT, "answer": json.dumps(answer)}))
    assert [mention.text for mention in document.mentions] == ["Bob", "Ada"]
    assert [end.target for end in document.relations[0].arguments] == ["m2", "m1"]


def test_mentions_are_placed_in_declared_steps(tmp_path: Path) -> None:
    text = "Zu\u0308rich \u2013 \u201cBo\u2019s\u201d, New  York; Bo"
    answer = ["BO", "Z\u00fcrich", "new york", "Bo's", "ork"]
    (document,), messages = read(tmp_path / "x", json.dumps({"id": "a", "text": text, "answer": answer}))
    assert [mention.text for mention in document.mentions] == ["Bo", "Zu\u0308rich", "New  York", "Bo\u2019s", "ork"]
    assert [message for message in messages if "inside of a word" not in message] == []


GOLD = [
    Document("x", TEXT, [Mention("1", ((0, 3),), ("PER",)), Mention("2", ((8, 11),), ("PER",))]),
    Document("y", "Bern is quiet.", [Mention("1", ((0, 4),), ("LOC",))]),
]
RIGHT = ["- Ada (PER)\n- Bob (PER)", "- Bern (LOC)"]


@pytest.mark.parametrize(
    "answers",
    [
        RIGHT,
        tuple(RIGHT),
        pytest.param(iter(RIGHT), id="iterator"),
        dict(zip("xy", RIGHT, strict=True)),
        [{"id": "y", "answer": RIGHT[1]}, {"id": "x", "response": RIGHT[0]}],
        [{"text": "Bern is quiet.", "answer": RIGHT[1]}, {"text": TEXT, "answer": RIGHT[0]}],
        [{"entities": [("Ada", "PER"), ("Bob", "PER")]}, {"entities": [("Bern", "LOC")]}],
        [[("Ada", "PER"), ("Bob", "PER")], [("Bern", "LOC")]],
        {"x": {"entities": {"PER": ["Ada", "Bob"]}}, "y": [{"text": "Bern", "type": "LOC"}]},
    ],
    ids=str,
)
def test_answers_in_python_take_texts_and_ids_from_the_gold(answers: object) -> None:
    assert karat.score("conll2003", GOLD, answers, system_format="llm").value("f1") == 1.0


def test_answers_without_ids_must_be_as_many_as_documents() -> None:
    with pytest.raises(InputError, match="1 answer without an id for 2 documents"):
        karat.score("conll2003", GOLD, RIGHT[:1], system_format="llm")


def test_an_answer_that_cannot_be_read_counts_as_empty_on_both_roads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = {"x": RIGHT[0], "y": "I'm sorry, I can't."}
    scores = karat.score("conll2003", GOLD, answers, system_format="llm")
    assert (scores.value("precision"), scores.value("recall")) == (1.0, 2 / 3)
    assert any("1 answer not readable (counted as empty)" in note for note in scores.notes)
    ledger = karat.explain("conll2003", GOLD, answers, system_format="llm")
    unread = next(entry for entry in ledger if entry.unit == "y")
    assert (unread.case, unread.verdicts) == ("unread", {})
    assert unread.system is not None
    assert unread.system.text == "I'm sorry, I can't."

    formats.write(GOLD, tmp_path / "gold.jsonl", "jsonl")
    (tmp_path / "answers.json").write_text(json.dumps(answers, indent=1), "utf-8")
    words = ["conll2003", str(tmp_path / "gold.jsonl"), str(tmp_path / "answers.json"), "--system-format", "llm"]
    assert run(["score", *words, "--view", "json"]) == 0
    result = json.loads(capsys.readouterr().out)["scores"][0]
    assert [row["value"] for row in result["rows"][:2]] == [1.0, 2 / 3]
    assert run(["explain", *words, "--view", "jsonl"]) == 0
    entries = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [entry["system"]["text"] for entry in entries if entry["case"] == "unread"] == ["I'm sorry, I can't."]


@pytest.mark.parametrize(
    "answer",
    [
        '[{"text": "Ada"} {"text": "Bob"}]',
        '[{"text": Ada}, {"text": "Bob"}]',
        '{"entities": [{"text": "Ada"} {"text": "Bob"}], "relations": []}',
    ],
)
def test_json_that_is_broken_is_no_answer(answer: str, tmp_path: Path) -> None:
    content = json.dumps({"id": "d", "text": TEXT, "answer": answer})
    with pytest.raises(InputError, match="a part of its JSON is broken, so nothing of it is read"):
        read(tmp_path / "x", content)


@pytest.mark.parametrize(
    ("answer", "names"),
    [('{"text": "Ada"}\n{"text": "Bob"}', ["Ada", "Bob"]), ('As in [1] and {x}: [{"text": "Ada"}]', ["Ada"])],
)
def test_brackets_between_values_are_no_json(answer: str, names: list[str], tmp_path: Path) -> None:
    (document,), messages = read(tmp_path / "x", json.dumps({"id": "d", "text": TEXT, "answer": answer}))
    assert ([name for name, _ in places(document)], messages) == (names, [])


@pytest.mark.parametrize(
    "relations",
    ["(Ada, met, Bob), (Ada, left, Bern)", "Ada -> met -> Bob; Ada → left → Bern", "met(Ada, Bob), left(Ada, Bern)."],
)
def test_a_line_may_list_mentions_or_relations_behind_their_name(relations: str, tmp_path: Path) -> None:
    answer = "**Entities:** Ada (PER), Bob (PER), Bern (LOC)\nRelations: "
    content = {"id": "d", "text": TEXT, "answer": answer + relations}
    (document,), messages = read(tmp_path / "x", json.dumps(content))
    assert [
        (name, *mention.labels) for (name, _), mention in zip(places(document), document.mentions, strict=True)
    ] == [
        ("Ada", "PER"),
        ("Bob", "PER"),
        ("Bern", "LOC"),
    ]
    assert [(relation.label, *(end.target for end in relation.arguments)) for relation in document.relations] == [
        ("met", "m1", "m2"),
        ("left", "m1", "m3"),
    ]
    assert messages == []
    for words, count in (("Ada met Bob", 1), ("none found", 0), ("There are no relations.", 0)):
        _, messages = read(tmp_path / "x", json.dumps(content | {"answer": answer + words}))
        assert ["is not a relation; expected head" in message for message in messages] == [True] * count


def test_invented_mentions_count_on_both_roads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = "\n".join(["- Ada (PER)", "- Bob (PER)", *(f"- Eve {number} (PER)" for number in range(10))])
    scores = karat.score("conll2003", GOLD[:1], [answer], system_format="llm")
    assert scores.value("precision") == 2 / 12
    formats.write(GOLD[:1], tmp_path / "gold.jsonl", "jsonl")
    (tmp_path / "a.jsonl").write_text(json.dumps({"answer": answer}), "utf-8")
    words = ["score", "conll2003", str(tmp_path / "gold.jsonl"), str(tmp_path / "a.jsonl")]
    assert run([*words, "--view", "json", "--fail-under", "0.95"]) == 1
    assert json.loads(capsys.readouterr().out)["scores"][0]["rows"][0]["value"] == 2 / 12


def test_texts_come_from_a_file_of_any_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    formats.write(GOLD, tmp_path / "gold.jsonl", "jsonl")
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "y", "answer": "- Bern (LOC)"}), "utf-8")
    words = ["convert", str(tmp_path / "a.jsonl"), "-", "--to", "jsonl", "--texts", str(tmp_path / "gold.jsonl")]
    assert run(words) == 0
    (document,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (document["text"], document["mentions"][0]["spans"]) == ("Bern is quiet.", [[0, 4]])


def test_what_several_calls_of_a_tool_say_is_all_read(tmp_path: Path) -> None:
    given = [{"entities": [{"text": name, "type": "X"}]} for name in ("Bob", "Bern")]
    called = [{"function": {"arguments": json.dumps(one)}} for one in given]
    used = [{"type": "tool_use", "input": one} for one in given]
    for wrapped in ({"choices": [{"message": {"tool_calls": called}}]}, {"result": {"message": {"content": used}}}):
        (document,), _ = read(tmp_path / "x", json.dumps({"custom_id": "a", "text": TEXT, **wrapped}))
        assert [mention.text for mention in document.mentions] == ["Bob", "Bern"]


def test_lines_of_a_list_that_name_nothing_are_told(tmp_path: Path) -> None:
    answer = "- Bob (PER)\n- who knows what\n- none"
    _, messages = read(tmp_path / "x", json.dumps({"id": "a", "text": TEXT, "answer": answer}))
    assert messages == ["1: document 'a': 1 line of the list names nothing that is read; left out"]


@pytest.mark.parametrize(
    "record",
    [
        {"model": "m", "response": "[]", "done": True},
        {"id": "a", "messages": [{"role": "assistant", "content": "[]"}]},
        {"id": "a", "choices": [{"message": {"content": "[]"}}]},
        {"id": "a", "generated_text": "[]"},
    ],
)
def test_responses_are_recognised(record: dict[str, object], tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(json.dumps(record))
    assert formats.sniff(tmp_path / "x.jsonl").name == "llm"


HOSTILE = {
    "layout": "<a " + " " * 50_000,
    "elements": "<a><b>x</b>" * 10_000,
    "marks": "[A: " * 20_000,
    "rows": "<tr>" * 20_000,
    "open lists": "[" * 50_000,
    "lists in a row": "[1, " * 60 + "2, " * 10_000 + "!",
    "comments": "[/*" * 10_000,
    "quotes": "['\\'" * 10_000,
    "backslashes": '["' + "\\" * 60_001,
    "braces": '{"a": ' * 50_000,
    "tags": "<PER>" * 10_000 + "Ada",
    "attributes": "<e" + ' a="b"' * 20_000,
    "fences": "```\n" * 30_000,
    "brackets": "(a" * 40_000,
    "one line": "- " + "Ada (PER), " * 15_000,
    "lines": "- Ada: PER\n" * 2_000,
    "blanks": "-" + " " * 100_000 + ": x\n" * 100,
    "columns": "| a | b |\n|---|---|\n" + "|" * 60_000,
    "thoughts": "<think>" * 20_000,
    "numbers": "[" + "9" * 100_000 + "]",
    "surrogates": '{"entities": ["\\ud800"]}',
}


@pytest.mark.parametrize("bomb", HOSTILE)
def test_hostile_answers_cost_no_more_than_their_size(bomb: str) -> None:
    def score() -> None:
        karat.score("conll2003", GOLD[:1], [HOSTILE[bomb]], system_format="llm")

    steps(score, most=1_500_000)


def test_half_a_surrogate_pair_is_no_answer() -> None:
    scores = karat.score("conll2003", GOLD[:1], ['["\ud800"]'], system_format="llm")
    assert any("not readable" in note for note in scores.notes)


def test_nothing_to_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no answer could be parsed"):
        read(tmp_path / "x", "I am sorry, I cannot do that.\n")


def test_it_is_scored(tmp_path: Path) -> None:
    gold = [Document("a", TEXT, [Mention("1", ((0, 3),), ("PER",)), Mention("2", ((8, 11),), ("PER",))])]
    content = json.dumps({"id": "a", "text": TEXT, "mentions": {"PER": ["Ada", "Eve"]}})
    (tmp_path / "run.jsonl").write_text(content, "utf-8")
    system = list(formats.read(tmp_path / "run.jsonl", "llm"))
    scores = karat.score("omin-head-ner", gold, system, types="all")
    assert scores.value("precision", regime="strict") == 0.5
    assert scores.value("recall", regime="strict") == 0.5


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["id", "text", "mentions", "entities", "label", "relations", "start", "x"]), inner
        )
    ),
    max_leaves=20,
)


@given(st.lists(values, max_size=4))
def test_any_json_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, found: list[object]) -> None:
    path = tmp_path_factory.mktemp("llm") / "x"
    for content in (json.dumps(found), "\n".join(map(json.dumps, found))):
        with suppress(InputError):
            documents, _ = read(path, content)
            assert formats.render(documents, "jsonl")[""]
