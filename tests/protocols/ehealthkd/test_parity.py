"""The protocols and the programs give the same numbers: on all files of the pack, and on drawn texts."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conformance import packs
from tests.protocols.ehealthkd.files import Sketch

import karat
from karat import formats
from karat.errors import InputError
from karat.model import Argument, Chain, Document, Mention, Relation
from karat.protocols.ehealthkd.drop_in.evaluation import evaluate_files
from karat.protocols.ehealthkd.options import Rules

SKIPPED = {"main": {}, "entities": {"skip_b": True}, "relations": {"skip_a": True}}
"""The protocols, and what they leave out of the numbers of the programs."""

UNSOUND = {
    "rel_ws": "blanks for tabs",
    "same_space": "blanks for tabs",
    "rel_unknown": "a reference to nothing",
    "rel_unknown_src": "a reference to nothing",
    "t_notext": "no text column",
    "t_dup_id": "an id given twice",
    "t_beyond": "offsets behind the text",
    "t_beyond_rel": "offsets behind the text",
    "t_exclusive": "an end before the start",
    "t_cross_frag": "fragments out of order",
    "order_first_sentence": "fragments out of order",
    "order_second_sentence": "fragments out of order",
    "zero_len": "an empty span",
}
"""Cases of the pack that are no sound BRAT files, so that the reader refuses them; the documents are made by hand."""

DIFFERENT = {"rel_event_dup_arg", "bom_text"}
"""Cases in which the drop-ins keep a quirk of reading: ``repeated-roles-overwritten`` and ``mark-is-a-character``."""


def cases() -> dict[str, tuple[str, str, str, str, dict[str, bool]]]:
    """Return every pair of text files of the pack with its edition and switches, by folder, edition and switches."""
    found = {}
    for case in packs.manifest("ehealthkd"):
        if case["program"] == "api":
            gold, system, *words = case["args"]
        elif case["program"] != "score":
            continue
        elif case["edition"] == "2021":
            texts = [name for name in case["inputs"] if name.endswith(".txt")]
            golds, systems = ([name for name in texts if name.startswith(side)] for side in ("gold/", "submit/"))
            for gold in golds:
                for system in [one for one in systems if one.split("/")[-2] == gold.split("/")[-2]]:
                    found[f"{case['cwd']}:{system}:2021"] = (case["cwd"], gold, system, "2021", {})
            continue
        else:
            (gold, system), words = [word for word in case["args"] if not word.startswith("--")][:2], []
        switches = {name: value == "1" for name, value in (word.split("=") for word in words)}
        key = ":".join([case["cwd"], system, case["edition"], *words])
        found[key] = (case["cwd"], gold, system, case["edition"], switches)
    return found


CASES = cases()


def restated(source: Path, target: Path) -> Path:
    """Copy a BRAT pair with the text of each annotation as it is at its offsets, which the programs never look at."""
    target.mkdir()
    shutil.copy(source, target / "d.txt")
    text = source.read_bytes().decode().removeprefix("\ufeff").replace("\r\n", "\n")
    lines = []
    for line in source.with_suffix(".ann").read_text("utf-8").splitlines():
        name, _, rest = line.partition("\t")
        middle, tab, _ = rest.partition("\t")
        spans = re.findall(r"([0-9]+) ([0-9]+)", middle)
        stated = " ".join(text[int(start) : int(end)] for start, end in spans)
        flat = re.sub(r"\s", " ", stated)
        lines.append(f"{name}\t{middle}\t{flat}" if name[:1] == "T" and tab else line)
    (target / "d.ann").write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="")
    return target


def document_2019(file: Path) -> Document:
    """Return the document that the three files of 2019 hold."""
    name = file.name.split("_")[1]
    found = Document("d", file.read_text("utf-8"), [], [], [])
    for line in file.with_name(f"output_a_{name}").read_text("utf-8").splitlines():
        number, spans, label, _ = line.strip().split("\t")
        offsets = [one.split() for one in spans.split(";")]
        fragments = tuple((int(start), int(end)) for start, end in offsets)
        found.mentions.append(Mention(f"T{int(number)}", fragments, (label,)))
    for at, line in enumerate(file.with_name(f"output_b_{name}").read_text("utf-8").splitlines()):
        label, *ends = line.strip().split("\t")
        arguments = tuple(Argument("", f"T{int(one)}") for one in ends)
        found.relations.append(Relation(f"R{at}", label, arguments))
    return found


def documents(source: Path, target: Path, edition: str) -> list[Document]:
    if edition == "2019":
        return [document_2019(source)]
    try:
        return list(formats.read(source.with_suffix(".ann"), "brat"))
    except InputError:
        return list(formats.read(restated(source, target)))


def compare(gold: Any, system: Any, files: tuple[Path, Path], edition: str, switches: dict[str, bool]) -> int:
    """Compare both profiles of all protocols with the program, and return how often that did not stop."""
    compared = 0
    for profile in ("published", "corrected"):
        rules = Rules(edition=edition, corrected=profile == "corrected", **switches)
        try:
            expected = evaluate_files(*files, rules)
        except InputError:
            continue
        for part, skipped in SKIPPED.items():
            options = {name: "yes" if value else "no" for name, value in switches.items()}
            if part == "entities":
                options = {name: value for name, value in options.items() if name == "skip_incorrect"}
            found = karat.score(
                f"ehealthkd2021-{part}", gold, system, zero="zero", profile=profile, edition=edition, **options
            )
            metrics = expected.metrics(**skipped)
            assert {name: found.value(name) for name in metrics} == pytest.approx(metrics, abs=1e-12), (part, profile)
        compared += 1
    return compared


def test_cases_with_differences_are_cases() -> None:
    folders = {case[0] for case in CASES.values()}
    assert UNSOUND.keys() | DIFFERENT <= folders
    assert len(CASES) > 250


def unsound_document(file: Path) -> Document:
    """Return the document of BRAT files that the reader refuses."""
    found = Document("d", file.read_text("utf-8"), [], [], [])
    for at, line in enumerate(file.with_suffix(".ann").read_text("utf-8").splitlines()):
        name, label, *ends = line.split()
        if line[0] == "T":
            spans = [one.split() for one in line.split("\t")[1].partition(" ")[2].split(";")]
            found.mentions.append(Mention(name, tuple((int(start), int(end)) for start, end in spans), (label,)))
        elif line[0] == "R":
            found.relations.append(Relation(name, label, tuple(Argument("", one.split(":")[1]) for one in ends)))
        else:
            found.chains.append(Chain(f"*{at}", tuple(ends), label))
    return found


def accepted(files: tuple[Path, Path], edition: str) -> bool:
    """Say whether the program, corrected, gets so far as to give a number."""
    try:
        evaluate_files(*files, Rules(edition=edition, corrected=True))
    except InputError:
        return False
    return True


COMPARED = [
    name
    for name, (folder, gold, system, edition, _) in CASES.items()
    if accepted((packs.synthetic("ehealthkd") / folder / gold, packs.synthetic("ehealthkd") / folder / system), edition)
]


def test_nearly_all_cases_are_compared() -> None:
    assert len(COMPARED) > 0.9 * len(CASES)


@pytest.mark.parametrize("name", COMPARED)
def test_pack(name: str, tmp_path: Path) -> None:
    folder, gold, system, edition, switches = CASES[name]
    root = packs.synthetic("ehealthkd") / folder
    files = root / gold, root / system
    targets = tmp_path / "gold", tmp_path / "system"
    if folder in UNSOUND:
        with pytest.raises(InputError):
            [documents(file, target, edition) for file, target in zip(files, targets, strict=True)]
        left, right = ([unsound_document(file)] for file in files)
    else:
        left, right = (documents(file, target, edition) for file, target in zip(files, targets, strict=True))
    for one in (*left, *right):
        one.id = "d"
    if folder in DIFFERENT:
        with pytest.raises(AssertionError):
            compare(left, right, files, edition, switches)
    else:
        assert compare(left, right, files, edition, switches) > 0


TEXT = "El asma afecta mucho.\nUn tipo de cáncer.\nEl asma afecta mucho.\nLa tos seca."
_WORDS = [(found.start(), found.end()) for found in re.finditer(r"\w+", TEXT)]


@st.composite
def sketches(draw: st.DrawFn, text: str) -> Sketch:
    """Draw annotations of a text: mentions of one to three words, and relations between them."""
    lines = []
    for number in range(1, draw(st.integers(0, 9)) + 1):
        first = draw(st.integers(0, len(_WORDS) - 1))
        last = min(len(_WORDS) - 1, first + draw(st.integers(0, 2)))
        spans = f"{_WORDS[first][0]} {_WORDS[last][1]}"
        if draw(st.booleans()) and last > first:
            spans = f"{_WORDS[first][0]} {_WORDS[first][1]};{_WORDS[last][0]} {_WORDS[last][1]}"
        lines.append(f"T{number} {draw(st.sampled_from(['Concept', 'Action']))} {spans}")
    ids = [line.split()[0] for line in lines]
    for number in range(draw(st.integers(0, 6)) if ids else 0):
        ends = f"{draw(st.sampled_from(ids))} {draw(st.sampled_from(ids))}"
        lines.append(f"R{number} {draw(st.sampled_from(['causes', 'same-as', 'same-as']))} {ends}")
    return Sketch(text, tuple(lines))


@settings(max_examples=150, deadline=None)
@given(
    gold=sketches(TEXT),
    system=sketches(TEXT),
    edition=st.sampled_from(["2019", "2021"]),
    switches=st.fixed_dictionaries(
        {name: st.booleans() for name in ("skip_incorrect", "skip_same_as", "propagate_error")}
    ),
)
def test_drawn_texts(gold: Sketch, system: Sketch, edition: str, switches: dict[str, bool]) -> None:
    write = Sketch.tabs if edition == "2019" else Sketch.brat
    with tempfile.TemporaryDirectory() as folder:
        files = write(gold, Path(folder, "gold", "input_x.txt")), write(system, Path(folder, "system", "input_x.txt"))
        compare([gold.document()], [system.document()], files, edition, switches)
