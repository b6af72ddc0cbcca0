"""Archives unpack to no more than a stated size, which a setting raises."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace

import pytest

from karat import io as files
from karat.cli import run
from karat.errors import InputError, UsageError
from karat.formats.parts.xml import parse_xml
from karat.io import archives
from karat.vocabularies.ontology import streams

PACKERS: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
LINES = b"Bern O\n" * 200_000
ROADS: dict[str, Callable[[str], Iterable[object]]] = {
    "text": files.text_blocks,
    "ontology": streams.blocks,
}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_UNPACKED", 100_000)
    monkeypatch.delenv(archives.SETTING, raising=False)


def bomb(folder: Path, ending: str) -> str:
    path = folder / f"a.txt{ending}"
    if ending == ".zst":
        path.write_bytes(pytest.importorskip("zstandard").ZstdCompressor().compress(LINES))
    else:
        path.write_bytes(PACKERS[ending](LINES))
    return str(path)


@pytest.mark.parametrize(
    ("ending", "road"),
    [(ending, road) for ending in (*PACKERS, ".zst") for road in ROADS if (ending, road) != (".zst", "text")],
)  # only sources of ontologies are read in that form
def test_what_grows_too_much_is_refused_unless_it_is_allowed(
    ending: str, road: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = bomb(tmp_path, ending)
    with pytest.raises(InputError, match=r"unpacks to more than [0-9,]+ bytes, from [0-9,]+; .*KARAT_MAX_UNPACKED=20G"):
        list(ROADS[road](path))
    monkeypatch.setenv(archives.SETTING, "2M")
    assert list(ROADS[road](path))


def test_an_archive_is_measured_by_its_own_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is large when packed may be large when unpacked, whatever the least limit is."""
    monkeypatch.setattr(archives, "MAX_UNPACKED", 10)
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(LINES[:7000], compresslevel=0))
    assert files.read_text(tmp_path / "a.txt.gz").encode() == LINES[:7000]


def test_documents_of_xml_are_bounded_too(tmp_path: Path) -> None:
    for name in ("a.naf.gz", "a.naf"):  # known by its name, or by how it begins
        (tmp_path / name).write_bytes(gzip.compress(b"<NAF>" + b" " * 2_000_000 + b"</NAF>"))
        with pytest.raises(InputError, match="unpacks to more than"):
            parse_xml(str(tmp_path / name))


@pytest.mark.parametrize(
    ("text", "size"), [("7", 7), ("3k", 3072), ("2 MiB", 2 << 20), ("20G", 20 << 30), ("1TB", 1 << 40)]
)
def test_a_setting_is_a_size(text: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(archives.SETTING, text)
    stream = archives.bounded(io.BytesIO(b""), io.BytesIO(), tmp_path)
    assert stream._most == size  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["much", "-1", "1.5G", "9" * 40])
def test_a_setting_that_is_none_is_a_wrong_command_line(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(archives.SETTING, text)
    assert run(["validate", bomb(tmp_path, ".gz"), "--from", "conll"]) == UsageError.exit_status
    assert f"KARAT_MAX_UNPACKED is {text!r}; expected a number of bytes, such as 20G" in capsys.readouterr().err


def test_standard_input_is_bounded_without_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = io.BufferedReader(io.BytesIO(gzip.compress(b"<NAF>" + b" " * 2_000_000 + b"</NAF>")))
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=packed))
    with pytest.raises(InputError, match="-: unpacks to more than 100,000 bytes; if that is right"):
        parse_xml("-")
