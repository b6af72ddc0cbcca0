"""The arguments of the eHealth-KD programs as people know them: for each command and edition the names in their order.

``kind`` is flag, argument, several (all values up to the next option) or, if nothing is said, an option with one value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SWITCHES: Mapping[str, Mapping[str, Mapping[str, Mapping[str, Any]]]] = {
    "score": {
        "2021": {
            "gold": {"metavar": "DIR", "required": True, "help": "The gold: a folder for each scenario."},
            "submit": {
                "metavar": "DIR",
                "required": True,
                "help": "The submission: run1, run2 … with the same folders.",
            },
            "scenarios": {
                "kind": "several",
                "metavar": "N…",
                "default": (1, 2, 3),
                "help": "Which scenarios to score (default: all).",
            },
            "runs": {
                "kind": "several",
                "metavar": "N…",
                "default": (1, 2, 3),
                "help": "Which runs to score (default: 1 2 3).",
            },
            "verbose": {"kind": "flag", "help": "List every item that is not correct."},
            "prefix": {"metavar": "TEXT", "default": "", "help": "Put in front of each line of the summary."},
        },
        "2020 2019": {
            "gold": {"kind": "argument", "metavar": "GOLD"},
            "submit": {"kind": "argument", "metavar": "SUBMIT"},
            "skip-A": {"kind": "flag", "help": "Leave entities out of the report and the scores."},
            "skip-B": {"kind": "flag", "help": "Leave relations out of the report and the scores."},
            "verbose": {"kind": "flag", "help": "List every item."},
        },
    },
    "rank": {
        "2021": {
            "root": {"kind": "argument", "metavar": "[ROOT]", "default": "."},
        },
        "2020": {
            "mode": {
                "choices": ("test", "dev", "train"),
                "required": True,
                "help": "Which part of the data is scored.",
            },
            "single": {"metavar": "TEAM", "default": "", "help": "Score the runs of this team only."},
            "best": {"kind": "flag", "help": "Only the best run of each team in each scenario."},
            "csv": {"kind": "flag", "help": "A table instead of JSON; needs --best."},
            "final": {"kind": "flag", "help": "The final tables, one for each scenario; needs --csv and --best."},
            "pretty": {"kind": "flag", "help": "Indented JSON, or final tables in Markdown."},
            "compact": {"kind": "flag", "help": "The scores alone; needs --single and --best."},
            "plain": {"kind": "flag", "help": "A log of all runs, to be read."},
            "gold": {"metavar": "DIR", "default": "data", "show_default": True, "help": "The gold collection."},
            "submit": {
                "metavar": "DIR",
                "default": "data/submissions",
                "show_default": True,
                "help": "The submissions.",
            },
            "ignore": {"kind": "flag", "help": "Warn of a team without runs, and go on."},
        },
        "2019": {
            "submits": {"kind": "argument", "metavar": "SUBMITS"},
            "gold": {"kind": "argument", "metavar": "GOLD"},
            "single": {"kind": "flag", "help": "SUBMITS is the folder of one team."},
            "best": {"kind": "flag", "help": "Only the best run of each team in each scenario."},
            "csv": {"kind": "flag", "help": "A table instead of JSON; needs --best."},
            "final": {"kind": "flag", "help": "The final tables, one for each scenario; needs --csv and --best."},
            "pretty": {"kind": "flag", "help": "Indented JSON, or the table in HTML."},
        },
    },
}
