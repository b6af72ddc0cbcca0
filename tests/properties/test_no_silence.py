"""Nothing is lost in silence, whatever key, element or column of a file is removed, renamed or misspelt.

A score that changes comes with an error or a note, in every format and under every protocol. Each change is scored by
the protocols that judge what the file has, and one more in turn; with the profile ``many`` (``make fuzz``), by all.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from tests.fuzz.targets import targets, write
from tests.properties.names import changes

import karat
from karat.errors import KaratError
from karat.evaluation.registry import protocols
from karat.formats import formats
from karat.formats.tools import tools
from karat.model import Document

SAMPLES = {title: target for title, target in targets().items() if title.startswith("format ")}
JUDGES = {"relations": "relations", "chains": "coref", "mentions": "conll2003"}
"""The protocols that judge what a document has; every change is scored under these, and under one other."""
NEEDED = {"nif": "pyoxigraph", "hf": "pyarrow"}
ALL = os.environ.get("HYPOTHESIS_PROFILE") == "many"


def values(scores: karat.Scores) -> list[float | None]:
    return [row.value for row in scores]


def judges(documents: list[Document], format_name: str) -> list[str]:
    """Return the protocols that judge what documents have, and that of the task which a format is named after."""
    found = [name for kind, name in JUDGES.items() if any(getattr(document, kind) for document in documents)]
    linked = any(mention.links for document in documents for mention in document.mentions)
    answered = any("judgment" in mention.attributes for document in documents for mention in document.mentions)
    own = [name for name in (format_name,) if name in protocols() and name not in found]
    return [*found, *own, *(["tac-edl"] if linked else []), *(["tac2015-sf"] if answered else [])]


def drawn(title: str, number: int) -> list[str]:
    """Return the protocols that a change is scored under besides those that judge what the sample has."""
    names = list(protocols())
    return names if ALL else [names[(31 * list(SAMPLES).index(title) + number) % len(names)]]


@pytest.mark.parametrize("title", SAMPLES)
def test_no_name_is_lost_in_silence(title: str, tmp_path: Path) -> None:
    target = SAMPLES[title]
    if target.name in NEEDED:
        pytest.importorskip(NEEDED[target.name])
    for side in ("gold", "system"):
        write(target.files, tmp_path / side)
    gold, system = (tmp_path / side / target.read for side in ("gold", "system"))
    reading: dict[str, Any] = {
        "format": target.name,
        "read": {name: value.replace("IN/", f"{tmp_path}/gold/") for name, value in target.options.items()},
    }
    known = judges(karat.read(gold, target.name, **reading["read"]), target.name)
    expected = {name: karat.score(name, gold, gold, **reading) for name in known}
    silent = []
    every = [(path, *change) for path, content in target.files.items() for change in changes(content)]
    assert every
    for number, (path, what, content) in enumerate(every):
        (tmp_path / "system" / path).write_bytes(content)
        for name in {*known, *drawn(title, number)}:
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


def test_no_format_and_no_protocol_is_exempt() -> None:
    own = set(formats()) - set(tools())
    assert own == {target.name for target in SAMPLES.values()}
    sizes = {
        title: sum(1 for content in target.files.values() for _ in changes(content))
        for title, target in SAMPLES.items()
    }
    names = {name for title, size in sizes.items() for number in range(size) for name in drawn(title, number)}
    assert names == set(protocols())
