"""The programs of eHealth-KD, NewsReader and Cold Start: what they print and write, byte for byte."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

from tests.differential.comparing import Program, Reference, same
from tests.differential.programs import perl
from tests.fuzz.calling import call
from tests.protocols.coldstart.slot_files import QUERIES, Q, answer, judged, target
from tests.protocols.ehealthkd.files import Sketch

_TEXT = "El asma afecta mucho.\nUn tipo de cáncer.\nEl asma afecta mucho.\nLa tos seca."
_WORDS = [(word.start(), word.end()) for word in re.finditer(r"\w+", _TEXT)]


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


def _ehealthkd2021(random: Random, room: Path, program: Program) -> str | None:
    for scenario in ("scenario1-main", "scenario2-taskA", "scenario3-taskB"):
        for side in ("gold", "submit/run1"):
            _sketch(random, whole=True).brat(room / side / scenario / "output.txt")
    words = ["--gold", "gold", "--submit", "submit", "--runs", "1", *random.choice(([], ["--verbose"]))]
    return same(program.python(program.file, words, room), call(["ehealthkd", "score", *words]))


def _earlier(edition: str, random: Random, room: Path, program: Program) -> str | None:
    whole = edition == "2020"
    for side in ("gold", "system"):
        sketch = _sketch(random, whole=whole)
        if whole:
            sketch.brat(room / side / "scenario.txt")
        else:
            sketch.tabs(room / side / "input_scenario1.txt")
    name = "scenario.txt" if whole else "input_scenario1.txt"
    words = [f"gold/{name}", f"system/{name}", *random.choice(([], ["--skip-A"], ["--skip-B"], ["--verbose"]))]
    theirs = program.python("scripts.score", words, room, imports=program.root)
    return same(theirs, call(["ehealthkd", "score", "--edition", edition, *words]))


def _ehealthkd2020(random: Random, room: Path, program: Program) -> str | None:
    return _earlier("2020", random, room, program)


def _ehealthkd2019(random: Random, room: Path, program: Program) -> str | None:
    return _earlier("2019", random, room, program)


def _newsreader(random: Random, room: Path, program: Program) -> str | None:
    """Return in what the evaluation of lines differs; lines are in the order of hashes.

    Without a line that both sides have the program fails.
    """
    common = ["a.naf\t1\tA\tx\n"] if random.random() < 0.9 else []
    for name in ("gold", "system"):
        lines = list(common)
        for _ in range(random.randint(1, 10)):
            span = "-".join(str(random.randint(1, 4)) for _ in range(random.randint(1, 3)))
            lines.append(f"{random.choice('ab')}.naf\t{span}\t{random.choice('AB0')}\t{random.choice('xy')}\n")
        random.shuffle(lines)
        (room / f"{name}.tsv").write_text("".join(lines), "utf-8")
    theirs = perl(program.file, ["gold.tsv", "system.tsv", "theirs.tsv"], room)
    ours = call(["newsreader", "evaluate", "gold.tsv", "system.tsv", "ours.tsv"])
    return same(*((status, "\n".join(sorted(out.split("\n"))), err) for status, out, err in (theirs, ours)))


def _coldstart_score(random: Random, room: Path, program: Program) -> str | None:
    """Runs and pools of one query with two hops, with lines left out, repeated and judged otherwise."""
    (room / "q.xml").write_text(QUERIES, "utf-8")
    run, pool = [], []
    for place, name in enumerate(("Bob", "Cy", "Dan", "Eve", "Fay")):
        where, follow = f"d1:{10 * place}-{10 * place + 2}", target(name, f"d1:{10 * place}-{10 * place + 2}")
        later = [(str(age), f"d1:{50 + age}-{50 + age}") for age in range(random.randint(0, 2))]
        if random.random() < 0.7:
            run.append(answer(Q, name, where, confidence=random.choice(("1.0", "0.5"))))
            run += [answer(follow, *found) for found in later if random.random() < 0.8]
        if random.random() < 0.8:
            judgment = random.choice("CCCW")
            number = str(random.randint(1, 3)) if judgment == "C" else "0"
            pool.append(judged(Q, name, where, judgment, number))
            pool += [
                judged(follow, *found, "C", f"{number}:{age}") for age, found in enumerate(later, 1) if judgment == "C"
            ]
    run = run or [answer(Q, "Bob", "d1:0-2")]
    pool = pool or [judged(Q, "Bob", "d1:0-2", "C", "1")]
    random.shuffle(pool)
    (room / "run.tab.txt").write_text("\n".join(run) + "\n", "utf-8")
    (room / "pool.fqec").write_text("\n".join(pool) + "\n", "utf-8")
    words = ["-combo", random.choice(("MICRO", "MACRO")), "-discipline", random.choice(("ASSESSED", "STRING_EXACT"))]
    files = ["q.xml", "run.tab.txt", "pool.fqec"]
    theirs = perl(program.file, [*words, "-output_file", "theirs", *files], room)
    ours = call(["coldstart", "score", *words, "-output_file", "ours", *files])
    if bool(theirs.status) != bool(ours.status):
        return f"status {theirs.status} and {ours.status}\n{theirs.err[-400:]}\n{ours.err[-400:]}"
    if theirs.status:
        return None
    if (room / "theirs").read_bytes() != (room / "ours").read_bytes():
        return f"{' '.join(words)} writes\n{(room / 'theirs').read_text()}\nand\n{(room / 'ours').read_text()}"
    return ""


_KB = (
    ':A\ttype\tPER', ':A\tmention\t"Ada"\td1:0-2\t1.0', ':A\tcanonical_mention\t"Ada"\td1:0-2\t1.0',
    ':B\ttype\tPER', ':B\tmention\t"Bob"\td1:10-12\t1.0', ':B\tcanonical_mention\t"Bob"\td1:10-12\t1.0',
    ':C\ttype\tGPE', ':C\tmention\t"Bern"\td2:0-3', ':C\tcanonical_mention\t"Bern"\td2:0-3',
    ':A\tper:children\t:B\td1:0-12\t0.8', ':B\tper:parents\t:A\td1:0-12\t0.8', ':B\tper:age\t"4"\td1:10-20\t0.9',
    ':A\tper:city_of_birth\t:C\td2:0-9\t0.5', ':C\tgpe:births_in_city\t:A\td2:0-9\t0.5',
    ':A\tper:children\t:C\td1:0-9', ':D\tmention\t"x"\td1:1-1', 'nonsense', ':A\tlink\tKB:1',
)  # fmt: skip


def _coldstart_kb(random: Random, room: Path, program: Program) -> str | None:
    """Assertions of which some contradict, lack their inverses or are nonsense."""
    lines = [line for line in _KB if random.random() < 0.85]
    random.shuffle(lines)
    (room / "kb.tac").write_text("\n".join(["run1", *lines]) + "\n", "utf-8")
    (room / "docs").write_text("d1\t100\nd2\t50\n", "utf-8")
    words = ["-docs", "docs", "-output", "tac"]
    theirs = perl(program.file, [*words, "-output_file", "theirs", "-error_file", "their-errors", "kb.tac"], room)
    ours = call(["coldstart", "validate-kb", *words, "-output_file", "ours", "-error_file", "our-errors", "kb.tac"])
    if bool(theirs.status) != bool(ours.status):
        return f"status {theirs.status} and {ours.status}"
    first, second = (_problems((room / name).read_text("utf-8")) for name in ("their-errors", "our-errors"))
    if first != second:
        return "\n".join(sorted(set(first) ^ set(second)))
    if not theirs.status:
        first, second = (sorted((room / name).read_text("utf-8").splitlines()) for name in ("theirs", "ours"))
    return "" if first == second else "\n".join(sorted(set(first) ^ set(second)))


def _problems(text: str) -> list[str]:
    """Return the problems that are reported, without their places, which depend on the order of hashes in Perl."""
    return sorted(line.partition(" (")[0] for line in text.splitlines() if line.startswith(("ERROR", "WARNING")))


EHEALTHKD2021 = Reference("ehealthkd2021", "ehealthkd/corpora", "scripts/score.py", _ehealthkd2021)
EHEALTHKD2020 = Reference("ehealthkd2020", "knowledge-learning/ehealthkd-2020", "scripts/score.py", _ehealthkd2020)
EHEALTHKD2019 = Reference("ehealthkd2019", "knowledge-learning/ehealthkd-2019", "scripts/score.py", _ehealthkd2019)
NEWSREADER = Reference("newsreader", "newsreader/evaluation", "ned-evaluation/evaluate.pl", _newsreader)
COLDSTART_SCORE = Reference(
    "coldstart-score", "jamesmayfield/ColdStart", "CS-Score-MASTER.pl", _coldstart_score, commit="a119f6f"
)
COLDSTART_KB = Reference(
    "coldstart-kb", "jamesmayfield/ColdStart", "CS-ValidateKB-MASTER.pl", _coldstart_kb, commit="321bb5c"
)
