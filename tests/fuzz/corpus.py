"""Every input that ever broke a promise, made small, one JSON file each; tests try them all again."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from tests.fuzz.cases import Case, packed, unpacked
from tests.fuzz.targets import HERE

CORPUS = HERE / "corpus"


def keep(case: Case, fault: str, folder: Path = CORPUS) -> Path:
    """Write a case into the corpus, under a name made of its target and its fault."""
    folder.mkdir(parents=True, exist_ok=True)
    content = json.dumps(packed(case, fault), ensure_ascii=True, indent=1) + "\n"
    stem = re.sub(r"[^a-z0-9]+", "-", case.target.lower()).strip("-")
    path = folder / f"{stem}-{hashlib.sha256(f'{case.target} {fault}'.encode()).hexdigest()[:8]}.json"
    path.write_text(content, "utf-8")
    return path


def kept(folder: Path = CORPUS) -> dict[str, Case]:
    """Return the cases of the corpus by name."""
    return {path.stem: read(path) for path in sorted(folder.glob("*.json"))}


def read(path: Path) -> Case:
    """Return a case of the corpus."""
    return unpacked(json.loads(path.read_text("utf-8")))
