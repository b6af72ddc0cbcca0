"""``karat coldstart validate-kb``: the drop-in for CS-ValidateKB.pl."""

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
    from karat.protocols.coldstart.drop_in.kb.validate import validate_kb as program

    return run_program(program, options)


validate_kb = SwitchCommand(
    "validate-kb",
    _run,
    program="CS-ValidateKB.pl",
    help="Check a TAC Cold Start knowledge base, report its problems, and write it repaired if it has no errors.",
    switches=(
        DOCS,
        ERROR_FILE,
        Switch("ignore", "Names of warnings not to report, separated by colons; repairs are made all the same."),
        Switch("labels", "Labels of the predicates to write, separated by colons.", default="TAC"),
        Switch("linkkb", "The KB whose links give the ids of -output edl.", default="none"),
        Switch(
            "multiple",
            "Which repetitions of a triple are allowed: MANY (any number), ONE (none), ONEPERDOC (one a document).",
            default="ONE",
        ),
        Switch("output", "What to write: tac (the repaired KB), edl (its mentions) or none.", default="none"),
        Switch("output_file", "A file for what is written.", default="STDOUT"),
        Switch("predicates", "A file <label>.predicates.txt of further predicates."),
        Switch("stats_file", "A file for counts of the assertions and entities."),
        Switch(
            "task",
            "What the KB is for: CSKB (a knowledge base), CSED (entity discovery), CSEDL (discovery and linking).",
            default="CSKB",
        ),
    ),
    parameters=(Parameter("filename", "The file of the knowledge base."),),
)
