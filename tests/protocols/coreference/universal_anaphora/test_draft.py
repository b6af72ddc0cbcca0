"""What is compared with what: documents and words, what is left out and noted, and the column that is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.protocols.coreference.universal_anaphora.build import PAIR, counts, document, scores, value

import karat
from karat.api import score
from karat.errors import InputError
from karat.formats import write
from karat.model import Chain, Document, Mention
from karat.protocols.coreference.universal_anaphora import draft

KEPT = {"split_antecedents": "keep"}


def test_what_is_left_out_is_noted() -> None:
    notes = scores(f"{PAIR} *~(1:z)", PAIR).notes
    assert set(notes) >= {
        "left out 1 gold split antecedent",
        "left out 2 gold singletons",
        "left out 1 gold zero",
        "left out 1 system split antecedent",
    }


def test_split_antecedents_keep_singletons() -> None:
    found = scores(PAIR, PAIR, **KEPT)
    assert "singletons are kept, because split antecedents may have them as parts" in found.notes
    assert scores(PAIR, PAIR, singletons="keep", **KEPT).rows == found.rows


def test_discourse_deixis_is_read_from_its_column(tmp_path: Path) -> None:
    header = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING "
    header += "DISCOURSE_DEIXIS\n"
    cells = ("(EntityID=1|MarkableID=a)", "(EntityID=1|MarkableID=b)")
    rows = [f"{number} w _ _ _ _ _ _ _ _ {cell} _ {cell}\n" for number, cell in enumerate(cells)]
    paths = [tmp_path / name for name in ("gold.conllua", "system.conllua")]
    paths[0].write_text(f"{header}# newdoc id = d\n{''.join(rows)}")
    paths[1].write_text(f"{header}# newdoc id = d\n{rows[0]}{rows[1].rpartition(' _ ')[0]}\n")
    found = karat.score("universal-anaphora", *paths)
    assert found.value("f1", regime="muc") == 1
    assert 'the gold has discourse deixis, which is not scored; evaluate="discourse-deixis" does it' in found.notes
    deixis = karat.score("universal-anaphora", *paths, evaluate="discourse-deixis")
    assert deixis.value("recall", regime="mentions") == 0.5
    assert not any("not scored" in note for note in deixis.notes)


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ("a~(1:a) x~(1:b)", "d.conllua:3: document 'd': the word 'x' stands where the gold has 'b'"),
        ("a~(1:a)", "document 'd' has 1 words instead of 2; gold and system must have the same words"),
    ],
)
def test_other_words_are_refused(system: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        scores("a~(1:a) b~(1:b)", system)
    assert message in str(error.value)


def test_empty_nodes_may_differ() -> None:
    assert value("a~(1:a) * b~(1:b)", "a~(1:a) b~(1:b)", "muc") == 1


def test_zeros_match_by_their_place_behind_a_word() -> None:
    options = {"zeros": "keep"}
    gold = "Ada~(1:a) came * *~(1:z) left"
    assert counts(gold, gold, "muc", **options) == (1, 1, 1, 1)
    assert counts(gold, "Ada~(1:a) came *~(1:z) left", "muc", **options) == (0, 1, 0, 1)
    assert counts(gold, "Ada~(1:a) * came * *~(1:z) left", "muc", **options) == (1, 1, 1, 1)


def test_a_document_that_the_system_lacks_may_be_empty() -> None:
    gold = document("a~(1:a) b~(1:b)")
    with pytest.raises(InputError, match="the system lacks 1 document: d"):
        score("universal-anaphora", [gold], [])
    assert score("universal-anaphora", [gold], [], missing="empty").value("recall", regime="muc") == 0


def test_fragments_are_words() -> None:
    gold = "left~(1:a) and right bank~(1:a) it~(1:b)"
    assert value(gold, gold, "conll") == 1
    assert counts(gold, "left~(1:a) and right bank~(1:c) it~(1:b)", "mentions") == (1, 2, 1, 3)


@pytest.mark.parametrize("text", ["x", "1-2", "99999999999"])
def test_a_core_that_is_no_word_is_refused_where_it_counts(text: str) -> None:
    gold, system = f"the~(1:a:Min={text} mayor~) x~(1:b)", "the mayor~(1:a) x~(1:b)"
    assert scores(gold, system)
    with pytest.raises(InputError, match=r"the Min of mention 'a' is .*; expected words such as 4 or 4,5"):
        scores(gold, system, match="partial")


def test_split_antecedents_with_too_many_mentions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draft, "MOST_PARTS", 3)
    with pytest.raises(InputError, match="split antecedents have more than 3 mentions in all; leave out some of them"):
        scores(PAIR, PAIR, **KEPT)


def test_chains_of_other_formats_are_scored(tmp_path: Path) -> None:
    mentions = [Mention("a", ((0, 3),)), Mention("b", ((8, 11),))]
    plain = Document("d", "Ada met her", mentions, [Chain("1", ("a", "b"))])
    write([plain], tmp_path / "a.conllua", "universal-anaphora")
    write([plain], tmp_path / "a.jsonl", "jsonl")
    for gold in ("a.conllua", "a.jsonl"):
        for system in ("a.conllua", "a.jsonl"):
            found = karat.score("universal-anaphora", tmp_path / gold, tmp_path / system)
            assert found.value("f1", regime="conll") == 1, (gold, system)


def test_a_chain_of_mentions_that_are_not_there_is_refused() -> None:
    broken = Document("d", "Ada", [], [Chain("1", ("gone",))])
    with pytest.raises(InputError, match="chain '1' names the mention 'gone', which the document does not have"):
        score("universal-anaphora", [broken], [broken])
