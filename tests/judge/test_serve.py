"""``karat judge serve`` up to the moment at which it listens."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from tests.cli.conftest import Command, karat

from karat.judge.pool import make_pool, write_pool

from .test_results import SYSTEMS

__all__ = ["karat"]
uvicorn = pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install 'karat[judge]'")


def test_connections_send_at_once(karat: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sockets that are not named TCP are not told so by the event loop, and each reply waits for 40 milliseconds."""
    listening: list[socket.socket] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda server, sockets: listening.extend(sockets))
    write_pool(make_pool(SYSTEMS, "relation"), tmp_path / "pool.jsonl")
    assert karat("judge", "serve", "pool.jsonl", "--port", "0").status == 0
    with listening[0] as only:
        assert only.getsockname()[0] == "127.0.0.1"
        assert only.proto == socket.IPPROTO_TCP
