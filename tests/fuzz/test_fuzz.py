"""A short run over every target, every input that ever failed, and whether there is a sample for everything."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import fields
from pathlib import Path

import click
import pytest

from karat.cli import karat
from karat.errors import MissingExtraError
from karat.evaluation.registry import protocols
from karat.formats import format_named, formats
from karat.formats.tools import tools
from karat.model import Document
from tests.fuzz.calling import call
from tests.fuzz.campaign import Part, Report, parts, try_part, work
from tests.fuzz.cases import make, packed, unpacked
from tests.fuzz.corpus import kept
from tests.fuzz.guards import guarded
from tests.fuzz.oracle import ABOVE_ONE, FaultError, Place, examine
from tests.fuzz.shrink import shrunk
from tests.fuzz.table import table
from tests.fuzz.targets import placed, targets, write

SHORT = 10
"""Cases of each target in a short run."""


@pytest.fixture
def place() -> Iterator[Place]:
    with Place() as made:
        yield made


@pytest.mark.parametrize("title", targets())
def test_a_short_run(title: str) -> None:
    report = try_part(Part(title, 0, max(3, round(SHORT * targets()[title].share))), every=20)
    assert not report.faults, report.faults[0].told


@pytest.mark.parametrize("name", kept())
def test_what_failed_once(name: str, place: Place) -> None:
    case = kept()[name]
    examine(case, place)
    work(case, place)


@pytest.mark.parametrize("title", targets())
def test_the_samples_are_sound(title: str, tmp_path: Path) -> None:
    target = targets()[title]
    write(target.files, tmp_path / "in")
    (tmp_path / "out").mkdir()
    with chdir(tmp_path / "out"):
        if target.words:
            called = call(placed(target.words))
            assert called.status == 0, called.err
            return
        options = dict(zip(target.options, placed(list(target.options.values())), strict=True))
        source = (tmp_path / "in" / target.read).resolve()
        from karat import read

        try:
            assert read(source, target.name, **options)
        except MissingExtraError as error:
            pytest.skip(str(error))


def commands(command: click.Command, names: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if not isinstance(command, click.Group):
        yield names
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from commands(found, (*names, name))


def names(kind: str) -> set[str]:
    return {target.name for target in targets().values() if target.kind == kind}


def test_everything_has_a_sample() -> None:
    assert names("tool") == set(tools())
    assert names("format") == set(formats()) - set(tools())
    waits_for_people = {"judge serve"}
    assert names("command") == {" ".join(found) for found in commands(karat)} - waits_for_people


def test_every_file_that_an_option_names_is_damaged() -> None:
    """Options of protocols and formats that name a file or an index are given in some sample."""
    declared = [declared.options for declared in (*protocols().values(), *formats().values())]
    known = {
        field.name for options in declared for field in fields(options) if _names_a_file(field.metadata["metavar"])
    }
    words = {word.lstrip("-").replace("-", "_") for target in targets().values() for word in target.words}
    given = words | {name for target in targets().values() for name in target.options}
    assert known - given - {"queries", "predictions"} == set()


def _names_a_file(metavar: str) -> bool:
    return metavar in ("FILE", "INDEX", "QUERIES", "TABLE,…")


def test_every_protocol_is_tried() -> None:
    tried = {make(target, seed).protocol for target in targets().values() if target.is_format for seed in range(100)}
    assert tried >= set(protocols())


@pytest.mark.parametrize("name", ABOVE_ONE)
def test_what_may_be_above_one_is_a_quirk(name: str) -> None:
    assert ABOVE_ONE[name] in {quirk.name for quirk in protocols()[name].quirks}


def test_the_same_seed_makes_the_same_case() -> None:
    for target in targets().values():
        case = make(target, 7)
        assert case == make(target, 7)
        assert unpacked(packed(case, "x")) == case


def test_parts_cover_a_run_once() -> None:
    found = list(parts(20_000))
    assert {part.target for part in found} == set(targets())
    assert 19_000 < sum(part.last - part.first for part in found) < 21_000
    assert len({(part.target, part.first) for part in found}) == len(found)


def test_a_crash_is_found_and_made_small(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    case = unpacked(packed(make(targets()["format conll"], 1), ""))
    case.files = {"gold.conll": b"Ada B-PER\nin O\nThun B-LOC\nxyz\n"}

    def broken(path: str, **_: object) -> Iterator[Document]:
        if "Thun" in Path(path).read_text("utf-8"):
            raise ZeroDivisionError
        yield Document("d", "x")

    import msgspec

    declared = msgspec.structs.replace(format_named("conll"), read=broken)
    monkeypatch.setattr("karat.formats.documents.format_named", lambda name: declared)
    with pytest.raises(FaultError, match="ZeroDivisionError") as caught:
        examine(case, place)
    assert shrunk(case, caught.value.key, place).files == {"gold.conll": b"Thun"}


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (["completion", "bash"], "writes outside"),
        (["convert", "IN/gold.jsonl", "../elsewhere.jsonl"], "writes outside"),
        (["convert", "IN/gold.jsonl", "IN/other.jsonl"], "writes outside"),
    ],
)
def test_writing_elsewhere_is_noticed(words: list[str], key: str, place: Place) -> None:
    case = make(targets()["command convert"], 0)
    case.words, case.files = tuple(words), dict(targets()["command convert"].files)
    with pytest.raises(FaultError, match=key):
        examine(case, place)


def test_the_guard_sees_what_is_changed(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    with guarded(f"{tmp_path}/out/") as noted:
        (tmp_path / "out" / "x").write_text("x")
        os.link(tmp_path / "out" / "x", tmp_path / "in" / "y")
        (tmp_path / "in" / "y").unlink()
        (tmp_path / "out" / ".." / "in" / "z").write_text("x")
    assert [note.split()[0] for note in noted] == ["os.link", "os.remove", "open"]


def test_the_table_adds_up() -> None:
    reports = [Report("a", 3, 1, 2), Report("b", 4, 4, most_steps=9)]
    assert [line.split("|")[2].strip() for line in table(reports).splitlines()[2:]] == ["3", "4", "7"]
