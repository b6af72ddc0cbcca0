"""nervaluate 1.1.0: the same arguments and reports, with its own pairing and without credit for partial matches.

>>> from karat.compat.nervaluate.v1_1_0 import Evaluator
>>> documents = [["B-PER", "I-PER"], ["B-PER", "I-PER"]]
>>> Evaluator(documents, [["B-PER", "O"]] * 2, tags=["PER"]).evaluate()["overall"]["partial"].f1
0
"""

from __future__ import annotations

from typing import ClassVar

from karat.compat.nervaluate import evaluator
from karat.compat.nervaluate.utils import collect_named_entities, conll_to_spans, list_to_spans, split_list

__all__ = ["Evaluator", "collect_named_entities", "conll_to_spans", "list_to_spans", "split_list"]


class Evaluator(evaluator.Evaluator):
    """Evaluates as version 1.1.0 does: the first gold entity in the way of a prediction is taken."""

    _version: ClassVar[str] = "1.1.0"
