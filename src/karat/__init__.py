"""Karat: one evaluator for information extraction.

The official number, explained, with its uncertainty:

    >>> import karat
    >>> gold, system = [["B-LOC", "I-LOC", "O", "B-PER"]], [["B-LOC", "I-LOC", "O", "O"]]
    >>> karat.score("hipe2022-nerc-coarse", gold, system).value("recall", regime="strict")
    0.5

Everything is loaded when it is first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from karat._version import __version__

if TYPE_CHECKING:
    from karat.api import read, write
    from karat.errors import InputError, KaratError
    from karat.ledger import Entry
    from karat.model import Chain, Document, Link, Mention, Relation
    from karat.protocols.base import Protocol
    from karat.scores import Scores
    from karat.scoring import Bootstrap, explain, score

_PLACES = {
    "score": "karat.scoring",
    "explain": "karat.scoring",
    "Bootstrap": "karat.scoring",
    "read": "karat.api",
    "write": "karat.api",
    "Protocol": "karat.protocols.base",
    "Scores": "karat.scores",
    "Entry": "karat.ledger",
    "Document": "karat.model",
    "Mention": "karat.model",
    "Link": "karat.model",
    "Chain": "karat.model",
    "Relation": "karat.model",
    "KaratError": "karat.errors",
    "InputError": "karat.errors",
}

__all__ = [
    "Bootstrap",
    "Chain",
    "Document",
    "Entry",
    "InputError",
    "KaratError",
    "Link",
    "Mention",
    "Protocol",
    "Relation",
    "Scores",
    "__version__",
    "explain",
    "read",
    "score",
    "write",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    raise AttributeError(f"module 'karat' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
