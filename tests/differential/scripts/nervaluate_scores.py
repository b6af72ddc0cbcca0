"""Scores sequences of tags with nervaluate: JSON in, JSON out."""

import json
import sys

from nervaluate.evaluator import Evaluator

asked = json.loads(sys.argv[1])
evaluator = Evaluator(asked["gold"], asked["system"], tags=asked["tags"], loader="list")
found = evaluator.evaluate()["overall"]
print(  # noqa: T201
    json.dumps(
        {name: [float(result.precision), float(result.recall), float(result.f1)] for name, result in found.items()}
    )
)
