"""What other packages offer is found, and what cannot be loaded is named."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from karat.errors import UsageError
from karat.plugins import plugins


def offer(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    point = EntryPoint("toy", value, "karat.formats")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [point] if group == "karat.formats" else [])


def test_a_plug_in_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, "karat.errors:UsageError")
    assert list(plugins("karat.formats")) == [UsageError]
    assert list(plugins("karat.protocols")) == []


def test_a_broken_plug_in_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, "karat.nowhere:FORMAT")
    with pytest.raises(UsageError, match=r"the plug-in 'toy' \(karat.nowhere:FORMAT\) cannot be loaded"):
        list(plugins("karat.formats"))
