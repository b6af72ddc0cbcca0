"""``karat leaderboard``."""

from __future__ import annotations

import gzip
import json
import random
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tests.cli.conftest import BAD, ENVIRONMENT, GOLD, GOOD, Command
from tests.conformance.packs import SHARED

from karat.display.views.codabench import archive

WORDS = ("leaderboard", "hipe2022-nerc-coarse", "gold.tsv")


@pytest.fixture
def submissions() -> Path:
    """Return a folder with two submissions."""
    folder = Path("submissions")
    folder.mkdir()
    (folder / "good.tsv").write_text(GOOD, encoding="utf-8")
    (folder / "bad.tsv").write_text(BAD, encoding="utf-8")
    return folder


def ranks(text: str) -> list[tuple[str, str]]:
    return [tuple(line.split("\t")[:2][::-1]) for line in text.splitlines()[1:] if not line.startswith("#")]  # type: ignore[misc]


def test_a_folder_of_submissions_or_of_runs(karat: Command, submissions: Path) -> None:
    ranked = karat(*WORDS, "submissions")
    assert (ranked.status, ranked.err) == (0, "")
    assert ranks(ranked.out) == [("good", "1"), ("bad", "2")]
    karat("score", *WORDS[1:], "submissions/good.tsv", "submissions/bad.tsv", "--save", "runs/")
    assert (
        karat("leaderboard", "runs").out
        == ranked.out
        == karat("leaderboard", "runs/bad.tsv.karat", "runs/good.tsv.karat").out
    )


def test_other_files_of_a_folder_are_named_and_left_out(karat: Command, submissions: Path) -> None:
    alone = karat(*WORDS, "submissions").out
    for name, text in (("TEAM_KEYS.txt", "A:team1\n"), ("README", "two teams\n"), (".DS_Store", "\0\1")):
        (submissions / name).write_text(text, encoding="utf-8")
    (submissions / "old").mkdir()
    note = "karat: note: submissions: left out as no submissions: .DS_Store, README, TEAM_KEYS.txt, old\n"
    for words in ((), ("--from", "hipe")):
        ranked = karat(*WORDS, "submissions", *words)
        assert (ranked.status, ranked.err) == (0, note)
        assert ranks(ranked.out) == ranks(alone)
    assert "the first argument must be a protocol" in karat("leaderboard", "submissions").err
    karat("score", *WORDS[1:], "submissions/good.tsv", "submissions/bad.tsv", "--save", "submissions/")
    runs = karat("leaderboard", "submissions")
    assert (runs.status, ranks(runs.out)) == (0, ranks(alone))
    assert "left out as no run files: .DS_Store, README, TEAM_KEYS.txt, bad.tsv, good.tsv, old" in runs.err
    (submissions / "broken.tsv").write_text("nothing\n", encoding="utf-8")
    broken = karat(*WORDS, "submissions")
    assert broken.status == 3
    assert "submissions/broken.tsv: the format is not recognised" in broken.err
    (submissions / "cut.tsv.karat").write_bytes((submissions / "good.tsv.karat").read_bytes()[:-9])
    assert "cut.tsv.karat: the run file is cut off" in karat("leaderboard", "submissions").err


def test_a_submission_that_does_not_fit_is_named(karat: Command, submissions: Path) -> None:
    (submissions / "third.tsv").write_text(GOLD.replace("document_id = b", "document_id = c"), encoding="utf-8")
    for command, *systems in (("leaderboard", "submissions"), ("score", "good.tsv", "submissions/third.tsv")):
        found = karat(command, "conll2003", "gold.tsv", *systems)
        assert (found.status, found.out) == (3, "")
        assert found.err.startswith("karat: submissions/third.tsv: the system lacks 1 document: b")


def test_by_another_number_and_without_intervals(karat: Command, submissions: Path) -> None:
    shown = karat(*WORDS, "submissions", "--sort", "recall[regime=fuzzy]", "--no-ci")
    assert shown.out.splitlines()[0].split("\t")[2] == "recall[layer=NE-COARSE-LIT,regime=fuzzy,avg=micro]"
    assert shown.out.splitlines()[1].split("\t")[3:8] == ["-"] * 5


def test_several_golds(karat: Command, submissions: Path) -> None:
    Path("golds").mkdir()
    other = GOLD.replace("document_id = a", "document_id = x").replace("document_id = b", "document_id = y")
    Path("golds/first.tsv").write_text(GOLD, encoding="utf-8")
    Path("golds/second.tsv").write_text(other, encoding="utf-8")
    (submissions / "other.tsv").write_text(other, encoding="utf-8")
    boards = json.loads(karat("leaderboard", WORDS[1], "golds", "submissions", "--golds", "--view", "json").out)[
        "leaderboards"
    ]
    found = {board["gold"]: [standing["system"] for standing in board["standings"]] for board in boards}
    assert found == {"first.tsv": ["good", "bad"], "second.tsv": ["other"]}
    (submissions / "stray.tsv").write_text(
        "TOKEN\tNE-COARSE-LIT\tMISC\n# document_id = z\nUri\tO\t_\n", encoding="utf-8"
    )
    stray = karat("leaderboard", WORDS[1], "golds", "submissions", "--golds")
    assert stray.status == 3
    assert "stray.tsv: no gold in golds has its documents" in stray.err


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ((*WORDS[1:],), 2, "Missing argument 'SYSTEM…'"),
        ((*WORDS[1:], "empty"), 3, "the folder is empty"),
        (("runs.karat", "--codabench", "b.zip"), 2, "made of PROTOCOL and GOLD"),
        ((*WORDS[1:], "bad.tsv", "--golds", "--codabench", "b.zip"), 2, "has one gold"),
        (("run.karat", "--golds"), 2, "--golds has no effect on run files"),
        ((*WORDS[1:], "bad.tsv", "--golds"), 2, "--golds takes a folder of gold files"),
        ((*WORDS[1:], "bad.tsv", "--sort", "frecall"), 2, "unknown number 'frecall'"),
    ],
)
def test_what_is_wrong_is_said(karat: Command, words: tuple[str, ...], status: int, message: str) -> None:
    Path("empty").mkdir()
    result = karat("leaderboard", *words)
    assert result.status == status
    assert message in result.err


def test_a_bundle_for_codabench_scores_as_karat_does(karat: Command) -> None:
    assert karat(*WORDS, "--codabench", "bundle.zip", "--profile", "2022").status == 0
    first = Path("bundle.zip").read_bytes()
    karat("--overwrite", *WORDS, "--codabench", "bundle.zip", "--profile", "2022")
    assert first == Path("bundle.zip").read_bytes()
    unpack("bundle.zip", "bundle")
    assert {path.name for path in Path("bundle").iterdir()} == {
        *("competition.yaml", "overview.md", "terms.md", "logo.png", "scoring_program.zip", "reference_data.zip")
    }
    done = handed_in("bundle", {"team.tsv": GOOD})
    assert (done.returncode, done.stderr) == (0, "")
    scores = json.loads(Path("output/scores.json").read_text("utf-8"))
    expected = json.loads(karat("score", *WORDS[1:], "good.tsv", "--profile", "2022", "--view", "json").out)["scores"][
        0
    ]
    rows = {row["measure"] + row["regime"] + row["average"]: row["value"] for row in expected["rows"]}
    assert scores["f1_strict_micro_ne_coarse_lit"] == rows["f1strictmicro"]
    assert isinstance(scores["signature"], int)
    assert "profile:2022" in scores["signature_text"]
    declared = Path("bundle/competition.yaml").read_text("utf-8")
    assert all(f'key: "{key}"' in declared for key in scores if key != "signature_text")
    clutter = {"README": "by us\n", "metadata": "a: b\n", ".DS_Store": "\0", "__MACOSX/._team.tsv": "\0\5\x16\7"}
    done = handed_in("bundle", {"team.tsv": GOOD, **clutter})
    left_out = "karat: note: input/res: left out as no submission: .DS_Store, README, __MACOSX, metadata\n"
    assert (done.returncode, done.stderr) == (0, left_out)
    assert json.loads(Path("output/scores.json").read_text("utf-8")) == scores
    broken = handed_in("bundle", {"team.tsv": GOOD[: GOOD.index("# document_id = b")], **clutter})
    assert (broken.returncode, broken.stdout, list(Path("output").iterdir())) == (1, "", [])
    assert "input/res/team.tsv: the system" in broken.stderr


def handed_in(bundle: str, submission: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Score a submission as Codabench does: everything unpacked, the program run, its output in a folder."""
    for folder in ("program", "input", "output"):
        shutil.rmtree(folder, ignore_errors=True)
    unpack(f"{bundle}/scoring_program.zip", "program")
    unpack(f"{bundle}/reference_data.zip", "input/ref")
    Path("submission.zip").write_bytes(archive(submission))
    unpack("submission.zip", "input/res")
    Path("output").mkdir()
    words = [sys.executable, "program/score.py", "input", "output"]
    return subprocess.run(words, env=ENVIRONMENT, capture_output=True, text=True, check=False)


def unpack(archive: str, folder: str) -> None:
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(folder)


COLUMNS = ("TOKEN", "NE-COARSE-LIT", "NE-COARSE-METO", "NE-FINE-LIT", "NE-FINE-METO", "NE-FINE-COMP", "NE-NESTED")
TAGS = ("O", "O", "O", "B-pers", "B-loc", "B-work")


def invented(tags: list[list[str]], language: str) -> str:
    """Return documents of tokens with coarse tags and nothing else as a HIPE file."""
    lines = ["\t".join((*COLUMNS, "NEL-LIT", "NEL-METO", "MISC"))]
    for number, document in enumerate(tags):
        lines.append(f"# hipe2022:document_id = {language}{number:02}")
        lines += [f"w{place}\t{tag}" + "\t_" * 7 + "\t_" for place, tag in enumerate(document)]
    return "\n".join(lines) + "\n"


def worsened(tags: list[list[str]], share: float, chance: random.Random) -> list[list[str]]:
    return [[chance.choice(TAGS) if chance.random() < share else tag for tag in document] for document in tags]


def test_an_invented_campaign_is_ranked_as_the_published_program_does(karat: Command) -> None:
    """Several submissions for each gold, two of them equal: the official tables and the leaderboards say the same."""
    chance = random.Random(5)  # noqa: S311 - nothing is to be kept secret
    for folder in ("golds", "submitted", "tables"):
        Path(folder).mkdir()
    for language in ("de", "fr"):
        gold = [[chance.choice(TAGS) for _ in range(30)] for _ in range(4)]
        Path(f"golds/HIPE-2022-v2.1-ajmc-test-{language}.tsv").write_text(invented(gold, language), encoding="utf-8")
        runs = {team: invented(worsened(gold, 0.1 * number, chance), language) for number, team in enumerate("dbfac")}
        for team, text in (runs | {"e": runs["b"]}).items():
            Path(f"submitted/team{team}_bundle4_ajmc_{language}_1.tsv").write_text(text, encoding="utf-8")
    done = karat("hipe", "rank", "submitted", "golds", "-o", "tables", "--profile", "corrected")
    assert done.status == 0, done.err
    for regime in ("fuzzy", "strict"):
        words = ("--golds", "--profile", "corrected", "--no-ci", "--sort", f"f1[regime={regime}]", "--view", "json")
        boards = json.loads(karat("leaderboard", WORDS[1], "golds", "submitted", *words).out)["leaderboards"]
        for language, board in zip(("de", "fr"), boards, strict=True):
            ranking = official(Path(f"tables/ranking-ajmc-{language}-coarse-micro-{regime}-all.tsv"), regime)
            found = [(standing["system"], round(standing["row"]["value"], 3)) for standing in board["standings"]]
            assert found == ranking
            assert len({f1 for _, f1 in ranking}) == 5
            assert [standing["rank"] for standing in board["standings"]] == [1, 2, 2, 4, 5, 6]


def official(table: Path, regime: str) -> list[tuple[str, float]]:
    """Return the systems of an official table with their F1 of everything, in its order."""
    head, *lines = (line.split("\t") for line in table.read_text("utf-8").splitlines())
    rows = [dict(zip(head, line, strict=True)) for line in lines]
    wanted = f"NE-COARSE-LIT-micro-{regime}-TIME-ALL-LED-ALL"
    return [(row["System"], float(row["F1"])) for row in rows if (row["Evaluation"], row["Label"]) == (wanted, "ALL")]


def published() -> dict[str, list[tuple[str, str, float]]]:
    """Return, for each gold of HIPE-2022 in the pack, its submissions with their file and published strict F1."""
    manifest = SHARED / "hipe" / "public" / "manifest.jsonl"
    found: dict[str, list[tuple[str, str, float]]] = {}
    for case in map(json.loads, manifest.read_text("utf-8").splitlines()):
        name = case["id"].removeprefix("p22-")
        official = manifest.parent / "official2022" / f"{name}.tsv.gz"
        if case["id"] == name or not name.endswith("_nerc_coarse"):
            continue
        expected = official if official.exists() else manifest.parent / "expected" / f"{name}.tsv.gz"
        gold, system = list(case["inputs"].values())[:2]
        found.setdefault(gold, []).append((name.removesuffix("_nerc_coarse"), system, f1_of(expected)))
    return found


def f1_of(path: Path) -> float:
    """Return the strict micro F1 of an evaluation of the published program."""
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    rows = [dict(zip(lines[0].split("\t"), line.split("\t"), strict=True)) for line in lines[1:]]
    wanted = "NE-COARSE-LIT-micro-strict-TIME-ALL-LED-ALL"
    return float(next(row["F1"] for row in rows if row["Evaluation"] == wanted and row["Label"] == "ALL"))


@pytest.mark.skipif(not (SHARED / "hipe" / "public").exists(), reason="needs the public part of the HIPE pack")
def test_the_campaign_of_hipe_2022_is_ranked_as_published(karat: Command) -> None:
    root = SHARED / "hipe" / "public"
    expected = published()
    for folder in ("golds", "submitted"):
        Path(folder).mkdir()
    for gold, systems in expected.items():
        Path("golds", Path(gold).name).symlink_to(root / gold)
        for _, system, _ in systems:
            Path("submitted", Path(system).name).symlink_to(root / system)
    result = karat(
        "leaderboard", WORDS[1], "golds", "submitted", "--golds", "--profile", "2022", "--no-ci", "--view", "json"
    )
    assert result.status == 0, result.err
    boards = {board["gold"]: board["standings"] for board in json.loads(result.out)["leaderboards"]}
    assert len(boards) == len(expected)
    for gold, systems in expected.items():
        ranking = [(name, f1) for name, _, f1 in sorted(systems, key=lambda system: -system[2])]
        found = [(standing["system"], standing["row"]["value"]) for standing in boards[Path(gold).name]]
        assert [name for name, _ in found] == [name for name, _ in ranking]
        assert [value for _, value in found] == pytest.approx([f1 for _, f1 in ranking], abs=5e-4)
