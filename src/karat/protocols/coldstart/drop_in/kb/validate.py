"""``validate-kb``: read a knowledge base, report its problems, write it repaired (CS-ValidateKB).

It is written in the repaired form (tac), or in the entity-linking form (edl); what it holds is counted, too.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.formats.coldstart.kb.assertions import REPETITIONS, Adder
from karat.formats.coldstart.kb.columns import FAR, INFERRED, KB, KIND_NAMES, MULTIPLE, OMITTED, UNKNOWN
from karat.formats.coldstart.kb.integrity import check_integrity
from karat.formats.coldstart.kb.reader import TASKS, KBReader
from karat.protocols.coldstart.drop_in.outlets import CORRECTED, Options, Outlet, Outlets, Program
from karat.vocabularies.coldstart.problems import ProblemLog, Stop
from karat.vocabularies.coldstart.provenance import Lengths, first_place, read_lengths
from karat.vocabularies.coldstart.schema import LABEL, UNPREFIXED, Schema
from karat.vocabularies.coldstart.text import number, split_list
from karat.vocabularies.coldstart.text_files import exists

OUTPUTS = ("edl", "tac", "none")
_CLASSES = {"type": 0, "link": 1, "mention": 2, "canonical_mention": 2}
_MENTION_TYPES = {"mention": "NAM", "nominal_mention": "NOM"}


class KBInput(NamedTuple):
    """What was read, and what is asked for.

    Args:
        adder: The knowledge base with what is known of its assertions.
        task: The task for which it was made.
        labels: The labels whose predicates are written.
        mode: The form of the output: ``tac``, ``edl`` or ``none``.
        link_kb: The prefix of the links that name entities in the form ``edl``.
        output: Where the knowledge base goes, if anywhere.
        figures: Where counts go, if anywhere.
        outlets: All outlets.

    """

    adder: Adder
    task: str
    labels: Sequence[str]
    mode: str
    link_kb: str
    output: Outlet | None
    figures: Outlet | None
    outlets: Outlets


class KBResult(NamedTuple):
    """The input, and the knowledge base, which has no errors."""

    asked: KBInput
    kb: KB


def read(options: Options, outlets: Outlets) -> KBInput:
    """Read the knowledge base ``filename`` under the options that decide what is accepted."""
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
    labels = split_list(options["labels"].upper())
    if LABEL not in labels:
        outlets.log.write(f"WARNING: '{LABEL}' not included in output labels\n")
    link_kb = options["linkkb"] if options["profile"] == CORRECTED else options["linkkb"].upper()
    return KBInput(_read_kb(options, task), task, labels, mode, link_kb, output, figures, outlets)


def _read_kb(options: Options, task: str) -> Adder:
    schema = Schema()
    if "predicates" in options:
        schema.load(options["predicates"])
    multiple = options["multiple"].upper()
    if multiple not in REPETITIONS:
        raise Stop(f"Argument to -multiple switch must be one of [{', '.join(sorted(REPETITIONS))}]")
    log = ProblemLog(split_list(options["ignore"].upper()) if "ignore" in options else ())
    lengths: Lengths | None = read_lengths(options["docs"]) if "docs" in options else None
    adder = Adder(KB(options["filename"], schema, log), multiple)
    KBReader(adder, task, lengths).read(options["filename"])
    return adder


def check(asked: KBInput) -> KBResult:
    """Check a knowledge base as a whole, and report its problems; stop if there is an error."""
    kb, log = asked.adder.kb, asked.outlets.log
    check_integrity(asked.adder, canonical=TASKS[asked.task] is None)
    log.write(kb.log.report())
    log.write(kb.log.conclusion())
    return KBResult(asked, kb)


def printed(result: KBResult) -> ProgramOutput:
    """Write the repaired knowledge base and the counts."""
    asked, kb = result
    if asked.output is not None and asked.mode == "tac":
        asked.output.write_all(tac(kb, asked.labels))
    elif asked.output is not None and asked.mode == "edl":
        asked.output.write_all(edl(kb, asked.link_kb))
    if asked.figures is not None:
        asked.figures.write(statistics(kb))
    return asked.outlets.program_output()


PROGRAM = Program(read, check, printed)


def in_order(kb: KB) -> Iterator[tuple[int, list[int]]]:
    """Yield every entity, by name, with its assertions that are not omitted, in the order of the output.

    Types, links, mentions, then relations; predicate; first document; first offset; line of the file.
    """
    names = kb.entities.names
    documents = _ranks(list(kb.documents))
    classes = _ranks([(_CLASSES.get(predicate.name, 3), predicate.name) for predicate in kb.predicates])
    first = [rank * len(documents) for rank in classes]
    predicate_of, docs, starts = kb.predicate_of, kb.docs, _starts(kb)
    of_subject = [array("q") for _ in names]
    for row, subject, flags in zip(range(len(kb)), kb.subjects, kb.flags, strict=True):
        if not flags & OMITTED:
            of_subject[subject].append(row)
    for subject in sorted(range(len(names)), key=names.__getitem__):
        places = [(first[predicate_of[row]] + documents[docs[row]], starts[row], row) for row in of_subject[subject]]
        yield subject, [row for _, _, row in sorted(places)]


def _ranks(values: list[Any]) -> list[int]:
    """Return the place of every value among the distinct ones."""
    places = {value: rank for rank, value in enumerate(sorted(set(values)))}
    return [places[value] for value in values]


def _starts(kb: KB) -> Sequence[int | float]:
    """Return where the provenances begin in their documents."""
    if FAR not in kb.starts:
        return kb.starts
    return [
        first_place(text)[1] if start == FAR else start for text, start in zip(kb.provenances, kb.starts, strict=True)
    ]


def tac(kb: KB, labels: Iterable[str] = (LABEL,)) -> Iterator[str]:
    """Yield a repaired knowledge base, the lines of one entity after the other, with the predicates of some labels."""
    yield f"{kb.first_line}\n\n"
    names, kinds, predicate_of = kb.entities.names, kb.entities.kinds, kb.predicate_of
    objects, provenances, confidences, comments = kb.objects, kb.provenances, kb.confidences, kb.comments
    shown = _shown_predicates(kb, frozenset(labels))
    for subject, rows in in_order(kb):
        name, written = names[subject], shown[kinds[subject]]
        lines = []
        for row in rows:
            predicate = written[predicate_of[row]]
            if predicate:
                end = comments.get(row, "")
                if predicate == "type":
                    lines.append(f"{name}\t{predicate}\t{objects[row]}\t{provenances[row]}{end}\n")
                else:
                    lines.append(f"{name}\t{predicate}\t{objects[row]}\t{provenances[row]}\t{confidences[row]}{end}\n")
        yield "".join(lines)


def _shown_predicates(kb: KB, labels: Collection[str]) -> list[list[str]]:
    """Return how each predicate is written for a subject of each kind; nothing if it is left out."""
    return [
        ["" if predicate.label not in labels else _shown_predicate(predicate.name, kind) for predicate in kb.predicates]
        for kind in range(len(KIND_NAMES))
    ]


def _shown_predicate(name: str, kind: int) -> str:
    if name in UNPREFIXED:
        return name
    return "" if kind in (UNKNOWN, MULTIPLE) else f"{KIND_NAMES[kind]}:{name}"


def edl(kb: KB, link_kb: str) -> Iterator[str]:
    """Yield a line for every mention: run, mention id, text, provenance, KB id, entity type, mention type, confidence.

    An entity is known by its last link into ``link_kb``, or by a number of its own.
    """
    order = [(subject, row) for subject, rows in in_order(kb) for row in rows]
    types: dict[int, str] = {}
    ids: dict[int, str] = {}
    numbered = 0
    for subject, row in order:
        name = kb.predicate(row).name
        if name == "type":
            types[subject] = kb.objects[row]
            if not ids.get(subject):
                numbered += 1
                ids[subject] = f"NIL_{numbered:04d}"
        elif name == "link":
            prefix, _, target = kb.objects[row].partition(":")
            if prefix == link_kb:
                ids[subject] = target
    mention_id = "M00000"
    for subject, row in order:
        name = kb.predicate(row).name
        if name in _MENTION_TYPES:
            mention_id = _next_id(mention_id)
            known = (ids.get(subject, ""), types.get(subject, ""), _MENTION_TYPES[name], kb.confidences[row])
            yield "\t".join((kb.run_id, mention_id, kb.objects[row], kb.provenances[row], *known)) + "\n"


def _next_id(text: str) -> str:
    """Return the id after this one: ``M99999`` is followed by ``N00000``, ``Z99999`` by ``AA00000``.

    >>> _next_id("M00009"), _next_id("M99999"), _next_id("Z99999")
    ('M00010', 'N00000', 'AA00000')
    """
    digits = text.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    letters = text[: len(text) - len(digits)]
    if int(digits) + 1 < 10 ** len(digits):
        return f"{letters}{int(digits) + 1:0{len(digits)}d}"
    kept = letters.rstrip("Z")
    turned = "A" * (len(letters) - len(kept))
    letters = f"{kept[:-1]}{chr(ord(kept[-1]) + 1)}{turned}" if kept else f"A{turned}"
    return letters + "0" * len(digits)


def statistics(kb: KB) -> str:
    """Return the counts of a knowledge base: assertions by type and predicate, entities, and what was rejected."""
    counts: Counter[tuple[str, str]] = Counter()
    for row, (subject, flags) in enumerate(zip(kb.subjects, kb.flags, strict=True)):
        status = "OMITTED" if flags & OMITTED else "ASSERTED"
        kind, name = kb.entities.type_name(subject), kb.predicate(row).name
        counts[f"{status}:DOMAIN", kind] += 1
        counts[f"{status}:DOMAIN", "ALL"] += 1
        counts[f"{status}:PREDICATE", name if name in UNPREFIXED else f"{kind}:{name}"] += 1
    for entity in range(len(kb.entities)):
        counts["ENTITY", kb.entities.type_name(entity)] += 1
        counts["ENTITY", "ALL"] += 1
    for reason, rejected in kb.rejected.items():
        counts["REJECTED_ASSERTIONS", reason] = rejected
    several = any(number(left) != number(right) for left, right in pairwise(kb.confidences) if left != right)
    lines = [f"RUNID\t\t{kb.run_id}", f"HAS_MULTIPLE_CONFIDENCES\t\t{'YES' if several else 'NO'}"]
    lines += [f"{group}\t{key}\t{count}" for (group, key), count in sorted(counts.items())]
    return "".join(f"{line}\n" for line in lines)


def count(kb: KB) -> Iterator[tuple[str, int | str]]:
    """Yield what is counted and how often: assertions, entities by type, documents, predicates, problems."""
    flags = Counter(kb.flags)
    yield "run id", kb.run_id
    yield "assertions", len(kb)
    yield "assertions inferred", sum(times for flag, times in flags.items() if flag & INFERRED)
    yield "assertions omitted", sum(times for flag, times in flags.items() if flag & OMITTED)
    yield "lines rejected", sum(kb.rejected.values())
    yield "documents", len(kb.documents) - 1
    yield "entities", len(kb.entities)
    kinds = Counter(map(kb.entities.type_name, range(len(kb.entities))))
    yield from ((f"entities {name}", kinds[name]) for name in sorted(kinds))
    names = Counter(kb.predicates[predicate].name for predicate in kb.predicate_of)
    yield from ((f"predicate {name}", names[name]) for name in sorted(names))
    yield "errors", kb.log.errors
    yield "warnings", kb.log.warnings
    yield from ((f"problem {name}", kb.log.counts[name]) for name in sorted(kb.log.counts))
