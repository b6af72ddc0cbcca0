"""Scores sequences of tags with seqeval: JSON in, JSON out."""

import json
import sys

from seqeval import scheme
from seqeval.metrics import f1_score, precision_score, recall_score

asked = json.loads(sys.argv[1])
how = {"average": "micro", "zero_division": 0}
if asked["scheme"]:
    how |= {"mode": "strict", "scheme": getattr(scheme, asked["scheme"])}
print(  # noqa: T201
    json.dumps(
        [float(score(asked["gold"], asked["system"], **how)) for score in (precision_score, recall_score, f1_score)]
    )
)
