"""nervaluate 1.2.1: the same evaluator with the same arguments, results and reports.

>>> from karat.compat.nervaluate import Evaluator
>>> evaluator = Evaluator([["B-PER", "I-PER"]], [["B-PER", "O"]], tags=["PER"], loader="list")
>>> evaluator.evaluate()["overall"]["partial"].f1
0.5
"""

from karat.compat.nervaluate.evaluator import Evaluator

__all__ = ["Evaluator"]
