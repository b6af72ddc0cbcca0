"""Scores sequences of tags with seqeval: JSON in, JSON out."""

import json
import sys


def main(asked):
    """Print precision, recall and F1."""
    from seqeval.metrics import f1_score, precision_score, recall_score

    scores = (precision_score, recall_score, f1_score)
    how = {"average": "micro", "zero_division": 0}
    sys.stdout.write(json.dumps([float(score(asked["gold"], asked["system"], **how)) for score in scores]))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
