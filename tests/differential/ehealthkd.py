"""The programs of eHealth-KD: what they print, byte for byte, and the same numbers by ``karat.score``."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import karat
from karat.errors import KaratError
from tests.differential.comparing import Program, Reference, same
from tests.differential.odd_files import damage
from tests.fuzz.calling import call
from tests.protocols.ehealthkd.files import Sketch

_TEXT = "El asma afecta mucho.\nUn tipo de cáncer.\nEl asma afecta mucho.\nLa tos seca."
_WORDS = [(word.start(), word.end()) for word in re.finditer(r"\w+", _TEXT)]
_SCENARIOS = {
    "scenario1-main": "ehealthkd2021-main",
    "scenario2-taskA": "ehealthkd2021-entities",
    "scenario3-taskB": "ehealthkd2021-relations",
}
_PRINTED = re.compile(r"^(recall|precision|f1): (\S+)$", re.MULTILINE)

_ODD_ENTITIES = (
    *(
        "T1\tConcept 3 7",
        "T1\tAction 3 7;7 7\tx",
        "T2\tConcept 3 3\tx",
        "T3\tConcept 7 3\tx",
        "T4\tConcept 8 14;3 7\tx",
    ),
    *("T5\tConcept 3 9;5 7\tx", "T6\tConcept 9999 10000\tx", "T7\tConcept -3 7\tx", "T8\tConcept 19 24\tx"),
    *("T9\tConcept 3 7\ta\tb", "T10\t 3 7\tx", "T11\tConcept\tx", "T12\tConcept 3 7;\tx", "T13\tConcept 3\t7\tx"),
    *("Tx\tConcept 3 7\tx", "T01\tConcept 3 7\tx", "T1_0\tConcept 3 7\tx", "T14\tConcept 3 7  \t"),
    *("T15\tConcept  3 7\tx", " T16\tConcept 3 7\tx", "T17 Concept 3 7 x", "T18\tConcept 0 40\tx"),
    *("T19\tConcept 21 22\tx", "T20\tConcept 20 20\tx", "T21\tConcept 22 22\tx"),
)
_ODD_LINKS = (
    *("R1\tis Arg1:T1 Arg2:T99", "R1\tis Arg1:T99 Arg2:T1", "R1\tis Arg1:T1 Arg2:T1", "R2 is Arg1:T1 Arg2:T2"),
    *("R3\tis  Arg1:T1\tArg2:T2 ", "R4\tis T1 T2", "R5\tis Arg1:T1", "R6\tis Arg1:T1 Arg2:T2 Arg3:T3"),
    *("R7\tis Arg1: Arg2:T2", "R8\tis Arg2:T2 Arg1:T1", "R9\tis Arg1:T1:x Arg2:T2", "R10\tsame-as Arg1:T1 Arg2:T2"),
    *("*\tsame-as T1 T2 T3", "*\tsame-as T1", "*\tsame-as T1 T99", "*\tsame-as", "* same-as T1 T2", "*\tis T1 T2"),
    *("E1\tAction:T1 Arg:T2", "E2\tAction:T1 Arg1:T2 Arg2:T3", "E3\tAction:T99 Arg:T1", "E4\tAction:T1 Arg:T99"),
    *("E5\tAction T1", "E6\tAction:T1 Arg:E1", "R11\tis Arg1:E1 Arg2:T2", "E1\tAction:T2 Who:T1 Who:T2"),
)
_ODD_LINES = (
    *_ODD_ENTITIES,
    *_ODD_LINKS,
    *("A1\tNegated T1", "A1\tNegated T99", "A1\tNegated T1 yes", "A2\tNegated", "A\tUncertain T2", "A3 Negated T1"),
    *("#1\tAnnotatorNotes T1\tx", "#2\tAnnotatorNotes T99\tx", "#", "# remark", "", "  ", "\t", "X1\tis T1"),
    *("N1\tReference T1 W:1\tx", "t1\tConcept 3 7\tx"),
)
_ODD_ROWS = (
    *("1\t3 7\tConcept\tx", "1\t3 7\tConcept", "2\t3 7;7 7\tAction\tx", "3\t3 3\tConcept\tx", "x\t3 7\tConcept\tx"),
    *("4\t9999 10000\tConcept\tx", "5\t-3 7\tConcept\tx", "6\t3 7\tConcept\tx\ty", "8\t8 14;3 7\tConcept\tx"),
    *("is\t1\t2", "is\t1\t99", "is\t1\t1", "is\t1", "same-as\t1\t2", "is\t1\t2\t3", "is 1 2", "is\tx\t2"),
    *("", "  ", "\t", "01\t3 7\tConcept\tx", "1\t 3 7 \tConcept\tx", "1\t3\t7\tConcept"),
)
_ODD_TEXTS = ("", "  ", "El asma afecta mucho.", "Otra.", "  La tos seca. ", "\tUn tipo", "é")


def _sketch(random: Random, *, whole: bool) -> Sketch:
    """Return a text with entities of one to three words and relations between them; 2019 knows no other lines."""
    lines = []
    for number in range(1, random.randint(0, 8) + 1):
        first = random.randrange(len(_WORDS))
        last = min(len(_WORDS) - 1, first + random.randint(0, 2))
        spans = f"{_WORDS[first][0]} {_WORDS[last][1]}"
        if last > first and random.random() < 0.4:
            spans = f"{_WORDS[first][0]} {_WORDS[first][1]};{_WORDS[last][0]} {_WORDS[last][1]}"
        lines.append(f"T{number} {random.choice(('Concept', 'Action'))} {spans}")
    sentences: dict[int, list[str]] = {}
    for line in lines:
        name, _, start, *_ = line.split()
        sentences.setdefault(_TEXT.count("\n", 0, int(start)), []).append(name)
    for number in range(random.randint(0, 5) if lines else 0):
        near = random.choice(list(sentences.values()))
        kind = random.choice((f"R{number}", "*")) if whole else f"R{number}"
        lines.append(f"{kind} {random.choice(('is', 'causes', 'same-as'))} {random.choice(near)} {random.choice(near)}")
    return Sketch(_TEXT, tuple(lines))


def _brat(random: Random, file: Path) -> None:
    """Write a text and the lines beside it, some of them odd; now and then one of the two is not there."""
    _sketch(random, whole=True).brat(file)
    if random.random() < 0.3:
        damage(file.with_suffix(".ann"), random, _ODD_LINES)
    if random.random() < 0.1:
        damage(file, random, _ODD_TEXTS)
    if random.random() < 0.01:
        random.choice((file, file.with_suffix(".ann"))).unlink()


def _case_of_2021(random: Random, room: Path, program: Program) -> str | None:
    for scenario in _SCENARIOS:
        for side in ("gold", "submit/run1"):
            _brat(random, room / side / scenario / "output.txt")
    chosen = random.sample(list(_SCENARIOS), random.choice((1, 1, 2, 3)))
    numbers = [scenario[len("scenario")] for scenario in chosen]
    words = ["--gold", "gold", "--submit", "submit", "--runs", *random.choice((["1"], ["2", "1"]))]
    words += ["--scenarios", *numbers, *random.choice(([], ["--verbose"]))]
    ours = call(["ehealthkd", "score", *words])
    differing = same(program.python(program.file, words, room), ours)
    return _second_road(room, chosen, ours.out) if differing == "" else differing


def _second_road(room: Path, scenarios: list[str], printed: str) -> str:
    """Compare what the drop-in prints with the numbers of the protocols."""
    numbers = iter(_PRINTED.findall(printed))
    for scenario in scenarios:
        try:
            scores = karat.score(_SCENARIOS[scenario], room / "gold" / scenario, room / "submit/run1" / scenario)
        except KaratError as error:
            return f"{scenario} is scored, and refused by karat.score: {error}"
        for _ in range(3):
            measure, number = next(numbers)
            if f"{scores.value(measure) or 0.0:0.4}" != number:
                return f"{measure} of {scenario} is {number}, and {scores.value(measure)} by karat.score"
    return ""


def _case_of_2020(random: Random, room: Path, program: Program) -> str | None:
    for side in ("gold", "system"):
        _brat(random, room / side / "scenario.txt")
    return _earlier("2020", "scenario.txt", random, room, program)


def _case_of_2019(random: Random, room: Path, program: Program) -> str | None:
    name = "input_scenario1.txt"
    for side in ("gold", "system"):
        file = _sketch(random, whole=False).tabs(room / side / name)
        for part in (f"output_{task}_scenario1.txt" for task in "ab"):
            if random.random() < 0.1:
                damage(file.with_name(part), random, _ODD_ROWS)
        if random.random() < 0.05:
            damage(file, random, _ODD_TEXTS)
    return _earlier("2019", name, random, room, program)


def _earlier(edition: str, name: str, random: Random, room: Path, program: Program) -> str | None:
    words = [f"gold/{name}", f"system/{name}", *random.choice(([], ["--skip-A"], ["--skip-B"], ["--verbose"]))]
    theirs = program.python("scripts.score", words, room, imports=program.root)
    return same(theirs, call(["ehealthkd", "score", "--edition", edition, *words]))


EHEALTHKD2021 = Reference("ehealthkd2021", "ehealthkd/corpora", "scripts/score.py", _case_of_2021)
EHEALTHKD2020 = Reference("ehealthkd2020", "knowledge-learning/ehealthkd-2020", "scripts/score.py", _case_of_2020)
EHEALTHKD2019 = Reference("ehealthkd2019", "knowledge-learning/ehealthkd-2019", "scripts/score.py", _case_of_2019)
