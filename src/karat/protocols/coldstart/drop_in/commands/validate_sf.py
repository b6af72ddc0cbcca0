"""``karat coldstart validate-sf``: the drop-in for CS-ValidateSF.pl."""

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
    from karat.protocols.coldstart.drop_in.slots.validate import validate_sf as program

    return run_program(program, options)


validate_sf = SwitchCommand(
    "validate-sf",
    _run,
    program="CS-ValidateSF.pl",
    help="""Check a slot-filling run against the queries that it answers, report its problems, and write it repaired.

    \b
        karat coldstart validate-sf -docs doclengths.txt -output_file run.tab.txt queries.xml run
    """,
    switches=(
        Switch("allow_comments", "Cut comments off: from # outside of double quotes.", value=False),
        DOCS,
        ERROR_FILE,
        Switch(
            "groundtruth",
            "The file is ground truth: several fills of a slot with one value are no problem.",
            value=False,
        ),
        Switch("output_file", "A file for the repaired run; none checks only.", default="none"),
    ),
    parameters=(
        Parameter("queryfile", "The file of the queries that the run answers."),
        Parameter("filename", "The file of the run."),
    ),
    profile=SF_PROFILE,
)
