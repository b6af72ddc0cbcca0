"""No command puts an output in the place of one of its inputs, whatever that is called, unless it is asked to."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from tests.cli.conftest import ENVIRONMENT, Command

import karat as package
from karat.cli import karat as group

EXAMPLES = Path(__file__).parents[2] / "examples"


JUDGED = Path(__file__).parents[1] / "judge" / "data"
TAKE = "judge take judged/pool.jsonl judged/ida.csv --scheme judged/mine.toml --judge Ida"
INVITE = "judge invite judged/pool.jsonl Ida"
TABS = {"input": "Fumar causa cáncer.\n", "output_a": "0\t0 5\tAction\tFumar\n", "output_b": ""}


class Case(NamedTuple):
    """A command line, the file that it writes and an input that this file will be."""

    words: str
    output: str
    source: str
    before: str = ""
    """Commands that make what this one reads."""


CASES = [
    Case("convert hipe/gold.tsv out --to hipe", "out", "hipe/gold.tsv"),
    Case("convert brat/gold out --to brat", "out/courier-1848-03-02.txt", "brat/gold/tribune-1901-07-11.txt"),
    Case("score hipe2022-nerc-coarse hipe/gold.tsv hipe/system-a.tsv -o out", "out", "hipe/gold.tsv"),
    Case("score hipe2022-nerc-coarse hipe/gold.tsv hipe/system-a.tsv -o out", "out", "hipe/system-a.tsv"),
    Case("score hipe2022-nerc-coarse hipe/gold.tsv hipe/system-a.tsv --save out", "out", "hipe/system-a.tsv"),
    Case(
        "show run.karat -o out", "out", "run.karat", "score relations relations/gold relations/system --save run.karat"
    ),
    Case("score relations relations/gold relations/system -o out", "out", "relations/gold/mill.ann"),
    Case(
        "score hipe2022-nerc-coarse hipe/gold.tsv hipe/system-a.tsv --fail-under 0.1 --junit out",
        "out",
        "hipe/gold.tsv",
    ),
    Case(
        "score hipe2022-nerc-coarse hipe/gold.tsv hipe/system-a.tsv --fail-under 0.1 --summary out",
        "out",
        "hipe/system-a.tsv",
    ),
    Case(
        "compare hipe2022-nerc-coarse hipe/gold.tsv hipe/system-a.tsv hipe/system-b.tsv -o out", "out", "hipe/gold.tsv"
    ),
    Case("leaderboard hipe2022-nerc-coarse hipe/gold.tsv hipe/system-a.tsv -o out", "out", "hipe/system-a.tsv"),
    Case("leaderboard hipe2022-nerc-coarse hipe/gold.tsv --codabench out", "out", "hipe/gold.tsv"),
    Case("report hipe2022-nerc-coarse hipe/gold.tsv hipe/system-a.tsv -o out", "out", "hipe/gold.tsv"),
    Case("explain hipe2022-nerc-coarse hipe/gold.tsv hipe/system-a.tsv -o out", "out", "hipe/system-a.tsv"),
    Case(
        "explain hipe2022-nerc-coarse hipe/gold.tsv hipe/system-a.tsv hipe/system-b.tsv -o out", "out", "hipe/gold.tsv"
    ),
    Case(
        "verify run.karat --gold relations/gold --system relations/system -o out",
        "out",
        "run.karat",
        "score relations relations/gold relations/system --save run.karat",
    ),
    *(
        Case(
            f"show run.karat --fail-under 0.1 {option} out",
            "out",
            "run.karat",
            "score relations relations/gold relations/system --save run.karat",
        )
        for option in ("--junit", "--summary")
    ),
    Case("facts hipe2022-nerc-coarse hipe/gold.tsv hipe/system-a.tsv -o out", "out", "hipe/gold.tsv"),
    Case("split hipe/gold.tsv -n 2 -o out", "out/gold-1-of-2.tsv", "hipe/gold.tsv"),
    Case(
        "merge run.karat -o out",
        "out",
        "run.karat",
        "score relations relations/gold relations/system --save run.karat",
    ),
    Case(
        "hipe evaluate --ref hipe/gold.tsv --pred hipe/system-a.tsv --task nerc_coarse --skip-check"
        " --profile corrected",
        "system-a_nerc_coarse.tsv",
        "hipe/gold.tsv",
    ),
    Case(
        "hipe evaluate --ref hipe/gold.tsv --pred hipe/system-a.tsv --task nel --skip-check --hipe_edition hipe-2022"
        " --log out",
        "out",
        "hipe/system-a.tsv",
    ),
    Case("hipe normalize-linking -i hipe/system-a.tsv -o out --norm-time -e hipe-2022", "out", "hipe/system-a.tsv"),
    Case(
        "hipe rank submitted golds -o .",
        "ranking-hipe2020-de-nel-micro-fuzzy-all.tsv",
        "golds/HIPE-hipe2020-test-de.tsv",
    ),
    Case(
        "hipe baseline --train hipe/gold.tsv --dev hipe/gold.tsv --pred out --cols NE-COARSE-LIT",
        "out",
        "hipe/gold.tsv",
    ),
    Case("newsreader gold naf/gold out", "out", "naf/gold/101_harbour.naf"),
    Case("newsreader gold-with-redirects naf/gold out", "out", "naf/gold/101_harbour.naf"),
    Case("newsreader system naf/system spotlight_v1 out info", "out", "naf/system/101_harbour.naf"),
    Case("newsreader system naf/system spotlight_v1 info out", "out", "naf/system/101_harbour.naf"),
    Case("newsreader system-not-english naf/system out --profile corrected", "out", "naf/system/101_harbour.naf"),
    Case("newsreader system-with-redirects naf/system out", "out", "mappings_sys.csv"),
    Case("newsreader evaluate g.tsv g.tsv out", "out", "g.tsv", "newsreader gold naf/gold g.tsv"),
    Case("ehealthkd codalab lab out", "out/scores.txt", "lab/ref/scenario2-taskA/input_scenario2.txt"),
    Case("docred red out", "out/scores.txt", "red/ref/dev_test.json"),
    Case("ehealthkd rank --edition 2021 .", "scores_2021.json", "2021/eval/testing/scenario1-main/output.ann"),
    Case("coldstart validate-kb -output tac -output_file out coldstart/kb.tac", "out", "coldstart/kb.tac"),
    Case("coldstart validate-kb -error_file out coldstart/kb.tac", "out", "coldstart/kb.tac"),
    Case("coldstart resolve-queries coldstart/queries.xml coldstart/kb.tac out", "out", "coldstart/queries.xml"),
    Case(
        "coldstart generate-queries -profile corrected coldstart/queries.xml out coldstart/run.tab.txt",
        "out",
        "coldstart/run.tab.txt",
    ),
    Case(
        "coldstart validate-sf -docs coldstart/docs.txt -output_file out coldstart/queries.xml coldstart/run.tab.txt",
        "out",
        "coldstart/run.tab.txt",
    ),
    Case(
        "coldstart correct-query-ids -output_file out coldstart/queries.xml coldstart/run.tab.txt",
        "out",
        "coldstart/queries.xml",
    ),
    Case(
        "coldstart score -output_file out coldstart/queries.xml coldstart/run.tab.txt coldstart/pool.fqec",
        "out",
        "coldstart/pool.fqec",
    ),
    Case(
        "coldstart project-scores -output_file out -score MEAN coldstart/queries.index scores",
        "out",
        "scores",
        "coldstart score -output_file scores coldstart/queries.xml coldstart/run.tab.txt coldstart/pool.fqec",
    ),
    Case(
        "omin evaluate omin/results -g omin/gold -o out --tokens omin/faa.conll", "out/evaluation.md", "omin/faa.conll"
    ),
    Case("judge pool relations/gold relations/system -o out", "out", "relations/gold/mill.ann"),
    Case("judge summary judged/pool.jsonl -o out", "out", "judged/pool.jsonl", TAKE),
    Case("judge summary judged/pool.jsonl -o out", "out", "judged/pool.answers", TAKE),
    Case("judge summary judged/pool.jsonl", "manual_evaluations/pool.json", "judged/pool.jsonl", TAKE),
    Case(
        "judge summary sheet.xlsx --scheme judged/mine.toml",
        "manual_evaluations/sheet.xlsx",
        "sheet.xlsx",
        f"{TAKE} && judge sheet judged/pool.jsonl --scheme judged/mine.toml -o sheet.xlsx",
    ),
    Case("judge gold judged/pool.jsonl -o out", "out", "judged/pool.answers", TAKE),
    Case("judge export judged/pool.jsonl -o out", "out", "judged/pool.answers", f"{TAKE} && {INVITE}"),
    Case(
        "judge import project.zip -o out --answers new",
        "out",
        "project.zip",
        f"{TAKE} && judge export judged/pool.jsonl -o project.zip",
    ),
    Case("judge sheet judged/pool.jsonl --scheme judged/mine.toml -o out", "out", "judged/mine.toml", TAKE),
]
DOCRED = {
    "ref/dev_test.json": '[{"title": "D", "vertexSet": [[{"name": "Ada", "sent_id": 0}]], '
    '"labels": [{"r": "P17", "h": 0, "t": 0, "evidence": [0]}]}]',
    "res/result.json": '[{"title": "D", "h_idx": 0, "t_idx": 0, "r": "P17", "evidence": [0]}]',
    "ref/train_annotated.fact": "[]",
    "ref/train_distant.fact": "[]",
}

OUTPUTS = {"--out", "--save", "--junit", "--summary", "--codabench", "--log"}
"""Options that name a file which is written."""
OTHERS = {
    **dict.fromkeys(["coldstart run", "demo"], "writes into a new or empty folder only"),
    "ontology build": "replaces a folder: see below",
    **dict.fromkeys(
        ["judge serve", "judge invite", "judge take", "judge verify"], "adds to the journal, and writes no other file"
    ),
    **dict.fromkeys(
        [
            *("validate", "protocols", "formats", "completion", "conll2012", "coldstart stats", "tacred"),
            *("conlleval", "wnut17", "pure", "spert", "signature"),
            *("semeval2010 score", "semeval2010 check"),
            *("ehealthkd score", "ontology info", "ontology similarity", "omin ner", "omin coref", "omin nel"),
        ],
        "writes no file",
    ),
}


def leaves(command: click.Command, *names: str) -> Iterator[str]:
    """Yield every command by its words."""
    if not isinstance(command, click.Group):
        yield " ".join(names)
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from leaves(inner, *names, name)


def test_every_option_that_names_an_output_is_here() -> None:
    """Where a command has such an option, it is given in a case, also if the command has others."""
    for name in leaves(group):
        command: click.Command = group
        for word in name.split():
            assert isinstance(command, click.Group)
            found = command.get_command(click.Context(command), word)
            assert found is not None
            command = found
        words = [case.words.split() for case in CASES if case.words.startswith(f"{name} ")]
        for option in command.params:
            if OUTPUTS.intersection(option.opts) and name not in OTHERS:
                assert any(set(option.opts).intersection(given) for given in words), (name, option.opts)
            if OTHERS.get(name) == "writes no file":
                assert OUTPUTS.isdisjoint(option.opts), (name, option.opts)


def test_every_command_is_here() -> None:
    tried = {name for name in leaves(group) if any(case.words.startswith(f"{name} ") for case in CASES)}
    assert tried.isdisjoint(OTHERS)
    assert tried | set(OTHERS) == set(leaves(group))


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """Return a folder with the examples, as every command wants them."""
    for folder in EXAMPLES.iterdir():
        if folder.is_dir():
            shutil.copytree(folder, tmp_path / folder.name)
    for source, target in {
        "hipe/system-a.tsv": "submitted/team_bundle4_hipe2020_de_1.tsv",
        "hipe/gold.tsv": "golds/HIPE-hipe2020-test-de.tsv",
    }.items():
        (tmp_path / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(tmp_path / source, tmp_path / target)
    for number, scenario in enumerate(("scenario1-main", "scenario2-taskA", "scenario3-taskB"), 1):
        shutil.copytree(tmp_path / "ehealthkd/gold/scenario1-main", tmp_path / "2021/eval/testing" / scenario)
        run = tmp_path / "2021/submissions/team/s/testing/run1" / scenario
        shutil.copytree(tmp_path / "ehealthkd/system/run1/scenario1-main", run)
        for side in ("ref", "res"):
            lab = tmp_path / "lab" / side / scenario
            lab.mkdir(parents=True)
            for kind, text in TABS.items():
                (lab / f"{kind}_scenario{number}.txt").write_text(text)
    (tmp_path / "mappings_sys.csv").write_text("a,b\n")
    for name, text in DOCRED.items():
        (tmp_path / "red" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "red" / name).write_text(text)
    shutil.copytree(JUDGED, tmp_path / "judged")
    return tmp_path


@pytest.mark.parametrize("link", [os.link, os.symlink], ids=["hard link", "link"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.words[:40]} {case.source}")
def test_no_input_is_replaced(case: Case, link: object, inputs: Path, karat: Command) -> None:
    for words in filter(None, case.before.split(" && ")):
        assert karat(*words.split()).status == 0
    output, source = inputs / case.output, inputs / case.source
    output.parent.mkdir(exist_ok=True)
    link(source, output)  # type: ignore[operator]
    before = {path: path.read_bytes() for path in inputs.rglob("*") if path.is_file()}
    refused = karat(*case.words.split())
    followed = link is os.link or "is a link, or lies behind one" not in refused.err  # as in an output folder
    assert not followed or "the output would replace this input" in refused.err
    assert refused.status == 3
    assert {path: path.read_bytes() for path in inputs.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("name", ["hipe/gold.tsv", "./hipe/../hipe/gold.tsv"])
def test_it_is_allowed_by_one_flag(name: str, inputs: Path, karat: Command) -> None:
    words = ("convert", name, "hipe/gold.tsv", "--to", "jsonl")
    before = (inputs / "hipe/gold.tsv").read_bytes()
    refused = karat(*words)
    assert refused.err == (
        "karat: hipe/gold.tsv: the output would replace this input; choose another name, or allow it by  --overwrite\n"
    )
    assert (inputs / "hipe/gold.tsv").read_bytes() == before
    assert karat(*words, "--overwrite").status == 0
    assert (inputs / "hipe/gold.tsv").read_bytes().startswith(b'{"id":')


def test_standard_input_is_an_input_too(inputs: Path) -> None:
    command = [sys.executable, "-m", "karat", "convert", "-", "hipe/gold.tsv", "--to", "jsonl"]
    with (inputs / "hipe/gold.tsv").open("rb") as stream:
        done = subprocess.run(command, cwd=inputs, env=ENVIRONMENT, stdin=stream, capture_output=True, check=False)
    assert (done.returncode, b"would replace this input" in done.stderr) == (3, True)


def test_an_index_is_not_made_of_itself(inputs: Path, karat: Command) -> None:
    (inputs / "claims.tsv").write_text("node1\tlabel\tnode2\nQ1\tP279\tQ2\n")
    assert karat("ontology", "build", "index", "claims.tsv").status == 0
    (inputs / "index" / "name_text").unlink()
    (inputs / "claims.tsv").rename(inputs / "index" / "name_text")
    refused = karat("ontology", "build", "index", "index/name_text")
    assert (refused.status, "index/name_text: the output would replace this input" in refused.err) == (3, True)
    assert (inputs / "index" / "name_text").read_text().startswith("node1")


def test_the_library_does_as_it_is_told(inputs: Path) -> None:
    path = inputs / "hipe" / "gold.tsv"
    package.write(list(package.read(path)), path, "jsonl")
    assert path.read_bytes().startswith(b'{"id":')


def test_behind_two_dashes_every_word_is_a_name(karat: Command) -> None:
    assert "--overwrite: error: cannot be read" in karat("validate", "--", "--overwrite").out
