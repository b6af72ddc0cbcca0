"""``karat coldstart correct-query-ids``: the drop-in for CS-ValidateSF-QueryIDCorrector.pl."""

from __future__ import annotations

from karat.protocols.coldstart.drop_in.commands.switches import (
    DOCS,
    ERROR_FILE,
    SF_PROFILE,
    Parameter,
    Switch,
    SwitchCommand,
    run_program,
)


def _run(options: dict[str, str]) -> int:
    from karat.protocols.coldstart.drop_in.slots.correct import correct_query_ids as program

    return run_program(program, options)


correct_query_ids = SwitchCommand(
    "correct-query-ids",
    _run,
    program="CS-ValidateSF-QueryIDCorrector.pl",
    help="""Repair the ids of second-hop queries in a run, where the programs of the evaluation left out their ten
    digits. The run is first written sorted, as <filename>.sorted.

    \b
        karat coldstart correct-query-ids -output_file run.corrected queries.xml run
    """,
    switches=(
        DOCS,
        ERROR_FILE,
        Switch("groundtruth", "Accepted, and without effect as in the published program.", value=False),
        Switch("output_file", "A file for the repaired run; none checks only.", default="none"),
    ),
    parameters=(
        Parameter("queryfile", "The file of the queries that the run answers."),
        Parameter("filename", "The file of the run."),
    ),
    profile=SF_PROFILE,
)
