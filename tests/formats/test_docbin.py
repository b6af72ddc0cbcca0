"""spaCy's binary files, read without spaCy: what is in them, and that damage ends with a sentence."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

import msgspec
import numpy
import pytest
from tests.fuzz.targets import targets

from karat import formats
from karat.cli import run
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.docbin import names_of
from karat.io.archives import SETTING
from karat.testing import check_format

SAMPLE = targets()["format docbin"].files["a.spacy"]


def content() -> dict[str, Any]:
    """Return what the sample holds, unpacked."""
    unpacked: dict[str, Any] = msgspec.msgpack.decode(zlib.decompress(SAMPLE))
    return unpacked


def told(tmp_path: Path, **changed: Any) -> list[str]:
    """Return what reading the sample with other parts reports."""
    (tmp_path / "a.spacy").write_bytes(zlib.compress(msgspec.msgpack.encode(content() | changed)))
    problems = Problems(collect=True)
    list(formats.read(tmp_path / "a.spacy", problems=problems))
    return [problem.message for problem in problems.found]


def test_the_format_keeps_its_promises() -> None:
    check_format(formats.format_named("docbin"), [SAMPLE])


def test_entities_and_groups_are_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(SAMPLE)
    first, second = formats.read(tmp_path / "a")
    assert (first.id, first.metadata) == ("letter-7", {"cats": '{"travel": 1.0}'})
    assert first.text == "Ada left Bern for Łódź."
    assert [(mention.text, *mention.labels, mention.layer) for mention in first.mentions] == [
        ("Ada", "PERSON", ""),
        ("Bern", "LOC", ""),
        ("Ada left Bern", "EVENT", "sc"),
        ("Łódź", "GPE", "sc"),
    ]
    assert [link.target for mention in first.mentions for link in mention.links] == ["Q7259", "Q580"]
    assert (second.id, second.text, second.mentions) == ("2", "dep Bo ", [])


def test_tokens_that_are_blocked_are_no_entities(tmp_path: Path) -> None:
    unpacked = content()
    rows = numpy.frombuffer(unpacked["tokens"], dtype="<u8").reshape(-1, len(unpacked["attrs"])).copy()
    rows[1, unpacked["attrs"].index(77)] = 3
    (tmp_path / "a").write_bytes(zlib.compress(msgspec.msgpack.encode(unpacked | {"tokens": rows.tobytes()})))
    first, _ = formats.read(tmp_path / "a")
    assert [mention.text for mention in first.mentions if not mention.layer] == ["Ada", "Bern"]


def test_what_does_not_fit_together_is_named(tmp_path: Path) -> None:
    whole = content()
    for changed, reason in (
        ({"lengths": whole["lengths"][:4]}, "the lengths of 1 document do not fit the tokens; is it cut off?"),
        ({"lengths": b"\xff" * 8}, "the lengths of 2 documents do not fit the tokens; is it cut off?"),
        ({"spaces": b""}, "the lengths of 2 documents do not fit the tokens; is it cut off?"),
        ({"attrs": [number + 1000 for number in whole["attrs"]]}, "without the attribute ORTH: there is no text"),
        ({"strings": []}, "stands for a text that the file does not hold"),
        ({"span_groups": [b"\x91\xc4\x01\xc1", b""]}, "a group of spans is not as spaCy writes it"),
        ({"user_data": [b"\xc1", b"\x80"]}, "user data is not as spaCy writes it"),
        ({"user_data": [msgspec.msgpack.encode({"id": "x"})] * 2}, "document 'x' is there twice; remove one"),
    ):
        messages = told(tmp_path, **changed)
        assert reason in messages[-1], messages


def test_spans_keep_their_ids_and_are_named_outside_of_a_document(tmp_path: Path) -> None:
    def groups(*spans: bytes) -> list[bytes]:
        group = msgspec.msgpack.encode({"name": "g", "attrs": {}, "spans": spans})
        return [msgspec.msgpack.encode([group]), b""]

    named = struct.pack(">QQQllll", 380, 0, 385, 0, 1, 0, 3)  # 380 is PERSON, 385 LOC
    (tmp_path / "a").write_bytes(zlib.compress(msgspec.msgpack.encode(content() | {"span_groups": groups(named)})))
    first, _ = formats.read(tmp_path / "a")
    (mention,) = (mention for mention in first.mentions if mention.layer)
    assert (mention.labels, mention.attributes) == (("LOC",), {"id": "PERSON"})
    far = bytes(27) + b"\x01" + bytes(3) + b"\x09" + bytes(8)
    assert told(tmp_path, span_groups=groups(far)) == [
        "document 'letter-7': the tokens [1, 9] are outside of the document, which has 6 tokens"
    ]
    assert told(tmp_path, span_groups=groups(b"")) == [
        "document 'letter-7': a span of the group 'g' has 0 bytes; expected 40"
    ]


def test_damage_behind_the_packing_ends_with_a_sentence(tmp_path: Path) -> None:
    unpacked = zlib.decompress(SAMPLE)
    path = tmp_path / "a.spacy"
    for place in range(0, len(unpacked), 31):
        for value in (0x00, 0x93, 0xC1, 0xDF, 0xFF):
            path.write_bytes(zlib.compress(unpacked[:place] + bytes([value]) + unpacked[place + 1 :], level=0))
            problems = Problems(collect=True)
            assert len(list(formats.read(path, "docbin", problems=problems))) <= 2


def test_a_bomb_is_not_unpacked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SETTING, "1M")
    path = tmp_path / "a.spacy"
    path.write_bytes(zlib.compress(bytes(2 << 20)))
    assert run(["convert", str(path), "-", "--from", "docbin", "--to", "jsonl"]) == 3
    assert "unpacks to more than 1,048,576 bytes" in capsys.readouterr().err


def test_another_file_that_zlib_has_packed_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "a.z").write_bytes(zlib.compress(b"anything"))
    with pytest.raises(InputError, match="not recognised"):
        formats.sniff(tmp_path / "a.z")


def test_numbers_are_those_of_spacy() -> None:
    strings = pytest.importorskip("spacy.strings", reason="spaCy is not installed")
    texts = ["Ada", "Łódź", "exactly8", "a word of more than eight bytes", "😀"]
    store = strings.StringStore(texts)
    assert {number: name for number, name in names_of(texts).items() if number > 456} == {
        store[text]: text for text in texts
    }
    assert [name for number, name in names_of([]).items() if store[name] != number] == []
