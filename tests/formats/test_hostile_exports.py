"""Hostile files of every format: bombs, depth, numbers beyond all bounds, lone surrogates, zeros, cut ends.

Each is a sample of the fuzzer with one thing changed; it is answered with documents or with a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.fuzz.targets import targets

from karat import formats
from karat.cli import run

DEPTH = 20_000
BOMB = b'<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;">]>'
SAMPLES = {title: target for title, target in targets().items() if title.startswith("format ")}


def bounds(content: bytes) -> bytes:
    """Make every number of more than nothing one that no file can mean."""
    return re.sub(rb"(?<![\w.-])[1-9][0-9]*(?![\w.-])", b"1000000000000", content)


def deep(content: bytes) -> bytes:
    if content.lstrip().startswith(b"<"):
        return re.sub(rb">", b">" + b"<x>" * DEPTH, content, count=2)
    return re.sub(rb"[\[{]", b"[" * DEPTH, content, count=1) if content.lstrip()[:1] in (b"[", b"{") else content * 2


def bomb(content: bytes) -> bytes:
    start = content.find(b"<", content.find(b"?>") + 1)
    return content[:start] + BOMB + re.sub(rb"(?<=>)(?=[^<])", b"&d;", content[start:], count=1)


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda content: content[: len(content) // 2],
    "negative": lambda content: re.sub(rb"(?<![\w.-])[0-9]+(?![\w.-])", b"-1", content),
    "bounds": bounds,
    "deep": deep,
    "bomb": bomb,
    "surrogate": lambda content: content.replace(b'"', b'"\\ud800', 5).replace(b"e", b"\xed\xa0\x80", 3),
    "escaped surrogate": lambda content: re.sub(rb'(?<=")(\w)', rb"\\ud800\1", content),
    "zeros": lambda content: content.replace(b"a", b"\0"),
    "control": lambda content: content.replace(b"a", b"\x1b[2J"),
    "empty texts": lambda content: re.sub(rb'"[^"]*"', b'""', content),
    "null": lambda content: re.sub(rb"\d+", b"null", content),
}


@pytest.mark.parametrize("title", SAMPLES)
def test_what_is_hostile_is_answered_with_a_sentence(
    title: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = title.removeprefix("format ").partition("/")[0]
    if name in ("hf", "nif"):
        pytest.importorskip({"hf": "pyarrow", "nif": "pyoxigraph"}[name])
    for number, (kind, damage) in enumerate(DAMAGE.items()):
        folder = tmp_path / str(number)
        for path, content in SAMPLES[title].files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(damage(content))
        only = list(folder.iterdir())
        source = only[0] if len(only) == 1 and not formats.format_named(name).folder else folder
        for words in (["validate", "--view", "jsonl"], ["convert", "--to", "jsonl"]):
            status = run([words[0], str(source), *words[1:], "--from", name])
            out, err = capsys.readouterr()
            assert status in (0, 2, 3), (kind, err)
            assert "Traceback" not in out + err
            assert "internal error" not in err, (kind, err)
            if words[0] == "convert" and status:
                assert (out, len(err.splitlines())) == ("", 1), (kind, err)
            assert len(out) < 1_000_000, kind
