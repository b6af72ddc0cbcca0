"""What is measured: the largest files of shared tasks, and files of two sizes that show how time and memory grow.

Files that may not be passed on are invented, as large as the real ones are.
"""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.conformance import packs

from benchmarks import invented

SCRIPTS = Path(packs.__file__).parents[1] / "differential" / "scripts"


class Case(NamedTuple):
    """A drop-in on some input, beside the program whose place it takes."""

    command: str
    """The drop-in: the words between ``karat`` and the arguments."""
    data: str
    """What is scored, in words."""
    prepare: Callable[[Path], object]
    """Writes the input into a folder."""
    program: str
    """The file of the reference program below the folder of references."""
    arguments: Sequence[str] = ()
    """The arguments of both."""
    launcher: Sequence[str] = ()
    """What starts the program, if neither Perl nor Python can do so with its file alone."""
    stdin: str = ""
    """The file that both read as standard input, if any."""
    folder: str = "."
    """Where both run, below the folder of the input."""


def cases() -> Iterator[Case]:
    """Yield the cases on real files, if these are here, and those on invented files of the same size."""
    for name, data in (
        ("p22-team4_bundle4_newseye_de_1_nerc_coarse", "HIPE-2022, NewsEye German, coarse entities"),
        ("p22-team2_bundle1_hipe2020_fr_1_nerc_fine", "HIPE-2022, HIPE-2020 French, fine entities"),
        ("p22-team2_bundle1_hipe2020_fr_1_nel_relaxed", "HIPE-2022, HIPE-2020 French, links, three n-best"),
    ):
        for case in _public("hipe", name):
            prepare = partial(_unzip, case["inputs"])
            yield Case("hipe evaluate", data, prepare, "HIPE-scorer/clef_evaluation.py", case["args"])
    for name, command, program, data in (
        ("2019:lsi2_uned:575373:1", "score --edition 2019", "ehealthkd-2019", "eHealth-KD 2019, scenario 1"),
        (
            "2020:UH-MAJA-KD:run1:scenario1-main",
            "score --edition 2020",
            "ehealthkd-2020",
            "eHealth-KD 2020, scenario 1",
        ),
        ("2021:training", "score", "corpora", "eHealth-KD 2021, training set, all scenarios"),
    ):
        for case in _public("ehealthkd", name):
            yield Case(
                f"ehealthkd {command}",
                data,
                partial(_unpack, case["unpack"]),
                f"{program}/scripts/score.py",
                case["args"],
                () if program == "corpora" else ("{python}", "-m", "scripts.score"),
                folder=case["cwd"],
            )
    for case in _public("newsreader", "mt_gold"):
        data, program = "NewsReader, links of the 59 gold articles of MEANTIME", case["program"]
        yield Case("newsreader gold", data, _copy_articles, f"evaluation/ned-evaluation/{program}", case["args"])
    yield from _invented_cases()


def _public(suite: str, name: str) -> Iterator[dict]:
    return (case for case in packs.public(suite) if case["id"] == name)


def _unzip(files: dict[str, str], folder: Path) -> None:
    (folder / "out").mkdir(parents=True)
    for name, source in files.items():
        content = (packs.SHARED / "hipe" / "public" / source).read_bytes()
        (folder / name).write_bytes(gzip.decompress(content) if source.endswith(".gz") else content)


def _unpack(archives: Sequence[str], folder: Path) -> None:
    for name in archives:
        packs.unpack(packs.SHARED / "ehealthkd" / "public" / name, folder)


def _copy_articles(folder: Path) -> None:
    (folder / "out").mkdir(parents=True)
    name = "data/meantime_gold"
    shutil.copytree(packs.SHARED / "newsreader" / "public" / name, folder / name, copy_function=shutil.copyfile)


def _invented_cases() -> Iterator[Case]:
    yield Case(
        "conlleval",
        "46,435 tokens, as many as the test set of CoNLL-2003",
        partial(invented.write_tags, tokens=46_435, separator=" "),
        "seqeval/tests/conlleval.pl",
        stdin="tags",
    )
    yield Case(
        "wnut17",
        "23,394 tokens, as many as the test set of WNUT-17",
        partial(invented.write_tags, tokens=23_394, separator="\t"),
        "noisy-text.github.io/2017/files/wnuteval.py",
        launcher=("{python}", str(SCRIPTS / "with_reduce.py"), "{program}", "columns"),
        stdin="tags",
    )
    yield Case(
        "tacred",
        "15,509 labels, as many as the test set of TACRED",
        partial(invented.write_relation_labels, lines=15_509),
        "tacred-relation/utils/scorer.py",
        ("gold", "system"),
    )
    yield Case(
        "semeval2010 score",
        "2,717 sentences, as many as the test set of SemEval-2010 task 8",
        partial(invented.write_directed_labels, lines=2_717),
        "R-BERT/eval/semeval2010_task8_scorer-v1.2.pl",
        ("proposed", "key"),
    )
    yield Case(
        "docred",
        "998 documents, as many as the development set of DocRED, and two training sets of 3,053",
        partial(invented.write_docred, documents=998, training=3_053),
        "DocRED/code/evaluation.py",
        ("in", "out"),
        folder="code",
    )
    yield Case(
        "pure",
        "500 documents, as many as SciERC has",
        partial(invented.write_predictions, documents=500),
        "PURE/run_eval.py",
        ("--prediction_file", "predictions.json"),
        ("{python}", str(SCRIPTS / "without_modules.py"), "torch,torch.utils,torch.utils.data", "{program}"),
    )
    yield Case(
        "conll2012",
        "348 documents, 20,000 mentions, as many as the test set of CoNLL-2012",
        partial(invented.write_chains, documents=348, mentions=57),
        "reference-coreference-scorers/scorer.pl",
        ("all", "key", "response", "none"),
    )
    yield Case(
        "coldstart validate-kb",
        "50,000 invented assertions",
        partial(invented.write_knowledge_base, assertions=50_000),
        "ColdStart-321bb5c/CS-ValidateKB-MASTER.pl",
        ("-docs", "docs.txt", "-output_file", "valid", "kb"),
    )


GROWING = (
    ("score", "conll2003", "gold.conll", "a.conll"),
    ("explain", "conll2003", "gold.conll", "a.conll", "--view", "jsonl"),
    ("compare", "conll2003", "gold.conll", "a.conll", "b.conll"),
    ("convert", "gold.conll", "gold.jsonl"),
    ("report", "conll2003", "gold.conll", "a.conll", "-o", "report.html"),
)
"""Commands whose time must grow with the data, and whose memory must not; see :func:`invented.write_conll`."""
