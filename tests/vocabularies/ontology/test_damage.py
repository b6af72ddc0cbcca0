"""Indexes that were damaged, disks that are full, and chains that would fill them: a sentence each time."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from tests.cli.conftest import ENVIRONMENT
from tests.vocabularies.ontology.graphs import AIRCRAFT, Edge, kgtk

from karat.cli import run
from karat.errors import InputError
from karat.vocabularies.ontology import store
from karat.vocabularies.ontology.builder import build
from karat.vocabularies.ontology.index import Ontology
from karat.vocabularies.ontology.similarity import measure
from karat.vocabularies.ontology.store import MANIFEST

LABELS: list[Edge] = [("Q1", "label", "'vehicle'@en"), ("Q2", "label", "'café'@en"), ("some value", "P31", "Q2")]
NAMES = [f"Q{number}" for number in range(1, 9)] + ["some value", "other value"]
PAIRS = [(first, second) for first in NAMES for second in NAMES]
CHAIN: list[Edge] = [(f"Q{number}", "P279", f"Q{number + 1}") for number in range(1, 3001)]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound")
    build(str(folder / "index"), [kgtk(folder / "a.tsv", [*AIRCRAFT, *LABELS])])
    return folder / "index"


def damaged_files(sound: Path, tmp_path: Path, random: Random) -> Path:
    """Return a copy of an index with some bytes of one file changed."""
    copy = tmp_path / "index"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(sound, copy)
    file = random.choice([path for path in sorted(copy.iterdir()) if path.name != MANIFEST and path.stat().st_size])
    content = bytearray(file.read_bytes())
    for _ in range(random.choice((1, 2, 8))):
        content[random.randrange(len(content))] = random.choice((0, 1, 0x7F, 0x80, 0xFF, random.randrange(256)))
    changed = bytes(content) != file.read_bytes()
    file.write_bytes(content)
    return copy if changed else damaged_files(sound, tmp_path, random)


def test_a_changed_byte_is_noticed_when_an_index_is_opened(sound: Path, tmp_path: Path) -> None:
    random = Random(14)  # noqa: S311 - nothing here is secret
    for _ in range(40):
        index = damaged_files(sound, tmp_path, random)
        with pytest.raises(InputError, match=r"is damaged: .*build the index again"):
            Ontology(str(index))


def test_a_large_index_is_not_read_to_be_opened(sound: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MAX_CHECKED", 0)
    monkeypatch.setattr(store, "_digest", lambda *_: pytest.fail("the arrays were read"))
    assert Ontology(str(sound)).size > 0


def test_what_is_asked_of_a_large_damaged_index_is_answered_or_refused(
    sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its content is not compared with the digest, so that any number may stand where a place is expected."""
    monkeypatch.setattr(store, "MAX_CHECKED", 0)
    random = Random(8)  # noqa: S311 - nothing here is secret
    refused = 0
    for _ in range(300):
        index = damaged_files(sound, tmp_path, random)
        try:
            ontology = Ontology(str(index))
            for profile in ("published", "corrected"):
                assert len(measure(ontology, PAIRS, profile)) == len(PAIRS)
            assert all(isinstance(ontology.label(node), str | None) for node in range(ontology.size))
        except InputError as error:
            assert "is damaged" in str(error)  # noqa: PT017 - either is right
            refused += 1
    assert refused > 100


def test_all_of_an_index_is_read_on_demand(
    sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(store, "MAX_CHECKED", 0)
    assert run(["ontology", "info", str(sound), "--check"]) == 0
    index = tmp_path / "index"
    shutil.copytree(sound, index)
    text = (index / "label_text").read_bytes()
    (index / "label_text").write_bytes(text.swapcase())
    assert run(["ontology", "info", str(index)]) == 0
    capsys.readouterr()
    assert run(["ontology", "info", str(index), "--check"]) == 3
    assert "index: is damaged: its content has not the digest that the manifest says; build" in capsys.readouterr().err


@pytest.mark.parametrize("change", [{"nodes": "many"}, {"given": 3}, {"sources": [1]}, {"edges": None}])
def test_what_is_told_of_an_index_has_the_right_kind(change: dict[str, object], sound: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    shutil.copytree(sound, index)
    manifest = json.loads((index / MANIFEST).read_text())
    manifest["info"] |= change
    (index / MANIFEST).write_text(json.dumps(manifest))
    assert run(["ontology", "info", str(index)]) == 3


FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limit = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
from karat.cli import run
sys.exit(run(sys.argv[2:]))
"""
"""A process whose files may have so many bytes: the next write fails, as on a full disk."""


@pytest.mark.parametrize("limit", [0, 1, 10, 30, 60, 100, 1000])
def test_a_full_disk_is_a_sentence_also_for_small_arrays(limit: int, tmp_path: Path) -> None:
    source = kgtk(tmp_path / "a.tsv", [*AIRCRAFT, *LABELS])
    command = [sys.executable, "-c", FULL, str(limit), "ontology", "build", "index", source]
    done = subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (3, "karat: index: cannot be written: file too large\n")
    assert [path.name for path in tmp_path.iterdir()] == ["a.tsv"]


def test_a_chain_of_classes_is_refused_unless_it_is_allowed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = kgtk(tmp_path / "a.tsv", CHAIN)
    assert run(["ontology", "build", str(tmp_path / "index"), source]) == 3
    assert "between 3,001 classes make more than 4,000,000 pairs of a class and a superclass" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["a.tsv"]
    allowed = ["--max-superclasses", "4504501"]
    assert run(["ontology", "build", str(tmp_path / "index"), source, *allowed]) == 0
    assert Ontology(str(tmp_path / "index")).info["superclasses"] == 4504501


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_an_interrupted_build_leaves_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "never-ends.tsv")
    command = [sys.executable, "-m", "karat", "ontology", "build", "index", "never-ends.tsv"]
    process = subprocess.Popen(command, cwd=tmp_path, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
    with (tmp_path / "never-ends.tsv").open("w") as stream:
        stream.write("node1\tlabel\tnode2\n" + "Q1\tP31\tQ2\n" * 1000)
        stream.flush()
        while not list(tmp_path.glob(".index.*")) and process.poll() is None:
            time.sleep(0.01)
        while process.poll() is None:  # again, for one that comes just before a system call waits with it
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(5)
        told = process.communicate(timeout=60)[1]
    assert (process.returncode, told.strip()) == (130, "karat: interrupted")
    assert [path.name for path in tmp_path.iterdir()] == ["never-ends.tsv"]
