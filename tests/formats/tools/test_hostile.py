"""Hostile output of tools: bombs, endless lines and broken JSON end with one sentence, in bounded time and memory."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.work import steps

from karat import formats
from karat.cli import run
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.tools import tools

MEGABYTE = 1 << 20
MOST_STEPS = 20_000_000
"""Lines of Python that may be run to read a hostile file."""
ROW = "c5_id,c119_input,c119_entity_linking,entities,mentions,qids,corefs,head,relation,tail,bi_qid,cross_qid\n"
SOUND = {
    "spacy_entityrecognizer": '{"id": "a", "text": "A WING", "ents": [{"start": 2, "end": 6, "label": "X"}]}',
    "flair": '{"id": "a", "text": "A WING", "entities": [{"start_pos": 2, "end_pos": 6, "labels": []}]}',
    "stanza": '{"id": "a", "text": "A WING", "entities": [{"type": "X", "start_char": 2, "end_char": 6}]}',
    "nltk_ne_chunk": '{"id": "a", "text": "A WING", "tree": "(S A/DT (X WING/NN))"}',
    "plmarker_scierc_ner": '{"sentences": [["a", "wing"]], "predicted_ner": [[[1, 1, "X"]]], "doc_key": "a"}',
    "asp": "\n".join(f"x - INFO - util.runner - {one}" for one in ("faa/0_a_0_0", "[]", "[((1, 1), (2, 2))]", "[]")),
    "coref_mt5": '{"id": "a", "sentences": [["a", "wing", "it"]], "results": ["it ## -> a wing ## it ;;"]}',
    "s2e-coref": '{"faa/0_a_0": [[[0, 0], [1, 1]]]}\n{"faa/0_a_0": [0, 1]}',
    "neuralcoref": '{"id": "a", "text": "A WING IT", "coref_clusters": "[A WING: [A WING, IT]]"}',
    "spacy_entitylinker": '{"id": "a", "text": "A WING", "linked": "[{\'identifier\': 5, \'label\': \'Wing\'}]"}',
    "genre": '{"id": "a", "output": "A { WING } [ Wing ]"}',
    "refined": '{"id": "a", "spans": "[[\'WING\', Entity(wikidata_entity_id=Q5), None]]"}',
    "rebel": '{"index": 0, "input": "A WING", "generated": "<triplet> A <subj> WING <obj> has"}',
    "unirel": '{"id": "a", "output": "[[(\'A\', \'/x\', \'WING\')]]"}',
    "deepstruct": "( A ; has ; WING )",
}
KEYS = {"nltk_ne_chunk": "tree", "neuralcoref": "coref_clusters", "spacy_entitylinker": "linked", "genre": "output"}
KEYS |= {"refined": "spans", "rebel": "generated", "unirel": "output"}
DEEP = "[" * 100_000
BROKEN = (DEEP, '{"a":' * 50_000, '{"id": "a", "text": "x"', "\0", '{"id": NaN}', "{}", "null")
BOMBS = {
    "deep lists": DEEP,
    "deep brackets": "(" * 100_000,
    "blanks": "[{'a': " + " " * 300_000,
    "quotes": "[['" + "\\'" * 30_000,
    "marks": "{a}[" * 15_000,
    "entities": "[['a', Entity(" + "), " * 15_000 + "]",
    "colons": "[" + "a: [b], " * 6_000 + "]",
    "long number": "[[(" + "9" * 100_000 + ")]]",
}


def read(path: Path, tool: str) -> int:
    return sum(len(one.mentions) for one in formats.read(path, tool, problems=Problems()))


def bounded(path: Path, tool: str) -> None:
    """Read or refuse a file with no more work than its size allows."""
    try:
        steps(lambda: read(path, tool), most=MOST_STEPS)
    except InputError as error:
        assert len(str(error)) < 1000  # noqa: PT017 - either way is right, but never another error


@pytest.mark.parametrize("tool", SOUND)
def test_the_samples_are_sound(tool: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(SOUND[tool], "utf-8")
    assert read(path, tool) > 0


@pytest.mark.parametrize("tool", KEYS)
@pytest.mark.parametrize("bomb", BOMBS)
def test_bombs_in_printed_results(tool: str, bomb: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(json.dumps({"id": "a", "text": "A WING", KEYS[tool]: BOMBS[bomb]}), "utf-8")
    bounded(path, tool)


@pytest.mark.parametrize("tool", tools())
@pytest.mark.parametrize("content", BROKEN)
def test_broken_json(tool: str, content: str, tmp_path: Path) -> None:
    for name in ("x", "ent_pred_test.json", "predictions.json"):
        (tmp_path / name).write_text(content, "utf-8")
    bounded(tmp_path / "x", tool)


@pytest.mark.parametrize("tool", ["refined", "asp", "unirel", "blink"])
def test_cells_of_100_megabytes_are_refused(tool: str, tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    with path.open("w", encoding="utf-8") as stream:
        stream.write(ROW + 'A1,"')
        for _ in range(100):
            stream.write("x" * MEGABYTE)
        stream.write('"\n')
    tracemalloc.start()
    with pytest.raises(InputError, match=r"longer than|at most"):
        read(path, tool)
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert used < 100 * MEGABYTE


@pytest.mark.parametrize("tool", tools())
def test_rows_of_a_million_columns_are_refused(tool: str, tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("c5_id" + ",x" * 1_000_000 + "\n", "utf-8")
    with pytest.raises(InputError):
        steps(lambda: read(path, tool), most=MOST_STEPS)


@pytest.mark.parametrize("tool", ["refined", "unirel", "neuralcoref", "spacy_entitylinker"])
def test_bytes_that_are_not_utf8_are_refused(tool: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(SOUND[tool].encode().replace(b"WING", b"W\xffNG"))
    with pytest.raises(InputError, match="not UTF-8"):
        read(path, tool)


@pytest.mark.parametrize("tool", sorted(SOUND))
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_damaged_samples_are_read_or_refused(
    tool: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    content = SOUND[tool]
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 12)))
    new = data.draw(st.text(st.sampled_from("[](){}'\"\\,:;<>-#0 9aé\n"), max_size=4))
    path = tmp_path_factory.mktemp("damaged") / "x"
    path.write_text(content[:start] + new + content[end:], "utf-8")
    bounded(path, tool)


def test_the_command_line_says_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps({"id": "a", "output": DEEP}), "utf-8")
    assert run(["convert", str(path), str(tmp_path / "out.jsonl"), "--from", "unirel"]) == 3
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert "nested more than" in err
    assert not (tmp_path / "out.jsonl").exists()
