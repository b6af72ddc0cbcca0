"""The scorers of coreference, on random chains: of CoNLL-2012, of CorefUD, CoVal, SCORCH and coreference-eval."""

from __future__ import annotations

import json
import re
from math import isclose
from pathlib import Path
from random import Random

import karat
from karat.errors import KaratError
from tests.differential.comparing import Program, Reference
from tests.differential.odd_files import damage
from tests.differential.programs import perl
from tests.fuzz.calling import call
from tests.protocols.coreference.test_roads import columns

_LINE = re.compile(r"^(\S+)\s+Recall: (\S+)\s+Precision: (\S+)\s+F1: (\S+)$", re.MULTILINE)
_REGIMES = {
    "bcub": "b3",
    "b_cubed": "b3",
    "B³": "b3",
    "CEAF_m": "ceafm",
    "CEAF_e": "ceafe",
    "MUC": "muc",
    "BLANC": "blanc",
}
_MEASURES = ("recall", "precision", "f1")
_ODD_ROWS = (
    *(f"a\t0\t1\tw\t{cell}" for cell in ("(1)", "(1)|(2)", "(1", "1)", "(1)(2)", "((1)", "(x)", "()", "(1|2)", "-)")),
    *(f"a\t0\t1\tw\t{cell}" for cell in ("", "_", "*", "(01)", "(1)|", "|(1)", "1", "(1)|(1)", "(2|(2)", "(2)|2)")),
    *("(1)", "w (1)", "", "  ", "# comment", "a\t0\t1\tw w\t(1)", "a 0 1 w (1)", "#end document (a)"),
    *("#begin document (a); part 001", "#begin document (z)", "#end document"),
)
_RUNS = 20
"""How often ``scorer.pl`` is asked: it sums in the order of its hashes, which may change the last digits."""
Mentions = list[tuple[int, int, int]]


def _mentions(random: Random, *, apart: bool) -> Mentions:
    """Return mentions by their first token, how many follow, and their chain; ``apart`` lets none be there twice."""
    found = [
        (random.randint(0, 5), random.choice((0, 0, 1, 2)), random.randint(0, 3)) for _ in range(random.randint(0, 6))
    ]
    return list({mention[:2]: mention for mention in found}.values()) if apart else found


def _values(protocol: str, *sides: Path, **options: str) -> dict[tuple[str, str], float | None]:
    return {(row.measure, row.regime): row.value for row in karat.score(protocol, *sides, zero="zero", **options)}


def compared_numbers(
    found: dict[str, tuple[float, ...]], places: int | None, protocol: str, *sides: Path, **options: str
) -> str:
    """Compare what a program found with the numbers of a protocol, which may not refuse what the program scores."""
    try:
        return _differing(found, _values(protocol, *sides, **options), places)
    except KaratError as error:
        return f"{protocol} refuses: {error}"


def _differing(
    found: dict[str, tuple[float, ...]], values: dict[tuple[str, str], float | None], places: int | None
) -> str:
    """Compare recall, precision and F1 by name; with so many decimals in percent, or nearly to the last bit."""
    for name, wanted in found.items():
        regime = _REGIMES.get(name, name)
        for measure, number in zip(_MEASURES, wanted, strict=False):
            value = values.get((measure, regime)) or 0.0
            near = (
                abs(100 * value - number) <= 0.5 * 10**-places + 1e-9
                if places
                else isclose(value, number, rel_tol=1e-9, abs_tol=1e-12)
            )
            if not near:
                return f"{measure} of {name} is {number} and {value}"
    return ""


def _columns(random: Random, room: Path, *, apart: bool) -> list[Path]:
    names = random.sample("abc", random.randint(1, 3))
    files = [room / "key.conll", room / "response.conll"]
    for file in files:
        file.write_text(columns([(name, _mentions(random, apart=apart)) for name in names]), "utf-8")
        if random.random() < 0.3:
            damage(file, random, _ODD_ROWS)
    return files


def _official(random: Random, room: Path, program: Program) -> str | None:
    _columns(random, room, apart=random.random() < 0.7)
    words = [random.choice(("all", "muc", "bcub", "ceafm", "ceafe", "blanc")), "key.conll", "response.conll"]
    words += random.choice(([], ["none"]))
    ours = call(["conll2012", *words])
    for _ in range(_RUNS):
        theirs = perl(program.file, words, room)
        if _without_version(theirs.out) == _without_version(ours.out):
            break
    else:
        return f"{' '.join(words)}: prints\n{theirs.out[-500:]}\nand\n{ours.out[-500:]}"
    return "" if bool(theirs.status) == bool(ours.status) else f"status {theirs.status} and {ours.status}"


def _without_version(printed: str) -> list[str]:
    """Return what is printed below the line that says where the program is; Perl does not order documents."""
    return sorted(printed.split("\n")[1:])


def _coval(random: Random, room: Path, program: Program) -> str | None:
    files = _columns(random, room, apart=True)
    singletons = random.choice(("keep", "remove"))
    words = ["all", *(["remove_singletons"] if singletons == "remove" else [])]
    theirs = program.python(program.file, [*map(str, files), *words], room)
    if theirs.status:
        return None
    found = {name: tuple(map(float, numbers)) for name, *numbers in _LINE.findall(theirs.out)}
    return compared_numbers(found, 2, "coval", *files, singletons=singletons, format="conll2012")


def _clusters(random: Random, *, odd: bool = False) -> list[list[list[int]]]:
    """Return chains of spans; ``odd`` ones may have a span twice, or one that is nowhere."""
    chains: dict[int, list[list[int]]] = {}
    for first, more, chain in _mentions(random, apart=not odd):
        span = [-1, -1] if odd and random.random() < 0.1 else [first, first + more]
        chains.setdefault(chain, []).append(span)
    return list(chains.values())


def _corefeval(random: Random, room: Path, program: Program) -> str | None:
    files = [room / "key.jsonlines", room / "response.jsonlines"]
    words = [["w"] * 9]
    number, odd = random.randint(1, 3), random.random() < 0.3
    for file in files:
        lines = [
            {"doc_key": f"d{place}", "sentences": words, "clusters": _clusters(random, odd=odd)}
            for place in range(number)
        ]
        file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    script = Path(__file__).parent / "scripts" / "corefeval_scores.py"
    theirs = program.python(script, [str(file) for file in files], room, imports=program.root)
    if theirs.status:
        return None
    _, scores = json.loads(theirs.out)
    found = {name: tuple(one[measure] for measure in _MEASURES) for name, one in scores.items()}
    return compared_numbers(found, None, "corefeval", *files)


_NAMES = (("a", "b", "c", "d"), (1, 2, 3, 4, 5), (1, 2, "1", "2", 3), ("0-1", "1-2", "", " ", "é", "\u2028"))


def _named_chains(random: Random) -> dict[str, object]:
    """Return chains of named mentions, or a graph of them; mentions may be in several chains, or listed twice."""
    names = random.choice(_NAMES)
    if random.random() < 0.4:
        links = [random.choices(names, k=2) for _ in range(random.randint(0, 4))]
        return {"type": "graph", "mentions": random.choices(names, k=random.randint(0, 5)), "links": links}
    chains = {str(number): random.choices(names, k=random.randint(1, 4)) for number in range(random.randint(0, 4))}
    return {"type": "clusters", "clusters": chains}


def _scorch(random: Random, room: Path, program: Program) -> str | None:
    """Two files, or two folders of some documents."""
    files = [room / "key.json", room / "response.json"]
    number = 0 if random.random() < 0.7 else random.randint(1, 3)
    for file in files:
        if not number:
            file.write_text(json.dumps(_named_chains(random)), "utf-8")
            continue
        file.mkdir()
        for place in range(number):
            (file / f"d{place}.json").write_text(json.dumps(_named_chains(random)), "utf-8")
    script = program.root / "scorch" / "main.py"
    theirs = program.python(script, [*map(str, files), "out"], room, imports=program.root)
    if theirs.status or not (room / "out").exists():
        return None
    printed = (room / "out").read_text("utf-8")
    found = {
        name: tuple(map(float, numbers))
        for name, *numbers in re.findall(r"^(\S+):\tR=(\S+)\tP=(\S+)\tF₁=(\S+)$", printed, re.MULTILINE)
    }
    return compared_numbers(found, None, "scorch", *files)


def _corefud_side(random: Random, sizes: list[int]) -> str:
    """Return sentences with brackets, some of two parts; a chain has no two mentions of one place."""
    lines = ["# newdoc id = d", "# global.Entity = eid-etype-head-other"]
    for number, size in enumerate(sizes):
        cells: list[list[str]] = [[] for _ in range(size)]
        for chain, first, last in sorted(
            {
                (random.randint(1, 4), *sorted((random.randrange(size), random.randrange(size))))
                for _ in range(random.randint(0, 4))
            },
            key=lambda mention: (mention[1], -mention[2]),
        ):
            head = random.randint(1, last - first + 1)
            parts = [(first, last)]
            if last > first + 1 and random.random() < 0.2:
                head, parts = 1, [(first, first), (first + 2, last)]
            for part, (begin, end) in enumerate(parts, 1):
                name = f"e{chain}" if len(parts) == 1 else f"e{chain}[{part}/{len(parts)}]"
                if begin == end:
                    cells[begin].append(f"({name}-x-{head}-)")
                else:
                    cells[begin].append(f"({name}-x-{head}-")
                    cells[end].insert(0, f"{name})")
        lines.append(f"# sent_id = s{number}")
        for place, marks in enumerate(cells, 1):
            entity = f"Entity={''.join(marks)}" if marks else "_"
            lines.append(
                f"{place}\tw{place}\tw\tNOUN\t_\t_\t{place - 1}\t{'dep' if place > 1 else 'root'}\t_\t{entity}"
            )
        lines.append("")
    return "\n".join(lines) + "\n"


def _corefud(random: Random, room: Path, program: Program) -> str | None:
    files = [room / "key.conllu", room / "response.conllu"]
    sizes = [random.randint(1, 6) for _ in range(random.randint(1, 3))]
    for file in files:
        file.write_text(_corefud_side(random, sizes), "utf-8")
    match, singletons = random.choice(("head", "partial", "exact")), random.choice(("keep", "remove"))
    words = ["-a", match, *(["-s"] if singletons == "keep" else [])]
    theirs = program.python(program.file, [*map(str, files), *words], room)
    if theirs.status:
        return None
    found = {name: tuple(map(float, numbers)) for name, *numbers in _LINE.findall(theirs.out)}
    if not found:
        return f"prints nothing to compare: {theirs.out[:300]}"
    return compared_numbers(found, 2, "corefud", *files, match=match, singletons=singletons)


CONLL2012 = Reference("conll2012", "conll/reference-coreference-scorers", "scorer.pl", _official)
COVAL = Reference("coval", "ns-moosavi/coval", "scorer.py", _coval, ("numpy", "scipy"))
COREFEVAL = Reference("corefeval", "tollefj/coreference-eval", "corefeval/scorer.py", _corefeval, ("numpy", "scipy"))
SCORCH = Reference("scorch", "LoicGrobol/scorch", "scorch/main.py", _scorch, ("numpy", "scipy", "docopt", "tqdm"))
COREFUD = Reference("corefud", "ufal/corefud-scorer", "corefud-scorer.py", _corefud, ("numpy", "scipy", "udapi"))
