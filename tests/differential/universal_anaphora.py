"""The scorer of Universal Anaphora, on random markables: split antecedents, fragments, zeros, minimal spans."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

from tests.differential.comparing import Program, Reference
from tests.differential.coreference import compared_numbers

_COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"
_MEASURES = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea")
_PRINTED = re.compile(r"^(\w+)\nRecall: (\S+)  Precision: (\S+)  F1: (\S+)$", re.MULTILINE)


def _markables(random: Random, size: int) -> list[tuple[str, list[tuple[int, int]]]]:
    """Return what each markable says of itself, and its places: mostly one, at times two; some are parts of another.

    Entities are parts of later ones only: in a circle of parts the program does not end.
    """
    found = []
    for number in range(random.randint(0, 7)):
        entity = random.randint(1, 4)
        first = random.randrange(size)
        last = min(size - 1, first + random.choice((0, 0, 0, 1, 2)))
        places = [(first, last)]
        if last + 2 < size and random.random() < 0.15:
            places.append((last + 2, random.randint(last + 2, size - 1)))
        told = f"EntityID={entity}{'-Pseudo' if random.random() < 0.08 else ''}|MarkableID=m{number}"
        if random.random() < 0.25:
            least = random.randint(first, last) + 1
            told += f"|Min={least}" if random.random() < 0.8 else f"|Min={least},{last + 1}"
        if random.random() < 0.25:
            told += f"|ElementOf={random.randint(entity + 1, 6)}"
        found.append((told, places))
    return found


def _document(name: str, sizes: list[int], random: Random) -> list[str]:
    size = sum(sizes)
    cells = [["", ""] for _ in range(size)]
    deixis = [["", ""] for _ in range(size)]
    for column, number in ((cells, 2), (deixis, 1)):
        for told, places in _markables(random, size)[: 9 if number == 2 else 3]:
            for first, last in places:
                column[first][1] += f"({told})" if first == last else f"({told}"
                if first != last:
                    column[last][0] += ")"
    zeros = {place for place in range(size) if random.random() < 0.08}
    lines, place = [f"# newdoc id = {name}"], 0
    for words in sizes:
        for _ in range(words):
            rows = ["".join(cells[place]) or "_", "_", "".join(deixis[place]) or "_", "_", "_"]
            lines.append("\t".join([str(place + 1), f"w{place}", *"_" * 8, *rows]))
            if place in zeros:
                entity = random.randint(1, 4)
                empty = [f"{place + 1}.1", *"_" * 9, f"(EntityID={entity}|MarkableID=z{place})", *"_" * 4]
                lines.append("\t".join(empty))
            place += 1
        lines.append("")
    return lines


def _case(random: Random, room: Path, program: Program) -> str | None:
    names = random.sample("abc", random.randint(1, 2))
    sizes = {name: [random.randint(1, 4) for _ in range(random.randint(1, 3))] for name in names}
    files = [room / "key.conllua", room / "response.conllua"]
    for file in files:
        lines = [line for name in names for line in _document(name, sizes[name], random)]
        ending = "\r\n" if random.random() < 0.1 else "\n"
        file.write_bytes(ending.join([f"# global.columns = {_COLUMNS}", *lines, ""]).encode())
    words, options = _options(random)
    theirs = program.python(program.file, [*map(str, files), *words, "-m", *_MEASURES], room)
    found = {name: tuple(map(float, numbers)) for name, *numbers in _PRINTED.findall(theirs.out)}
    if theirs.status or not found:
        return None
    differing = compared_numbers(found, 2, "universal-anaphora", *files, **options)
    return f"{' '.join(words)}: {differing}" if differing else ""


def _options(random: Random) -> tuple[list[str], dict[str, str]]:
    """Return the words of the program, and the options of Karat that stand for them."""
    words: list[str] = []
    options = {}
    for word, name in (("-s", "singletons"), ("-l", "split_antecedents"), ("-z", "zeros")):
        if random.random() < 0.6:
            words.append(word)
            options[name] = "keep"
    match = random.choice(("exact", "exact", "partial", "craft"))
    if match != "exact":
        words += ["-p", "--partial-match-method", "craft" if match == "craft" else "default"]
    if random.random() < 0.15:
        words.append("-d")
        options["evaluate"] = "discourse-deixis"
    return words, options | {"match": match}


UNIVERSAL_ANAPHORA = Reference(
    "universal-anaphora",
    "juntaoy/universal-anaphora-scorer",
    "ua-scorer.py",
    _case,
    ("numpy", "scipy"),
    commit="127ba3d",
)
