from __future__ import annotations

import re
from pathlib import Path

import pytest

import karat
from karat.api import read, write
from karat.cli import run
from karat.evaluation.registry import protocols
from karat.judge.gold import digest_of, gold_of, undecided
from karat.judge.items import Kind
from karat.judge.judgements import Judgements
from karat.judge.pool import make_pool, read_pool
from karat.model import Argument, Chain, Document, Link, Mention, Relation

from .test_pool import document
from .test_results import SYSTEMS, Project, is_right


def judged(folder: Path) -> Project:
    project = Project(folder, make_pool(SYSTEMS, "relation"))
    for entry in project.pool.entries:
        project.say("ann", "answer", entry.id, value=float(is_right(entry)))
    return project


def test_right_items_and_found_facts_become_gold(tmp_path: Path) -> None:
    project = judged(tmp_path)
    fact = '{"label": "is", "parts": [["h0", []], ["new", []]]}'
    project.say("ann", "fact", "d0", question="one", text=fact)
    project.say("ann", "done", "d0", question="")
    documents = gold_of(Judgements(project.pool, project.scheme, project.journal.standing()))
    sizes = {document.id: len(document.relations) for document in documents}
    assert sizes == {"d0": 4, "d1": 3, "d2": 3, "d3": 3, "d4": 3, "d5": 3}
    assert {document.id: document.metadata["searched"] for document in documents}["d0"] == "yes"
    assert {relation.label for document in documents for relation in document.relations} == {"is"}


def test_what_is_known_of_a_control_is_no_question_for_judges(tmp_path: Path) -> None:
    controls = {"right": [document("d0", ("x", "is", "known"))], "wrong": [document("d0", ("x", "is", "not"))]}
    project = Project(tmp_path, make_pool(SYSTEMS, "relation", controls=controls))
    for entry in project.pool.entries:
        if entry.control:
            project.say("ann", "answer", entry.id, value=float(entry.control == "wrong"))
    judgements = Judgements(project.pool, project.scheme, project.journal.standing())
    given = [mention.text for gold in gold_of(judgements) for mention in gold.mentions]
    assert given == ["x", "known"]
    assert undecided(judgements) == len(project.pool.entries) - 2


def test_the_digest_changes_with_an_answer_and_not_with_the_order(tmp_path: Path) -> None:
    project = judged(tmp_path)
    lines = project.journal.standing()
    first = digest_of(Judgements(project.pool, project.scheme, lines))
    assert first == digest_of(Judgements(project.pool, project.scheme, reversed(lines)))
    entry = project.pool.entries[0]
    project.say("ann", "answer", entry.id, value=float(not is_right(entry)))
    assert first != digest_of(Judgements(project.pool, project.scheme, project.journal.standing()))


def labelled(*labels: str) -> Document:
    """Return a document with a relation whose ends have these labels, where they have any."""
    ends = zip(("Ann", "Bern"), ((0, 3), (13, 17)), labels, strict=True)
    mentions = [Mention(word, (span,), (label,) if label else (), word) for word, span, label in ends]
    relation = Relation("r", "lives_in", (Argument("head", "Ann"), Argument("tail", "Bern")))
    return Document("d", "Ann lives in Bern", mentions, [], [relation])


def test_mentions_are_called_what_all_systems_call_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, given in (("a", labelled("PER", "LOC")), ("b", labelled("PER", "GPE")), ("c", labelled("", ""))):
        write([given], f"{name}.jsonl", "jsonl")
    assert run(["judge", "pool", "a.jsonl", "b.jsonl", "c.jsonl", "-o", "pool.jsonl"]) == 0
    (entry,) = read_pool("pool.jsonl").entries
    assert [part.labels for part in entry.item.parts] == [("PER",), ("GPE", "LOC")]
    Path("ann.csv").write_text(f"item,right\n{entry.id},1\n")
    assert run(["judge", "take", "pool.jsonl", "ann.csv", "--judge", "ann"]) == 0
    capsys.readouterr()
    assert run(["judge", "gold", "pool.jsonl", "-o", "gold", "--to", "brat", "--lossy"]) == 3
    told = capsys.readouterr().err
    assert "1 mention labelled as by all systems" in told
    assert "1 mention without a label: systems give none or different ones; set one with --unlabelled LABEL" in told
    for target in ("brat", "spert"):
        words = ["--to", target, "--lossy", "--unlabelled", "MISC"]
        assert run(["judge", "gold", "pool.jsonl", "-o", f"gold-{target}", *words]) == 0
        assert "1 mention labelled as by all systems" in capsys.readouterr().err
        (gold,) = read(f"gold-{target}", target)
        assert sorted((mention.text, mention.labels) for mention in gold.mentions) == [
            ("Ann", ("PER",)),
            ("Bern", ("MISC",)),
        ]


def test_every_kind_of_item_becomes_gold(tmp_path: Path) -> None:
    mentions = [Mention("m1", ((0, 3),), ("PER",), "Ann", links=(Link("Q1"),)), Mention("m2", ((4, 7),), (), "she")]
    arguments = (Argument("who", "m2"),)
    document = Document("d", "Ann she", mentions, [Chain("c", ("m1", "m2"))], [Relation("e", "buy", arguments, "m1")])
    expected = {"mention": 1, "link": 1, "chain": 1, "event": 1}
    for kind in expected:
        (tmp_path / kind).mkdir()
        project = Project(tmp_path / kind, make_pool({"a": ("1", [document])}, kind))
        for entry in project.pool.entries:
            project.say("ann", "answer", entry.id, value=1.0)
        (gold,) = gold_of(Judgements(project.pool, project.scheme, project.journal.standing()))
        if kind == "chain":
            assert [chain.mentions for chain in gold.chains] == [("m1", "m2")]
        elif kind == "event":
            assert [(event.label, event.trigger, event.arguments[0].role) for event in gold.relations] == [
                ("buy", "m1", "who")
            ]
        elif kind == "link":
            assert [mention.links[0].target for mention in gold.mentions] == ["Q1"]
        else:
            assert [mention.labels for mention in gold.mentions] == [("PER",), ()]


def test_a_pool_goes_through_a_spreadsheet_and_becomes_gold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("xlsxwriter")
    calamine = pytest.importorskip("python_calamine")
    xlsxwriter = pytest.importorskip("xlsxwriter")
    system = tmp_path / "a.jsonl"
    arguments = (Argument("head", "h"), Argument("tail", "t"))
    ends = [Mention("h", ((0, 4),), text="=1+1"), Mention("t", ((8, 9),), text="x")]
    write([Document("d", "=1+1 is x", ends, relations=[Relation("r", "=cmd", arguments)])], system, "jsonl")
    pool, sheet = str(tmp_path / "pool.jsonl"), str(tmp_path / "sheet.xlsx")
    assert run(["judge", "pool", str(system), "-o", pool]) == 0
    assert run(["judge", "sheet", pool, "-o", sheet]) == 0
    rows = calamine.CalamineWorkbook.from_path(sheet).get_sheet_by_name("judge").to_python()
    assert rows[1][3] == "=1+1 | =cmd | x"
    filled = xlsxwriter.Workbook(sheet, {"strings_to_formulas": False})
    written = filled.add_worksheet("judge")
    for line, row in enumerate(rows):
        written.write_row(line, 0, row)
    written.write_row(1, 4, [1, "clear"])
    filled.close()
    assert run(["judge", "take", pool, sheet, "--judge", "ann"]) == 0
    assert run(["judge", "take", pool, sheet, "--judge", "ann"]) == 0
    assert run(["judge", "verify", pool]) == 0
    said = capsys.readouterr().out
    assert "2 answers taken" in said
    assert "0 answers taken" in said
    assert "3 lines, none changed" in said
    assert run(["judge", "gold", pool, "-o", str(tmp_path / "gold.jsonl")]) == 0
    assert "not decided" not in capsys.readouterr().err
    assert run(["score", "triples", str(tmp_path / "gold.jsonl"), str(system)]) == 0
    stamp = re.search(r'"judgements":"([0-9a-f]{12})"', (tmp_path / "gold.jsonl").read_text())[1]
    assert f"|judgements:{stamp}|system:" in capsys.readouterr().out
    assert run(["judge", "gold", pool, "-o", str(tmp_path / "g.jsonlines"), "--to", "jsonlines"]) == 3
    assert run(["judge", "gold", pool, "-o", str(tmp_path / "g.jsonlines"), "--to", "jsonlines", "--lossy"]) == 0
    assert "and 2 metadata entries" in capsys.readouterr().err
    written = xlsxwriter.Workbook(sheet)
    other = written.add_worksheet("judge")
    other.write_row(0, 0, rows[0])
    other.write_row(1, 0, [*rows[1][:4], 7])
    written.close()
    assert run(["judge", "take", pool, sheet, "--judge", "ben"]) == 3
    assert "sheet.xlsx:2: 7.0 is not an answer to 'right'" in capsys.readouterr().err


EXAMPLES = Path(__file__).parents[2] / "examples"
KINDS: dict[Kind, tuple[str, tuple[str, ...]]] = {
    "relation": ("relations/system", ("relations", "triples")),
    "mention": ("hipe/system-a.tsv", ("entities",)),
    "link": ("hipe/system-b.tsv", ("linking",)),
    "chain": ("coreference/system.conll", ("coreference",)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_protocol_takes_what_was_judged(kind: Kind, tmp_path: Path) -> None:
    """A system of which all is right is perfect, layers included; the signature says who called it so."""
    name, tasks = KINDS[kind]
    system = list(karat.read(EXAMPLES / name))
    project = Project(tmp_path, make_pool({"system": ("", system)}, kind))
    for entry in project.pool.entries:
        project.say("ann", "answer", entry.id, value=1.0)
    gold = gold_of(Judgements(project.pool, project.scheme, project.journal.standing()))
    for protocol in protocols().values():
        if protocol.task in tasks:
            scores = karat.score(protocol.name, gold, system)
            assert scores.value("f1") == pytest.approx(1, abs=1e-9), protocol.name
            assert "|judgements:" in scores.signature
