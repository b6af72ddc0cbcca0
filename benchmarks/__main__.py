"""``python -m benchmarks [SUITE]``: Karat beside the reference programs of a suite, HIPE if none is named."""

from __future__ import annotations

import importlib
import sys

SUITES = (
    "hipe",
    "newsreader",
    "ehealthkd",
    "coreference",
    "ontology",
    "coldstart",
    "omin",
    "triples",
    "coverage",
    "comparison",
    "leaderboard",
    "rare_labels",
    "judge",
    "tags",
    "dropins",
    "report",
)


def main() -> None:
    """Run the benchmark of a suite with the words that follow its name."""
    words = sys.argv[1:]
    suite = words.pop(0) if words and words[0] in SUITES else SUITES[0]
    importlib.import_module(f"benchmarks.{suite}").main(words)


if __name__ == "__main__":
    main()
