"""Scores pairs of clusterings with coreference-eval: JSON lines of two files in, JSON out."""

import json
import sys

from corefeval import Document, Scorer

sides = []
for path in sys.argv[1:3]:
    with open(path, encoding="utf-8") as stream:  # noqa: PTH123
        sides.append([json.loads(line)["clusters"] for line in stream])
scorer = Scorer()
for gold, system in zip(*sides):  # noqa: B905
    scorer.update(Document(system, gold))
print(json.dumps(scorer.detailed_score("", "", verbose=False)))  # noqa: T201
