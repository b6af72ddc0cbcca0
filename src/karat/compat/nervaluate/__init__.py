"""nervaluate: the evaluator of 1.2.1 with the same arguments, results and reports, and the functions of all versions.

``karat.compat.nervaluate.v1_1_0`` and ``v0_2_0`` have the evaluators of the versions before.

>>> from karat.compat.nervaluate import Evaluator
>>> evaluator = Evaluator([["B-PER", "I-PER"]], [["B-PER", "O"]], tags=["PER"], loader="list")
>>> evaluator.evaluate()["overall"]["partial"].f1
0.5
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from karat.compat.nervaluate.evaluator import Evaluator

if TYPE_CHECKING:
    from karat.compat.nervaluate.utils import (
        collect_named_entities,
        conll_to_spans,
        find_overlap,
        list_to_spans,
        split_list,
    )
    from karat.compat.nervaluate.v0_2_0 import (
        compute_actual_possible,
        compute_metrics,
        compute_precision_recall,
        compute_precision_recall_wrapper,
        summary_report_ent,
        summary_report_ents_indices,
        summary_report_overall,
        summary_report_overall_indices,
    )

__all__ = [
    "Evaluator",
    "collect_named_entities",
    "compute_actual_possible",
    "compute_metrics",
    "compute_precision_recall",
    "compute_precision_recall_wrapper",
    "conll_to_spans",
    "find_overlap",
    "list_to_spans",
    "split_list",
    "summary_report_ent",
    "summary_report_ents_indices",
    "summary_report_overall",
    "summary_report_overall_indices",
]


def __getattr__(name: str) -> Any:
    """Return a function when it is asked for: who evaluates does not wait for it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from karat.compat.nervaluate import v0_2_0

    return getattr(v0_2_0, name)
