"""A side that has nothing of what a protocol judges: it is said under every protocol, and an error if that is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

import karat
from karat.errors import InputError
from karat.evaluation.protocol import Lack, Protocol
from karat.evaluation.registry import protocols
from karat.model import Argument, Chain, Document, Link, Mention, Relation, TokenTable

TEXT = "Ada met Bern ."
PROTOCOLS = [name for name in protocols() if name != "tac2015-sf"]
"""All that judge documents of any kind; Cold Start reads nothing but its own lines."""
every_protocol = pytest.mark.parametrize("name", PROTOCOLS)


def full() -> list[Document]:
    mentions = [
        Mention("m1", ((0, 3),), ("PER",), "Ada", links=(Link("Q1"),)),
        Mention("m2", ((8, 12),), ("LOC",), "Bern", links=(Link("Q70"),)),
    ]
    relation = Relation("r1", "met", (Argument("head", "m1"), Argument("tail", "m2")))
    return [Document("d", TEXT, mentions, [Chain("c1", ("m1", "m2"))], [relation])]


def empty() -> list[Document]:
    return [Document("d", TEXT)]


@every_protocol
def test_an_empty_side_is_said_under_every_protocol(name: str) -> None:
    for side, gold, system in (("gold", empty(), full()), ("system", full(), empty())):
        notes = karat.score(name, gold, system).notes
        assert any(f"the {side} has no " in note for note in notes), notes
        with pytest.raises(InputError, match=f"the {side} has no .*; without strict=True this is a note"):
            karat.score(name, gold, system, strict=True)


@every_protocol
def test_a_score_of_nothing_is_said_under_every_protocol(name: str) -> None:
    assert karat.score(name, [], []).notes[-1] == "nothing is scored: there are no documents"
    with pytest.raises(InputError, match="nothing is scored: there are no documents"):
        karat.score(name, [], [], strict=True)


@pytest.mark.parametrize("name", ["tacred", "relations", "semeval2010-task8"])
def test_relations_that_are_left_out_are_none(name: str) -> None:
    """Where nothing of a side counts, it has nothing to judge: in the words of the protocol, or in ours."""
    system = full()
    system[0].relations[0] = msgspec.structs.replace(system[0].relations[0], label="none")
    asked = {"exclude": ("none",)}
    told = [note for note in karat.score(name, full(), system, **asked).notes if "the system has no relations" in note]
    assert len(told) == 1
    with pytest.raises(InputError, match=r"the system has no relations.*; without strict=True this is a note"):
        karat.score(name, full(), system, strict=True, **asked)


def test_a_lack_is_known_by_its_mark_and_not_by_its_words() -> None:
    """A remark that begins like one of ours is none: ours is said beside it, and strict asks for the mark."""

    def alike(*given: object) -> list[str]:
        return ["the system has no luck"]

    def marked(*given: object) -> list[str]:
        return [Lack("system", "luck")]

    known = protocols()["conll2003"]

    def remarking(remarks: Any) -> Protocol:
        bind = lambda options: msgspec.structs.replace(known.bind(options), remarks=remarks)  # noqa: E731
        return msgspec.structs.replace(known, bind=bind)

    scores = [karat.score(remarking(remarks), full(), empty()) for remarks in (alike, marked)]
    assert scores[0].notes == ("the system has no luck", "the system has no mentions")
    assert scores[1].notes == ("the system has no luck",)
    assert all(type(note) is str for note in scores[1].notes)
    assert karat.score(remarking(alike), full(), full(), strict=True).value("f1") == 1
    with pytest.raises(InputError, match="the system has no luck; without strict=True this is a note"):
        karat.score(remarking(marked), full(), full(), strict=True)


def test_what_a_side_has_instead_is_told() -> None:
    scores = karat.score("coref", full(), [Document("d", TEXT, full()[0].mentions)])
    assert scores.notes == ("the system has no chains; it has 2 mentions and 2 links",)


@pytest.mark.parametrize("name", ["triples", "omin-seed-ner"])
def test_other_texts_are_said_where_the_protocol_lets_them_pass(name: str, tmp_path: Path) -> None:
    """Three of four differ; blanks between the same tokens are no other text, and the shards add up to the same."""
    golds = [full()[0] for _ in range(4)]
    systems = [full()[0] for _ in range(4)]
    for number, (gold, system) in enumerate(zip(golds, systems, strict=True)):
        gold.id = system.id = f"d{number}"
        gold.table = TokenTable(TEXT.split(), starts=[0, 4, 8, 13])
    systems[0].text, systems[1].text, systems[2].text = "", "Ada saw Bern .", f"{TEXT}."
    systems[3].text, systems[3].table = f"{TEXT} ", golds[3].table
    notes = (
        "2 documents with another text in the system than in the gold",
        "1 document without a text in the system, but with one in the gold",
    )
    assert karat.score(name, golds, systems).notes[-2:] == notes
    for number in (1, 2, 3):
        shard = karat.score(name, golds[number - 1 :: 3], systems[number - 1 :: 3])
        shard.save(tmp_path / f"{number}.karat")
    assert karat.merge(sorted(tmp_path.iterdir())).notes[-2:] == notes


def test_cells_without_tags_are_said(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("hipe")
    header = "TOKEN\tNE-COARSE-LIT\tMISC\n# document_id = a\n"
    (folder / "gold.tsv").write_text(f"{header}Bern\tO\t_\n")
    (folder / "system.tsv").write_text(f"{header}Bern\tO\t_\n")
    notes = karat.score("hipe2022-nerc-coarse", folder / "gold.tsv", folder / "system.tsv").notes
    assert notes[-2:] == ("nothing of the gold is counted", "nothing of the system is counted")


BIOES = [["S-PER", "S-PER", "O", "B-LOC", "E-LOC"]]
BILOU = [["U-PER", "U-PER", "O", "B-LOC", "L-LOC"]]


@pytest.mark.parametrize(
    ("name", "tags"), [("conll2003", BIOES), ("conlleval", BIOES), ("conll2003", BILOU), ("seqeval", BILOU)]
)
def test_a_scheme_that_the_program_misreads_is_noted(name: str, tags: list[list[str]]) -> None:
    advice = 'whose scheme it does not know; profile="corrected" reads them right'
    assert karat.score(name, tags, tags).notes == tuple(
        f"the program misreads the tags of 2 {side} entities, {advice}" for side in ("gold", "system")
    )
    assert karat.score(name, tags, tags, profile="corrected").notes == ()


def test_what_the_program_reads_right_is_not_noted() -> None:
    tags = [["B-PER", "I-PER", "O", "I-LOC"]]
    assert not any("misreads" in note for note in karat.score("conll2003", tags, tags).notes)
    assert karat.score("seqeval", BIOES, BIOES).notes == ()


def test_labels_that_only_one_side_has_are_said() -> None:
    bare = [Document("d", TEXT, [Mention("m1", ((0, 3),), (), "Ada")])]
    assert "no mention of the system has a label" in karat.score("conll2003", full(), bare).notes
    assert karat.score("conll2003", bare, bare).notes == ()


def test_a_layer_that_only_one_side_has_is_said() -> None:
    layered = [Document("d", TEXT, [Mention("m1", ((0, 3),), ("PER",), "Ada", layer="X")])]
    notes = karat.score("omin-head-ner", layered, full()).notes
    assert notes == (
        "the gold has no mentions without a layer, which the system has",
        "the system has no layer X, which the gold has",
    )


def test_documents_that_meet_by_their_position_though_their_ids_differ_are_said(tmp_path: Path) -> None:
    """So a system file in another order, which the program of HIPE takes as it comes, is not wrong in silence."""
    header = "TOKEN\tNE-COARSE-LIT\tMISC\n"
    documents = "# document_id = a\nBern\tB-loc\t_\n\n", "# document_id = b\nAda\tB-pers\t_\n\n"
    paths = [tmp_path / "gold.tsv", tmp_path / "system.tsv"]
    for path, ordered in zip(paths, (documents, documents[::-1]), strict=True):
        path.write_text(header + "".join(ordered))
    scores = karat.score("hipe2022-nerc-coarse", *paths)
    said = "2 documents with another id in the system than in the gold; they meet by their position"
    assert (scores.value("f1", regime="strict"), scores.notes) == (0, (said,))
