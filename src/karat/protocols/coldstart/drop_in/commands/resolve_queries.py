"""``karat coldstart resolve-queries``: the drop-in for CS-ResolveQueries.pl."""

from __future__ import annotations

from karat.protocols.coldstart.drop_in.commands.switches import ERROR_FILE, Parameter, SwitchCommand, run_program


def _run(options: dict[str, str]) -> int:
    from karat.protocols.coldstart.drop_in.kb.resolve import resolve_queries as program

    return run_program(program, options)


resolve_queries = SwitchCommand(
    "resolve-queries",
    _run,
    program="CS-ResolveQueries.pl",
    help="Answer evaluation queries from a validated knowledge base, in the format of slot-filling runs.",
    switches=(ERROR_FILE,),
    parameters=(
        Parameter("queryfile", "The file of queries."),
        Parameter("runfile", "The file of the knowledge base, as validate-kb writes it."),
        Parameter("output_file", "A file for the answers."),
    ),
)
