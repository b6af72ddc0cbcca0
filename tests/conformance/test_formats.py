"""Exported annotation files of many tools, and what must be read from them: as documents, as errors, as repairs.

The pack brings the comparison of its documents.
"""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from karat import formats
from karat.cli import run
from karat.errors import InputError
from karat.formats.base import EVERYTHING, Problems
from karat.formats.catalogue import holds_json
from karat.formats.exported import format_of, read_exported
from karat.model import Document
from karat.settings import build
from tests.conformance import packs
from tests.conformance.bunches import in_bunches

SYNTHETIC = packs.manifest("formats")
FOLDERS = sorted({case["format"] for case in SYNTHETIC})
UNPROMISED = ("foreign", "empty")
"""Kinds of cases that need not be recognised."""
BESIDE = {"i2b2/relation-without-concept": "n1.rel"}
"""The file with the fault, where a document is several and it is not the one to read."""


def public() -> list[dict[str, Any]]:
    """Return the cases on real files, none where the pack is not beside the repository."""
    found = []
    for path in sorted((packs.SHARED / "formats").glob("*/manifest.jsonl")):
        name = path.parent.name
        for case in map(json.loads, path.read_text("utf-8").splitlines()):
            if case["folder"].startswith("public/"):
                folder = f"{name}/{case['folder']}"
                found.append(case | {"id": f"{name}/{case['case']}", "format": name, "folder": folder})
    return found


PUBLIC = public()


NEEDED = {"hf": "pyarrow", "nif": "pyoxigraph"}
"""What formats need that is an extra."""
READABLE = [case for case in SYNTHETIC + PUBLIC if importlib.util.find_spec(NEEDED.get(case["format"], "pytest"))]
"""The cases of all formats but those whose extra is not installed."""


def folder_of(case: dict[str, Any]) -> Path:
    root = packs.SHARED / "formats" if "/public/" in case["folder"] else packs.synthetic("formats")
    return root / case["folder"]


def expected_of(case: dict[str, Any]) -> dict[str, Any]:
    return expected_in(folder_of(case))


@lru_cache(maxsize=1)
def expected_in(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / "expected.json").read_text("utf-8"))
    return content


def settings_of(case: dict[str, Any]) -> dict[str, str]:
    """Return the options of a case; a file that one names stands beside the file to read."""
    folder = folder_of(case)
    options = expected_of(case).get("options", {})
    return {name: str(folder / value) if (folder / value).is_file() else value for name, value in options.items()}


def command(verb: str, case: dict[str, Any], *more: str) -> list[str]:
    words = [verb, str(folder_of(case) / case["read"]), *more, "--from", case["format"]]
    return words + [word for pair in settings_of(case).items() for word in ("--read", "=".join(pair))]


@cache
def comparison() -> Any:
    """Return the module of the pack that compares documents."""
    spec = importlib.util.spec_from_file_location("compare", packs.synthetic("formats") / "compare.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def differences(expected: dict[str, Any], written: str) -> list[str]:
    documents = [json.loads(line) for line in written.splitlines()]
    found: list[str] = comparison().differences(expected, documents)
    return found


@in_bunches("case", READABLE)
def test_case(case: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    documents_are_read_and_damage_is_named(case, capsys)
    repairs_are_told(case, capsys)
    a_file_is_recognised_and_no_other_format_takes_it(case)
    what_can_be_written_is_read_back(case, tmp_path)


def documents_are_read_and_damage_is_named(case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    expected = expected_of(case)
    status = run(command("convert", case, "-", "--to", "jsonl"))
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    if "error" not in expected:
        assert status == 0, err
        assert differences(expected, out) == []
        return
    assert (status, out) == (3, "")
    (sentence,) = err.splitlines()
    assert sentence.startswith("karat: ")
    assert [word for word in expected["error"]["says"] if word not in sentence] == [], sentence
    if line := expected["error"].get("line"):
        name = BESIDE.get(case["id"], case["read"])
        assert f"{folder_of(case) / name}:{line}: " in sentence


def repairs_are_told(case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    expected = expected_of(case)
    if "error" in expected or expected["documents"] is None:
        return
    run(command("validate", case, "--view", "jsonl"))
    problems = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [problem for problem in problems if problem.get("severity", "error") != "repair"] == []
    wanted = expected.get("repairs", [])
    messages = [problem["message"] for problem in problems]
    assert len(messages) == len(wanted), messages
    for sentence, message in zip(wanted, messages, strict=True):
        assert [name for name in names_in(sentence) if name not in message] == [], message


def names_in(sentence: str) -> list[str]:
    """Return the names and numbers of a sentence: what is quoted, and numerals that are no part of a word."""
    quoted = re.findall(r"'([^']*)'|\"([^\"]*)\"", sentence)
    return [one or other for one, other in quoted] + re.findall(r"(?<![\w-])\d+(?![\w-])", sentence)


def a_file_is_recognised_and_no_other_format_takes_it(case: dict[str, Any]) -> None:
    path = folder_of(case) / case["read"]
    told = case.get("sniff", "")
    takers = [declared.name for declared in formats.claimants(path)]
    assert [name for name in takers if name != case["format"] and name not in told] == []
    if told.startswith("none"):
        assert case["format"] not in takers
    elif case["kind"] not in UNPROMISED:
        allowed = [name for name in formats.formats() if re.search(rf"\b{re.escape(name)}\b", told)]
        assert formats.sniff(path).name in (allowed or [case["format"]])


def what_can_be_written_is_read_back(case: dict[str, Any], tmp_path: Path) -> None:
    expected = expected_of(case)
    declared = formats.format_named(case["format"])
    if "error" in expected or declared.write is None:
        return
    path = folder_of(case) / case["read"]
    told, told_again = Problems(), Problems()
    documents = list(formats.read(path, case["format"], problems=told, options=settings_of(case)))
    try:
        formats.write(documents, tmp_path / "back", case["format"])
    except InputError:
        assert case["case"] not in ("plain", "label-plain", "entities-plain"), "the plainest document can be written"
        return
    back = list(formats.read(tmp_path / "back", case["format"], problems=told_again))
    news = {problem.message for problem in told_again.found} - {problem.message for problem in told.found}
    assert [message for message in news if "offsets are read as such units" not in message] == []
    wanted = {"ids": "free", "documents": json_of(documents)}
    assert differences(wanted, formats.render(back, "jsonl")[""]) == []


def json_of(documents: list[Any]) -> list[dict[str, Any]]:
    empty = {"text": "", "mentions": [], "labels": []}
    return [empty | json.loads(line) for line in formats.render(documents, "jsonl")[""].splitlines()]


@pytest.mark.parametrize("name", NEEDED)
def test_cases_of_formats_with_extras_are_read(name: str) -> None:
    pytest.importorskip(NEEDED[name])
    assert name in {case["format"] for case in READABLE}


def test_no_folder_is_forgotten() -> None:
    assert len(SYNTHETIC) == 631
    assert len(FOLDERS) == 24
    assert set(FOLDERS) <= set(formats.formats())


def values_in(path: Path) -> Any:
    """Return what a file of JSON holds, as Python has it: its one value, or a list of those in its lines."""
    content = path.read_text("utf-8-sig")
    if re.search(r"\bNaN\b", content):
        raise ValueError("NaN is no JSON")
    try:
        return json.loads(content)
    except ValueError:
        return [json.loads(line) for line in content.splitlines() if line.strip()]


def outcome(documents: Iterable[Document], problems: Problems, stem: str) -> tuple[list[Document], list[str]]:
    """Return the documents, numbered where they are called as their file, and all that was said but for the places."""
    found = [
        msgspec.structs.replace(document, id="1" if document.id == stem else document.id, source="")
        for document in documents
    ]
    return found, [re.sub(r"item \d+: |on line|item", "", problem.message).strip() for problem in problems.found]


@pytest.mark.parametrize("folder", [name for name in FOLDERS if holds_json(name) and name != "llm"])
def test_what_a_file_holds_is_read_from_python_as_well(folder: str) -> None:
    declared = formats.format_named(folder)
    for case in (case for case in SYNTHETIC if case["format"] == folder):
        path = folder_of(case) / case["read"]
        try:
            values = values_in(path)
        except (ValueError, RecursionError):
            continue
        options = build(declared.options, settings_of(case), folder)
        of_file, of_objects = Problems(collect=True), Problems(collect=True)
        file = declared.read(str(path), problems=of_file, want=EVERYTHING, options=options)
        objects = read_exported(values, declared, name="gold", problems=of_objects, want=EVERYTHING, options=options)
        assert outcome(objects, of_objects, path.stem) == outcome(file, of_file, path.stem), case["id"]
        if case["kind"] not in UNPROMISED and "none" not in case.get("sniff", ""):
            assert format_of(values) == folder, case["id"]
