"""Scores sequences of tags with nervaluate: JSON in, JSON out."""

import json
import sys


def main(asked):
    """Print precision, recall and F1 of each scenario."""
    from nervaluate.evaluator import Evaluator

    evaluator = Evaluator(asked["gold"], asked["system"], tags=asked["tags"], loader="list")
    found = evaluator.evaluate()["overall"].items()
    values = {name: [float(result.precision), float(result.recall), float(result.f1)] for name, result in found}
    sys.stdout.write(json.dumps(values))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
