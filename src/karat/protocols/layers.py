"""Layers as facts: they are judged apart where both sides name theirs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from karat.model import Document
from karat.protocols.base import Facts, Side


def layers_of(document: Document, side: Side, options: Any) -> set[tuple[Side, str]]:
    """Return the layers of a document with their side."""
    del options
    return {(side, mention.layer) for mention in document.mentions}


def judged_layers(facts: Facts, options: Any) -> list[str]:
    """Return the layers that are judged apart: those of the data if both sides name some, else the nameless one."""
    del options
    layers = cast("Iterable[tuple[Side, str]]", facts)
    named = {side for side, layer in layers if layer}
    return sorted({layer for _, layer in layers}) if len(named) == 2 else [""]
