"""Answers to pools are kept in a file, and in PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.postgresql import Places

from karat.judge import project


@pytest.fixture
def everywhere(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the answers to each pool at an address of either kind, unless a test names another one."""
    kept: dict[Path, str] = {}

    def address_of(pool: Path, address: str | None) -> str:
        return address or kept.setdefault(Path(pool), places())

    monkeypatch.setattr(project, "address_of", address_of)
