"""JSON files as their writers leave them: lines, arrays, one object over many lines; and what is no such file."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.parts import json_items as module
from karat.formats.parts.heads import first_object
from karat.formats.parts.json_items import json_items, text_of
from karat.formats.parts.unread_names import Unread


def items(path: Path, content: bytes) -> list[tuple[int | None, int, object]]:
    path.write_bytes(content)
    return [(item.line, item.number, item.value) for item in json_items(str(path), Problems())]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'{"a":1}\n\n{"a":2}\n', [(1, 1, {"a": 1}), (3, 2, {"a": 2})]),
        (b'\xef\xbb\xbf{"a":1}', [(1, 1, {"a": 1})]),
        (b'{"a":1}\r\n{"a":2}\r\n', [(1, 1, {"a": 1}), (2, 2, {"a": 2})]),
        (b'[{"a":1},\n{"a":2}]', [(None, 1, {"a": 1}), (None, 2, {"a": 2})]),
        (b'\n{\n"a":\n1\n}\n', [(2, 1, {"a": 1})]),
        (b"[[1]]", [(None, 1, [1])]),
        (b"[]", []),
        (b"", []),
    ],
)
def test_lines_arrays_and_one_object_are_read(tmp_path: Path, content: bytes, expected: list[object]) -> None:
    assert items(tmp_path / "a.json", content) == expected
    (tmp_path / "b.json.gz").write_bytes(gzip.compress(content))
    assert [item.value for item in json_items(str(tmp_path / "b.json.gz"), Problems())] == [one[2] for one in expected]  # type: ignore[index]


def test_lines_may_be_longer_than_a_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK", 4)
    assert items(tmp_path / "a", b'{"a":"0123456789"}\n{"b":1}') == [(1, 1, {"a": "0123456789"}), (2, 2, {"b": 1})]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b'{"a":1}\n{"a":\n', 2, "not JSON: .*; expected one JSON value a line"),
        (b'{"a": NaN}', 1, "not JSON"),
        (b'[{"a": 1},\n{"a": 1e999}]', None, "not JSON: Number out of range"),
        (b'[\n{"a": 1},\n{"a" 1}]', 3, "not JSON"),
        (b'{"a": "\\ud800"}', None, "not JSON"),
        (b'{"a": "\xff"}', None, "byte 0xff is not UTF-8"),
        (b"[" * 100_000, None, "nested too deeply"),
        (b'{"a":' * 100_000, None, "nested too deeply"),
        (b"\x00" * 10, 1, "not JSON"),
        (b"oops", 1, "not JSON"),
    ],
)
def test_what_is_no_json_is_refused_with_its_line(
    tmp_path: Path, content: bytes, line: int | None, message: str
) -> None:
    with pytest.raises(InputError, match=message) as refusal:
        items(tmp_path / "a.json", content)
    assert refusal.value.path == str(tmp_path / "a.json")
    assert refusal.value.line == line


def test_a_file_beyond_all_bounds_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", 20)
    with pytest.raises(InputError, match="longer than 20 bytes"):
        items(tmp_path / "a", b'["' + b"a" * 30 + b'"]')
    with pytest.raises(InputError, match="longer than 20 bytes"):
        items(tmp_path / "a", b"[\n" * 30)


def test_standard_input_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{\n"a":1}')))
    assert [item.value for item in json_items("-", Problems())] == [{"a": 1}]


def test_a_key_that_nobody_reads_is_told_once(tmp_path: Path) -> None:
    unread, problems = Unread(), Problems()
    for _ in range(3):
        unread.look({"relatons": [1], "source": "wiki", "tags": []}, frozenset({"relations"}))
    unread.report("f", problems)
    (problem,) = problems.found
    assert problem.message == "the key 'relatons' is not read as annotations, in 3 documents; it is kept as metadata"


def test_numbers_without_end_are_refused() -> None:
    with pytest.raises(InputError, match="too many digits"):
        text_of(10**5000)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('{"a": 1}\n{"b": 2}', {"a": 1}),
        ('[\n {"a": "}]"} , ', {"a": "}]"}),
        ('[1, {"a": 1}]', {}),
        ('TOKEN {"a": 1}', {}),
        ('{"a": [1}', {}),
        ('\ufeff{"a": "\\"{"}', {"a": '"{'}),
        ('"vertexSet"', {}),
        ("[[1]]", {}),
        ("[]", {}),
        ("}", {}),
        ("[" * 100_000, {}),
        ('{"a": [1, 2], "b": {"c": "' + "x" * 70_000, {"a": [1, 2], "b": {}}),
        ('[{"a": 1, "b": "' + "[{" * 40_000, {"a": 1}),
        ('{"a": ' + "1, " * 70_000, {}),
    ],
)
def test_the_first_object_is_seen_as_far_as_the_head_goes(head: str, expected: dict[str, object]) -> None:
    assert first_object(head) == expected


def test_an_array_on_one_line_is_never_decoded_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, element = tmp_path / "a.json", b'{"words": ["Ada", "left"]}'
    path.write_bytes(b" [" + b",".join([element] * 50) + b"]\n")
    sizes = []
    decoded = module._decoded

    def weighed(content: bytes | msgspec.Raw, shape: object) -> object:
        if shape is Any:
            sizes.append(len(bytes(content)))
        return decoded(content, shape)

    monkeypatch.setattr(module, "_decoded", weighed)
    assert len(list(json_items(str(path), Problems()))) == 50
    assert sizes == [len(element)] * 50


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("shape", ["one collection", "lines", "array"])
def test_wrapped_items_are_decoded_one_at_a_time(shape: str, indent: int | None, tmp_path: Path) -> None:
    """The items of a collection are those of its list, wherever the collection stands; a key again means the last."""
    one, two = ({"key": "", "of": [{"n": number}, {"n": number + 1}]} for number in (1, 3))
    parts = {"one collection": [one], "lines": [one, two], "array": [one, two]}[shape]
    text = json.dumps(parts, indent=indent) if shape == "array" else "\n".join(map(json.dumps, parts))
    path = tmp_path / "c.json"
    path.write_text(json.dumps(one, indent=indent) if shape == "one collection" else text, "utf-8")
    items = list(json_items(str(path), Problems(), ["other", "of"]))
    assert [item.value["n"] for item in items] == [item.number for item in items] == list(range(1, 2 * len(parts) + 1))
    assert {item.wrapper for item in items} == {"of"}


def test_a_wrapper_that_is_no_list_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text('{"of": {"n": 1}}', "utf-8")
    with pytest.raises(InputError, match=r"expected `array`, got `object`"):
        list(json_items(str(tmp_path / "c.json"), Problems(), ["of"]))
