"""Scores pairs of clusterings with coreference-eval: JSON lines of two files in, JSON out."""

import json
import sys
from pathlib import Path


def main(*files):
    """Print what the library says of a gold and a system file."""
    from corefeval import Document, Scorer

    gold, system = (
        [json.loads(line)["clusters"] for line in Path(file).read_text("utf-8").splitlines()] for file in files
    )
    scorer = Scorer()
    for pair in zip(system, gold, strict=True):
        scorer.update(Document(*pair))
    sys.stdout.write(json.dumps(scorer.detailed_score("", "", verbose=False)))


if __name__ == "__main__":
    main(*sys.argv[1:])
