"""Every quirk of the NewsReader programs, shown: the published value and the corrected one; and the protocols."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from tests.protocols.newsreader.naf import entity, folder, naf, reference

import karat
from karat import formats
from karat.cli import run
from karat.errors import InputError, UsageError
from karat.evaluation.ledger import Entry
from karat.evaluation.quirks import quirks_of
from karat.model import Document, Link, Mention, TokenTable

Test = TypeVar("Test", bound=Callable[..., None])
SHOWN: dict[str, str] = {}
PROFILES = ("published", "corrected")
PUBLISHED, CORRECTED = "newsreader-ned", "newsreader-ned-corrected"
SEVEN = ["Bern liegt", "3 Mai", "Ada kam", "Rom brennt", "Genf ruht", "Chur schweigt", "Basel lacht"]


def shows(name: str) -> Callable[[Test], Test]:
    """Mark the test that shows a quirk."""

    def note(test: Test) -> Test:
        SHOWN[name] = test.__name__
        return test

    return note


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def lines(name: str = "out.tsv", encoding: str = "utf-8") -> list[str]:
    return Path(name).read_text(encoding).splitlines()


def gold(document: str, profile: str) -> list[str]:
    """Return the gold lines of a document, without its name."""
    assert run(["newsreader", "gold", folder(Path("docs"), a=document), "out.tsv", "--profile", profile]) == 0
    return [line.partition("\t")[2] for line in lines()]


def system(document: str, profile: str) -> list[str]:
    """Return a system's lines of a document, without its name."""
    words = [folder(Path("docs"), a=document), "spot", "out.tsv", "info.tsv", "--profile", profile]
    assert run(["newsreader", "system", *words]) == 0
    return [line.partition("\t")[2] for line in lines()]


def evaluate(gold: str, system: str, profile: str = "published") -> int:
    """Evaluate lines that are given with blanks for tabs."""
    for name, text in (("gold.tsv", gold), ("system.tsv", system)):
        Path(name).write_text(text.replace(" ", "\t"), "utf-8")
    return run(["newsreader", "evaluate", "gold.tsv", "system.tsv", "result.tsv", "--profile", profile])


def both(gold: str, system: str, capfd: pytest.CaptureFixture[str]) -> list[list[str]]:
    """Return what the evaluation of these lines prints in either profile."""
    printed = []
    for profile in PROFILES:
        assert evaluate(gold, system, profile) == 0
        printed.append(capfd.readouterr().out.splitlines())
    return printed


def linked(*marks: tuple[int, int, str], id: str = "d") -> Document:  # noqa: A002 - the word of the model
    """Return a document of ten one-letter words, some of them linked: first word, word behind the last, entity."""
    mentions = [
        Mention(f"m{number}", ((2 * begin, 2 * end - 1),), ("LOC",), links=(Link(name),))
        for number, (begin, end, name) in enumerate(marks)
    ]
    return Document(id, " ".join("abcdefghij"), mentions)


def scored(gold: Document, system: Document, measure: str, regime: str, **options: str) -> list[float | None]:
    """Return a measure under the published and under the corrected protocol."""
    names = (PUBLISHED, CORRECTED)
    return [karat.score(name, [gold], [system], **options).value(measure, regime=regime) for name in names]


@shows("sentence-six")
def test_sentence_six() -> None:
    document = naf(SEVEN, *(entity(f"e{n}", [str(n)], reference(f"N{n}")) for n in (1, 9, 11, 13)))
    assert gold(document, "published") == ["1\tN1", "9\tN9", "11\tN11"]
    assert gold(document, "corrected") == ["1\tN1", "9\tN9"]
    assert [len(one) for one in _judged(document)] == [3, 2]
    from_zero = document
    for number in range(1, 8):
        from_zero = from_zero.replace(f'sent="{number}"', f'sent="{number - 1}"')
    assert gold(from_zero, "published") == ["1\tN1", "9\tN9", "11\tN11", "13\tN13"]
    assert [len(one) for one in _judged(from_zero)] == [4, 2]


def _judged(document: str) -> list[list[Entry]]:
    folder(Path("docs"), a=document)
    return [list(karat.explain(name, "docs", "docs")) for name in (PUBLISHED, CORRECTED)]


@shows("last-token-unread")
def test_last_token_unread() -> None:
    document = naf(["Bern und Genf"], entity("e1", ["1"], reference("Bern")), entity("e2", ["3"], reference("Genf")))
    assert gold(document, "published") == ["1\tBern"]
    assert gold(document, "corrected") == ["1\tBern", "3\tGenf"]


@shows("resource-argument")
def test_resource_argument(capfd: pytest.CaptureFixture[str]) -> None:
    documents = folder(Path("docs"), a=naf(SEVEN, entity("e1", ["t1"], reference("Bern", resource="x")), prefix="w"))
    assert run(["newsreader", "system", documents, "out.tsv", "info.tsv"]) == 3
    assert "the published program fails without the RESOURCE" in capfd.readouterr().err
    assert run(["newsreader", "system", documents, "out.tsv", "info.tsv", "--profile", "corrected"]) == 0
    assert lines() == ["a.naf\t1\tBern\tBern"]


@shows("mapping-argument")
def test_mapping_argument(capfd: pytest.CaptureFixture[str]) -> None:
    document = naf(SEVEN, entity("e1", ["t1"], reference("x", inner=reference("Bern"))), prefix="w")
    documents = folder(Path("docs"), a=document)
    assert run(["newsreader", "system-not-english", documents, "spot", "out.tsv"]) == 3
    assert "mappings_sys.csv: cannot be read" in capfd.readouterr().err
    assert run(["newsreader", "system-not-english", documents, "out.tsv", "--profile", "corrected"]) == 0
    assert lines() == ["a.naf\t1\tBern\tBern"]


@shows("positive-confidence-only")
@pytest.mark.parametrize("confidence", ["0", "-1", "none", None])
def test_positive_confidence_only(confidence: str | None) -> None:
    document = naf(SEVEN, entity("e1", ["t1"], reference("Bern", confidence=confidence)), prefix="w")
    assert [system(document, profile) for profile in PROFILES] == [[], ["1\tBern\tBern"]]
    unsure = Document("d", linked().text, [Mention("m", ((0, 1),), links=(Link("Q70", 0.0),))])
    assert scored(linked((0, 1, "Q70")), unsure, "precision", "strict") == [None, 1.0]


@shows("no-second-best")
def test_no_second_best() -> None:
    best, next_best = reference("http://wikidata.org/Q70", confidence="0.9"), reference("Bern", confidence="0.8")
    document = naf(SEVEN, entity("e1", ["t1"], best, next_best), prefix="w")
    assert [system(document, profile) for profile in PROFILES] == [[], ["1\tBern\tBern"]]
    links = (Link("http://wikidata.org/Q70", 0.9), Link("http://dbpedia.org/resource/Bern", 0.8))
    found = Document("d", linked().text, [Mention("m", ((0, 1),), links=links)])
    assert scored(linked((0, 1, "Bern")), found, "recall", "strict") == [0.0, 1.0]


@shows("gold-first-reference")
def test_gold_first_reference() -> None:
    document = naf(SEVEN, entity("e1", ["1"], reference("A", confidence="0.1"), reference("B", confidence="0.9")))
    assert [gold(document, profile) for profile in PROFILES] == [["1\tA"], ["1\tB"]]


@shows("first-reference-only")
def test_first_reference_only(capfd: pytest.CaptureFixture[str]) -> None:
    Path("mappings_sys.csv").touch()
    spanish = "http://es.dbpedia.org/resource/"
    references = [
        reference(f"{spanish}A", confidence="0.1", inner=reference("A_in_English", confidence="0.1")),
        reference(f"{spanish}B", confidence="0.9", inner=reference("B_in_English", confidence="0.9")),
    ]
    alone = [reference(f"{spanish}C"), reference(f"{spanish}D", inner=reference("D_in_English"))]
    documents = naf(SEVEN, entity("e1", ["t1"], *references), entity("e2", ["t2"], *alone), prefix="w")
    source = folder(Path("docs"), a=documents)

    def names(command: str, *words: str) -> list[list[str]]:
        found = []
        for profile in PROFILES:
            assert run(["newsreader", command, source, *words, "out.tsv", "--profile", profile]) == 0
            found.append([line.split("\t")[2] for line in lines()])
        return found

    assert names("system-with-redirects") == [["A", "C"], ["B", "C"]]
    assert names("system-not-english", "spot") == [["A_in_English"], ["B_in_English", "D_in_English"]]
    assert capfd.readouterr() == ("Not English mapping a.txt.xml.naf\t2\n", "")


@shows("name-behind-last-slash")
def test_name_behind_last_slash() -> None:
    document = naf(SEVEN, entity("e1", ["1"], reference("AC/DC")))
    assert [gold(document, profile) for profile in PROFILES] == [["1\tDC"], ["1\tAC/DC"]]
    one, other = (linked((0, 1, f"http://dbpedia.org/resource/{name}")) for name in ("AC/DC", "Wired/DC"))
    assert scored(one, other, "f1", "strict") == [1.0, 0.0]


@shows("documents-renamed")
def test_documents_renamed() -> None:
    Path("mappings_sys.csv").touch()
    documents = folder(Path("docs"), a=naf(SEVEN, entity("e1", ["t1"], reference("Bern")), prefix="w"))
    for profile, name in zip(PROFILES, ("a.txt.xml.naf", "a.naf"), strict=True):
        assert run(["newsreader", "system-with-redirects", documents, "out.tsv", "--profile", profile]) == 0
        assert lines()[0].startswith(f"{name}\t")


@shows("three-columns")
def test_three_columns() -> None:
    Path("mappings_sys.csv").touch()
    documents = folder(Path("docs"), a=naf(SEVEN, entity("e1", ["t1"], reference("Bern")), prefix="w"))
    for profile, columns in zip(PROFILES, (3, 4), strict=True):
        assert run(["newsreader", "system-with-redirects", documents, "out.tsv", "--profile", profile]) == 0
        assert len(lines()[0].split("\t")) == columns


@shows("message-on-stdout")
def test_message_on_stdout(capfd: pytest.CaptureFixture[str]) -> None:
    Path("mappings_sys.csv").touch()
    documents = folder(Path("docs"), a=naf(SEVEN, entity("e1", ["t1"], reference("Bern")), prefix="w"))
    assert run(["newsreader", "system-not-english", documents, "spot", "out.tsv"]) == 0
    assert capfd.readouterr() == ("Not English mapping a.txt.xml.naf\t1\n", "")
    assert run(["newsreader", "system-not-english", documents, "spot", "out.tsv", "--profile", "corrected"]) == 0
    assert capfd.readouterr() == ("", "karat: a.naf: 1 has no English DBpedia reference\n")


@shows("spans-concatenated")
def test_spans_concatenated() -> None:
    more = "<references><span><target id='5'/></span></references>"
    document = naf(SEVEN, entity("e1", ["1"], reference("Bern"), more=more))
    assert [gold(document, profile) for profile in PROFILES] == [["1-5\tBern"], ["1\tBern", "5\tBern"]]


@shows("no-target-is-fatal")
def test_no_target_is_fatal(capfd: pytest.CaptureFixture[str]) -> None:
    document = naf(SEVEN, "<entity id='e1'/>", entity("e2", ["1"], reference("Bern")))
    assert run(["newsreader", "gold", folder(Path("docs"), a=document), "out.tsv"]) == 3
    assert "docs/a.naf:1: entity 'e1' has no references/span/target" in capfd.readouterr().err
    assert gold(document, "corrected") == ["1\tBern"]


@shows("term-is-token")
def test_term_is_token() -> None:
    document = naf(SEVEN, entity("e1", ["t1", "x2"], reference("Bern")), prefix="w").replace('"t2"', '"x2"')
    document = document.replace('<term id="t1"><span><target id="w1"/>', '<term id="t1"><span><target id="w3"/>')
    assert [system(document, profile) for profile in PROFILES] == [["1-1\tBern\tBern Bern"], ["2-3\tBern\tliegt 3"]]


@shows("stale-tokens")
def test_stale_tokens() -> None:
    first = naf(["Bern liegt dort am Fluss"], prefix="w")
    second = naf(["Ada kam an"], entity("e1", ["t1", "t4"], reference("Ada")), prefix="w")
    documents = folder(Path("docs"), a=first, b=second.replace("</terms>", '<term id="t4"/></terms>'))
    assert run(["newsreader", "system", documents, "spot", "out.tsv", "info.tsv"]) == 0
    assert lines() == ["b.naf\t1-4\tAda\tAda am"]
    folder(Path("docs"), b=second.replace('"t4"', '"t3"'))
    assert run(["newsreader", "system", documents, "spot", "out.tsv", "info.tsv"]) == 0
    assert lines() == ["b.naf\t1-3\tAda\tAda dort"]
    assert run(["newsreader", "system", documents, "spot", "out.tsv", "info.tsv", "--profile", "corrected"]) == 0
    assert lines() == ["b.naf\t1-3\tAda\tAda an"]


@shows("encoding-by-line")
def test_encoding_by_line() -> None:
    document = naf(
        ["Zürich Łódź Bern"],
        entity("e1", ["t1"], reference("Zürich")),
        entity("e2", ["t1", "t2"], reference("Zürich")),
        prefix="w",
    )
    documents = folder(Path("docs"), a=document)
    assert run(["newsreader", "system", documents, "spot", "out.tsv", "info.tsv"]) == 0
    names = [line.split(b"\t")[2] for line in Path("out.tsv").read_bytes().splitlines()]
    assert names == ["Zürich".encode("latin-1"), "Zürich".encode()]
    assert [line.split("\t")[1] for line in system(document, "corrected")] == ["Zürich", "Zürich"]


@shows("detikcom-dropped")
def test_detikcom_dropped() -> None:
    documents = folder(Path("docs"), a=naf(SEVEN, entity("e1", ["1"], reference("DetikCom"))))
    for profile, expected in zip(PROFILES, ([], ["a.naf\t1\tDetikCom"]), strict=True):
        assert run(["newsreader", "gold-with-redirects", documents, "out.tsv", "--profile", profile]) == 0
        assert lines() == expected


@shows("redirects-as-bytes")
def test_redirects_as_bytes() -> None:
    Path("mappings_gold.csv").write_text("Zürich Turicum\n", "utf-8")
    documents = folder(Path("docs"), a=naf(SEVEN, entity("e1", ["1"], reference("Zürich"))))
    for profile, encoding, name in zip(PROFILES, ("latin-1", "utf-8"), ("Zürich", "Turicum"), strict=True):
        assert run(["newsreader", "gold-with-redirects", documents, "out.tsv", "--profile", profile]) == 0
        assert lines(encoding=encoding) == [f"a.naf\t1\t{name}"]


@shows("containment-not-overlap")
def test_containment_not_overlap(capfd: pytest.CaptureFixture[str]) -> None:
    published, corrected = both("d 1 A\nd 4-5 B\n", "d 1 A\nd 5-6 B\n", capfd)
    assert ("FUZZY\t1" in published, "FUZZY\t2" in corrected) == (True, True)
    assert scored(linked((0, 2, "B")), linked((1, 3, "B")), "f1", "fuzzy") == [0.0, 1.0]
    assert scored(linked((0, 2, "B")), linked((1, 2, "B")), "f1", "fuzzy") == [1.0, 1.0]


@shows("spans-are-patterns")
def test_spans_are_patterns(capfd: pytest.CaptureFixture[str]) -> None:
    for gold, system, odd in (("1-3", "1.3", "1.3"), ("(1", "2", "(1")):
        files = f"d 1 A\nd {gold} B\n", f"d 1 A\nd {system} B\n"
        assert evaluate(*files) == 3
        sentence = f"the span '{odd}' has characters that the published program reads as a regular expression"
        assert sentence in capfd.readouterr().err
        assert not Path("result.tsv").exists()
        assert evaluate(*files, "corrected") == 0
        assert "FUZZY\t1" in capfd.readouterr().out.splitlines()
        Path("result.tsv").unlink()


@shows("pairs-counted")
def test_pairs_counted(capfd: pytest.CaptureFixture[str]) -> None:
    published, corrected = both("d 1 A\nd 2 A\nd 9 A\n", "d 1-2 A\nd 9 A\n", capfd)
    assert ("FUZZY\t3" in published, "FUZZY\t2" in corrected) == (True, True)
    assert published[-1].startswith("150\t100\t")
    gold, system = linked((0, 1, "A"), (1, 2, "A")), linked((0, 2, "A"))
    assert scored(gold, system, "precision", "fuzzy") == [2.0, 1.0]
    assert scored(gold, system, "recall", "fuzzy") == [1.0, 0.5]
    assert scored(system, gold, "recall", "fuzzy") == [2.0, 1.0]


@shows("repeated-gold-overwritten")
def test_repeated_gold_overwritten(capfd: pytest.CaptureFixture[str]) -> None:
    published, corrected = both("d 1 A\nd 1 B\nd 2 C\n", "d 1 A\nd 2 C\n", capfd)
    assert ("TP\t1" in published, "TP\t2" in corrected) == (True, True)
    assert scored(linked((0, 1, "A"), (0, 1, "B")), linked((0, 1, "A")), "recall", "strict") == [0.0, 0.5]


@shows("repeated-system-counts")
def test_repeated_system_counts(capfd: pytest.CaptureFixture[str]) -> None:
    published, corrected = both("d 1 A\n", "d 1 A\nd 1 A\n", capfd)
    assert ("TP\t2" in published, "TP\t1" in corrected) == (True, True)
    assert scored(linked((0, 1, "A")), linked((0, 1, "A"), (0, 1, "A")), "recall", "strict") == [2.0, 1.0]


@shows("zero-is-false")
def test_zero_is_false(capfd: pytest.CaptureFixture[str]) -> None:
    published, corrected = both("d 1 0\nd 2 A\n", "d 1 0\nd 2 A\n", capfd)
    assert ("TP\t1" in published, "FUZZY\t2" in published, "TP\t2" in corrected) == (True, True, True)
    assert scored(linked((0, 1, "0")), linked((0, 1, "0")), "f1", "strict") == [0.0, 1.0]
    assert scored(linked((0, 1, "0")), linked((0, 1, "0")), "f1", "fuzzy") == [1.0, 1.0]


@shows("blank-lines-count")
def test_blank_lines_count(capfd: pytest.CaptureFixture[str]) -> None:
    published, corrected = both("d 1 A\n\nd 2 B\r\n", "d 1 A\nd 2 B\n", capfd)
    assert ("GOLD\t3" in published, "TP\t1" in published) == (True, True)
    assert ("GOLD\t2" in corrected, "TP\t2" in corrected) == (True, True)


@shows("zero-is-fatal")
def test_zero_is_fatal(capfd: pytest.CaptureFixture[str]) -> None:
    assert evaluate("d 1-2 A\n", "d 1 A\n") == 3
    out, err = capfd.readouterr()
    assert out.splitlines() == ["SYSTEM\t1", "GOLD\t1", "TP\t0", "FUZZY\t1"]
    assert "the published program divides by zero" in err
    assert not Path("result.tsv").exists()
    assert evaluate("d 1-2 A\n", "d 1 A\n", "corrected") == 0
    assert capfd.readouterr().out.splitlines()[-2:] == ["0\t0\t0", "100\t100\t100"]
    assert scored(linked((0, 2, "A")), linked((0, 1, "A")), "f1", "strict") == [0.0, 0.0]
    assert scored(linked(), linked(), "f1", "strict") == [None, None]


@shows("result-without-header")
def test_result_without_header(capfd: pytest.CaptureFixture[str]) -> None:
    assert evaluate("d 1 A\n", "d 1 A\n") == 0
    assert lines("result.tsv") == ["1\tA\tA\td\t1\t1", "SYSTEM\t1", "GOLD\t1", "FUZZY\t1", "100\t100\t100"]
    assert evaluate("d 1 A\n", "d 1 A\n", "corrected") == 0
    assert lines("result.tsv") == ["TP\tGold\tSystem\tDocID\tGold-span\tSystem-span", "1\tA\tA\td\t1\t1"]
    capfd.readouterr()


@shows("diagnostics-on-stdout")
def test_diagnostics_on_stdout(capfd: pytest.CaptureFixture[str]) -> None:
    published, corrected = both("d 1 A\nd 2 B\n", "d 1 A\nd 2 C\nx 1 A\n", capfd)
    assert published[:3] == ["B\tC", "B\tC", "x"]
    assert corrected[0] == "SYSTEM\t3"


@shows("unknown-documents-count")
def test_unknown_documents_count() -> None:
    gold, more = [linked((0, 1, "A"))], [linked((0, 1, "A")), linked((0, 1, "A"), id="e")]
    found = karat.score(PUBLISHED, gold, more)
    assert (found.value("precision"), found.value("recall")) == (0.5, 1.0)
    assert found.notes == ("counted as wrong 1 system document that the gold lacks: e",)
    assert karat.score(PUBLISHED, more, gold).value("recall") == 0.5
    with pytest.raises(InputError, match="the gold lacks 1 document: e"):
        karat.score(CORRECTED, gold, more)
    assert karat.score(CORRECTED, gold, more, missing="empty").value("precision") == 0.5
    assert karat.score(CORRECTED, gold, more, missing="skip").value("precision") == 1.0


def test_no_quirk_is_forgotten() -> None:
    names = [quirk.name for quirk in quirks_of("karat.protocols.newsreader")]
    assert list(SHOWN) == names
    page = (Path(__file__).parents[3] / "docs" / "protocols" / "newsreader.md").read_text("utf-8").split("## Quirks")[1]
    assert re.findall(r"^\| `([\w-]+)` \| \S.* \| \S.* \|$", page, re.MULTILINE) == names


@pytest.mark.parametrize("name", PROFILES)
def test_protocol_and_programs_agree(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    """The same numbers from folders at once as from extraction and evaluation one after the other."""
    examples = Path(__file__).parents[3] / "examples" / "naf"
    profile = ("--profile", name)
    assert run(["newsreader", "gold", str(examples / "gold"), "gold.tsv", *profile]) == 0
    assert run(["newsreader", "system", str(examples / "system"), "spotlight_v1", "s.tsv", "i.tsv", *profile]) == 0
    assert run(["newsreader", "evaluate", "gold.tsv", "s.tsv", "r.tsv", *profile]) == 0
    printed = capfd.readouterr().out.splitlines()[-2:]
    protocol = dict(zip(PROFILES, (PUBLISHED, CORRECTED), strict=True))[name]
    scores = karat.score(protocol, examples / "gold", examples / "system")
    for line, regime in zip(printed, ("strict", "fuzzy"), strict=True):
        values = [scores.value(measure, regime=regime) for measure in ("precision", "recall", "f1")]
        assert values == pytest.approx([float(cell) / 100 for cell in line.split("\t")])


def test_the_ledger_gives_reasons() -> None:
    gold = linked((0, 2, "A"), (3, 4, "B"), (6, 7, "C"))
    system = linked((0, 1, "A"), (1, 2, "A"), (3, 4, "X"), (8, 9, "C"))
    entries = list(karat.explain(PUBLISHED, [gold], [system]))
    assert [(entry.case, entry.reason) for entry in entries] == [
        ("contained", "same entity, tokens 0 for 0-1"),
        ("gold-again", "same entity, tokens 1 for 0-1, but the gold link is counted already"),
        ("wrong-link", "X for B, same tokens"),
        ("spurious", "no gold link that is still free is a run of its tokens, or the other way round"),
        ("missed", "no system link that is still free is a run of its tokens, or the other way round"),
    ]
    corrected = [entry.case for entry in karat.explain(CORRECTED, [gold], [system])]
    assert corrected == ["overlap", "wrong-link", "spurious", "spurious", "missed"]


def test_links_that_do_not_count() -> None:
    names = ("NIL", "http://wikidata.org/entity/Q1", "Q1", "http://dbpedia.org/resource/Bern")
    document = linked(*((place, place + 1, name) for place, name in enumerate(names)))
    assert [entry.label for entry in karat.explain(PUBLISHED, [document], [document])] == ["Q1", "Bern"]
    wikidata = karat.explain(CORRECTED, [document], [document], kb="wikidata")
    assert [entry.label for entry in wikidata] == ["Q1", "Q1"]
    assert len(list(karat.explain(CORRECTED, [document], [document], kb=""))) == 3


def test_the_number_of_sentences_is_an_option() -> None:
    segments = TokenTable(list("abcdefghij"), segments=list(range(10)), starts=list(range(0, 20, 2)))
    document = linked(*((place, place + 1, f"N{place}") for place in range(10)))
    document.table = segments
    counts = {
        (name, sentences): len(list(karat.explain(name, [document], [document], sentences=sentences)))
        for name in (PUBLISHED, CORRECTED)
        for sentences in ("2", "all")
    }
    assert counts == {(PUBLISHED, "2"): 2, (PUBLISHED, "all"): 10, (CORRECTED, "2"): 2, (CORRECTED, "all"): 10}
    assert [len(list(karat.explain(name, [document], [document]))) for name in (PUBLISHED, CORRECTED)] == [6, 5]
    with pytest.raises(UsageError, match="sentences is '0'; expected a whole number above 0, or all"):
        karat.score(PUBLISHED, [document], [document], sentences="0")


def test_different_texts_are_compared_by_tokens_or_refused() -> None:
    gold, system = linked((1, 2, "A")), linked((1, 2, "A"))
    gold.text, gold.mentions = "ab", [Mention("m", ((1, 2),), links=(Link("A"),))]
    with pytest.raises(InputError, match="gold and system have different texts"):
        karat.score(PUBLISHED, [gold], [system])
    gold.table = TokenTable(["a", "b"], starts=[0, 1])
    system.table = TokenTable(list("abcdefghij"), starts=list(range(0, 20, 2)))
    found = karat.score(PUBLISHED, [gold], [system])
    assert (found.value(), found.notes) == (
        1.0,
        (
            "document 'd': the tokens differ, and are compared by their position",
            "no mention of the gold has a label",
            "1 document with another text in the system than in the gold",
        ),
    )
    with pytest.raises(InputError, match="gold and system have different texts"):
        karat.score(CORRECTED, [gold], [system])


def test_data_without_links_are_noted() -> None:
    bare, other = Document("d", "a", [Mention("m", ((0, 1),), ("LOC",))]), linked((0, 1, "http://example.org/A"))
    other.text = "a"
    for name in (PUBLISHED, CORRECTED):
        notes = karat.score(name, [bare], [other]).notes
        counted = [f"the {side} has no link that counts; see kb= and sentences=" for side in ("gold", "system")]
        assert notes == (*counted, "no mention of the gold has a link")
        assert karat.score(name, [linked((0, 1, "A"))], [linked((0, 1, "A"))]).notes == ()


def test_an_address_without_a_name_is_no_link() -> None:
    links = (Link("http://dbpedia.org/resource/", 0.9), Link("http://dbpedia.org/resource/Bern", 0.8))
    document = Document("d", "a", [Mention("m", ((0, 1),), links=links)])
    assert [entry.label for entry in karat.explain(CORRECTED, [document], [document])] == ["Bern"]


def test_layers_are_judged_apart_if_both_sides_have_some() -> None:
    def layered(*layers: str) -> Document:
        mentions = [Mention(f"m{n}", ((0, 1),), layer=layer, links=(Link("A"),)) for n, layer in enumerate(layers)]
        return Document("d", "a", mentions)

    apart = karat.score(PUBLISHED, [layered("x", "y")], [layered("x", "z")])
    assert [row.value for row in apart if (row.measure, row.regime) == ("recall", "strict")] == [1.0, 0.0, None]
    assert karat.score(PUBLISHED, [layered("x")], [layered("")]).value() == 1.0


def test_examples_are_what_their_readers_write_again(tmp_path: Path) -> None:
    source = Path(__file__).parents[3] / "examples" / "naf" / "system"
    formats.write(formats.read(source), tmp_path / "again", "naf")
    first, second = (list(formats.read(path)) for path in (source, tmp_path / "again"))
    assert [one.mentions for one in first] == [one.mentions for one in second]
