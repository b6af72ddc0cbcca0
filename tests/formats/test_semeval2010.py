"""Answers of SemEval-2010 task 8: a file that is read all at once says what its lines say one by one."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.semeval2010.answers import answers, program_answers, sound

IDS = st.sampled_from(["1", "2", "03", "3", "", "x", "²", "1 "])
LABELS = st.sampled_from(["Other", "Cause-Effect(e1,e2)", "Member-Collection(e2,e1)", "Cause-Effect", "", "Other\r"])
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", "", "\r\r\n"])
LINES = st.lists(st.tuples(IDS, st.sampled_from(["\t", "\t", "\t", " ", "\t\t", ""]), LABELS, ENDS), max_size=4)
SOUND = st.lists(st.tuples(st.integers(0, 30).map(str), st.just("\t"), LABELS, ENDS), max_size=6)


@given(LINES | SOUND)
def test_answers_are_read_all_at_once_or_line_by_line(lines: list[tuple[str, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/answers.txt"
        Path(path).write_bytes("".join(map("".join, lines)).encode())
        try:
            one_by_one = {line.id: line[3:] for line in sound(answers(path, "program"), path, Problems().error)}
        except InputError as error:
            one_by_one = str(error)
        try:
            at_once = program_answers(path)
        except InputError as error:
            at_once = str(error)
    assert at_once == one_by_one
