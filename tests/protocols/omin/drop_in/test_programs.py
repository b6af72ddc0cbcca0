"""What the drop-ins do beyond the cases of the pack: options, defaults, refusals, corrected profiles."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from tests.protocols.omin.files import omin, put, refused, row, tokens

from karat.cli import run
from karat.protocols.likeness import LikenessOptions
from karat.protocols.omin.levels import SETUPS, LinkedPhrase, LinkLevel, SystemLinks, decide_best, decide_published
from karat.protocols.omin.links import LinkPair, answers, by_phrase
from karat.protocols.omin.texts import meetings, one_to_one
from karat.vocabularies.ontology.builder import build
from karat.vocabularies.ontology.provider import summed

A = "A00000000000000"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_tool_is_named_after_the_folder(capfd: pytest.CaptureFixture[str]) -> None:
    gold = put("ner.csv", "id,sample,entities\nA,T,WING\n")
    results = put("runs/fLAIR/r.csv", "c5_id,entities\nA,WING\n")
    assert omin(capfd, "ner", "--profile", "seed", "-d", results, "-g", gold) == [
        "",
        "### Automatic NER Evaluation of Flair ###",
        "-" * 60,
        "Precision      1.0",
        "Recall         1.0",
        "F1             1.0",
        "-" * 60,
    ]
    put("r.csv", "c5_id,entities\n")
    said = refused(capfd, "ner", "--profile", "seed", "-d", "r.csv", "-g", gold)
    assert said.startswith(
        "karat: r.csv: the path names no folder, which the program prints as the tool; write ./r.csv"
    )


def test_options_may_be_shortened_and_files_compressed(capfd: pytest.CaptureFixture[str]) -> None:
    gold = put("ner.csv", "id,sample,entities\nA,T,WING\n")
    results = put("t/r.csv.gz", gzip.compress(b"doc,what\nA,WINGS\n"))
    words = ["--dataset", results, "--gs", gold, "--id", "doc", "--ent", "what", "--profile", "seed"]
    assert omin(capfd, "ner", *words)[3:6] == ["Precision      1.0", "Recall         1.0", "F1             1.0"]
    assert omin(capfd, "ner", *words, "--strict")[3:6] == [
        "Precision      0.0",
        "Recall         0.0",
        "F1             0",
    ]


def test_the_published_places_of_the_gold_are_the_defaults(capfd: pytest.CaptureFixture[str]) -> None:
    results = put("t/r.csv", "c5_id,entities,labels,corefs,mentions,qids\n")
    place = "../../OMIn_dataset/gold_standard/processed"
    for words, path in (
        (["ner", "-t", "conll03"], "../../OMIn_dataset/data/FAA_data/faa.conll"),
        (["ner", "--profile", "seed"], "../../gold_standard/processed/ner.csv"),
        (["coref"], f"{place}/cr.csv"),
        (["coref", "--profile", "seed"], "../../gold_standard/gold/coref_gold.csv"),
        (["nel"], f"{place}/nel.csv"),
    ):
        assert refused(capfd, *words, "-d", results).startswith(f"karat: {path}: cannot be read: no such file")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "-t is missing; the later evaluation needs a set of types: conll03"),
        (["-t", "scierc"], "there is no gold with the types of SciERC; add --untyped"),
        (["-t", "conll"], "'conll' is not one of"),
        (["-t", "conll03", "-s"], "-s does not belong to the later evaluation, which has fixed columns"),
        (["--profile", "seed", "-u"], "-u does not belong to the first evaluation, which has no types"),
    ],
)
def test_wrong_usage(words: list[str], message: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert message in refused(capfd, "ner", "-d", "t/r.csv", "-g", "g.csv", *words, status=2)


def test_where_the_later_ner_program_stops(capfd: pytest.CaptureFixture[str]) -> None:
    words = ["ner", "-t", "conll03", "-g", put("g.csv", f"id,sample,entities,labels\n{A},T,WING,LOC\n")]
    words += ["--tokens", put("t.conll", tokens(A="the wing"))]
    for text, message in (
        ("c5_id,entities,labels\nA,,PER\n", ":2: the entity is missing, where the published program stops"),
        ("c5_id,entities,labels\nA,5,PER\n", ":2: the entity is the number 5, where the published program stops"),
        ("c5_id,id,entities,labels\nA,A,X,PER\n", ":1: there are several columns of ids, c5_id, id"),
        ("c5,entities,labels\nA,X,PER\n", ":1: there is no column 'c5_id', only 'c5', 'entities', 'labels'"),
        ("c5_id,entities\nA,X\n", ":1: there is no column 'labels'"),
    ):
        assert f"t/r.csv{message}" in refused(capfd, *words, "-d", put("t/r.csv", text))
    results = put("t/r.csv", "c5_id,entities,labels\n")
    other = [*words[:3], *words[5:], "-d", results]
    assert "document 'B' is not in the token file; give the one of this gold" in refused(
        capfd, *words[:3], "-g", put("h.csv", "id,sample,entities\nB,T,X\n"), *words[5:], "-d", results
    )
    for text, message in (
        ("#begin document (faa/0A)\n", "t.conll:1: the block begins with '(faa/0A)\\n'; expected (faa/NUMBER_ID)"),
        (f"#begin document (faa/0_{A})\nfaa 0\n", "t.conll:2: 'faa 0' has 2 fields; expected at least four"),
    ):
        put("t.conll", text)
        assert message in refused(capfd, *other, "-g", "g.csv")


@pytest.mark.parametrize(
    ("gold", "results", "message"),
    [
        ("[]", "B,[]", "t/r.csv: there is no row for document 'A', where the published program stops"),
        ("", "A,[]", "g.csv:2: the chains are missing; expected a list such as [[[0, 0], [7, 7]]], or []"),
        ("[]", "A,5", "t/r.csv:2: the chains are the number 5; expected"),
        ("[]", 'A,"[1, 2]"', "t/r.csv:2: 1 is not a chain; expected a list of mentions"),
        ("[]", "A,[[]]", "t/r.csv:2: there is an empty chain, where the published program stops; take it out"),
        ("[", "A,[]", "g.csv:2: the chains cannot be read: the list is not closed; expected [[[0, 0], [7, 7]]]"),
        ("[]", "A,[[[[1]]]]", "t/r.csv:2: [[[1]]] is not a chain"),
    ],
)
def test_where_the_coreference_program_stops(
    gold: str, results: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["-g", put("g.csv", f'id,sample,coreferences\nA,T,"{gold}"\n')]
    assert message in refused(capfd, "coref", "-d", put("t/r.csv", f"c5_id,corefs\n{results}\n"), *words)


def test_digits_are_those_of_a_program_that_adds_chain_by_chain(capfd: pytest.CaptureFixture[str]) -> None:
    """An exact sum of the same shares is 0.33333333333333337."""
    gold = put("g.csv", 'c5,sample,coreferences\nA,T,"[[[0,0],[2,2],[4,4]],[[1,1],[6,6]],[[3,3],[5,5]]]"\n')
    results = put("t/r.csv", 'c5_id,corefs\nA,"[[[0,0]],[[1,1],[2,2],[3,3]],[[4,4]],[[5,5],[6,6]]]"\n')
    lines = omin(capfd, "coref", "--profile", "seed", "-d", results, "-g", gold)
    assert lines[lines.index("Running metric: b_cubed") + 2] == "Recall:\t\t0.3333333333333333"


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ("\"['A', None]\",\"['Q1']\"", "there are 2 entities and 1 identifiers; expected 3 of each"),
        (",\"['Q1']\"", "the cell is missing; expected a list such as ['CARGO DOOR', 'DOOR', None]"),
        ("\"[['A']]\",\"['Q1']\"", "there is a list within the list"),
        ("A,B", "the cell cannot be read: 'A' is not part of a list"),
    ],
)
def test_where_the_gold_of_links_is_refused(cells: str, message: str, capfd: pytest.CaptureFixture[str]) -> None:
    gold = put("g.csv", f"id,sample,entity,qid\nA,T,{cells}\n")
    said = refused(capfd, "nel", "-g", gold, "-d", put("t/r.csv", "c5_id,mentions,qids\nA,A,Q1\n"))
    assert f"g.csv:2: {message}" in said


def test_corrected_remarks_on_what_it_passes_over(capfd: pytest.CaptureFixture[str]) -> None:
    gold = put("g.csv", "id,sample,entities\nA,T,WING\nA,T,\n")
    results = put("t/r.csv", "c5_id,entities\nA,\nA,wing\nB,DOOR\n")
    assert run(["omin", "ner", "--profile", "corrected", "-d", results, "-g", gold]) == 0
    out, err = capfd.readouterr()
    assert "Precision      1.0\nRecall         1.0" in out
    assert err.splitlines() == [
        "karat: passed over 1 row of documents that the gold lacks",
        "karat: passed over 1 gold row without an entity",
        "karat: passed over 1 result row without an entity",
    ]


def test_likeness_comes_from_a_table(capfd: pytest.CaptureFixture[str]) -> None:
    gold = put("g.csv", "id,sample,entity,qid\nA,T,\"['DOOR', None, None]\",\"['Q1', None, None]\"\n")
    results = put("t/r.csv", "c5_id,mentions,qids\nA,DOOR,Q2\n")
    scores = put("s.csv", "q1,q2,class,jc\nQ1,Q2,0.25,0.5\nQ1,Q2,0.25,0.5\n")
    words = ["nel", "-g", gold, "-d", results]
    assert row(omin(capfd, *words))[:5] == ["0.0", "0.0", "0.0", "nan", "nan"]
    assert row(omin(capfd, *words, "--similarity-table", scores))[:5] == ["0.0", "0.0", "0.0", "0.5", "0.25"]
    assert row(omin(capfd, *words, "--similarity-table", scores, "--max-pairs", "0"))[3] == "nan"
    put("s.csv", "q1,q2,class,jc\nQ1,Q2,high,0.5\n")
    assert "s.csv:2: class is 'high'; expected a number" in refused(capfd, *words, "--similarity-table", scores)


CLAIMS = """node1\tlabel\tnode2
Q1\tP279\tQ35120
Q2\tP279\tQ1
Q3\tP31\tQ2
Q4\tP31\tQ2
Q5\tP31\tQ1
Q35120\tlabel\t'entity'@en
"""


def test_likeness_comes_from_an_ontology(capfd: pytest.CaptureFixture[str]) -> None:
    build("world.index", [put("claims.tsv", CLAIMS)])
    gold = put(
        "g.csv",
        "id,sample,entity,qid\n"
        "A,T,\"['DOOR', None, None]\",\"['Q3', None, None]\"\n"
        "B,T,\"['WING', None, None]\",\"['Q3', None, None]\"\n",
    )
    words = ["nel", "-g", gold, "-d", put("t/r.csv", "c5_id,mentions,qids\nA,DOOR,Q4\nB,WING,Q404\n")]
    assert run(["omin", *words, "--ontology", "world.index"]) == 0
    out, err = capfd.readouterr()
    provider = LikenessOptions(ontology="world.index").opened()
    assert provider is not None
    (likeness,) = provider.similarity([("Q3", "Q4")])
    assert likeness is not None
    assert likeness.class_ is not None
    assert row(out.splitlines())[3:5] == [f"{likeness.jc:.2}", f"{likeness.class_:.2}"]
    assert err.splitlines() == [f"karat: {name}: 1 of 2 pairs could be scored" for name in ("Strong", "Weak", "Flex")]
    assert run(["omin", *words, "--ontology", "world.index", "--profile", "corrected"]) == 0
    jaccard = likeness.class_ / (2 - likeness.class_)
    assert row(capfd.readouterr().out.splitlines())[4] == f"{jaccard:.2}"
    both = ["--ontology", "world.index", "--similarity-table", "s.csv"]
    assert "both an ontology and a table of similarities; name one" in refused(capfd, *words, *both, status=2)
    assert "t: is no ontology index" in refused(capfd, *words, "--ontology", "t")


def test_the_best_score_of_a_phrase_counts() -> None:
    table = put("s.csv", "q1,q2,class,jc\nQ1,Q2,0.25,\nQ3,Q2,0.75,0.123456789012\nQ4,Q2,-1,-1\n")
    pairs = [LinkPair("CART", "CART", gold, "Q2") for gold in ("Q1", "Q3", "Q4", "5")]

    def found(**limits: Any) -> tuple[float, ...]:
        provider = LikenessOptions(similarity_table=table, **limits).opened()
        assert provider is not None
        return summed(by_phrase(pairs, answers(pairs * 2, provider)) * 2)  # of two documents

    assert found() == (8, 4, 0.246913578024, 2, 1.5, 2)
    assert found(rounding="service") == (8, 4, 0.246913578, 2, 1.5, 2)
    assert found(max_pairs=1) == (8, 2, 0, 0, 0.5, 2)
    assert found(max_pairs=0) == (8, 0, 0, 0, 0, 0)
    assert LikenessOptions(max_pairs=1).opened() is None


def test_the_examples_of_the_first_description() -> None:
    door = [LinkLevel("FORWARD CARGO DOOR", None), LinkLevel("CARGO DOOR", "Q1"), LinkLevel("DOOR", "Q2")]
    flexible = SETUPS["flexible"]
    for phrase, target, levels, correct in (
        ("FORWARD CARGO DOOR", "Q1", (1,), True),
        ("CARGO DOOR", "Q1", (1,), True),
        ("CARGO DOOR", "Q2", (1,), False),
        ("DOOR", "Q1", (1, 2), True),
        ("DOOR", "Q2", (1, 2), True),
    ):
        assert decide_best(door, SystemLinks([LinkedPhrase(phrase, target)]), flexible) == (correct, 0, levels)
    assert decide_best(door, SystemLinks([LinkedPhrase("ANNUAL", "Q1")]), flexible) == (False, None, ())
    assert decide_best([LinkLevel("A", None)], SystemLinks([LinkedPhrase("A", "Q1")]), flexible) is None
    cart = [LinkLevel("CART", "Q1"), LinkLevel("CART", "Q2"), LinkLevel(None, None)]
    assert decide_best(cart, SystemLinks([LinkedPhrase("CART", "Q2")]), flexible) == (True, 0, (0, 1))
    assert decide_published(cart, SystemLinks([LinkedPhrase("CART", "Q2")]), flexible) == (False, 0, (0,))


def test_many_texts_are_compared_quickly() -> None:
    texts = [f"PART {number}" for number in range(5_000)]
    assert set(meetings([f"THE {text} OF IT" for text in texts], texts)) == {"contained"}
    assert set(meetings(["A\0B"], ["XA\0BX"])) == {"contained"}
    assert one_to_one(["A", "AB"], ["ab", "B"]).system == ["exact", "nowhere"]
