"""``karat coldstart generate-queries``: the drop-in for CS-GenerateQueries.pl."""

from __future__ import annotations

from karat.protocols.coldstart.drop_in.commands.switches import (
    DOCS,
    ERROR_FILE,
    Parameter,
    Switch,
    SwitchCommand,
    run_program,
)


def _run(options: dict[str, str]) -> int:
    from karat.protocols.coldstart.drop_in.slots.generate import generate_queries as program

    return run_program(program, options)


generate_queries = SwitchCommand(
    "generate-queries",
    _run,
    program="CS-GenerateQueries.pl",
    help="Make the query file of a slot-filling round: of the first from the evaluation queries, of the second from "
    "the answers of the first.",
    switches=(
        DOCS,
        ERROR_FILE,
        Switch("valid", "Escape angle brackets, ampersands and quotes in names.", value=False),
    ),
    parameters=(
        Parameter("queryfile", "The file of queries."),
        Parameter("outputfile", "A file for the new queries."),
        Parameter("runfile", "The answers to the first round; leave it out to make the first round.", required=False),
    ),
)
