"""The adapters of the OMIn pack: every tool of the seed's table, by its native output and as recorded in CSV."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from karat import formats
from karat.formats.base import Problems
from karat.formats.tools import tools
from karat.model import Document, Mention
from tests.conformance import packs

CASES = [case for case in packs.public("omin") if case["kind"] == "adapter"]
FOLDER = packs.SHARED / "omin" / "public"
ROWS = 21

pytestmark = pytest.mark.skipif(not CASES, reason="the third-party data are not beside the repository")
every_tool = pytest.mark.parametrize("case", CASES, ids=lambda case: case["args"]["tool"])


def read(path: Path, tool: str, **options: str) -> list[Document]:
    return list(formats.read(path, tool, problems=Problems(), options=options))


def expected(case: dict[str, Any]) -> dict[str, Any]:
    return json.loads((FOLDER / case["dir"] / case["expected"]).read_text("utf-8"))


def said(mention: Mention) -> str:
    return mention.attributes.get("given", mention.text).upper()


def entities(documents: list[Document]) -> list[dict[str, Any]]:
    """Return the mentions as the pack lists them, with as much as it says about each."""
    return [
        {
            "id": document.id,
            "mention": None if mention.attributes.get("phrase") == "unknown" else said(mention),
            "label": mention.labels[0] if mention.labels else None,
            "title": mention.attributes.get("title"),
            "qid": next((link.target for link in mention.links if link.target != "NIL"), None),
            "start": int(mention.attributes.get("first", -1)),
            "end": int(mention.attributes.get("last", -1)),
        }
        for document in documents
        for mention in document.mentions
    ]


def agree(found: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> None:
    """Compare what the pack says, whatever the order of documents."""
    lists = [sorted(json.dumps([one[key] for key in wanted[0]]) for one in side) for side in (found, wanted)]
    assert lists[0] == lists[1]


def chains(documents: list[Document]) -> dict[str, list[list[list[int]]]]:
    """Return the chains by words, the last one inside."""
    found = {}
    for document in documents:
        words = {mention.id: _words(document, mention) for mention in document.mentions}
        found[document.id] = [[words[mention] for mention in chain.mentions] for chain in document.chains]
    return found


def _words(document: Document, mention: Mention) -> list[int]:
    if document.table is None:
        return [mention.start, mention.end - 1]
    ends = [start + len(form) for start, form in zip(document.table.starts, document.table.forms, strict=True)]
    return [document.table.starts.index(mention.start), ends.index(mention.end)]


def triples(documents: list[Document]) -> list[list[str]]:
    found = []
    for document in documents:
        mentions = {mention.id: mention for mention in document.mentions}
        for relation in document.relations:
            head, tail = (said(mentions[end.target]) for end in relation.arguments)
            found.append([document.id, head, relation.label, tail])
    return found


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def options_for(case: dict[str, Any], folder: Path) -> dict[str, str]:
    """Return what a native file needs: titles with identifiers, the words, or the records."""
    tool, recorded = case["args"]["tool"], rows(FOLDER / case["dir"] / "trusted_ke.csv")
    if tool in ("genre", "blink"):
        pairs = {(row.get("titles") or row["bi_pred_entity"], row.get("qids") or row["bi_qid"]) for row in recorded}
        (folder / "titles.tsv").write_text("".join(f"{title}\t{target}\n" for title, target in sorted(pairs)), "utf-8")
        return {"titles": str(folder / "titles.tsv")}
    if tool == "neuralcoref":
        blocks = [
            f"#begin document (faa/0_{row['c5']}); part 000\n"
            + "".join(f"faa 0 0 {word}\n" for word in re.findall(r"\w+|[^\w\s]", row["c119"]))
            for row in recorded
        ]
        (folder / "tokens.conll").write_text("".join(blocks), "utf-8")
        return {"tokens": str(folder / "tokens.conll")}
    if tool == "deepstruct":
        known = {int(row["doc_idx"]): row for row in recorded}
        with (folder / "records.csv").open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["c5", "c119"])
            for number in range(max(known) + 1):
                row = known.get(number, {"c5_id": f"filler{number}", "c119_input": "-"})
                writer.writerow([row["c5_id"], row["c119_input"]])
        return {"records": str(folder / "records.csv")}
    return {}


def test_every_row_of_the_table_has_a_reader() -> None:
    assert sorted(case["args"]["tool"] for case in CASES) == sorted(tools())
    assert len(CASES) == ROWS


@every_tool
def test_native(case: dict[str, Any], tmp_path: Path) -> None:
    tool, task, wanted = case["args"]["tool"], case["args"]["task"], expected(case)
    options = options_for(case, tmp_path)
    path = FOLDER / case["dir"] / wanted["native"]
    documents = read(path, tool, **options)
    if task == "cr":
        assert chains(documents) == {one["id"]: one["clusters"] for one in wanted["expected"]}
    elif task == "re":
        key = "index" if tool == "rebel" else "id"
        listed = [[str(one[key]), one["head"], one["relation"], one["tail"].upper()] for one in wanted["expected"]]
        assert triples(documents) == listed
    elif tool == "blink":
        for encoder in ("bi", "cross"):
            found = entities(read(path, tool, encoder=encoder, **options))
            agree(
                [{"id": one["id"], "mention": one["mention"], encoder: [one["title"], one["qid"]]} for one in found],
                [{key: one[key] for key in ("id", "mention", encoder)} for one in wanted["expected"]],
            )
    else:
        agree(entities(documents), wanted["expected"])


@every_tool
def test_recorded(case: dict[str, Any]) -> None:
    tool, task, wanted = case["args"]["tool"], case["args"]["task"], expected(case)
    path = FOLDER / case["dir"] / wanted["csv"]
    documents = read(path, tool)
    if task == "cr":
        assert chains(documents) == {one["id"]: one["clusters"] for one in wanted["expected"]}
    elif task == "re":
        key = next(name for name in ("c5_id", "index") if name in rows(path)[0])
        listed = [
            [row[key], row["head"].upper(), row["relation"], row["tail"].upper()] for row in rows(path) if row["head"]
        ]
        assert triples(documents) == listed
    elif tool == "blink":
        for encoder in ("bi", "cross"):
            (found,) = entities(read(path, tool, encoder=encoder))
            assert [found["title"], found["qid"]] == wanted["expected"][0][encoder]
    elif tool == "refined":
        found = entities(documents)
        assert len(found) == wanted["recorded_csv_rows"]
        native = read(path.with_name("native.jsonl"), tool, conversion="published")
        kept = entities(native)
        agree(
            [{key: one[key] for key in ("id", "mention", "qid")} for one in found],
            [{key: one[key] for key in ("id", "mention", "qid")} for one in kept],
        )
    elif tool == "spacy_entitylinker":
        agree(entities(documents), wanted["expected"])
    else:
        recorded_rows = len(rows(path))
        found = entities(documents)
        assert len(found) == recorded_rows
        agree(
            [{key: one[key] for key in ("id", "mention")} for one in found],
            [
                {
                    "id": row.get("c5_id") or row["c5_unique_id"],
                    "mention": (row.get("mentions") or row["entities"]).upper(),
                }
                for row in rows(path)
            ],
        )


def test_refined_loses_spans_as_published_only() -> None:
    """The published conversion keeps 8 of the 14 spans; the complete one reads all that was printed."""
    case = next(case for case in CASES if case["args"]["tool"] == "refined")
    folder = FOLDER / case["dir"]
    numbers = {
        (name, conversion): sum(len(one.mentions) for one in read(folder / name, "refined", conversion=conversion))
        for name in ("native.jsonl", "trusted_ke.csv")
        for conversion in ("complete", "published")
    }
    wanted = expected(case)
    assert numbers["native.jsonl", "complete"] == wanted["native_spans"]
    assert numbers["native.jsonl", "published"] == wanted["recorded_csv_rows"]
    assert numbers["trusted_ke.csv", "published"] == wanted["recorded_csv_rows"]
    assert wanted["recorded_csv_rows"] < numbers["trusted_ke.csv", "complete"] < wanted["native_spans"]


def test_neuralcoref_conversion_agrees_with_the_recorded_chains() -> None:
    """Of the recorded chains of 100 documents all are reproduced; complete, one mention more has a place."""
    path, tokens = FOLDER / "cr" / "neuralcoref_sm" / "pred.csv", str(FOLDER / "gold" / "tokens.conll")
    recorded = {row["c5"]: json.loads(row["corefs"]) for row in rows(path)}
    different = {}
    for conversion in ("published", "complete"):
        problems = Problems()
        given = {"conversion": conversion, "tokens": tokens}
        documents = list(formats.read(path, "neuralcoref", problems=problems, options=given))
        unplaced = [mention for document in documents for mention in document.mentions if "place" in mention.attributes]
        different[conversion] = (
            problems.repairs,
            len(unplaced),
            sum(len(recorded[document.id]) != len(document.chains) for document in documents),
        )
    assert different == {"published": (1, 1, 0), "complete": (0, 0, 0)}
