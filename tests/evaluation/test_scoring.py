from __future__ import annotations

import gc
import json
import tracemalloc
from collections import UserList
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.analysis.statistics.intervals import Bootstrap
from karat.analysis.summary import evaluate
from karat.cli import run
from karat.errors import InputError, UsageError
from karat.evaluation import cache, corpora
from karat.evaluation.corpora import Reading, load
from karat.evaluation.registry import configure, protocol
from karat.formats.base import Problems
from karat.formats.objects import documents_from
from karat.model import Document, Link, Mention, TokenTable

PROTOCOL = "hipe2022-nerc-coarse"
HIPE = "TOKEN\tNE-COARSE-LIT\tMISC\nBern\tB-loc\t_\nliegt\tO\t_\n"
CONLL = "Bern\tB-loc\nliegt\tO\n"


@pytest.fixture
def hipe(tmp_path: Path) -> Path:
    (tmp_path / "a.tsv").write_text(HIPE)
    return tmp_path / "a.tsv"


@pytest.fixture
def conll(tmp_path: Path) -> Path:
    (tmp_path / "a.conll").write_text(CONLL)
    return tmp_path / "a.conll"


def test_files_objects_and_mixtures(hipe: Path, conll: Path) -> None:
    sources: list[Any] = [hipe, str(conll), karat.read(hipe), karat.read(conll)]
    for gold in sources:
        for system in sources:
            assert karat.score(PROTOCOL, gold, system).value() == 1


def test_a_protocol_may_be_given_itself(hipe: Path) -> None:
    assert karat.score(protocol(PROTOCOL), hipe, hipe) == karat.score(PROTOCOL, hipe, hipe)


def test_the_signature_says_what_was_computed(hipe: Path) -> None:
    scores = karat.score(PROTOCOL, hipe, hipe, ci=Bootstrap(50, 7, 0.9), zero="one", profile="2020")
    parts = dict(part.split(":", 1) for part in scores.signature.split("|"))
    digest = parts["gold"]
    assert parts == {
        "karat": karat.__version__,
        "protocol": PROTOCOL,
        "profile": "2020",
        "zero": "one",
        "documents": "1",
        "gold": digest,
        "system": digest,
        "ci": "studentised50/v3/seed7/0.9",
    }


def test_a_digest_follows_the_data(hipe: Path) -> None:
    def gold_digest(source: Any) -> str:
        signature = karat.score(PROTOCOL, source, source).signature
        return signature.partition("gold:")[2].partition("|")[0]

    first = gold_digest(hipe)
    assert gold_digest(karat.read(hipe)) == gold_digest(karat.read(hipe))
    hipe.write_text(HIPE.replace("liegt", "lag"))
    assert gold_digest(hipe) != first


def test_cells_are_enough_where_every_side_is_a_table(hipe: Path, conll: Path) -> None:
    bound = configure(PROTOCOL, {})
    for sources, built in (([hipe, hipe], False), ([hipe, conll], True)):
        corpora = load(bound, sources)
        assert [bool(next(iter(corpus)).mentions) for corpus in corpora] == [built, built]


def test_options_of_the_formats_go_to_the_sides_that_have_them(hipe: Path, conll: Path) -> None:
    bound = configure(PROTOCOL, {})
    readings = [Reading(options={"repair": "strict", "bom": "refuse"})] * 2
    load(bound, [hipe, conll], readings)
    with pytest.raises(UsageError, match="unknown option of the input format 'repai'; did you mean 'repair'"):
        load(bound, [hipe, conll], [Reading(options={"repai": "strict"})] * 2)
    with pytest.raises(UsageError, match="unknown option of the input format 'scheme'"):
        load(bound, [hipe, hipe], [Reading(options={"scheme": "IOB1"})] * 2)


def test_repairs_are_counted_in_the_notes(conll: Path) -> None:
    broken = conll.with_name("b.conll")
    broken.write_text(CONLL.replace("B-loc", "I-loc") + "Chur\tB-loc\nGenf\tB-loc\n")
    scores = karat.score(PROTOCOL, broken, broken)
    assert scores.notes == (f"1 repair while reading {broken}; see karat validate",) * 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"by": "word"}, "'word' is not a feature .label, unit, "),
        ({"zero": "half"}, "unknown zero rule 'half'"),
        ({"profile": "x"}, "profile is 'x'"),
        ({"profil": "x"}, "unknown option 'profil'; did you mean 'profile'"),
    ],
)
def test_wrong_requests(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        karat.score(PROTOCOL, [["O"]], [["O"]], **arguments)


def test_explain_is_lazy_about_nothing_but_the_units(hipe: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.tsv: cannot be read"):
        list(karat.explain(PROTOCOL, hipe, "absent.tsv"))
    (entry,) = karat.explain(PROTOCOL, hipe, hipe)
    assert (entry.gold, entry.case) == (entry.system, "exact")
    assert entry.gold is not None
    assert entry.gold.place == f"{hipe}:2"


def test_one_gold_serves_several_systems(hipe: Path) -> None:
    bound = configure(PROTOCOL, {})
    gold, *systems = load(bound, [hipe, hipe, hipe])
    assert len({evaluate(bound, gold, system).value() for system in systems}) == 1


def test_chains_share_their_links() -> None:
    def document(links: dict[str, str]) -> dict[str, Any]:
        places = {"m1": (0, 3), "m2": (8, 11)}
        mentions = [
            {
                "id": name,
                "spans": [place],
                "labels": ["PER"],
                "layer": "NE-COARSE-LIT",
                "links": [{"target": links[name]}] if name in links else [],
            }
            for name, place in places.items()
        ]
        chains = [{"id": "c", "mentions": ["m1", "m2"]}]
        return {"id": "d", "text": "Ada, so she said.", "mentions": mentions, "chains": chains}

    gold, system = [document({"m1": "Q1", "m2": "Q1"})], [document({"m1": "Q1"})]
    alone = karat.score("hipe2022-nel", gold, system)
    shared = karat.score("hipe2022-nel", gold, system, share_links=True)
    assert (alone.value("recall"), shared.value("recall")) == (0.5, 1.0)
    assert "|read:share-links|" in shared.signature
    assert shared.notes == ("1 mention of system took the links of the chain",)


@pytest.mark.parametrize(("most_held", "most_packed", "readings"), [(10**6, 10**6, 1), (0, 10**6, 1), (0, 10, 2)])
def test_documents_are_held_packed_or_read_again(
    most_held: int, most_packed: int, readings: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MOST_HELD", most_held)
    monkeypatch.setattr(cache, "MOST_PACKED", most_packed)
    monkeypatch.setattr(cache, "PACKAGE", 0)
    documents = [
        *documents_from([["B-LOC", "O"]]),
        Document("b", "\ud800"),
        Document("c", table=TokenTable(UserList("xyz"))),
    ]
    read = 0

    def counted(problems: Problems) -> Iterator[Document]:
        nonlocal read
        read += 1
        yield from documents

    corpus = corpora.Corpus("x", counted)
    first, second = list(corpus), list(corpus)
    assert first == documents
    assert [document.mentions for document in second] == [document.mentions for document in documents]
    assert [list(document.table.forms) for document in second if document.table] == [["0", "1"], ["x", "y", "z"]]
    assert read == readings


@pytest.mark.parametrize(("most_packed", "is_over"), [(10**6, False), (0, True)])
def test_documents_of_many_files_are_packed_together_for_one_more_look(
    most_packed: int, is_over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "FEW_HELD", 0)
    monkeypatch.setattr(cache, "MOST_PACKED", most_packed)
    documents = [Document(str(number), "Bern", source=f"gold/{number // 2}.ann") for number in range(200)]
    held = cache.HeldDocuments("once more")
    for document in documents:
        held.add(document)
    held.close()
    assert held.is_over == is_over
    assert list(held) == ([] if is_over else documents)
    assert all(one is not document for one, document in zip(held, documents, strict=False))


def test_a_protocol_without_facts_holds_one_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents of formats are counted while they are alive: those of one pair, and the next ones to be read."""
    alive: list[int] = []

    def read(path: str, **how: Any) -> Iterator[Document]:
        for number in range(12):
            alive.append(sum(type(thing) is Document for thing in gc.get_objects()))
            yield Document(str(number), "Bern", [Mention("T1", ((0, 4),), ("LOC",), "Bern")], source=path)

    monkeypatch.setattr("karat.evaluation.corpus.read", lambda path, *_, **__: read(path))
    (tmp_path / "a.jsonl").write_text('{"id": "d", "text": ""}')
    before = sum(type(thing) is Document for thing in gc.get_objects())
    scores = karat.score("relations", tmp_path / "a.jsonl", tmp_path / "a.jsonl")
    assert len(scores.tallies.units) == 12
    assert max(alive) - before <= 4


def test_empty_documents_are_packed_like_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_HELD", 10_000)

    def peak(number: int) -> int:
        corpus = corpora.Corpus("x", lambda problems: (Document(str(name)) for name in range(number)))
        tracemalloc.start()
        try:
            for _ in corpus:
                pass
            assert sum(1 for _ in corpus) == number
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(10)
    assert (peak(2_000) - peak(1_000)) / 1_000 < 60


@pytest.mark.parametrize(("protocol", "most"), [("conll2003", 800), ("coref", 1200)])
def test_documents_without_annotations_cost_little_memory(
    protocol: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A million of them fit into most machines: their ids are held, but neither pages nor tallies of their own."""
    monkeypatch.setattr(cache, "FEW_HELD", 10_000)
    monkeypatch.setattr(cache, "PACKAGE", 10_000)

    def peak(number: int) -> int:
        path = tmp_path / "empty.jsonl"
        path.write_text("".join(f'{{"id":"document-{name}","text":""}}\n' for name in range(number)))
        tracemalloc.start()
        try:
            assert len(karat.score(protocol, path, path).tallies.units) == number
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    karat.score(protocol, [Document("a")], [Document("a")])
    peak(10)
    assert (peak(900) - peak(300)) / 600 < most


@pytest.mark.parametrize(
    ("protocol", "options"),
    [("hipe2022-nel", {"overlap": "best"}), ("tac-edl", {}), ("omin-head-ner", {"profile": "corrected"})],
)
def test_items_that_only_meet_their_neighbours_are_said(
    protocol: str, options: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    mentions = [Mention(f"T{end}", ((0, end),), ("A",), links=(Link(f"Q{end}"),)) for end in range(1, 8)]
    sides = [[Document("d", "in Bern", mentions)]] * 2
    assert not any("neighbours" in note for note in karat.score(protocol, *sides, **options).notes)
    monkeypatch.setattr("karat.matching.sweep.MOST_CANDIDATES", 48)
    assert any("neighbours" in note for note in karat.score(protocol, *sides, **options).notes)


def test_an_option_of_a_format_may_hold_for_one_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = {"doc_key": "s", "sentences": [["Ada", "ran"]], "ner": [[[0, 0, "PER"]]], "predicted_ner": [[]]}
    path = tmp_path / "both.jsonl"
    path.write_text(json.dumps(line))
    for read in ({"gold.side": "gold", "system.side": "predicted"}, {"side": "predicted", "gold.side": "gold"}):
        for both in (str(path), [line]):
            scores = karat.score("conll2003", both, both, read=read)
            assert (scores.value("recall"), scores.notes[0]) == (0, "the system has no mentions")
    assert "|read:gold.side=gold/side=predicted|" in scores.signature
    words = ["score", "conll2003", str(path), str(path), "--read", "gold.side=gold", "--read", "system.side=predicted"]
    assert run([*words, "--fail-under", "0.5"]) == 1
    assert "|read:gold.side=gold/system.side=predicted|" in capsys.readouterr().out
    with pytest.raises(
        UsageError, match=r"unknown option of the input format 'gold\.sides'; did you mean 'gold\.side'"
    ):
        karat.score("conll2003", [line], [line], read={"gold.sides": "gold"})
    assert karat.score("conll2003", [line], [line], by="seen=" + str(path), read=read).value("recall") == 0
