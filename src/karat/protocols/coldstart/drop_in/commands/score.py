"""``karat coldstart score``: the drop-in for CS-Score.pl."""

from __future__ import annotations

from karat.protocols.coldstart.drop_in.commands.switches import (
    ERROR_FILE,
    SF_PROFILE,
    Parameter,
    Switch,
    SwitchCommand,
    run_program,
)


def _run(options: dict[str, str], files: list[str]) -> int:
    from karat.protocols.coldstart.drop_in.slots.score import score as program

    return run_program(program, options, files)


score = SwitchCommand(
    "score",
    _run,
    program="CS-Score.pl",
    help="""Score runs against assessments, query by query and equivalence class by equivalence class.

    \b
        karat coldstart score -output_file scores.txt queries.xml run.tab.txt pool.fqec
    """,
    switches=(
        Switch(
            "combo",
            "How scores are combined: MICRO (sums), MACRO (means of queries), UNION (entry points together).",
            default="MICRO",
        ),
        Switch(
            "discipline",
            "When an assessment is about an answer: ASSESSED (same value and provenance), STRING_EXACT (same value), "
            "STRING_CASE (same value but for case).",
            default="ASSESSED",
        ),
        ERROR_FILE,
        Switch("expand", "Ask each entry point by itself, under ids that begin with this value."),
        Switch("output_file", "A file for the scores.", default="STDOUT"),
        Switch("queries", "A file of query ids, one a line, or ids separated by colons: score these only."),
        Switch("runids", "Run ids separated by colons: score these only, in this order."),
        Switch("tabs", "Separate columns by tabs.", value=False),
    ),
    parameters=(
        Parameter("files", "Query files (.xml), runs and assessments, or folders of *.tab.txt files.", several=True),
    ),
    profile=SF_PROFILE,
)
