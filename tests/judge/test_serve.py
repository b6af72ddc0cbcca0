"""``karat judge serve`` up to the moment at which it listens."""

from __future__ import annotations

import gc
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import Command, karat

from karat.judge.pool import make_pool, write_pool

from .test_results import SYSTEMS

__all__ = ["karat"]
uvicorn = pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install 'karat[judge]'")


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    """Leave the collector of garbage as it was, which a server sets for itself."""
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


def test_connections_send_at_once(karat: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sockets that are not named TCP are not told so by the event loop, and each reply waits for 40 milliseconds."""
    listening: list[socket.socket] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda server, sockets: listening.extend(sockets))
    write_pool(make_pool(SYSTEMS, "relation"), tmp_path / "pool.jsonl")
    assert karat("judge", "serve", "pool.jsonl", "--port", "0").status == 0
    with listening[0] as only:
        assert only.getsockname()[0] == "127.0.0.1"
        assert only.proto == socket.IPPROTO_TCP


def test_garbage_of_requests_is_not_left_lying(karat: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other commands end before it is worth looking for; a server that does not grows with every answer."""
    frozen: list[int] = []

    def run(server: object, sockets: list[socket.socket]) -> None:
        frozen.append(gc.get_freeze_count())
        sockets[0].close()

    monkeypatch.setattr(uvicorn.Server, "run", run)
    write_pool(make_pool(SYSTEMS, "relation"), tmp_path / "pool.jsonl")
    gc.set_threshold(1_000_000, 50, 50)
    assert karat("judge", "serve", "pool.jsonl", "--port", "0").status == 0
    assert gc.get_threshold()[0] <= 10_000
    assert frozen[0] > 1000


def test_an_interrupt_ends_it_and_the_answers_are_whole(
    karat: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = uvicorn.Server.startup

    async def startup(server: object, sockets: list[socket.socket]) -> None:
        await start(server, sockets)
        assert (tmp_path / "pool.answers").exists()
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(uvicorn.Server, "startup", startup)
    write_pool(make_pool(SYSTEMS, "relation"), tmp_path / "pool.jsonl")
    before = {path.name for path in tmp_path.iterdir()}
    shown = karat("judge", "serve", "pool.jsonl", "--port", "0")
    assert (shown.status, shown.err.splitlines()[-1]) == (130, "karat: interrupted")
    assert {path.name for path in tmp_path.iterdir()} - before == {"pool.answers"}
    assert karat("judge", "invite", "pool.jsonl", "Ada").status == 0
