"""``karat coldstart project-scores``: the drop-in for CS-ProjectSFScoreToLDCScores.pl."""

from __future__ import annotations

from karat.protocols.coldstart.drop_in.commands.switches import (
    SF_PROFILE,
    Parameter,
    Switch,
    SwitchCommand,
    run_program,
)


def _run(options: dict[str, str]) -> int:
    from karat.protocols.coldstart.drop_in.slots.project import project_scores as program

    return run_program(program, options)


project_scores = SwitchCommand(
    "project-scores",
    _run,
    program="CS-ProjectSFScoreToLDCScores.pl",
    help="""Bring the scores of entry points, as score writes them, to scores of the LDC queries they belong to.

    \b
        karat coldstart project-scores -score MAX -output_file ldc.txt queries.index scores.txt
    """,
    switches=(
        Switch("error_file", "A file for messages.", default="STDOUT"),
        Switch("mapping", "A file that names one entry point for each LDC query; -score RANDOM needs it."),
        Switch("output_file", "A file for the scores.", default="STDOUT"),
        Switch("queries", "A file of LDC query ids, one a line: report these only."),
        Switch(
            "score",
            "MAX (the best entry point), RANDOM (that of the mapping) or MEAN (the mean over entry points).",
            default="MAX",
        ),
        Switch("tabs", "Separate columns by tabs.", value=False),
    ),
    parameters=(
        Parameter("index_file", "The LDC query of each entry point: two columns separated by a tab."),
        Parameter("score_file", "The scores of a run at the level of entry points."),
    ),
    profile=SF_PROFILE,
)
