"""Reading a knowledge base: the run id on the first line, then tab-separated assertions.

``subject predicate object [provenance] [confidence]``; blank lines and comments are passed over. What a line means
is decided by the lines before it, so a file is read from the top in one pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain

from karat.formats.coldstart.kb.assertions import Adder
from karat.vocabularies.coldstart.provenance import ILLEGIBLE, MAX_CHARACTERS, MAX_TRIPLES, Lengths, parse
from karat.vocabularies.coldstart.text import BLANK, lower, split_comment, trim, trimmer
from karat.vocabularies.coldstart.text_files import blocks_of

TASKS: dict[str, frozenset[str] | None] = {
    "CSED": frozenset({"type", "mention"}),
    "CSEDL": frozenset({"type", "mention", "nominal_mention", "link"}),
    "CSKB": None,
}
"""The predicates that each task allows; nothing where it allows all."""

CONFIDENCE = "1.0"
OMITTED_RUN_ID = "OmittedRunID"
_CONFIDENCE = re.compile(r"\d+\.\d+")
_PLAIN = re.compile(r"([^:,\s]+):([0-9]{1,9})-([0-9]{1,9})")
_WITH_PROVENANCE = 4
_OFF_TASK = -1
_WITHOUT_PROVENANCE = ("type", "link")


class Loader:
    """Reads the lines of a file into a knowledge base."""

    def __init__(self, adder: Adder, task: str = "CSKB", lengths: Lengths | None = None) -> None:
        self.adder = adder
        self.kb = adder.kb
        self.task = task
        self.lengths = lengths
        self._allowed = TASKS[task]
        self._expected: dict[str, int] = {}
        self._confidences: dict[str, str] = {}

    def load(self, path: str, progress: Callable[[int], None] | None = None) -> None:
        """Read the file; ``progress`` is told now and then how many lines have been read."""
        blocks = blocks_of(path)
        first = next(blocks, None)
        line, _, rest = (first or "").partition("\n")
        found = self._run_id(None if first is None else line)
        number = 2  # without a run id, the first line is read again and every line counts as one more
        for block in chain([rest if found else first or ""], blocks):
            self._block(block, number)
            number += block.count("\n") + 1
            if progress is not None:
                progress(number - 1)

    def _run_id(self, line: str | None) -> bool:
        """Take the run id off the first line and say whether there is one."""
        kb = self.kb
        run_id = trim((line or "").partition("#")[0])
        if not run_id or run_id.startswith(":") or BLANK.search(run_id):
            kb.log.record("MISSING_RUNID", where=kb.place(0 if line is None else 1))
            kb.run_id = kb.first_line = OMITTED_RUN_ID
            return False
        kb.run_id, kb.first_line = run_id, line or ""
        return True

    def _block(self, text: str, number: int) -> None:
        """Add the assertions of some lines; this loop is where a large file spends its time."""
        add = self.adder.add
        confidences = self._confidences
        expected_of = self._expected
        trim_field = trimmer(text)
        for line_number, line in enumerate(text.split("\n"), number):
            comment = ""
            if "#" in line:
                line, comment = split_comment(line)
                fields = list(map(trim, line.rstrip("\t").split("\t")))
            elif trim_field is None:
                fields = line.split("\t")
            else:
                fields = list(map(trim_field, line.rstrip("\t").split("\t")))
            if not any(fields):
                continue
            confidence = confidences.get(fields[-1])
            if confidence is not None:
                fields.pop()
            elif _CONFIDENCE.fullmatch(fields[-1]):
                confidence = fields.pop()
                confidences[confidence] = confidence
            else:
                confidence = CONFIDENCE
            verb = fields[1] if len(fields) > 1 else ""
            expected = expected_of.get(verb)
            if expected is None:
                expected = self._expect(verb)
            if len(fields) != expected:
                self._refuse(verb, expected, len(fields), line_number)
                continue
            provenance = self._provenance(fields[3], line_number) if expected == _WITH_PROVENANCE else ""
            add(fields[0], verb, fields[2], provenance, confidence, line_number, comment)

    def _expect(self, verb: str) -> int:
        """Return the number of fields that a predicate needs, -1 if the task does not allow it."""
        name = lower(verb)
        if self._allowed is not None and name not in self._allowed:
            expected = _OFF_TASK
        else:
            expected = _WITH_PROVENANCE - (name in _WITHOUT_PROVENANCE)
        self._expected[verb] = expected
        return expected

    def _refuse(self, verb: str, expected: int, found: int, line: int) -> None:
        where = self.kb.place(line)
        if expected != _OFF_TASK:
            self.kb.log.record("WRONG_NUM_ENTRIES", expected, found, where=where)
        else:
            self.kb.log.record("OFF_TASK_SLOT", verb, self.task, where=where)

    def _provenance(self, text: str, line: int) -> str:
        """Return the provenance of a line, repaired; sound triples are recognised at once."""
        parts = text.split(",")
        if len(parts) <= MAX_TRIPLES and all(map(self._is_sound, parts)):
            return text
        return parse(text, self.lengths, self.kb.log, self.kb.place(line))

    def _is_sound(self, triple: str) -> bool:
        found = _PLAIN.fullmatch(triple)
        if found is None:
            return False
        docid, start, end = found.groups()
        last = int(end)
        if not 0 <= last - int(start) < MAX_CHARACTERS or docid == ILLEGIBLE:
            return False
        return self.lengths is None or last <= self.lengths.get(docid, -1)
