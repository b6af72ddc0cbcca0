from __future__ import annotations

from pathlib import Path

import pytest
from tests.protocols.hipe.sheets import COARSE, LINKING, write

import karat
from karat.cli import run
from karat.errors import InputError
from karat.model import Document, Link, Mention, TokenTable

TEXT = "Ada und Bob in Bern"


def mention(start: int, end: int, label: str = "LOC", layer: str = "", link: str = "") -> Mention:
    return Mention(f"T{start}", ((start, end),), (label,), layer=layer, links=(Link(link),) if link else ())


def test_a_discontinuous_mention_counts_from_its_first_to_its_last_token() -> None:
    gold = Document("d", TEXT, [Mention("T1", ((0, 3), (8, 11)), ("PER",))])
    system = Document("d", TEXT, [Mention("T1", ((0, 11),), ("PER",))])
    assert karat.score(COARSE, [gold], [system]).value() == 1


def test_several_labels_are_several_entities() -> None:
    gold = Document("d", TEXT, [Mention("T1", ((15, 19),), ("LOC", "ORG"))])
    system = Document("d", TEXT, [Mention("T1", ((15, 19),), ("LOC",))])
    assert karat.score(COARSE, [gold], [system]).value("recall") == 0.5


def test_mentions_in_no_layer_are_those_of_the_first_column() -> None:
    gold = Document("d", TEXT, [mention(15, 19, layer="NE-COARSE-LIT"), mention(0, 3, layer="NE-COARSE-METO")])
    system = Document("d", TEXT, [mention(15, 19)])
    scores = karat.score("hipe2020-nerc-coarse", [gold], [system])
    assert [scores.value("recall", layer=one) for one in ("NE-COARSE-LIT", "NE-COARSE-METO")] == [1, 0]
    alone = karat.score("hipe2020-nerc-coarse", [system], [system])
    assert {row.layer for row in alone} == {"NE-COARSE-LIT"}


def test_mentions_without_links_are_not_linked() -> None:
    gold = Document("d", TEXT, [mention(15, 19, link="Q70"), mention(0, 3)])
    system = Document("d", TEXT, [mention(15, 19, link="Q71"), mention(0, 3)])
    assert [entry.case for entry in karat.explain(LINKING, [gold], [system])] == ["wrong-label"]


def test_different_texts_are_refused_with_the_place() -> None:
    message = "document 'd': the texts differ.*: 'Rom' instead of 'Bern'"
    with pytest.raises(InputError, match=message):
        karat.score(COARSE, [Document("d", TEXT)], [Document("d", "Ada und Bob in Rom")])


def test_missing_documents() -> None:
    gold = [Document("a", TEXT, [mention(15, 19)]), Document("b", TEXT, [mention(15, 19)])]
    system = gold[:1]
    with pytest.raises(InputError, match=r"the system lacks 1 document.*: b"):
        karat.score(COARSE, gold, system)
    assert karat.score(COARSE, gold, system, missing="empty").value("recall") == 0.5
    skipped = karat.score(COARSE, gold, system, missing="skip")
    assert skipped.value("recall") == 1
    assert skipped.notes == ("skipped 1 of 2 gold documents that the system lacks: b",)


def test_slices_need_a_gold_with_cells(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.tsv", "# document_id = d", "Bern B-loc _ LED0.2", "Genf B-loc _ LED0.9")
    system = Document("d", "Bern Genf", [mention(0, 4)])
    scores = karat.score(COARSE, gold, [system], noise_level="0-0.5,0.5-1")
    slices = ("", "TIME-ALL-LED-0.0-0.5", "TIME-ALL-LED-0.5-1.0")
    assert [scores.value("recall", slice=one) for one in slices] == [0.5, 1, 0]
    with pytest.raises(InputError, match="slices need a gold in HIPE format"):
        karat.score(COARSE, [system], gold, noise_level="0-0.5")


@pytest.mark.parametrize("protocol", [COARSE, LINKING])
def test_mentions_outside_of_the_text_are_a_sentence(protocol: str) -> None:
    mention = Mention("m1", ((3, 9),), ("LOC",), links=(Link("Q1"),))
    documents = [Document("d", "", [mention], source="run.txt")]
    with pytest.raises(InputError, match=r"run\.txt: document 'd': mention 'm1' stands at \[3, 9\], outside"):
        karat.score(protocol, documents, documents)
    assert [karat.score(name, documents, documents).value() for name in ("semeval2013", "tac-edl")] == [1.0, 1.0]


def test_a_run_of_cold_start_has_no_text_for_hipe(capfd: pytest.CaptureFixture[str]) -> None:
    run_file = str(Path(__file__).parents[3] / "examples" / "coldstart" / "run.tab.txt")
    assert run(["score", LINKING, run_file, run_file, "--from", "coldstart"]) == 3
    assert "outside of the text, which has 0 characters" in capfd.readouterr().err


def test_tokens_that_are_not_in_the_text_are_no_tokens() -> None:
    table = TokenTable(["Ada", "él", "_"], {"ID": ["1", "1.1", "1.2"]}, [0], [0, 3, 3])
    gold = Document("d", "Ada", [mention(0, 3)], table=table)
    assert karat.score(COARSE, [gold], [Document("d", "Ada", [mention(0, 3)])]).value() == 1


def test_tokens_are_told_by_their_numbers() -> None:
    (entry,) = karat.explain(COARSE, [["O", "B-ORG"]], [["B-ORG", "I-ORG"]])
    assert entry.reason == "same label, but tokens 0-2 for 1-2"
