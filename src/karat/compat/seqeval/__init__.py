"""seqeval 1.2.2: the same functions with the same arguments, results and warnings.

>>> from karat.compat import seqeval
>>> seqeval.f1_score([["B-PER", "I-PER", "O"]], [["B-PER", "I-PER", "B-LOC"]])
0.6666666666666666

:func:`doctor` says which faults of the program touch some data, and by how much.
"""

from karat.compat.seqeval import metrics, reporters, scheme
from karat.compat.seqeval.diagnosis import doctor
from karat.compat.seqeval.metrics import (
    accuracy_score,
    classification_report,
    f1_score,
    performance_measure,
    precision_score,
    recall_score,
)

__all__ = [
    "accuracy_score",
    "classification_report",
    "doctor",
    "f1_score",
    "metrics",
    "performance_measure",
    "precision_score",
    "recall_score",
    "reporters",
    "scheme",
]
