"""A result is reproduced from gold and system, or what differs is said: data, options, version, number."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from tests.plug_ins import installed
from tests.properties.corpora import HALF_FOUND

import karat
from karat.analysis.verification import Check
from karat.cli import run
from karat.display.views import render
from karat.errors import InputError, KaratError, UsageError
from karat.evaluation.registry import protocol as protocol_named
from karat.evaluation.run_file import packed

GOLD = "-DOCSTART- (a) O\n\nAda B-PER\nof O\nBern B-LOC\n\n-DOCSTART- (b) O\n\nBern B-LOC\n"
SYSTEM = GOLD.replace("Ada B-PER", "Ada B-LOC")
ENDINGS = {"json": ".json", "jsonl": ".jsonl", "tsv": ".tsv"}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "gold.conll").write_text(GOLD)
    (tmp_path / "system.conll").write_text(SYSTEM)
    return tmp_path


def result(folder: Path, view: str, **asked: object) -> Path:
    scores = karat.score("conll2003", folder / "gold.conll", folder / "system.conll", **asked)
    path = folder / f"result.{view}"
    if view == "karat":
        scores.save(path)
    else:
        path.write_text(render(view, [scores]))
    return path


def sentences(check: Check) -> str:
    return "\n".join(check.lines())


@pytest.mark.parametrize("view", ["karat", "json", "jsonl", "tsv", "csv"])
def test_every_kind_of_result_is_reproduced(files: Path, view: str) -> None:
    path = result(files, view, by=["label", "length", "unit"], ci=karat.Bootstrap(50, level=0.9), zero="zero")
    check = karat.verify(path, files / "gold.conll", files / "system.conll")
    assert check.is_reproduced, sentences(check)
    assert check.numbers > 20
    assert "the gold is the same, to the byte" in sentences(check)


@pytest.mark.parametrize("view", ["karat", "json", "csv"])
def test_the_same_content_in_other_bytes_is_the_same(files: Path, view: str) -> None:
    path, digests = result(files, view), karat.load(result(files, "karat")).digests
    documents = GOLD.split("\n\n-DOCSTART- (b) O")
    turned = f"-DOCSTART- (b) O{documents[1]}\n{documents[0]}\n".replace("\n", "\r\n")
    (files / "gold.conll.gz").write_bytes(gzip.compress(turned.encode()))
    check = karat.verify(path, files / "gold.conll.gz", files / "system.conll")
    assert check.is_reproduced, sentences(check)
    assert "the gold has the same content" in sentences(check)
    assert digests["gold_digest"] in sentences(check)
    assert digests["gold_content"] in sentences(check)


def test_a_view_without_the_digest_of_its_content_says_so(files: Path) -> None:
    path = result(files, "tsv")
    (files / "gold.conll.gz").write_bytes(gzip.compress(GOLD.encode()))
    check = karat.verify(path, files / "gold.conll.gz", files / "system.conll")
    assert check.is_reproduced
    assert "whether its content is the same, a result without the digest" in sentences(check)


def test_a_changed_digit_is_named(files: Path) -> None:
    path = result(files, "json", by="label")
    told = json.loads(path.read_text())
    row = next(row for row in told["scores"][0]["rows"] if row.get("label") == "LOC" and row["measure"] == "precision")
    row["value"] += 0.01
    path.write_text(json.dumps(told))
    check = karat.verify(path, files / "gold.conll", files / "system.conll")
    assert not check.is_reproduced
    assert check.lines()[0].startswith("not reproduced: result.json, 1 of ")
    (finding,) = check.of("number")
    assert finding.sentence.startswith("precision[regime=strict,avg=micro,label=LOC]: 0.676")
    assert finding.sentence.endswith(" in the result, 0.6666666666666666 here")


def test_a_changed_count_in_a_table_for_spreadsheets_is_named(tmp_path: Path) -> None:
    gold, system = HALF_FOUND["linking"]
    text = render("csv", [karat.score("tac-edl", gold, system)])
    (correct,) = {line.split(",")[12] for line in text.splitlines()[1:2]}
    (tmp_path / "scores.csv").write_text(re.sub(rf",{correct},(gold:\w+\|system:\w+,karat:)", r",99,\1", text, count=1))
    check = karat.verify(tmp_path / "scores.csv", gold, system)
    assert any(f"correct is 99 in the result, {correct} here" in finding.sentence for finding in check.of("number"))


def test_other_data_are_named(files: Path) -> None:
    path = result(files, "karat")
    (files / "other.conll").write_text(GOLD)
    check = karat.verify(path, files / "gold.conll", files / "other.conll")
    assert not check.is_reproduced
    assert "and it is of other data" in check.lines()[0]
    assert "data: the system is another one (content " in sentences(check)


def test_another_version_is_said_and_is_no_difference(files: Path) -> None:
    path = result(files, "tsv")
    path.write_text(path.read_text().replace(f"karat:{karat.__version__}", "karat:0.0.9"))
    check = karat.verify(path, files / "gold.conll", files / "system.conll")
    assert check.is_reproduced
    assert f"version: scored by 0.0.9, checked by {karat.__version__}" in sentences(check)


@pytest.mark.parametrize(("drawing", "told"), [("bootstrap1000/seed42", "v1"), ("bootstrap1000/v2/seed42", "v2")])
def test_numbers_with_intervals_of_an_older_drawing_are_checked(files: Path, drawing: str, told: str) -> None:
    path = result(files, "json", ci=karat.Bootstrap(50))
    path.write_text(path.read_text().replace("ci:studentised50/v3/seed42", f"ci:{drawing}"))
    check = karat.verify(path, files / "gold.conll", files / "system.conll")
    assert check.is_reproduced, sentences(check)
    assert f"version: intervals were drawn by {told}, here by v3; they are not checked" in sentences(check)
    path.write_text(path.read_text().replace('"value": 0.', '"value": 0.1'))
    assert not karat.verify(path, files / "gold.conll", files / "system.conll").is_reproduced


def test_options_come_from_the_signature(files: Path, tmp_path: Path) -> None:
    tags = tmp_path / "tags.txt"
    tags.write_text("LOC\nPER\nORG\n")
    example = Path(__file__).parents[3] / "examples" / "hipe"
    scores = karat.score(
        "hipe2022-nel", example / "gold.tsv", example / "system-b.tsv", n_best="1,3", profile="2022", tagset=tags
    )
    scores.save(tmp_path / "run.karat")
    with pytest.raises(UsageError, match="does not contain every option of the result; add tagset=FILE"):
        karat.verify(tmp_path / "run.karat", example / "gold.tsv", example / "system-b.tsv")
    check = karat.verify(tmp_path / "run.karat", example / "gold.tsv", example / "system-b.tsv", tagset=tags)
    assert check.is_reproduced, sentences(check)
    tags.write_text("LOC\n")
    check = karat.verify(tmp_path / "run.karat", example / "gold.tsv", example / "system-b.tsv", tagset=tags)
    assert "options: tagset is " in sentences(check)
    assert not check.is_reproduced


def test_one_of_several_systems_is_found_by_its_name(files: Path) -> None:
    (files / "other.conll").write_text(GOLD)
    both = [karat.score("conll2003", files / "gold.conll", files / name) for name in ("system.conll", "other.conll")]
    for view in ("json", "jsonl", "tsv", "csv"):
        path = files / f"both.{view}"
        path.write_text(render(view, both))
        assert karat.verify(path, files / "gold.conll", files / "other.conll").is_reproduced
        with pytest.raises(UsageError, match=r"has the results of other\.conll, system\.conll, but"):
            karat.verify(path, files / "gold.conll", files / "gold.conll")


def test_what_was_seen_needs_its_file(files: Path) -> None:
    path = result(files, "json", by=f"seen={files / 'gold.conll'}")
    with pytest.raises(UsageError, match="add --by seen=FILE"):
        karat.verify(path, files / "gold.conll", files / "system.conll")
    by = f"seen={files / 'gold.conll'}"
    assert karat.verify(path, files / "gold.conll", files / "system.conll", by=by).is_reproduced


@pytest.mark.parametrize(
    "text", ["", "{}", '{"scores": 1}', "system\tvalue\n", "a\tb\nc\td\n# karat:0.1.0|x:y\n", "[1]"]
)
def test_what_is_no_result_is_refused(files: Path, text: str) -> None:
    (files / "odd.txt").write_text(text)
    with pytest.raises(InputError, match=r"odd\.txt: is no result of Karat; expected a run file"):
        karat.verify(files / "odd.txt", files / "gold.conll", files / "system.conll")


def test_the_command_says_it_by_its_status(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = result(files, "tsv")
    words = ["verify", str(path), "--gold", str(files / "gold.conll"), "--system", str(files / "system.conll")]
    assert run(words) == 0
    assert capsys.readouterr().out.startswith("reproduced: result.tsv, all ")
    path.write_text(path.read_text().replace("0.6666666666666666", "0.67", 1))
    assert run(words) == 1
    assert "in the result, 0.6666666666666666 here" in capsys.readouterr().out


def test_names_with_odd_characters_come_back(files: Path) -> None:
    text = GOLD.replace("B-LOC", "B-=1+1\\t")
    (files / "gold.conll").write_text(text)
    (files / "system.conll").write_text(text)
    for view in ("tsv", "csv"):
        path = result(files, view, by="label")
        assert karat.verify(path, files / "gold.conll", files / "system.conll").is_reproduced


@pytest.mark.parametrize(
    ("signature", "sentence"),
    [
        ("odd", "is no signature"),
        ("karat:1|odd", "is no signature"),
        ("karat:1|protocol:theirs", "protocol 'theirs', which is not installed here"),
        ("karat:1|protocol:conll2003|zero:two", "unknown zero rule 'two'"),
        ("karat:1|protocol:conll2003|ci:studentised9/v3/seed1/many", "not a method for intervals"),
        ("karat:1|protocol:conll2003|ci:odd", "not a method for intervals"),
    ],
)
def test_a_signature_that_cannot_be_meant_is_a_fault_of_the_file(files: Path, signature: str, sentence: str) -> None:
    path = result(files, "json")
    told = json.loads(path.read_text())
    told["scores"][0]["signature"] = signature
    path.write_text(json.dumps(told))
    with pytest.raises(InputError, match=sentence):
        karat.verify(path, files / "gold.conll", files / "system.conll")


PLUG_INS = """
OURS = msgspec.structs.replace(protocol("conll2003"), name="ours")
LINES = msgspec.structs.replace(format_named("conll"), name="lines")
"""
OFFERED = {"protocols": {"ours": ":OURS"}, "formats": {"lines": ":LINES"}}


def test_another_version_of_a_plug_in_is_another_signature(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides = (files / "gold.conll", files / "system.conll")
    own = karat.score("conll2003", *sides).run
    with installed(files / "first", "ours", "0.1", PLUG_INS, **OFFERED):
        scores = karat.score("ours", *sides, format="lines")
        declared = karat.score(protocol_named("ours"), *sides)
        read_only = karat.score("conll2003", *sides, system_format="lines")
        first = karat.score("ours", *sides).run
        scores.save(files / "ours.karat")
    assert "|protocol:ours|plug-ins:ours==0.1|profile:official|" in scores.signature
    assert "|plug-ins:ours==0.1|" in declared.signature
    assert "|protocol:conll2003|plug-ins:ours==0.1|" in read_only.signature
    assert own is not None
    assert (own.plug_ins, b"plug_ins" in packed(own), "plug-ins" in own.signature) == ("", False, False)
    (files / "ours.json").write_text(render("json", [scores]))
    for name in ("ours.karat", "ours.json"):
        with pytest.raises(KaratError, match=r"the protocol 'ours', .*; install ours==0\.1"):
            karat.verify(files / name, *sides)
    with installed(files / "second", "ours", "0.2", PLUG_INS, **OFFERED):
        check = karat.verify(files / "ours.karat", *sides)
        assert check.is_reproduced
        assert "version: scored with ours==0.1, checked with ours==0.2" in sentences(check)
        assert run(["signature", scores.signature]) == 0
        assert "packages that provide the protocol or the formats; here ours is 0.2" in capsys.readouterr().out
        with pytest.raises(InputError, match=r"b is scored with ours 0\.2, not 0\.1"):
            karat.compare({"a": files / "ours.karat", "b": karat.score("ours", *sides)})
        note = "counted by ours 0.1, and shown by the formulas of ours 0.2"
        assert note not in (*karat.score("ours", *sides).notes, *karat.score("conll2003", *sides).notes)
        assert run(["show", str(files / "ours.karat"), "--view", "table"]) == 0
        assert f"note: {note}\n" in capsys.readouterr().out
        contest = karat.compare({"a": files / "ours.karat", "b": files / "ours.karat"})
        assert contest.notes.count(note) == 1
        for ci in (True, False):
            assert karat.leaderboard({"a": files / "ours.karat"}, ci=ci).notes.count(note) == 1
        board = karat.leaderboard({"a": files / "ours.karat"})
        assert "|protocol:ours|plug-ins:ours==0.1|" in board.signature
        with pytest.raises(InputError, match=r"different plug-ins, ours==0\.1 and ours==0\.2"):
            karat.merge([first, karat.score("ours", *sides).run])
