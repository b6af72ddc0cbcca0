"""The corrected extraction and evaluation, through the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.protocols.newsreader.naf import entity, folder, naf, reference

from karat.cli import run

CORRECTED = ("--profile", "corrected")
SENTENCES = ["Bern", "3 May", "Ada came to Bern", "She left", "Rain fell", "Basel slept", "Genf too"]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def text(name: str) -> str:
    return Path(name).read_text("utf-8")


def test_terms_say_which_tokens(capfd: pytest.CaptureFixture[str]) -> None:
    document = naf(["New York"], prefix="w").replace('<target id="w2"/>', '<target id="w1"/><target id="w2"/>')
    document = document.replace("<entities>", f"<entities>{entity('e1', ['t2'], reference('New_York'))}")
    assert run(["newsreader", "system", folder(Path("docs"), a=document), "s.tsv", "i.tsv", *CORRECTED]) == 0
    assert text("s.tsv") == "a.naf\t1-2\tNew_York\tNew York\n"
    assert text("i.tsv") == "NERC\t1\nNED\t1\nNo NED\t0\n"


def test_several_spans_are_several_mentions() -> None:
    more = "<references><span><target id='t7'/></span></references>"
    document = naf(SENTENCES, entity("e1", ["t1"], reference("Bern"), more=more), prefix="w")
    assert run(["newsreader", "system", folder(Path("docs"), a=document), "s.tsv", "i.tsv", *CORRECTED]) == 0
    assert text("s.tsv") == "a.naf\t1\tBern\tBern\na.naf\t7\tBern\tBern\n"


def test_a_resource_may_be_named() -> None:
    references = [reference("A", confidence="0.2"), reference("B", resource="dbp", confidence="0.9")]
    documents = folder(Path("docs"), a=naf(SENTENCES, entity("e1", ["t1"], *references), prefix="w"))
    for words, name in ((["spot"], "A"), (["dbp"], "B"), ([], "B")):
        assert run(["newsreader", "system", documents, *words, "s.tsv", "i.tsv", *CORRECTED]) == 0
        assert text("s.tsv") == f"a.naf\t1\t{name}\tBern\n"


def test_an_entity_without_a_span_is_left_out(capfd: pytest.CaptureFixture[str]) -> None:
    bare = "<entity id='e1'/>"
    newer = "<entity id='e2'><span><target id='1'/></span><externalReferences>"
    newer += f"{reference('Bern')}</externalReferences></entity>"
    documents = folder(Path("docs"), a=naf(SENTENCES, bare, newer))
    assert run(["newsreader", "gold", documents, "g.tsv", *CORRECTED]) == 0
    assert text("g.tsv") == "a.naf\t1\tBern\n"
    assert "entity 'e1' has no span and was left out" in capfd.readouterr().err


def test_redirects_in_utf8() -> None:
    documents = folder(Path("docs"), a=naf(SENTENCES, entity("e1", ["1"], reference("Zürich"))))
    Path("mappings_gold.csv").write_text("Zürich Łódź\n", "utf-8")
    assert run(["newsreader", "gold-with-redirects", documents, "g.tsv", "", *CORRECTED]) == 0
    assert text("g.tsv") == "a.naf\t1\tŁódź\n"
    assert run(["newsreader", "gold-with-redirects", documents, "g.tsv", "nowhere/", *CORRECTED]) == 3


def test_the_information_of_other_languages_is_written() -> None:
    inner = reference("Bern", resource="esEn")
    outer = reference("http://es.dbpedia.org/resource/Berna", inner=inner)
    documents = folder(Path("docs"), a=naf(SENTENCES, entity("e1", ["t1"], outer), prefix="w"))
    assert run(["newsreader", "system-not-english", documents, "esEn", "s.tsv", "i.tsv", *CORRECTED]) == 0
    assert text("s.tsv") == "a.naf\t1\tBern\tBern\n"
    assert text("i.tsv") == "NERC\t1\nNED\t1\nNo NED\t0\n"


def test_a_line_is_right_at_most_once(capfd: pytest.CaptureFixture[str]) -> None:
    Path("g.tsv").write_text("d\t1\tA\nd\t2\tA\nd\t5-6\tB\n")
    Path("s.tsv").write_text("d\t1-2\tA\nd\t5-6\tB\nd\t5-6\tB\nx\t1\tA\n")
    assert run(["newsreader", "evaluate", "g.tsv", "s.tsv", "r.tsv", *CORRECTED]) == 0
    out, err = capfd.readouterr()
    assert out.splitlines()[:4] == ["SYSTEM\t4", "GOLD\t3", "TP\t1", "FUZZY\t2"]
    assert err == "karat: the gold has no document 'x'\n"
    assert text("r.tsv").splitlines() == [
        "TP\tGold\tSystem\tDocID\tGold-span\tSystem-span",
        "1\tA\tA\td\t1\t1-2",
        "1\tB\tB\td\t5-6\t5-6",
    ]


def test_lines_that_are_none(capfd: pytest.CaptureFixture[str]) -> None:
    Path("g.tsv").write_text("d\t1\tA\n\nd 2 A\n")
    assert run(["newsreader", "evaluate", "g.tsv", "g.tsv", "r.tsv", *CORRECTED]) == 3
    assert capfd.readouterr().err.startswith("karat: g.tsv:3: expected a document, a span such as 13-14")
