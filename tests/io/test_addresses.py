"""Addresses are opened by fsspec, where it is installed; those of the web only where that is asked for."""

from __future__ import annotations

import builtins
import functools
import gzip
import http.server
import importlib
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import karat
from karat import io as files
from karat.cli import run
from karat.errors import InputError, MissingExtraError
from karat.io.addresses import SETTING

fsspec = pytest.importorskip("fsspec")
EXAMPLES = Path(__file__).parents[2] / "examples" / "hipe"
NAMES = ("gold.tsv", "system-a.tsv")


@pytest.fixture
def store() -> Iterator[Any]:
    """Give a store in memory that holds the examples."""
    store = fsspec.filesystem("memory")
    for name in NAMES:
        store.pipe(f"/hipe/{name}", (EXAMPLES / name).read_bytes())
    yield store
    store.rm("/hipe", recursive=True)


@pytest.mark.usefixtures("store")
def test_a_score_is_that_of_the_same_files_on_disk(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for place in (str(EXAMPLES), "memory://hipe"):
        words = [
            "hipe2022-nel",
            *(f"{place}/{name}" for name in NAMES),
            "--save",
            str(tmp_path / f"{len(place)}.karat"),
        ]
        assert run(["score", *words]) == 0
    first, second = (path.read_bytes() for path in tmp_path.iterdir())
    assert first == second
    out = capfd.readouterr().out.splitlines()
    assert out[: len(out) // 2] == out[len(out) // 2 :]


def test_what_is_packed_is_unpacked(store: Any) -> None:
    store.pipe("/hipe/gold.tsv.gz", gzip.compress((EXAMPLES / "gold.tsv").read_bytes()))
    assert files.read_text("memory://hipe/gold.tsv.gz") == (EXAMPLES / "gold.tsv").read_text()


@pytest.mark.usefixtures("store")
def test_workers_make_no_difference() -> None:
    addresses = [f"memory://hipe/{name}" for name in NAMES]
    local = [str(EXAMPLES / name) for name in NAMES]
    with ThreadPoolExecutor(2) as executor:
        assert karat.score("hipe2022-nel", *addresses, executor=executor) == karat.score("hipe2022-nel", *local)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("memory://hipe/absent.tsv", "memory://hipe/absent.tsv: cannot be read: "),
        ("https://example.org/gold.tsv", f"only where that is asked for: set {SETTING}=https"),
        ("HTTP://example.org/gold.tsv", f"only where that is asked for: set {SETTING}=http "),
        ("ftp://example.org/gold.tsv", "is no address that Karat opens, which are abfs://, "),
        ("simplecache::https://example.org/gold.tsv", "is no address that Karat opens"),
        ("file:///etc/passwd", "is no address that Karat opens"),
    ],
)
def test_what_is_not_opened_is_said(address: str, message: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "hipe2022-nel", address, address]) == 3
    out, err = capfd.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_without_fsspec_the_command_to_install_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'karat\[remote\]'"):
        files.read_text("s3://bucket/gold.tsv")


def test_a_store_whose_package_is_missing_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(InputError, match=r"^s3://bucket/gold.tsv: cannot be opened: .*s3fs"):
        files.read_text("s3://bucket/gold.tsv")


def test_what_breaks_off_is_said(store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class BreaksOff:
        def read(self, _: int) -> bytes:
            raise RuntimeError("the connection\nwas lost")

        def close(self) -> None:
            pass

    monkeypatch.setattr(type(store), "_open", lambda *_, **__: BreaksOff())
    with pytest.raises(InputError, match=r"^memory://hipe/gold.tsv:1: cannot be read: the connection was lost$"):
        files.read_text("memory://hipe/gold.tsv")


def test_the_core_imports_nothing_that_could_open_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str, *rest: Any) -> Any:
        assert name.partition(".")[0] not in ("fsspec", "urllib3", "aiohttp", "requests")
        return original(name, *rest)

    original = builtins.__import__
    monkeypatch.setattr(builtins, "__import__", refuse)
    monkeypatch.setattr(importlib, "import_module", refuse)
    assert files.read_text(EXAMPLES / "gold.tsv")


def test_the_web_is_opened_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("aiohttp", reason="fsspec opens addresses of the web with aiohttp, which is not installed")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(EXAMPLES))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            monkeypatch.setenv(SETTING, "http")
            text = files.read_text(f"http://127.0.0.1:{server.server_port}/gold.tsv")
        finally:
            server.shutdown()
            thread.join()
    assert text == (EXAMPLES / "gold.tsv").read_text()
