"""Karat: one evaluator for information extraction.

The official number, explained, with its uncertainty:

    >>> import karat
    >>> gold, system = [["B-LOC", "I-LOC", "O", "B-PER"]], [["B-LOC", "I-LOC", "O", "O"]]
    >>> karat.score("hipe2022-nerc-coarse", gold, system).value("recall", regime="strict")
    0.5

Everything is loaded when it is first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from karat._version import __version__

TYPE_CHECKING = False
"""As checkers of types know it: what loads ``typing`` would be loaded before the program is ready to be interrupted."""

if TYPE_CHECKING:
    from typing import Any

    from karat.api import read, write
    from karat.comparison import compare, leaderboard
    from karat.errors import InputError, KaratError, UsageError
    from karat.gates import gate
    from karat.model import Chain, Document, Link, Mention, Relation
    from karat.protocols.base import Protocol
    from karat.runs.file import load
    from karat.runs.part import merge
    from karat.runs.run import Run
    from karat.scores import Scores
    from karat.scoring import Bootstrap, explain, score
    from karat.scoring.showing import show
    from karat.scoring.side_by_side import family
    from karat.scoring.slicing import confusion
    from karat.verification import verify

_PLACES = {
    "score": "karat.scoring",
    "explain": "karat.scoring",
    "family": "karat.scoring.side_by_side",
    "confusion": "karat.scoring.slicing",
    "Bootstrap": "karat.scoring",
    "compare": "karat.comparison",
    "verify": "karat.verification",
    "gate": "karat.gates",
    "leaderboard": "karat.comparison",
    "show": "karat.scoring.showing",
    "read": "karat.api",
    "write": "karat.api",
    "load": "karat.runs.file",
    "merge": "karat.runs.part",
    "Run": "karat.runs.run",
    "Protocol": "karat.protocols.base",
    "Scores": "karat.scores",
    "Document": "karat.model",
    "Mention": "karat.model",
    "Link": "karat.model",
    "Chain": "karat.model",
    "Relation": "karat.model",
    "KaratError": "karat.errors",
    "InputError": "karat.errors",
    "UsageError": "karat.errors",
}

__all__ = [
    "Bootstrap",
    "Chain",
    "Document",
    "InputError",
    "KaratError",
    "Link",
    "Mention",
    "Protocol",
    "Relation",
    "Run",
    "Scores",
    "UsageError",
    "__version__",
    "compare",
    "confusion",
    "explain",
    "family",
    "gate",
    "leaderboard",
    "load",
    "merge",
    "read",
    "score",
    "show",
    "verify",
    "write",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name in _PLACES:
        from importlib import import_module

        return getattr(import_module(_PLACES[name]), name)
    raise AttributeError(f"module 'karat' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
