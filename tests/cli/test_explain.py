from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from tests.cli.conftest import GOLD, Command

from karat.cli import karat as program

PROTOCOL = "hipe2022-nerc-coarse"


def test_every_item_with_its_place(karat: Command) -> None:
    shown = karat("explain", PROTOCOL, "gold.tsv", "good.tsv")
    entries = [json.loads(line) for line in shown.out.splitlines()]
    assert [entry["case"] for entry in entries] == ["exact", "missed", "exact"]
    assert entries[1]["gold"]["place"] == "gold.tsv:6"


def test_filters(karat: Command) -> None:
    words = ["explain", PROTOCOL, "gold.tsv", "bad.tsv"]
    assert len(karat(*words).out.splitlines()) == 3
    assert len(karat(*words, "--outcome", "missed").out.splitlines()) == 2
    assert len(karat(*words, "--label", "loc").out.splitlines()) == 2
    assert len(karat(*words, "--document", "b", "--document", "c").out.splitlines()) == 1
    assert len(karat(*words, "--outcome", "correct", "--regime", "partial").out.splitlines()) == 1


def test_views(karat: Command) -> None:
    words = ["explain", PROTOCOL, "gold.tsv", "good.tsv"]
    table = karat(*words, "--view", "table").out
    assert "London" in table
    assert "\t" not in table
    tsv = karat(*words, "--view", "tsv").out.splitlines()
    assert len({line.count("\t") for line in tsv}) == 1
    assert len(tsv) == 4


def test_what_is_left_out_is_noted(karat: Command, tmp_path: Path) -> None:
    sides = [[[0, 0], [1, 1]], [[2, 2]]], []
    lines = [{"doc_key": "d", "clusters": side, "sentences": [["a", "b", "c"]]} for side in sides]
    paths = [tmp_path / name for name in ("gold.jsonlines", "system.jsonlines")]
    for path, line in zip(paths, lines, strict=True):
        path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    words = ["explain", "coref", *map(str, paths), "--singletons", "remove"]
    assert karat(*words, "--view", "table").out.endswith(
        "\n\nnote: left out 1 gold singleton\nnote: the system has no chains\n"
    )
    assert "\n# note: left out 1 gold singleton\n" in karat(*words, "--view", "tsv").out
    assert "left out" not in karat(*words).out


def test_items_in_their_words(karat: Command) -> None:
    words = ["explain", PROTOCOL, "gold.tsv", "bad.tsv", "--view", "text"]
    lines = karat(*words, "--outcome", "missed").out.splitlines()
    assert lines[0].startswith("a ───")
    assert lines[0].endswith("strict F1 0.000")
    assert lines[3] == "    text    Ada lebte in London"
    assert lines[4] == "    gold    ▔▔▔ PERS"
    assert lines[5] == "    system  ···"
    assert lines[-1] == "2 of 3 items, bad.tsv.  ▔ gold  ··· missed  --view table for all columns"
    by_case = karat(*words, "--by", "case").out.splitlines()
    assert [line.split()[0] for line in by_case if line.endswith(("items", "item"))] == ["missed", "wrong-label"]


def test_two_systems_in_their_words(karat: Command) -> None:
    shown = karat("explain", PROTOCOL, "gold.tsv", "good.tsv", "bad.tsv", "--view", "text").out
    assert "    text    Bern liegt" in shown
    assert shown.index("good.tsv\n    text    Bern") < shown.index("bad.tsv\n    text    Bern")
    assert "both    ──── LOC" in shown
    assert "system  ════ PERS" in shown


@pytest.mark.parametrize("verb", ["explain", "score", "compare", "leaderboard", "report"])
def test_files_without_a_protocol(karat: Command, verb: str) -> None:
    shown = karat(verb, "gold.tsv", "good.tsv", *(["-o", "page.html"] if verb == "report" else []))
    assert shown.status == 2
    assert "gold.tsv is a file, but the first argument must be a protocol" in shown.err
    assert "for entities hipe2022-nerc-coarse" in shown.err
    assert "for linking hipe2022-nel" in shown.err
    assert f"karat {verb} hipe2022-nerc-coarse gold.tsv good.tsv" in shown.err


def test_a_file_that_is_missing(karat: Command) -> None:
    shown = karat("explain", PROTOCOL, "absent.tsv", "good.tsv", "bad.tsv")
    assert (shown.status, shown.err) == (3, "karat: absent.tsv: cannot be read: no such file or directory\n")


@pytest.mark.parametrize("verb", ["explain", "score", "leaderboard", "report"])
def test_pages_are_opened(karat: Command, verb: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[str] = []
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or len(opened) == 1)
    words = [verb, PROTOCOL, "gold.tsv", "good.tsv", *(["bad.tsv"] if verb == "leaderboard" else []), "--open"]
    shown = karat(*words, "-o", "page.html")
    assert (shown.status, shown.out, opened) == (0, "", [Path("page.html").resolve().as_uri()])
    assert Path("page.html").read_text("utf-8").startswith("<!doctype html>")
    shown = karat(*words, *(["-o", "page.html"] if verb == "report" else []))
    assert f"no browser could be opened; the page is {opened[1]}" in shown.err
    assert opened[1].startswith(tmp_path.as_uri())


def test_a_page_has_two_systems_or_two_protocols_side_by_side(karat: Command) -> None:
    pages = {
        ("good.tsv", "bad.tsv"): [PROTOCOL, "gold.tsv", "good.tsv", "bad.tsv"],
        (PROTOCOL, "conll2003"): [PROTOCOL, "conll2003", "gold.tsv", "bad.tsv"],
    }
    for names, words in pages.items():
        assert karat("explain", *words, "-o", "page.html").status == 0
        page = Path("page.html").read_text("utf-8")
        meta = json.loads(re.search(r'id="meta">(.*?)</script>', page)[1])
        assert [system["name"] for system in meta["systems"]] == list(names)
        assert all(system["signature"] in page for system in meta["systems"])
        assert f"<h1>{' and '.join(names)}</h1>" in page
        assert meta["differ"] is True
        assert ('<th scope="col" class="n">difference</th>' in page) == (names[0] == "good.tsv")


def test_standard_input_and_other_formats(karat: Command) -> None:
    assert karat("convert", "good.tsv", "good.jsonl").status == 0
    shown = karat("explain", PROTOCOL, "-", "good.jsonl", stdin=GOLD)
    assert [json.loads(line)["case"] for line in shown.out.splitlines()] == ["exact", "missed", "exact"]


BOTH = ["explain", "newsreader-ned", "newsreader-ned-corrected"]
HEAD = "TOKEN\tNE-COARSE-LIT\tNEL-LIT\tMISC\n# document_id = a\n"
LINKS = HEAD + "Mayor\tO\t_\t_\nAda\tB-pers\tKeller\t_\nKeller\tI-pers\tKeller\t_\n"
OTHERS = HEAD + "Mayor\tB-pers\tKeller\t_\nAda\tI-pers\tKeller\t_\nKeller\tO\t_\t_\n"


@pytest.fixture
def linked(karat: Command) -> Command:
    """Return the command line in a folder where one pair shares a token, and neither is a run of the other."""
    Path("links.tsv").write_text(LINKS, "utf-8")
    Path("other-links.tsv").write_text(OTHERS, "utf-8")
    return karat


def test_two_protocols(linked: Command) -> None:
    shown = linked(*BOTH, "links.tsv", "other-links.tsv")
    head, *others = [json.loads(line) for line in shown.out.splitlines()]
    assert (shown.status, head["numbers"], head["items"]) == (0, 3, 1)
    assert [one["difference"] for one in others[:-1]] == [1.0, 1.0, 1.0]
    assert {one["regime"] for one in others[:-1]} == {"fuzzy"}
    assert [entry["case"] for entry in others[-1]["first"]] == ["spurious", "missed"]
    assert [entry["case"] for entry in others[-1]["second"]] == ["overlap"]


def test_filters_on_two_protocols(linked: Command) -> None:
    words = [*BOTH, "links.tsv", "other-links.tsv", "--view", "table"]
    assert "has no" not in linked(*words, "--regime", "fuzzy").out
    assert "precision" not in linked(*words, "--regime", "strict").out
    for filters in (["--label", "Bern"], ["--document", "b"], ["--outcome", "correct"]):
        assert "1 difference left out by the filters" in linked(*words, *filters).out
    assert "left out" not in linked(*words, "--outcome", "correct", "--regime", "fuzzy").out


def test_nothing_differs(karat: Command) -> None:
    shown = karat(*BOTH, "gold.tsv", "good.tsv", "--view", "table")
    assert shown.status == 0
    assert "nothing differs" in shown.out


def test_options_go_to_the_protocols_that_have_them(linked: Command) -> None:
    shown = linked(*BOTH, "links.tsv", "other-links.tsv", "--sentences", "1", "--missing", "skip")
    head = json.loads(shown.out.splitlines()[0])
    assert all("sentences:1|" in head[side]["signature"] for side in ("first", "second"))
    words = ["explain", PROTOCOL, "newsreader-ned", "gold.tsv", "good.tsv", "--sentences", "1", "--profile", "2020"]
    head = json.loads(linked(*words).out.splitlines()[0])
    assert "profile:2020" in head["first"]["signature"]
    assert "sentences:1" in head["second"]["signature"]
    assert "profile" not in head["second"]["signature"]


def test_help_shows_the_options_of_both(karat: Command) -> None:
    shown = karat("explain", PROTOCOL, "newsreader-ned", "--help").out
    assert "--profile" in shown
    assert "--sentences" in shown
    assert shown.count("--missing") == 1
    assert "--sentences" not in karat("explain", PROTOCOL, "--help").out


def test_wrong_words_before_two_files(karat: Command) -> None:
    shown = karat("explain", PROTOCOL, "newsreader-nedd", "gold.tsv", "good.tsv")
    assert (shown.status, shown.err) == (
        2,
        "karat: unknown protocol 'newsreader-nedd'; did you mean 'newsreader-ned' or 'newsreader-ned-corrected'?\n",
    )
    assert karat("explain", PROTOCOL, PROTOCOL, PROTOCOL, "gold.tsv", "good.tsv").status == 2
    shown = karat(*BOTH, "gold.tsv", "good.tsv", "--regime", "partial")
    assert (shown.status, shown.err) == (
        2,
        "karat: unknown regime of both protocols 'partial'; known are fuzzy, strict\n",
    )


def test_standard_input_for_two_protocols(karat: Command) -> None:
    assert karat(*BOTH, "-", "good.tsv", stdin=GOLD).status == 0
    shown = karat("explain", PROTOCOL, "newsreader-ned", "-", "good.tsv", stdin=GOLD)
    assert shown.status == 3
    assert "standard input can be read only once" in shown.err


def test_completion_offers_protocols_and_files() -> None:
    complete = ShellComplete(program, {}, "karat", "_KARAT_COMPLETE").get_completions
    assert [one.value for one in complete(["explain", PROTOCOL], "newsreader")] == list(BOTH[1:])
    assert [one.type for one in complete(["explain", PROTOCOL], "gol")] == ["file"]
    assert [one.type for one in complete([*BOTH, "gold.tsv", "good.tsv"], "")] == ["file"]


def test_a_ledger_that_breaks_off_shows_nothing_but_the_reason(karat: Command, tmp_path: Path) -> None:
    def document(name: str, end: int) -> str:
        mention = {"id": "T1", "spans": [[0, end]], "labels": ["LOC"]}
        ends = [{"role": role, "target": "T1"} for role in ("head", "tail")]
        relation = {"id": "R1", "label": "in", "arguments": ends}
        return json.dumps({"id": name, "text": "Bern", "mentions": [mention], "relations": [relation]}) + "\n"

    (tmp_path / "gold.jsonl").write_text(document("a", 4) + document("b", 4))
    (tmp_path / "broken.jsonl").write_text(document("a", 4) + document("b", 9))
    shown = karat("explain", "relations", "gold.jsonl", "gold.jsonl")
    assert (shown.status, len(shown.out.splitlines())) == (0, 2)
    broken = karat("explain", "relations", "gold.jsonl", "broken.jsonl")
    assert (broken.status, broken.out) == (3, "")
    assert "broken.jsonl:2" in broken.err


def test_two_systems_are_compared_item_by_item(karat):
    shown = karat("explain", "hipe2022-nerc-coarse", "gold.tsv", "good.tsv", "bad.tsv", "--view", "table").out
    assert shown.startswith("hipe2022-nerc-coarse: good.tsv and bad.tsv\n")
    assert [line.split()[2] for line in shown.splitlines() if "NE-COARSE-LIT  good.tsv" in line] == ["good.tsv"] * 2
    lines = karat("explain", "hipe2022-nerc-coarse", "gold.tsv", "good.tsv", "bad.tsv").out.splitlines()
    assert [json.loads(line)["kind"] for line in lines].count("items") == 2
    assert json.loads(lines[0])["second"]["system"] == "bad.tsv"


def test_more_than_two_systems_are_too_many(karat):
    result = karat("explain", "hipe2022-nerc-coarse", "gold.tsv", "good.tsv", "bad.tsv", "bad.tsv")
    assert result.status == 2
    assert "at most two systems can be compared item by item, but there are 3" in result.err


def test_the_confusion_of_two_systems_is_refused(karat):
    result = karat("explain", "hipe2022-nerc-coarse", "gold.tsv", "good.tsv", "bad.tsv", "--confusion")
    assert result.status == 2
    assert "one protocol and one system" in result.err
