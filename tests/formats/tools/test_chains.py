"""Readers of coreference tools: ASP, coref_mt5, s2e-coref and neuralcoref."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.work import growth

from karat import formats
from karat.cli import run
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.tools import coref_mt5
from karat.formats.tools.chains import parse_clusters
from karat.formats.tools.coref_mt5 import parse_answers
from karat.model import Document

ID = "19990101000001A"
LOG = "08/05/2024 23:23:59 - INFO - util.runner - "
ASP = (
    "some other line\n"
    f"{LOG}Evaluating\n"
    f"{LOG}faa/0_19990101000001A_0_0\n{LOG}['▁a', 'b']\n{LOG}[((1, 2), (4, 4)), ((5, 5), (6, 7))]\n{LOG}[]\n"
    f"{LOG}faa/1_A2_0_0\n{LOG}[]\n{LOG}[]\n{LOG}[]\n"
)
WORDS = ("the", "wing", "and", "it", "fell", "/.", "he", "saw", "it", "/.")
TOKENS = "#begin document (faa/0_19990101000001A); part 000\n" + "".join(
    f"faa 0 {number} {word}\n" for number, word in enumerate(WORDS)
)


def read(folder: Path, tool: str, content: str, **options: str) -> tuple[list[Document], list[str]]:
    path = folder / "native"
    path.write_text(content, "utf-8")
    problems = Problems()
    documents = list(formats.read(path, tool, problems=problems, options=options))
    return documents, [one.message for one in problems.found]


def chains(document: Document) -> list[list[tuple[int, int]]]:
    spans = {mention.id: (mention.start, mention.end) for mention in document.mentions}
    return [[spans[mention] for mention in chain.mentions] for chain in document.chains]


def texts(document: Document) -> list[list[str]]:
    given = {mention.id: mention.text for mention in document.mentions}
    return [[given[mention] for mention in chain.mentions] for chain in document.chains]


def tokens(folder: Path) -> str:
    (folder / "tokens.conll").write_text(TOKENS, "utf-8")
    return str(folder / "tokens.conll")


def test_asp_counts_from_one(tmp_path: Path) -> None:
    (first, second), messages = read(tmp_path, "asp", ASP)
    assert (first.id, second.id, messages) == ("19990101000001A", "A2", [])
    assert chains(first) == [[(0, 2), (3, 4)], [(4, 5), (5, 7)]]
    assert chains(second) == []


def test_asp_with_words(tmp_path: Path) -> None:
    log = ASP.partition(f"{LOG}faa/1")[0]
    (document,), _ = read(tmp_path, "asp", log, tokens=tokens(tmp_path))
    assert texts(document)[0] == ["THE WING", "IT"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (f"{LOG}[]\n{LOG}faa/1", f"{LOG}faa/1", "has 3 lines; expected key, pieces, chains and gold"),
        ("((1, 2), (4, 4))", "((0, 2), (4, 4))", "words -1 to 1 are no mention"),
        ("((1, 2), (4, 4))", "((1, 2), (4, 4", "cannot be read"),
        ("((1, 2), (4, 4))", "((1, 2, 3), (4, 4))", "cannot be read"),
    ],
)
def test_asp_faults_are_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, "asp", ASP.replace(old, new, 1))


def test_a_log_that_breaks_off_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="ends within the document"):
        read(tmp_path, "asp", ASP.rsplit(LOG, 1)[0])


def test_s2e_words_of_sub_tokens(tmp_path: Path) -> None:
    first = {"faa/0_19990101000001A_0": [[[0, 2], [5, 5]]]}
    second = {"faa/0_19990101000001A_0": [0, 0, 1, 2, 2, 3]}
    (document,), _ = read(tmp_path, "s2e-coref", f"{json.dumps(first)}\n{json.dumps(second)}\n")
    assert (document.id, chains(document)) == ("19990101000001A", [[(0, 2), (3, 4)]])
    with pytest.raises(InputError, match="there are no sub-tokens 0 to 2"):
        read(tmp_path, "s2e-coref", f'{json.dumps(first)}\n{{"faa/0_19990101000001A_0": [0]}}\n')
    with pytest.raises(InputError, match="there are 1 lines; expected two lines"):
        read(tmp_path, "s2e-coref", f"{json.dumps(first)}\n")


def mt5(*results: str) -> str:
    sentences = [["the", "wing", "and", "it", "fell", "."], ["he", "saw", "it", "."]]
    return json.dumps({"c5_id": "19990101000001A", "sentences": sentences, "results": results}) + "\n"


def test_mt5_finds_mentions_by_their_context(tmp_path: Path) -> None:
    answers = "it ## fell . he -> the wing ## and it ;;", "it ## . -> [1 ;;"
    (document,), messages = read(tmp_path, "coref_mt5", mt5(*answers))
    assert texts(document) == [["it", "the wing", "it"]]
    assert [mention.attributes["first"] for mention in document.mentions] == ["3", "0", "8"]
    assert messages == []


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("it ## . -> [3 ;;", "chain 3 is named before there is one"),
        ("rudder ## . -> the wing ## and ;;", "'rudder' is hallucinated"),
        ("it ## . -> rudder ## and ;;", "'rudder' is hallucinated"),
    ],
)
def test_mt5_reports_what_it_cannot_resolve(answer: str, message: str, tmp_path: Path) -> None:
    (document,), messages = read(tmp_path, "coref_mt5", mt5("None [+ E]", answer))
    assert document.chains == []
    assert message in messages[0]


def test_mt5_answers_without_an_arrow_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no '->'"):
        read(tmp_path, "coref_mt5", mt5("None [+ E]", "it"))
    with pytest.raises(InputError, match="1 results for 2 sentences"):
        read(tmp_path, "coref_mt5", mt5("None [+ E]"))


@pytest.mark.parametrize("answer", ["a ## -> a ## a ;; ", "a ## a b -> b ## ;; "])
def test_mt5_looks_up_words_that_stand_everywhere_once(answer: str, tmp_path: Path) -> None:
    def work(size: int) -> Callable[[], object]:
        record = {"id": "a", "sentences": [["a"] * size + ["b"] * size], "results": [answer * size]}
        return lambda: read(tmp_path, "coref_mt5", json.dumps(record) + "\n")

    assert growth(work, 200) < 2.3


def test_mt5_refuses_words_that_repeat_themselves_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coref_mt5, "MAX_PLACES", 1_000)
    words = ["a"] * 100
    record = {"id": "a", "sentences": [words], "results": [f"{' '.join(words)} ## -> a ## ;; "]}
    with pytest.raises(InputError, match=r"the same words stand in more than 1,000 places .* split the document"):
        read(tmp_path, "coref_mt5", json.dumps(record) + "\n")


def test_mt5_marks_of_chains_are_no_words() -> None:
    (answer,) = parse_answers("[1 it ] ## fell -> [2 ;;")
    assert (answer.mention.words, answer.antecedent) == (["it"], 2)


def neuralcoref(printed: str, **more: str) -> str:
    return json.dumps({"id": "19990101000001A", "coref_clusters": printed, **more}) + "\n"


def test_neuralcoref_by_text_and_by_words(tmp_path: Path) -> None:
    content = neuralcoref("[THE WING: [THE WING, IT], HE: [HE, IT]]", text="THE WING AND IT FELL. HE SAW IT.")
    (document,), _ = read(tmp_path, "neuralcoref", content)
    assert chains(document) == [[(0, 8), (13, 15)], [(22, 24), (29, 31)]]
    (document,), _ = read(tmp_path, "neuralcoref", content, tokens=tokens(tmp_path))
    assert texts(document) == [["THE WING", "IT"], ["HE", "IT"]]
    assert document.table is not None


def test_neuralcoref_mentions_with_commas(tmp_path: Path) -> None:
    assert parse_clusters("[ELM, IOWA: [ELM, IOWA, IT]]") == [["ELM, IOWA", "IT"]]
    content = neuralcoref("[IT: [ELM, IOWA, IT]]", text="ELM, IOWA THEN IT")
    (document,), messages = read(tmp_path, "neuralcoref", content)
    assert texts(document) == [["ELM", "IOWA", "IT"]]
    assert messages == [f"document '{ID}': 'ELM' and 'IOWA' may be one mention with a comma; read as two"]


def test_neuralcoref_needs_a_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="its text is unknown; name the token file"):
        read(tmp_path, "neuralcoref", neuralcoref("[A: [A, B]]"))


def test_neuralcoref_reports_what_is_not_there(tmp_path: Path) -> None:
    (document,), messages = read(tmp_path, "neuralcoref", neuralcoref("[A: [A, RUDDER]]", text="A WING"))
    assert "'RUDDER' is not found" in messages[0]
    lost = document.mentions[1]
    assert (lost.spans, lost.text, lost.attributes) == ((), "RUDDER", {"place": "[-1, -1]"})


def test_neuralcoref_as_published_reads_four_chains(tmp_path: Path) -> None:
    printed = "[" + ", ".join(f"{one}: [{one}, {one}]" for one in "ABCDE") + "]"
    content = neuralcoref(printed, text="A B C D E A B C D E")
    (complete,), _ = read(tmp_path, "neuralcoref", content)
    (published,), messages = read(tmp_path, "neuralcoref", content, conversion="published")
    assert (len(complete.chains), len(published.chains)) == (5, 4)
    assert messages == ["document '19990101000001A': 5 chains; the published conversion reads 4"]


@pytest.mark.parametrize("printed", ["A: [B]", "[A: [B, C]", "[A]", "[A: B]"])
def test_neuralcoref_that_is_not_printed_so_is_refused(printed: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected"):
        read(tmp_path, "neuralcoref", neuralcoref(printed, text="A B C"))


def test_chains_are_scored_against_omin_gold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "gold.csv").write_text(
        'id,sample,coreferences\n19990101000001A,-,"[[[0, 1], [3, 3]], [[4, 4], [5, 6]]]"\nA2,-,[]\n'
    )
    (tmp_path / "eval.out").write_text(ASP, "utf-8")
    words = ["score", "omin-coref", str(tmp_path / "gold.csv"), str(tmp_path / "eval.out"), "--system-format", "asp"]
    assert run([*words, "--view", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert '"value": 1.0' in json.dumps(rows)
