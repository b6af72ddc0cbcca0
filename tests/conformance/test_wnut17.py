"""Both programs of WNUT-17: what they print, byte for byte, and the same numbers through ``karat.score``."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.cli import run
from karat.protocols.spans.drop_in.rows import documents
from karat.protocols.spans.drop_in.wnut17 import cut_as_the_first, rows_of
from tests.conformance import packs
from tests.conformance.bunches import in_bunches

Capture = pytest.CaptureFixture[bytes]
Case = dict[str, Any]
CASES = [case for case in packs.manifest("tags") if case["program"].startswith("wnut17")]
CASES += [{**case, "public": True} for case in packs.public("tags-relations/wnut17")]


def root(case: Case) -> Path:
    return packs.SHARED / "tags-relations" / "wnut17" / "public" if case.get("public") else packs.synthetic("tags")


def given(case: Case) -> bytes:
    names = [case["stdin"]] if "stdin" in case else case["inputs"].values()
    return b"".join((root(case) / name).read_bytes() for name in names)


def expected(case: Case) -> bytes:
    return (root(case) / case["expected"]["stdout"]).read_bytes()


def profile_of(case: Case) -> str:
    return "first" if case["program"] == "wnut17-first" else "published"


@in_bunches("case", CASES)
def test_command(case: Case, monkeypatch: pytest.MonkeyPatch, capfdbinary: Capture) -> None:
    if "stdin" in case:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given(case))))
    else:
        monkeypatch.chdir((root(case) / next(iter(case["inputs"].values()))).parent)
    profile = ["--profile", "first"] if profile_of(case) == "first" else []
    status = run(["wnut17", *case["args"], *profile])
    out, err = capfdbinary.readouterr()
    assert b"internal error" not in err
    assert bool(status) == bool(case["exit"])
    if not case["exit"]:
        assert out == expected(case)


SCORED = [case for case in CASES if case["id"] not in packs.drop_in_only("tags")]
MEASURES = ("precision", "recall", "f1")


@in_bunches("case", SCORED)
def test_score(case: Case) -> None:
    """The same numbers through ``karat.score``, on documents with words and tags."""
    lines = given(case).decode("latin-1").split("\n")
    if profile_of(case) == "first":
        lines = ["\t".join(cut_as_the_first(None)(line)) for line in lines]
    gold, system = documents([sentence for sentence in rows_of(lines, ragged=True) if sentence])
    scores = karat.score("wnut17", gold, system, zero="zero", by="label", profile=profile_of(case))

    def numbers(regime: str, *, label: str | None = None, accuracy: bool = False) -> Any:
        values = [scores.value("accuracy", regime=regime)] if accuracy else []
        values += [scores.value(measure, regime=regime, label=label) for measure in MEASURES]
        return pytest.approx([100 * value for value in values], abs=0.005000001)

    def printed(line: str) -> list[float]:
        return list(map(float, re.findall(r"\d+\.\d\d", line)))

    text = expected(case).decode("latin-1")
    if profile_of(case) == "first":
        surface, _, entity, *types = text.removesuffix("\n").split("\n")
        assert printed(surface) == numbers("surface")
        assert printed(entity) == numbers("entity", accuracy=True)
        for line in types:
            name = line.partition(":")[0].strip()
            assert printed(line) == numbers("entity", label=name)
        return
    for regime, block in zip(("entity", "surface"), text.split("### SURFACE FORM F1-SCORES ###"), strict=True):
        head, *types = re.split(r"\n *([a-z-]+): \nprecision", block.partition("accuracy")[2])
        assert printed(head) == numbers(regime, accuracy=True)
        for name, cells in zip(types[::2], types[1::2], strict=True):
            assert printed(cells) == numbers(regime, label=name)
