"""Small DocRED files: entities with names and sentences, and facts between them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import karat

SENTENCES = [["Ada", "met", "Bo"], ["She", "left", "Bern"], ["Bo", "stayed"]]
ENTITIES = [[("Ada", 0, 0), ("She", 1, 0)], [("Bo", 0, 2), ("Bo", 2, 0)], [("Bern", 1, 2)]]
"""Three entities, as (name, sentence, token)."""


def record(*labels: tuple[str, int, int, list[int]], title: str = "D") -> dict[str, Any]:
    """Return a document with these facts: relation, head, tail and evidence."""
    vertices = [
        [
            {"name": name, "sent_id": sentence, "pos": [token, token + 1], "type": "X"}
            for name, sentence, token in entity
        ]
        for entity in ENTITIES
    ]
    facts = [{"r": label, "h": head, "t": tail, "evidence": evidence} for label, head, tail, evidence in labels]
    return {"title": title, "sents": SENTENCES, "vertexSet": vertices, "labels": facts}


def result(label: str, head: int, tail: int, evidence: list[int], title: str = "D") -> dict[str, Any]:
    return {"title": title, "r": label, "h_idx": head, "t_idx": tail, "evidence": evidence}


def written(folder: Path, name: str, content: Any) -> str:
    path = folder / name
    path.write_text(json.dumps(content), "utf-8")
    return str(path)


def scored(folder: Path, gold: list[Any], system: list[Any], protocol: str = "docred", **options: Any) -> karat.Scores:
    """Score results against documents."""
    path = written(folder, "gold.json", gold)
    train = options.pop("train", None)
    if train is not None:
        options["train"] = written(folder, "train.json", train)
    return karat.score(protocol, path, written(folder, "result.json", system), read={"records": path}, **options)
