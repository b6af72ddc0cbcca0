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

    from karat.analysis.comparison import compare, leaderboard
    from karat.analysis.gates import gate
    from karat.analysis.side_by_side import family
    from karat.analysis.slices.slicer import confusion
    from karat.analysis.statistics.intervals import Bootstrap
    from karat.analysis.verification import verify
    from karat.api import explain, read, score, write
    from karat.errors import InputError, KaratError, UsageError
    from karat.evaluation.merging import merge
    from karat.evaluation.protocol import Protocol
    from karat.evaluation.run import Run
    from karat.evaluation.run_file import load
    from karat.evaluation.scores import Scores
    from karat.model import Chain, Document, Link, Mention, Relation
    from karat.report.notebook import show

_PLACES = {
    "score": "karat.api",
    "rescore": "karat.api",
    "explain": "karat.api",
    "family": "karat.analysis.side_by_side",
    "confusion": "karat.analysis.slices.slicer",
    "Bootstrap": "karat.analysis.statistics.intervals",
    "compare": "karat.analysis.comparison",
    "verify": "karat.analysis.verification",
    "gate": "karat.analysis.gates",
    "leaderboard": "karat.analysis.comparison",
    "show": "karat.report.notebook",
    "read": "karat.api",
    "write": "karat.api",
    "load": "karat.evaluation.run_file",
    "merge": "karat.evaluation.merging",
    "Run": "karat.evaluation.run",
    "Protocol": "karat.evaluation.protocol",
    "Scores": "karat.evaluation.scores",
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
