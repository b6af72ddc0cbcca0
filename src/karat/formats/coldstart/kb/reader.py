"""Reads a knowledge base: the run id on the first line, then tab-separated assertions.

``subject predicate object [provenance] [confidence]``; blank lines and comments are skipped. Earlier lines determine
what a line means, so a file is read in one pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from karat.formats.coldstart.kb.assertions import Adder
from karat.formats.coldstart.kb.columns import FAR, NO_SOURCE, Source
from karat.vocabularies.coldstart.kb_lines import assertion_lines
from karat.vocabularies.coldstart.provenance import Lengths, ProvenanceReader, first_place
from karat.vocabularies.coldstart.text import BLANK, lower, trim
from karat.vocabularies.coldstart.text_files import blocks_of

TASKS: dict[str, frozenset[str] | None] = {
    "CSED": frozenset({"type", "mention"}),
    "CSEDL": frozenset({"type", "mention", "nominal_mention", "link"}),
    "CSKB": None,
}
"""The predicates that each task allows; nothing where it allows all."""

OMITTED_RUN_ID = "OmittedRunID"
_WITH_PROVENANCE = 4
_OFF_TASK = -1
_WITHOUT_PROVENANCE = ("type", "link")


class KBReader:
    """Reads the lines of a file into a knowledge base."""

    def __init__(self, adder: Adder, task: str = "CSKB", lengths: Lengths | None = None) -> None:
        self.adder = adder
        self.kb = adder.kb
        self.task = task
        self._places = ProvenanceReader(lengths, adder.kb.log)
        self._allowed = TASKS[task]
        self._expected: dict[str, int] = {}
        self._latest: str | None = None

    def read(self, path: str) -> None:
        """Read the file."""
        blocks = blocks_of(path)
        first = next(blocks, None)
        line, _, rest = (first or "").partition("\n")
        has_run_id = self._run_id(None if first is None else line)
        blocks = chain([rest if has_run_id else first or ""], blocks)
        self._add(blocks, 2)  # without a run id, the first line is read again and every line counts as one more

    def _run_id(self, line: str | None) -> bool:
        """Store the run id of the first line; tell whether there is one."""
        kb = self.kb
        run_id = trim((line or "").partition("#")[0])
        if not run_id or run_id.startswith(":") or BLANK.search(run_id):
            kb.log.record("MISSING_RUNID", where=kb.place(0 if line is None else 1))
            kb.run_id = kb.first_line = OMITTED_RUN_ID
            return False
        kb.run_id, kb.first_line = run_id, line or ""
        return True

    def _add(self, blocks: Iterable[str], first: int) -> None:
        """Add the assertions of some lines, the first of which has the number ``first``."""
        add, expected_of, source = self.adder.add, self._expected, NO_SOURCE
        for line_number, fields, confidence, comment in assertion_lines(blocks, first, gaps=True):
            verb = fields[1] if len(fields) > 1 else ""
            expected = expected_of.get(verb)
            if expected is None:
                expected = self._expect(verb)
            if len(fields) != expected:
                self._refuse(verb, expected, len(fields), line_number)
                continue
            if expected != _WITH_PROVENANCE:
                add(fields[0], verb, fields[2], NO_SOURCE, confidence, line_number, comment)
                continue
            if fields[3] != self._latest:
                source = self._source(fields[3], line_number)
            add(fields[0], verb, fields[2], source, confidence, line_number, comment)

    def _source(self, text: str, line: int) -> Source:
        """Return the repaired provenance.

        Sound provenances that are repeated, as for a mention and a canonical one or a relation and its inverse, share
        one string.
        """
        kb = self.kb
        first: tuple[str, int | float] | None = self._places.sound(text)
        self._latest = None if first is None else text
        if first is None:
            text = self._places.repaired(text, kb.file, line)
            if not text:
                return NO_SOURCE
            first = first_place(text)
        docid, start = first
        return text, kb.documents.get(docid) or kb.document(docid), start if isinstance(start, int) else FAR

    def _expect(self, verb: str) -> int:
        """Return the number of fields that a predicate needs, -1 if the task does not allow it."""
        name = lower(verb)
        is_off_task = self._allowed is not None and name not in self._allowed
        expected = _OFF_TASK if is_off_task else _WITH_PROVENANCE - (name in _WITHOUT_PROVENANCE)
        self._expected[verb] = expected
        return expected

    def _refuse(self, verb: str, expected: int, field_count: int, line: int) -> None:
        where = self.kb.place(line)
        if expected != _OFF_TASK:
            self.kb.log.record("WRONG_NUM_ENTRIES", expected, field_count, where=where)
        else:
            self.kb.log.record("OFF_TASK_SLOT", verb, self.task, where=where)
