"""The programs of OMIn: entities, chains and links of random records, and the tables that are printed."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from contextlib import chdir
from itertools import product
from pathlib import Path
from random import Random

from tests.differential.comparing import Case, Program, Reference, same
from tests.differential.programs import Printed
from tests.fuzz.calling import call
from tests.protocols.omin.files import tokens

_SCRIPTS = Path(__file__).parent / "scripts"
_TEXTS = (
    "the pilot 's left wing hit the ( old ) fence , a fence of wood /.",
    "engine quit near boise , idaho /. the engine of the boat quit /.",
    "left wing fuel tank leaked /. right wing fuel tank was dry",
    "the owner 's boat and the pilot 's boat",
)
_GOLD_FILES = {"conll03": "ner_conll", "ace05": "ner_ace", "ace05_nltk": "ner_ace_nltk", "ontonotes": "ner_on"}
_LABELS = ("PER", "ORG", "LOC", "LOCATION", "ORGANIZATION", "VEH", "GPE", "MISC", "DATE", "Method")
_IDS = ("Q1", "Q2", "Q3", "Q4")
_RESULTS = "results/some tool/results.csv"


def _names(random: Random) -> dict[str, str]:
    """Return some records: their ids of fifteen characters, and their texts."""
    return {
        f"1990010100{number}{'A' * 4}": text for number, text in enumerate(random.sample(_TEXTS, random.randint(1, 3)))
    }


def _phrase(random: Random, text: str) -> str:
    """Return some words of a text as tools have them, or words that it does not have."""
    words = [word.removeprefix("/") for word in text.split()]
    first = random.randrange(len(words))
    found = " ".join(words[first : first + random.randint(1, 4)]).replace(" 's", "'s").upper()
    if random.random() < 0.3:
        found = found.replace("( ", "(").replace(" )", ")").replace(" ,", ",")
    return found if random.random() < 0.93 else random.choice(("A", "NOWHERE", "12", "WING  TIP"))


def _write(file: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([columns, *rows])


def _phrases(random: Random, records: dict[str, str], *, tool: bool) -> list[tuple[str, str, str, str]]:
    """Return rows of entities; some lack their text; those of a tool may be in small letters, missing, or of others."""
    rows = []
    for name, text in records.items():
        for _ in range(random.randint(0 if tool else 1, 6)):
            phrase = _phrase(random, text)
            if tool and random.random() < 0.1:
                phrase = phrase.lower()
            if random.random() < 0.01:
                phrase = random.choice(("", "NA"))
            rows.append((name, text if random.random() < 0.95 else "", phrase, random.choice(_LABELS)))
        if rows and random.random() < 0.3:
            rows.append(rows[-1])
    if tool and random.random() < 0.2:
        rows.append(("20000101000000Z", "x", "X", "PER"))
    return rows


def _run(program: Program, words: Sequence[str], room: Path, command: Sequence[str]) -> tuple[Printed, Printed]:
    """Run both in a folder, by the same words."""
    theirs = program.python(program.file, words, room, imports=program.root.parent / "coreference-eval")
    with chdir(room):
        return theirs, call(["omin", *command, *words])


def _entities(random: Random, room: Path, program: Program) -> str | None:
    records = _names(random)
    types, untyped = random.choice(tuple(_GOLD_FILES)), random.random() < 0.4
    data, here = room / "OMIn_dataset", room / "evaluations" / "quantitative"
    gold = data / "gold_standard" / "processed" / f"{'ner' if untyped else _GOLD_FILES[types]}.csv"
    rows = _phrases(random, records, tool=False)
    columns = ["id", "sample", "entities", "labels"]
    _write(gold, columns[: 3 if untyped else 4], [row[: 3 if untyped else 4] for row in rows])
    columns[0] = random.choice(("c5_id", "c5_unique_id", "id"))
    _write(here / _RESULTS, columns, _phrases(random, records, tool=True))
    (data / "data" / "FAA_data").mkdir(parents=True)
    (data / "data" / "FAA_data" / "faa.conll").write_text(tokens(**records), "utf-8")
    words = ["-d", _RESULTS, "-t", types, *(["-u"] if untyped else [])]
    theirs = program.python(
        _SCRIPTS / "without_modules.py",
        ["nltk,sklearn_crfsuite,sklearn_crfsuite.metrics", str(program.file), *words],
        here,
        imports=program.root.parent / "NER-Evaluation",
    )
    with chdir(here):
        return same(theirs, call(["omin", "ner", *words]))


def _entities_of_the_seed(random: Random, room: Path, program: Program) -> str | None:
    records = _names(random)
    _write(room / "gold.csv", ["id", "sample", "entities"], [row[:3] for row in _phrases(random, records, tool=False)])
    _write(room / _RESULTS, ["c5_id", "text", "entities"], [row[:3] for row in _phrases(random, records, tool=True)])
    words = ["-d", _RESULTS, "-g", "gold.csv", *random.choice(([], ["-s"]))]
    return same(*_run(program, words, room, ["ner", "--profile", "seed"]))


def _chains(random: Random) -> list[list[list[int]]]:
    """Return chains of spans, of which some repeat, or are a single number, or nowhere."""
    chains = []
    for _ in range(random.randint(0, 4)):
        starts = [random.randint(0, 9) for _ in range(random.randint(1, 4))]
        chains.append([[start, start + random.randint(0, 1)] if random.random() < 0.9 else [start] for start in starts])
    if random.random() < 0.1:
        chains.append([[-1, -1], [-1, -1]])
    return chains


def _coreference(profile: str, random: Random, room: Path, program: Program) -> str | None:
    records = _names(random)
    name = "c5" if profile == "seed" else "id"
    _write(room / "gold.csv", [name, "sample", "coreferences"], [(*one, _chains(random)) for one in records.items()])
    found = [
        (record, _chains(random) if random.random() < 0.98 else "") for record in records if random.random() < 0.97
    ]
    random.shuffle(found)
    _write(room / _RESULTS, ["c5_id", "corefs"], found)
    return same(*_run(program, ["-d", _RESULTS, "-g", "gold.csv"], room, ["coref", "--profile", profile]))


def _coreference_of_the_seed(random: Random, room: Path, program: Program) -> str | None:
    return _coreference("seed", random, room, program)


def _coreference_of_the_head(random: Random, room: Path, program: Program) -> str | None:
    return _coreference("head", random, room, program)


def _links(random: Random, room: Path, program: Program) -> str | None:
    """Return in what the tables of links differ; before its own the program prints the first rows of its inputs."""
    records = _names(random)
    gold, found = [], []
    for name, text in records.items():
        for _ in range(random.randint(1, 4)):
            levels = [_phrase(random, text), *(random.choice((None, _phrase(random, text))) for _ in range(2))]
            gold.append((name, text, levels, [random.choice((*_IDS, None)) for _ in levels]))
        for _ in range(random.randint(0, 5)):
            own = [level for row in gold if row[0] == name for level in row[2] if level]
            phrase = random.choice([*own, _phrase(random, text)]) if random.random() < 0.98 else ""
            found.append((name, phrase.lower() if random.random() < 0.3 else phrase, random.choice((*_IDS, "", "7"))))
    _write(room / "gold.csv", ["id", "sample", "entity", "qid"], gold)
    _write(room / _RESULTS, ["c5_id", "mentions", "links"], found)
    pairs = [pair for pair in product(_IDS, _IDS) if random.random() < 0.8]
    _write(
        room / "scores.csv", ["q1", "q2", "class", "jc"], [(*pair, random.random(), random.random()) for pair in pairs]
    )
    most = random.choice(("all", "1", "3"))
    words = ["-d", _RESULTS, "-g", "gold.csv", "-q", "links"]
    theirs = program.python(_SCRIPTS / "with_similarities.py", [most, str(program.file), *words], room)
    limit = [] if most == "all" else ["--max-pairs", most]
    ours = call(["omin", "nel", *words, "--similarity-table", "scores.csv", *limit])
    table = "".join(theirs.out.splitlines(keepends=True)[-3:])
    return same(theirs._replace(out="" if theirs.status else table), ours)


def _reference(name: str, file: str, case: Case, beside: str = "", commit: str = "") -> Reference:
    modules = ("pandas", "scipy") if beside == _CHAINS else ("pandas",)
    others = (beside,) if beside else ()
    return Reference(name, "nd-crane/trusted_ke", f"evaluations/{file}", case, modules, commit, beside=others)


_ENTITIES, _CHAINS, _SEED = "davidsbatista/NER-Evaluation", "tollefj/coreference-eval", "27c29d9"
ENTITIES = _reference("omin-ner", "quantitative/ner_semeval.py", _entities, _ENTITIES)
LINKS = _reference("omin-nel", "quantitative/nel_eval.py", _links)
CHAINS = _reference("omin-coref", "quantitative/cr_eval.py", _coreference_of_the_head, _CHAINS)
SEED_ENTITIES = _reference("omin-seed-ner", "automatic/ner_eval.py", _entities_of_the_seed, commit=_SEED)
SEED_CHAINS = _reference("omin-seed-coref", "automatic/cr_eval.py", _coreference_of_the_seed, _CHAINS, _SEED)
