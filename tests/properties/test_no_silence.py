"""Nothing is lost in silence, whatever key, element or column of a file is removed, renamed or misspelt.

A score that changes comes with an error or a note, in every format and under every protocol.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.fuzz.targets import targets, write

import karat
from karat.errors import KaratError
from karat.model import Document
from karat.protocols import protocols

SAMPLES = {title: target for title, target in targets().items() if title.startswith("format ")}
JUDGES = {"relations": "relations", "chains": "coref", "mentions": "conll2003"}
"""The protocols that judge what a document has."""
OTHERS = [name for name in protocols() if name != "tac2015-sf"]
NO_NAMES = ("format docbin", "format hf", "format hf/arrow", "format labels", "format labels/records")
"""Samples that are not text, or have no names in them."""
BY_RULE = {
    "naf": ("confidence",),  # links without one keep the order of the file
    "biocxml": ("role",),  # two nodes without roles are head and tail
    "biocjson": ("role",),
}
"""Names whose absence means something by a rule of the format."""
_HEADER = re.compile(r"\A\ufeff?(?:TOKEN\t.*|#.*global\.\w+ = .*|[\w,]+(?:,\w+)+$|#FORMAT.*(?:\n#T_.*)*)", re.M)
"""The line that names columns, where a file has one."""


def misspelt(name: str) -> Iterator[str]:
    """Yield a name without its last letter, with one more, with two letters exchanged, and in other capitals."""
    yield from (name[:-1], f"{name}x", name[:-2] + name[:-3:-1], *([name.swapcase()] if len(name) < 20 else []))


def renamed(text: str) -> Iterator[tuple[str, str]]:
    """Yield what a text becomes if a name in it is changed everywhere, with what was done to it."""
    if text.lstrip("\ufeff \n").startswith(("{", "[")) and not text.startswith("[["):
        for key in sorted(set(re.findall(r'"([A-Za-z_%@][\w%@-]*)"\s*:', text))):
            yield f"without {key}", without(text, key)
            for other in misspelt(key):
                yield f"{key} is {other}", re.sub(rf'"{re.escape(key)}"(?=\s*:)', json.dumps(other), text)
    elif text.lstrip("\ufeff \n").startswith("<"):
        for name in sorted(set(re.findall(r"<([A-Za-z][\w.:-]*)", text))):
            for other in misspelt(name):
                yield f"<{name}> is <{other}>", re.sub(rf"(</?){re.escape(name)}(?=[\s/>])", rf"\g<1>{other}", text)
        for name in sorted(set(re.findall(r"\s([A-Za-z][\w.:-]*)=\"", text)) - {"version", "encoding"}):
            yield f"without {name}=", re.sub(rf'\s{re.escape(name)}="[^"]*"', "", text)
            yield f"{name}x=", re.sub(rf'(\s){re.escape(name)}(=")', rf"\g<1>{name}x\g<2>", text)
    elif header := _HEADER.search(text):
        for name in sorted(set(re.findall(r"[A-Za-z][\w:.-]+", header[0]))):
            for other in misspelt(name):
                changed = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", other, header[0])
                yield f"{name} is {other}", text[: header.start()] + changed + text[header.end() :]


def without(text: str, key: str) -> str:
    """Return JSON, or lines of it, without a key."""

    def cut(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: cut(inner) for name, inner in value.items() if name != key}
        return [cut(item) for item in value] if isinstance(value, list) else value

    try:
        return json.dumps(cut(json.loads(text)))
    except json.JSONDecodeError:
        return "".join(f"{json.dumps(cut(json.loads(line)))}\n" for line in text.splitlines() if line.strip())


def values(scores: karat.Scores) -> list[float | None]:
    return [row.value for row in scores]


def judges(documents: list[Document]) -> list[str]:
    found = [name for kind, name in JUDGES.items() if any(getattr(document, kind) for document in documents)]
    linked = any(mention.links for document in documents for mention in document.mentions)
    return [*found, *(["tac-edl"] if linked else [])]


@pytest.mark.parametrize("title", [title for title in SAMPLES if title not in NO_NAMES])
def test_no_name_is_lost_in_silence(title: str, tmp_path: Path) -> None:
    target = SAMPLES[title]
    if target.name == "nif":
        pytest.importorskip("pyoxigraph")
    for side in ("gold", "system"):
        write(target.files, tmp_path / side)
    gold, system = (tmp_path / side / target.read for side in ("gold", "system"))
    reading: dict[str, Any] = {
        "format": target.name,
        "read": {name: value.replace("IN/", f"{tmp_path}/gold/") for name, value in target.options.items()},
    }
    known = judges(karat.read(gold, target.name, **reading["read"]))
    expected = {name: karat.score(name, gold, gold, **reading) for name in known}
    silent = []
    changes = [(path, *change) for path, content in target.files.items() for change in renamed(content.decode())]
    for number, (path, what, text) in enumerate(changes):
        if any(name in what for name in BY_RULE.get(target.name, ())):
            continue
        (tmp_path / "system" / path).write_text(text, "utf-8")
        for name in (*known, OTHERS[number % len(OTHERS)]):
            try:
                if name not in expected:
                    expected[name] = karat.score(name, gold, gold, **reading)
                scores = karat.score(name, gold, system, **reading)
            except KaratError:
                continue
            if values(scores) != values(expected[name]) and not set(scores.notes) - set(expected[name].notes):
                silent.append(f"{path}: {what}: {name}")
        (tmp_path / "system" / path).write_bytes(target.files[path])
    assert not silent, "\n".join(silent)
