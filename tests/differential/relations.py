"""The programs that score relations in files of their own: DocRED, PURE and DyGIE++."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from contextlib import chdir
from math import isclose
from pathlib import Path
from random import Random
from typing import Any

import karat
from tests.differential.comparing import Program, Reference
from tests.fuzz.calling import call

_SCRIPTS = Path(__file__).parent / "scripts"
_LABELS = ("R", "S")
_NAMES = ("Ada", "Bo", "Cy", "Bern")
_RELATIONS = ("P17", "P131", "P40", "P9")
_BENCHMARK = ("Na", "P17", "P131", "P40", "P57")
"""Relations of the benchmark, of which some are in no fact; P9 is none of them."""
_REDOCRED = (
    *(("f1", regime) for regime in ("facts", "evidence", "ign-annotated", "ign-distant")),
    *(("precision", "facts"), ("recall", "facts")),
    *(("f1", regime) for regime in ("frequent", "long-tail", "intra", "inter")),
    *((measure, regime) for regime in ("frequent", "long-tail") for measure in ("precision", "recall")),
)
"""What the functions of Re-DocRED return, in their order."""


def _vertices(random: Random) -> list[list[dict[str, Any]]]:
    return [
        [{"name": random.choice(_NAMES), "sent_id": random.randint(0, 3)} for _ in range(random.randint(1, 2))]
        for _ in range(3)
    ]


def _facts(random: Random, most: int) -> list[dict[str, Any]]:
    facts = []
    for _ in range(random.randint(0, most)):
        evidence = random.sample(range(4), random.randint(0, 3))
        relation = random.choice(_RELATIONS)
        facts.append({"r": relation, "h": random.randint(0, 2), "t": random.randint(0, 2), "evidence": evidence})
    return facts


def docred_documents(random: Random, number: int) -> list[dict[str, Any]]:
    """Return random documents with facts."""
    return [
        {"title": f"T{place}", "vertexSet": _vertices(random), "labels": _facts(random, 4), "sents": [["w"]] * 4}
        for place in range(number)
    ]


def docred_results(random: Random, documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return random results: some facts of the documents, and others."""
    found = []
    for document in documents:
        kept = [fact for fact in document["labels"] if random.random() < 0.6]
        for fact in (*kept, *_facts(random, 2)):
            title = "unknown" if random.random() < 0.03 else document["title"]
            row = {"title": title, "h_idx": fact["h"], "t_idx": fact["t"], "r": fact["r"]}
            found.append(row if random.random() < 0.3 else {**row, "evidence": fact["evidence"]})
    return found


def _docred(random: Random, room: Path, program: Program) -> str | None:
    documents = docred_documents(random, random.randint(1, 3))
    for name in ("theirs", "ours"):
        for folder in ("work/in/res", "work/in/ref", "work/out", "data"):
            (room / name / folder).mkdir(parents=True)
    base = room / "theirs"
    (base / "work/in/res/result.json").write_text(json.dumps(docred_results(random, documents)), "utf-8")
    (base / "work/in/ref/dev_test.json").write_text(json.dumps(documents), "utf-8")
    for name in ("train_annotated", "train_distant"):
        (base / "data" / f"{name}.json").write_text(json.dumps(docred_documents(random, 2)), "utf-8")
    shutil.copytree(base, room / "ours", dirs_exist_ok=True)
    theirs = program.python(program.file, ["in", "out"], base / "work")
    if theirs.status:
        return None
    with chdir(room / "ours" / "work"):
        ours = call(["docred", "in", "out"])
    written = [
        (room / name / "work/out/scores.txt").read_text("utf-8") for name in ("theirs", "ours") if not ours.status
    ]
    if ours.status or theirs.out != ours.out or written[0] != written[1]:
        return f"prints\n{theirs.out}\nand\n{ours.out}{ours.err}"
    return ""


def _redocred(random: Random, room: Path, program: Program) -> str | None:
    documents = docred_documents(random, random.randint(1, 3))
    submitted = docred_results(random, documents)
    files: dict[str, Any] = {"dev": documents, "res/result": submitted, "meta/rel2id": dict.fromkeys(_BENCHMARK, 0)}
    files |= {name: docred_documents(random, 2) for name in ("train_annotated", "train_distant")}
    for name, content in files.items():
        (room / f"{name}.json").parent.mkdir(exist_ok=True)
        (room / f"{name}.json").write_text(json.dumps(content), "utf-8")
    theirs = program.python(_SCRIPTS / "redocred_scores.py", [str(program.file)], room)
    if theirs.status:
        return theirs.err
    compared = False
    for function, wanted in json.loads(theirs.out).items():
        if isinstance(wanted, str) or not submitted:
            continue
        compared = True
        found = _redocred_numbers("benchmark" if function.endswith("benchmark") else "published", len(wanted))
        if not all(isclose(one, other, abs_tol=1e-12) for one, other in zip(wanted, found, strict=True)):
            return f"{documents}\n{submitted}\n{function}: {wanted} and {found}"
    return "" if compared else None


def _redocred_numbers(profile: str, size: int) -> list[float]:
    """Return the first numbers of a function in its order; what no row has is 0."""
    training = {"train": "train_annotated.json", "distant": "train_distant.json"}
    read = {"records": "dev.json", "rules": "program"}
    scores = karat.score(
        "redocred", "dev.json", "res/result.json", format="docred", read=read, profile=profile, **training
    )
    rows = {(row.measure, row.regime): row.value for row in scores}
    return [rows.get(name) or 0 for name in _REDOCRED[:size]]


def _spans(random: Random, first: int, size: int) -> list[list[Any]]:
    return [
        [first + start, first + min(size - 1, start + random.randint(0, 1)), random.choice(("A", "B"))]
        for start in (random.randrange(size) for _ in range(random.randint(0, 4)))
    ]


def _links(random: Random, spans: list[list[Any]], labels: Sequence[str]) -> list[list[Any]]:
    if not spans:
        return []
    return [
        [*random.choice(spans)[:2], *random.choice(spans)[:2], random.choice(labels)]
        for _ in range(random.randint(0, 3))
    ]


def scierc_document(random: Random, name: str, labels: Sequence[str] = _LABELS) -> dict[str, Any]:
    """Return a random line with the gold and what a system has predicted."""
    document: dict[str, Any] = {"doc_key": name}
    fields = ("sentences", "ner", "relations", "predicted_ner", "predicted_relations")
    document |= {field: [] for field in fields}
    first = 0
    for _ in range(random.randint(1, 3)):
        size = random.randint(1, 6)
        gold, other = _spans(random, first, size), _spans(random, first, size)
        system = [span for span in gold if random.random() < 0.6] + other[:2]
        links = _links(random, gold, labels)
        found = [link for link in links if random.random() < 0.6] + _links(random, system, labels)
        for field, value in zip(fields, (["w"] * size, gold, links, system, found), strict=True):
            document[field].append(value)
        first += size
    return document


def scattered(random: Random, document: dict[str, Any]) -> dict[str, Any]:
    """Return a random line of which a sentence may list the relations of another one, or some that cross sentences."""
    if random.random() < 0.5:
        return document
    spans = [span for sentence in document["ner"] for span in sentence]
    crossing = _links(random, spans, _LABELS)
    return document | {
        layer: [[*rows, *crossing] for rows in (document[layer][1:] + document[layer][:1])]
        for layer in ("relations", "predicted_relations")
    }


def written_sides(documents: list[dict[str, Any]], room: Path) -> tuple[Path, Path]:
    """Write the gold and the system of documents into a file each."""
    for side, prefix in (("gold", ""), ("system", "predicted_")):
        lines = [
            {"doc_key": document["doc_key"], "sentences": document["sentences"]}
            | {name: document[prefix + name] for name in ("ner", "relations")}
            for document in documents
        ]
        (room / f"{side}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return room / "gold.jsonl", room / "system.jsonl"


def scierc_pair(random: Random, room: Path, labels: Sequence[str] = _LABELS) -> tuple[Path, Path]:
    """Write random documents of both sides, with such relations, and return the files."""
    documents = [scierc_document(random, f"d{number}", labels) for number in range(random.randint(1, 3))]
    return written_sides(documents, room)


def _pure(random: Random, room: Path, program: Program) -> str | None:
    documents = [scattered(random, scierc_document(random, f"d{number}")) for number in range(random.randint(1, 3))]
    lines = [json.dumps(document) for document in documents]
    (room / "predictions.json").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    words = ["--prediction_file", "predictions.json"]
    theirs = program.python(
        _SCRIPTS / "without_modules.py",
        ["torch,torch.utils,torch.utils.data", str(program.file), *words],
        room,
        imports=program.root,
    )
    if theirs.status:
        return None
    ours = call(["pure", *words])
    return "" if theirs.out == ours.out else f"{lines}\nprints\n{theirs.out}\nand\n{ours.out}{ours.err}"


def _dygie(random: Random, room: Path, program: Program) -> str:
    documents = [scierc_document(random, f"d{number}") for number in range(random.randint(1, 3))]
    (room / "both.json").write_text("".join(f"{json.dumps(document)}\n" for document in documents), "utf-8")
    theirs = program.python(_SCRIPTS / "dygie_scores.py", [str(program.root), "both.json"], room)
    if theirs.status:
        return theirs.err
    sides = written_sides(documents, room)
    scores = karat.score("relations", *sides, format="scierc", profile="dygie", zero="zero")
    found = [scores.value(measure, regime="rel") for measure in ("precision", "recall", "f1")]
    wanted = json.loads(theirs.out)
    near = all(isclose(number or 0, other, rel_tol=1e-12) for number, other in zip(found, wanted, strict=True))
    return "" if near else f"{documents}\n{wanted} and {found}"


DOCRED = Reference("docred", "thunlp/DocRED", "code/evaluation.py", _docred)
REDOCRED = Reference("redocred", "tonytan48/Re-DocRED", "evaluation.py", _redocred, ("sklearn",))
PURE = Reference("pure", "princeton-nlp/PURE", "run_eval.py", _pure, ("numpy",))
DYGIE = Reference("dygie", "dwadden/dygiepp", "dygie/training/relation_metrics.py", _dygie)
