"""``validate-kb``: read a knowledge base, report its problems, write it repaired (CS-ValidateKB)."""

from __future__ import annotations

from karat.formats.coldstart.kb.assertions import REPETITIONS, Adder
from karat.formats.coldstart.kb.columns import KB
from karat.formats.coldstart.kb.integrity import check_integrity
from karat.formats.coldstart.kb.reader import TASKS, KBReader
from karat.garbage import without_collection
from karat.protocols.coldstart.drop_in.kb.export import edl, statistics, tac
from karat.protocols.coldstart.drop_in.outlets import CORRECTED, Options, Outlet, Outlets
from karat.vocabularies.coldstart.problems import ProblemLog, Stop
from karat.vocabularies.coldstart.provenance import Lengths, read_lengths
from karat.vocabularies.coldstart.schema import LABEL, Schema
from karat.vocabularies.coldstart.text import listed
from karat.vocabularies.coldstart.text_files import exists

OUTPUTS = ("edl", "tac", "none")


@without_collection()
def validate_kb(options: Options, outlets: Outlets) -> None:
    """Validate the file ``filename`` as the other options ask, and write to the outlets."""
    corrected = options["profile"] == CORRECTED
    task = options["task"].upper()
    if task not in TASKS:
        raise Stop(f"Unknown task: {task} (known tasks are [{', '.join(TASKS)}]")
    output = None if options["output_file"].lower() == "none" else outlets.open(options["output_file"])
    outlets.log = outlets.open(options["error_file"])
    figures = outlets.open(options["stats_file"], kind="DIE") if options.get("stats_file") else None
    mode = options["output"].lower()
    if mode not in OUTPUTS:
        raise Stop(f"Unknown output mode: {mode}")
    if not exists(options["filename"]):
        raise Stop(f"File {options['filename']} does not exist")
    labels = listed(options["labels"].upper())
    if LABEL not in labels:
        outlets.log.write(f"WARNING: '{LABEL}' not included in output labels\n")
    kb = load_kb(options, task)
    outlets.log.write(kb.log.report())
    outlets.log.write(kb.log.conclusion())
    if output is not None:
        link_kb = options["linkkb"] if corrected else options["linkkb"].upper()
        _write(kb, mode, output, labels, link_kb)
    if figures is not None:
        figures.write(statistics(kb))


def _write(kb: KB, mode: str, output: Outlet, labels: list[str], link_kb: str) -> None:
    if mode == "tac":
        output.write_all(tac(kb, labels))
    elif mode == "edl":
        output.write_all(edl(kb, link_kb))


def load_kb(options: Options, task: str) -> KB:
    """Read and check a knowledge base under the options that decide what is accepted."""
    schema = Schema()
    if "predicates" in options:
        schema.load(options["predicates"])
    multiple = options["multiple"].upper()
    if multiple not in REPETITIONS:
        raise Stop(f"Argument to -multiple switch must be one of [{', '.join(sorted(REPETITIONS))}]")
    log = ProblemLog(listed(options["ignore"].upper()) if "ignore" in options else ())
    lengths: Lengths | None = read_lengths(options["docs"]) if "docs" in options else None
    adder = Adder(KB(options["filename"], schema, log), multiple)
    KBReader(adder, task, lengths).read(options["filename"])
    check_integrity(adder, canonical=TASKS[task] is None)
    return adder.kb
