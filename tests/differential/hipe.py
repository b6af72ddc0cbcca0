"""The HIPE scorer: both reports, byte for byte, for random tables and options."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.differential.comparing import Program, Reference
from tests.fuzz.calling import call

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
    if bool(theirs.status) != bool(ours.status):
        return f"{' '.join(words)}: status {theirs.status} and {ours.status}\n{theirs.err[-400:]}\n{ours.err[-400:]}"
    if theirs.status:
        return None
    for ending in (".tsv", ".json"):
        files = [room / folder / f"{name}_{task}{ending}" for folder in ("theirs", "ours")]
        if files[0].read_bytes() != files[1].read_bytes():
            return f"{' '.join(words)}: other {ending}"
    return ""


HIPE = Reference(
    "hipe", "hipe-eval/HIPE-scorer", "clef_evaluation.py", _case, ("docopt", "numpy", "pandas", "smart_open")
)
