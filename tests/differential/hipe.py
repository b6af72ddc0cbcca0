"""The HIPE scorer, as it is and as it was in June 2020: both reports, byte for byte, for random tables and options."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.differential.comparing import Program, Reference
from tests.differential.programs import Printed
from tests.fuzz.calling import Called, call

_SCRIPTS = Path(__file__).parent / "scripts"
_ENTITIES = ("NE-COARSE-LIT", "NE-COARSE-METO", "NE-FINE-LIT", "NE-FINE-METO", "NE-FINE-COMP", "NE-NESTED")
_COLUMNS = ("TOKEN", *_ENTITIES, "NEL-LIT", "NEL-METO", "MISC")
_WORDS = ("Bern", "von", "l'", "1798", "C#x", ".", "Aar", "É")
_LABELS = ("pers", "loc", "org")
_LINKS = ("_", "Q1", "Q2", "NIL", "Q1|Q2", "Q2|NIL|Q1")
_NAMES = {"hipe-2020": "team_bundle4_de_1", "hipe-2022": "team_bundle4_hipe2020_de_1"}


def _tag(before: str, random: Random) -> str:
    kind = random.random()
    if kind < 0.5:
        return "O"
    if kind < 0.7 and before != "O":
        return f"I-{before[2:]}"
    return f"{random.choice('BBBI')}-{random.choice(_LABELS)}"


def _side(tokens: list[list[str]], dates: list[str], random: Random) -> str:
    lines = ["\t".join(_COLUMNS)]
    for number, (words, date) in enumerate(zip(tokens, dates, strict=True)):
        lines += [f"# document_id = d{number}", f"# date = {date}"]
        before = dict.fromkeys(_ENTITIES, "O")
        for place, word in enumerate(words):
            before = {column: _tag(tag, random) for column, tag in before.items()}
            links = [random.choice(_LINKS) if random.random() < 0.6 else "_" for _ in range(2)]
            misc = random.choice(("_", "_", "LED0.10", "LED0.50", "EndOfLine", "NoSpaceAfter"))
            lines.append("\t".join([word, *before.values(), *links, misc]))
            if place % 4 == 3:
                lines.append("# segment_iiif_link = x")
    return "\n".join(lines) + "\n"


def _older_side(tokens: list[list[str]], columns: tuple[str, ...], random: Random) -> str:
    """Return a table as submissions of 2020 were: ``S-`` and ``E-``, entities of whole documents, CR LF."""
    whole = random.random() < 0.2
    lines = ["\t".join(("TOKEN", *columns))]
    for number, words in enumerate(tokens):
        lines.append(f"# document_id = d{number}")
        before = dict.fromkeys(columns, "O")
        for place, word in enumerate(words):
            for column in columns:
                if column in _ENTITIES:
                    tag = _tag(before[column], random) if not whole else f"{'I' if place else 'B'}-loc"
                    before[column] = f"{random.choice('SE')}{tag[1:]}" if tag != "O" and random.random() < 0.1 else tag
                else:
                    before[column] = random.choice(_LINKS) if column.startswith("NEL") else "_"
            lines.append("\t".join((word, *before.values())))
        lines += [""] if random.random() < 0.3 else []
    return random.choice(("\n", "\n", "\n", "\r\n")).join([*lines, ""])


def _case_of_june_2020(random: Random, room: Path, program: Program) -> str | None:
    tokens = [random.choices(_WORDS, k=random.randint(1, 7)) for _ in range(random.randint(1, 3))]
    task = random.choice(("nerc_coarse", "nerc_fine", "nel"))
    every = (*_ENTITIES, "NEL-LIT", "NEL-METO")
    for file in ("gold", "team_bundle4_de_1"):
        others = [random.choices(_WORDS, k=len(words)) for words in tokens] if random.random() < 0.1 else tokens
        misc = ("MISC",) if random.random() < 0.6 else ()
        (room / f"{file}.tsv").write_bytes(_older_side(others, (*every, *misc), random).encode())
    words = ["--ref", "gold.tsv", "--pred", "team_bundle4_de_1.tsv", "--task", task]
    if task == "nel" and random.random() < 0.5:
        words += ["--n_best", random.choice(("1,3", "2,1", "3"))]
    for folder in ("theirs", "ours"):
        (room / folder).mkdir()
    called = [str(program.file), *words, "--outdir", "theirs", "--log", "theirs.log"]
    theirs = program.python(_SCRIPTS / "without_quotechar.py", called, room, imports=program.root)
    ours = call(["hipe", "evaluate", "--profile", "2020", *words, "--outdir", "ours", "--log", "ours.log"])
    return _differing(theirs, ours, words, room, f"team_bundle4_de_1_{task}", _in_any_order)


def _differing(
    theirs: Printed, ours: Called, words: list[str], room: Path, name: str, read: Callable[[Path], object]
) -> str | None:
    """Compare the ends of both, and what is read of the two reports that they write."""
    if bool(theirs.status) != bool(ours.status):
        return f"{' '.join(words)}: status {theirs.status} and {ours.status}\n{theirs.err[-400:]}\n{ours.err[-400:]}"
    if theirs.status:
        return None
    for ending in (".tsv", ".json"):
        found, made = (read(room / folder / f"{name}{ending}") for folder in ("theirs", "ours"))
        if found != made:
            return f"{' '.join(words)}: other {ending}"
    return ""


def _in_any_order(report: Path) -> object:
    """Return what a report says; in June 2020 labels stood in the order of a set."""
    text = report.read_text("utf-8")
    return json.loads(text) if report.suffix == ".json" else sorted(text.splitlines())


def _case(random: Random, room: Path, program: Program) -> str | None:
    tokens = [random.choices(_WORDS, k=random.randint(1, 9)) for _ in range(random.randint(1, 3))]
    dates = [random.choice(("1798-01-20", "1848-03-02")) for _ in tokens]
    edition, name = random.choice(list(_NAMES.items()))
    for file in ("gold", name):
        (room / f"{file}.tsv").write_text(_side(tokens, dates, random), "utf-8")
    task = random.choice(("nerc_coarse", "nerc_fine", "nel"))
    words = ["--ref", "gold.tsv", "--pred", f"{name}.tsv", "--task", task]
    words += ["--hipe_edition", edition]
    if task == "nel" and random.random() < 0.6:
        words += ["--n_best", random.choice(("1,3", "2,1", "3"))]
    if random.random() < 0.3:
        words += ["--noise-level", "0.0-0.2,0.2-1.0"]
    if random.random() < 0.3:
        words += ["--time-period", "1790-1800,1800-1850"]
    if task == "nel" and random.random() < 0.3:
        words += ["--original_nel"]
    for folder in ("theirs", "ours"):
        (room / folder).mkdir()
    theirs = program.python(program.file, [*words, "--outdir", "theirs", "--log", "theirs.log"], room)
    ours = call(["hipe", "evaluate", *words, "--outdir", "ours", "--log", "ours.log"])
    return _differing(theirs, ours, words, room, f"{name}_{task}", Path.read_bytes)


HIPE = Reference(
    "hipe", "hipe-eval/HIPE-scorer", "clef_evaluation.py", _case, ("docopt", "numpy", "pandas", "smart_open")
)
HIPE2020 = Reference(
    "hipe 2020",
    "hipe-eval/HIPE-scorer",
    "clef_evaluation.py",
    _case_of_june_2020,
    ("numpy",),
    commit="08d31e6",
)
