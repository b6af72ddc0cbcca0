"""The programs of Cold Start: knowledge bases and runs that are checked, queries that are made and answered, scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from tests.differential.comparing import Program, Reference
from tests.differential.odd_files import damage
from tests.differential.programs import Printed, perl
from tests.fuzz.calling import Called, call
from tests.protocols.coldstart.slot_files import QUERIES, Q, answer, judged, target

_RUNS = 8
"""How often a program is asked: what it says of a known slot with another letter before it depends on its hashes."""
_UNREPORTED = "WARNING: Response for illegal query"
"""What the public CS-ValidateSF finds only when it has reported all problems; later ones say it."""
_SECOND = "CSSF15_ENG_0000000002"
_TWO_QUERIES = QUERIES.replace(
    "</query_set>",
    f"""  <query id="{_SECOND}"><name>Bern</name><docid>d2</docid><beg>0</beg><end>3</end><enttype>gpe</enttype>
  <slot0>gpe:births_in_city</slot0><slot1>per:children</slot1></query>
</query_set>""",
)
_DOCUMENTS = "d1\t100\nd2\t50\n"

Written = Callable[[bytes], object]


def _compared(
    room: Path, script: Path, command: str, words: list[str], *, read: Written, error_file: bool = True
) -> str | None:
    """Run both, and the program again while they differ; the word ``OUT`` is what each writes.

    What they report goes into a file, too, and is compared, if there is to be an ``error_file``.
    """
    ours = _called(call, ["coldstart", command], words, "ours", error_file=error_file)
    told: str | None = ""
    for _ in range(_RUNS):
        for name in ("theirs", "theirs-errors", "run.sorted"):
            (room / name).unlink(missing_ok=True)
        theirs = _called(lambda found: perl(script, found, room), [], words, "theirs", error_file=error_file)
        told = _differing(room, theirs, ours, read, error_file=error_file)
        if not told:
            break
    return f"{' '.join(words)}: {told}" if told else told


def _called(
    run: Callable[[list[str]], Printed | Called], before: list[str], words: list[str], name: str, *, error_file: bool
) -> Printed | Called:
    errors = ["-error_file", f"{name}-errors"] if error_file else []
    return run([*before, *errors, *(name if word == "OUT" else word for word in words)])


def _differing(
    room: Path, theirs: Printed | Called, ours: Printed | Called, read: Written, *, error_file: bool
) -> str | None:
    if bool(theirs.status) != bool(ours.status):
        return f"status {theirs.status} and {ours.status}\n{theirs.err[-400:]}\n{ours.err[-400:]}"
    if error_file:
        first, second = (list(_problems(room / f"{name}-errors")) for name in ("theirs", "ours"))
        if sorted(first) != sorted(second):
            return "\n".join(sorted(set(first) ^ set(second)))
    if theirs.status:
        return None
    found, made = (read(file.read_bytes()) if (file := room / name).exists() else None for name in ("theirs", "ours"))
    return "" if found == made else f"writes\n{found}\nand\n{made}"


def _lines(content: bytes) -> list[bytes]:
    """Return the lines of a file in order: in Perl it is that of hashes."""
    return sorted(content.split(b"\n"))


def _problems(file: Path) -> Iterator[str]:
    """Yield the problems that are reported, without their places, which depend on the order of hashes in Perl.

    A line of which every character fits is in Latin-1 there.
    """
    for line in file.read_bytes().split(b"\n") if file.exists() else ():
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            text = line.decode("latin-1")
        if text.startswith(("ERROR", "WARNING")) and not text.startswith(_UNREPORTED):
            yield text.partition(" (")[0]


_ODD_ANSWERS = (
    *("", "#c", f"{Q}\tper:children\trun1\td1:0-99\tBob\tSTRING\td1:0-2\t2.0", f"{Q}_000000000000\tper:age\trun1\tNIL"),
    f"{Q}\tper:children\trun2\td1:0-99\tBob\tSTRING\td1:0-2\t1.0",
    f"{Q}\tper:age\trun1\td1:0-99\tBob\tSTRING\td1:0-2\t1.0",
    f"{Q}\tper:children\trun1\td1:0-99\tbob\tSTRING\td1:0-2\t1.0",
    f"{Q}\tper:children\trun1\td1:0-99\tBob\tSTRING\td1:0-2,d1:5-6\t1.0",
    f"{Q}\tper:children\trun1\td1:0-99,d2:1-2\tBob\tPER\td1:0-2\t0.9",
    f"{Q}\tper:children\trun1\td1:0-99\t \tSTRING\td1:0-2\t1.0",
    f"{Q}\tper:children\trun1\td1:0-99\tBob\tSTRING\td1:0-2\t1e-1",
    f"{Q}\tper:children\trun1\td1:0-99\tBob\tSTRING\td1:0-2\t-1.0",
)
_ODD_JUDGMENTS = (
    *("", "#c", judged(Q, "Bob", "d1:0-2", "C", "1"), judged(Q, "Bob", "d1:0-2", "W", "0")),
    *(judged(Q, "Bob", "d1:0-2", "X", "1"), judged(Q, "Bob", "d1:0-2", "C", "2"), judged(Q, "bob", "d1:0-2", "C", "1")),
    *(judged(Q, "Bob", "d1:0-2", "I", "0"), judged(Q, "Bob", "d1:0-2,d1:5-6", "C", "1")),
    f"a\t{Q}:per:children\td1:0-99\tBob\td1:0-2\tC\tX\t{Q}:1",
    f"a\t{Q}:per:children\td1:0-99\tBob\td1:0-2\tX\tC\t{Q}:1",
    f"a\t{Q}:per:age\td1:0-99\tBob\td1:0-2\tC\tC\t{Q}:1",
    f"a\t{Q}:per:children\td1:0-99\tBob\td1:0-2\tC\tC\tNIL1",
    f"a\t{Q}:per:children\td1:0-99\tBob\td1:0-2\tC\tS\t{Q}:1",
)


def _score(random: Random, room: Path, program: Program) -> str | None:
    """Runs and pools of one query with two hops, with lines left out, repeated, judged otherwise, or odd."""
    (room / "q.xml").write_text(QUERIES, "utf-8")
    run, pool = [], []
    for place, name in enumerate(("Bob", "Cy", "Dan", "Eve", "Fay")):
        where, follow = f"d1:{10 * place}-{10 * place + 2}", target(name, f"d1:{10 * place}-{10 * place + 2}")
        later = [(str(age), f"d1:{50 + age}-{50 + age}") for age in range(random.randint(0, 2))]
        if random.random() < 0.7:
            run.append(answer(Q, name, where, confidence=random.choice(("1.0", "0.5"))))
            run += [answer(follow, *found) for found in later if random.random() < 0.8]
        if random.random() < 0.8:
            judgment = random.choice("CCCWX")
            number = str(place + 1 if random.random() < 0.9 else random.randint(1, 3)) if judgment in "CX" else "0"
            pool.append(judged(Q, name, where, judgment, number))
            pool += [
                judged(follow, *found, "C", f"{number}:{age}") for age, found in enumerate(later, 1) if judgment == "C"
            ]
    run = run or [answer(Q, "Bob", "d1:0-2")]
    pool = pool or [judged(Q, "Bob", "d1:0-2", "C", "1")]
    for name, lines, odd in (("run.tab.txt", run, _ODD_ANSWERS), ("pool.fqec", pool, _ODD_JUDGMENTS)):
        lines += random.choices(odd, k=random.choice((0, 1, 2)))
        if random.random() < 0.05:
            random.shuffle(lines)
        (room / name).write_text("\n".join(lines) + "\n", "utf-8")
        if random.random() < 0.05:
            damage(room / name, random, odd)
    words = ["-combo", random.choice(("MICRO", "MACRO", "UNION"))]
    words += ["-discipline", random.choice(("ASSESSED", "STRING_EXACT", "STRING_CASE"))]
    words += random.choice(([], [], ["-tabs"], ["-runids", "run2:run1"], ["-queries", Q], ["-expand", "X"]))
    words += ["-output_file", "OUT", "q.xml", "run.tab.txt", "pool.fqec"]
    return _compared(room, program.file, "score", words, read=bytes, error_file=False)


_KB = (
    *(":A\ttype\tPER", ':A\tmention\t"Ada"\td1:0-2\t1.0', ':A\tcanonical_mention\t"Ada"\td1:0-2\t1.0'),
    *(":B\ttype\tPER", ':B\tmention\t"Bob"\td1:10-12\t1.0', ':B\tcanonical_mention\t"Bob"\td1:10-12\t1.0'),
    *(":C\ttype\tGPE", ':C\tmention\t"Bern"\td2:0-3\t1.0', ':C\tcanonical_mention\t"Bern"\td2:0-3\t1.0'),
    *(":A\tper:children\t:B\td1:0-12\t0.8", ":B\tper:parents\t:A\td1:0-12\t0.8", ':B\tper:age\t"4"\td1:10-20\t0.9'),
    *(":A\tper:city_of_birth\t:C\td2:0-9\t0.5", ":C\tgpe:births_in_city\t:A\td2:0-9\t0.5"),
)
_ODD_ASSERTIONS = (
    *("", "# c", "   ", "nonsense", ":A\ttype\tORG", ":A\ttype\tXYZ", ":E\ttype\tORG", "A\ttype\tPER", ":é\ttype\tPER"),
    *(':A\tmention\t"Ada"\td1:0-2\t2.0', ":A\tmention\tAda\td1:0-2", ':A\tmention\t"Ada"\td3:0-2', ":A\tTYPE\tPER"),
    *(':A\tmention\t"Ada"\td1:2-0', ':A\tmention\t"Ada"\td1:0-200', ':A\tmention\t"Ada"', ':D\tmention\t"x"\td1:1-1'),
    *(':A\tnominal_mention\t"she"\td1:20-22\t1.0', ':A\tcanonical_mention\t"Ada"\td2:0-2\t1.0', ":A\tinverse_of\t:B"),
    *(':A\tper:children\t"Bob"\td1:0-12\t0.8', ":A\tper:age\t:B\td1:0-12\t0.8", ":A\tper:nothing\t:B\td1:0-12\t0.8"),
    *(
        ":A\tper:children\t:A\td1:0-12",
        ":A\tper:children\t:B\td1:0-12,d1:3-5,d2:0-1\t0.8",
        ":A\torg:members\t:B\td1:0-1",
    ),
    *(
        ":A\tper:children\t:Z\td1:0-12",
        ':A\tper:alternate_names\t"Ad"\td1:0-2',
        ":A\tlink\tFB:m.1\t0.5",
        ":A\tlink\tKB:1",
    ),
    *(":A\tper:children\t:B\td1:0-12\tx", ":A\tper:children\t:B\td1:0-12\t0.0", ":A\tper:children\t:C\td1:0-9"),
    *(
        ':A\tmention\t"Ada \\"x\\""\td1:0-2',
        ":A type PER",
        ":A\tper:spouse\t:B\td1:0-12\t0.8",
        ":A\tper:siblings\t:B\td1:0-9",
    ),
    *(':A\tper:date_of_birth\t"1815"\td1:0-3', ':A\tper:date_of_birth\t"1815-12-10"\td1:0-9'),
)


def _validation(random: Random, room: Path, program: Program) -> str | None:
    """Assertions of which some contradict, lack their inverses or are nonsense."""
    lines = [line for line in _KB if random.random() < 0.95]
    random.shuffle(lines)
    lines += random.choices(_ODD_ASSERTIONS, k=random.choice((0, 1, 2)))
    (room / "kb.tac").write_text("\n".join(["run1", *lines]) + "\n", "utf-8")
    (room / "docs").write_text(_DOCUMENTS, "utf-8")
    if random.random() < 0.2:
        damage(room / "kb.tac", random, _ODD_ASSERTIONS)
    words = [*random.choice((["-docs", "docs"], [])), "-output", random.choice(("tac", "tac", "edl", "none"))]
    words += random.choice(([], ["-multiple", "MANY"], ["-multiple", "ONEPERDOC"], ["-multiple", "ONE"]))
    words += random.choice(([], ["-task", "CSED"], ["-task", "CSEDL"], ["-linkkb", "KB"]))
    return _compared(room, program.file, "validate-kb", [*words, "-output_file", "OUT", "kb.tac"], read=_lines)


_FIELDS = {
    "name": ("Ada", "Bob", "Bern", "Łódź", "A &amp; B", "", "Ada  x"),
    "docid": ("d1", "d2", "x", ""),
    "beg": ("0", "10", "", "x", "-1"),
    "end": ("2", "12", "3", "", "1"),
    "enttype": ("per", "PER", "gpe", "org", "xyz", ""),
    "slot0": (
        "per:children",
        "per:children",
        "per:age",
        "gpe:births_in_city",
        "per:parents",
        "x:y",
        "",
        "PER:children",
    ),
    "slot1": ("per:age", "per:children", "per:parents", "", "x"),
}


def _queries(random: Random) -> str:
    found = []
    for number in range(1, random.randint(3, 4)):
        known = f"CSSF15_ENG_{number:010d}"
        name = random.choice((*[known] * 30, f"CS15_ENG_{number:04d}", f"X{number}", f"{known}_abcdefabcdef", ""))
        fields = {
            key: texts[0] if random.random() < 0.8 else random.choice(texts)
            for key, texts in _FIELDS.items()
            if random.random() < 0.98
        }
        content = "".join(f"    <{key}>{text}</{key}>\n" for key, text in fields.items())
        found.append(f'  <query id="{name}">\n{content}  </query>\n')
    return f"<query_set>\n{''.join(found)}</query_set>\n"


def _answering(random: Random, room: Path, program: Program) -> str | None:
    (room / "q.xml").write_text(_queries(random), "utf-8")
    more = (':A\tmention\t"Łódź"\td1:0-2\t0.5', ':A\tper:age\t"36"\td1:30-31\t0.7', ':B\tmention\t"Ada"\td1:0-2\t1.0')
    lines = [line for line in (*_KB, *more, ":A\tper:children\t:A\td1:0-2\t0.3") if random.random() < 0.85]
    (room / "kb.valid").write_text("\n".join(["run1", *lines]) + "\n", "utf-8")
    if random.random() < 0.2:
        damage(room / "kb.valid", random, _ODD_ASSERTIONS)
    script = program.file.with_name("CS-ResolveQueries-MASTER.pl")
    return _compared(room, script, "resolve-queries", ["q.xml", "kb.valid", "OUT"], read=_lines)


def _making(random: Random, room: Path, program: Program) -> str | None:
    (room / "q.xml").write_text(_queries(random), "utf-8")
    (room / "docs").write_text(_DOCUMENTS, "utf-8")
    words = [*random.choice(([], ["-valid"])), *random.choice(([], ["-docs", "docs"])), "q.xml", "OUT"]
    if random.random() < 0.7:
        values = ("Bob\tPER\td1:10-12", "Cy\tPER\td2:0-1", "Łódź <&>\"'\tGPE\td1:3-7", "Dan\tPER\td1:5-7,d2:0-2")
        slots = ("per:children", "per:children", "per:age", "gpe:births_in_city")
        queries = ("CSSF15_ENG_0000000001", "CSSF15_ENG_0000000001", "CSSF15_ENG_0000000002")
        parts = [map(random.choice, (queries, slots, values)) for _ in range(random.randint(1, 6))]
        lines = ("{}\t{}\trun1\td1:0-99\t{}\t1.0\n".format(*drawn) for drawn in parts)
        (room / "run").write_text("".join(lines), "utf-8")
        if random.random() < 0.2:
            damage(room / "run", random, _ODD_ANSWERS)
        words.append("run")
    script = program.file.with_name("CS-GenerateQueries-MASTER.pl")
    return _compared(room, script, "generate-queries", words, read=_lines)


def _run_of(random: Random, written: Callable[[str, str], str]) -> str:
    """Return a run of two queries; ``written`` gives the id of the second hop as the run has it."""
    lines = []
    for query, slot, later in ((Q, "per:children", "per:age"), (_SECOND, "gpe:births_in_city", "per:children")):
        for value in random.sample(("Bob", "Cy", "Dan", "Łódź"), random.randint(0, 3)):
            start = random.randint(0, 80)
            place = f"d1:{start}-{start + 2}"
            lines.append(f"{query}\t{slot}\trun1\td1:0-99\t{value}\tPER\t{place}\t{random.choice(('1.0', '0.5'))}")
            follow = written(query, target(value, place, query).rpartition("_")[2])
            for age in range(random.choice((0, 1, 1, 2))):
                kind = "STRING" if later == "per:age" else "PER"
                lines.append(f"{follow}\t{later}\trun1\td1:0-99\t{age}\t{kind}\td1:{90 + age}-{90 + age}\t1.0")
    if random.random() < 0.2:
        random.shuffle(lines)
    lines += random.choices(_ODD_ANSWERS, k=random.choice((0, 0, 1, 2)))
    return "\n".join(lines) + "\n"


def _checked_run(command: str, random: Random, room: Path, program: Program, words: list[str]) -> str | None:
    (room / "q.xml").write_text(_TWO_QUERIES, "utf-8")
    (room / "docs").write_text(_DOCUMENTS, "utf-8")
    if random.random() < 0.15:
        damage(room / "run", random, _ODD_ANSWERS)
    words = [*random.choice(([], ["-docs", "docs"])), *random.choice(([], ["-groundtruth"])), *words]
    return _compared(room, program.file, command, [*words, "-output_file", "OUT", "q.xml", "run"], read=bytes)


def _run_validation(random: Random, room: Path, program: Program) -> str | None:
    (room / "run").write_text(_run_of(random, lambda query, digits: f"{query}_{digits}"), "utf-8")
    return _checked_run("validate-sf", random, room, program, random.choice(([], ["-allow_comments"])))


def _correction(random: Random, room: Path, program: Program) -> str | None:
    forms = ("{0}_{1}", *["CSSF15_ENG_{1}"] * 30, "_{1}", "{1}", "CSSF15_ENG__{1}")
    (room / "run").write_text(_run_of(random, lambda *parts: random.choice(forms).format(*parts)), "utf-8")
    return _checked_run("correct-query-ids", random, room, program, [])


_REPOSITORY = "jamesmayfield/ColdStart"
COLDSTART_SCORE = Reference("coldstart-score", _REPOSITORY, "CS-Score-MASTER.pl", _score, commit="a119f6f")
COLDSTART_KB = Reference("coldstart-kb", _REPOSITORY, "CS-ValidateKB-MASTER.pl", _validation, commit="321bb5c")
COLDSTART_ANSWERS = Reference(
    "coldstart-answers", _REPOSITORY, "CS-ResolveQueries-MASTER.pl", _answering, commit="321bb5c"
)
COLDSTART_QUERIES = Reference(
    "coldstart-queries", _REPOSITORY, "CS-GenerateQueries-MASTER.pl", _making, commit="321bb5c"
)
COLDSTART_RUNS = Reference("coldstart-runs", _REPOSITORY, "CS-ValidateSF-MASTER.pl", _run_validation, commit="a119f6f")
COLDSTART_IDS = Reference(
    "coldstart-ids", _REPOSITORY, "CS-ValidateSF-QueryIDCorrector.pl", _correction, commit="dfdcce4"
)
