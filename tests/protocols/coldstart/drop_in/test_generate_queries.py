from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.protocols.coldstart.kb_files import QUERIES_TEXT, contents

from karat.protocols.coldstart.drop_in.outlets import Outlets
from karat.protocols.coldstart.drop_in.slots.generate import PROGRAM
from karat.vocabularies.coldstart.problems import Stop

ANSWER = "CSSF15_ENG_0123456789\tper:children\trun1\td1:0-12\tBob & Co\tPER\td1:10-12\t0.8\n"


def generate(folder: Path, run: str | None = None, profile: str = "2015", **options: str) -> tuple[str, str]:
    (folder / "queries.xml").write_text(QUERIES_TEXT, "utf-8")
    given = {"queryfile": str(folder / "queries.xml"), "outputfile": "stdout", "error_file": "stderr"} | options
    if run is not None:
        (folder / "run").write_text(run, "utf-8")
        given["runfile"] = str(folder / "run")
    outlets = Outlets()
    PROGRAM(given | {"profile": profile}, outlets)
    return contents(outlets)


def ids(text: str) -> list[str]:
    return re.findall(r'<query id="(.*?)">', text)


def test_the_first_round(tmp_path):
    assert ids(generate(tmp_path)[0]) == ["CSSF15_ENG_CSSF15_ENG_0123456789"]
    assert ids(generate(tmp_path, profile="corrected")[0]) == ["CSSF15_ENG_0123456789"]


def test_the_second_round_asks_for_what_was_answered(tmp_path):
    out, err = generate(tmp_path, ANSWER, "corrected")
    assert ids(out)[0].startswith("CSSF15_ENG_0123456789_")
    assert "<name>Bob & Co</name>" in out
    assert "<slot0>per:age</slot0>" in out
    assert err == "No warnings encountered\n"
    assert "<name>Bob &amp; Co</name>" in generate(tmp_path, ANSWER, valid="")[0]


def test_the_second_round_of_2015_has_short_ids_and_extra_queries(tmp_path):
    found = ids(generate(tmp_path, ANSWER)[0])
    assert [len(one) for one in found] == [10, len("CSSF15_ENG_") + 12]
    assert len(ids(generate(tmp_path, ANSWER, "2015.11")[0])) == 1


@pytest.mark.parametrize(
    ("run", "problem"),
    [
        (ANSWER + ANSWER.replace("run1", "run2"), "multiple run IDs"),
        (ANSWER + ANSWER.replace("per:children", "per:spouse"), "is not the requested slot"),
        (ANSWER + ANSWER.replace("Bob & Co", " "), "Empty value for column VALUE"),
        ("", "Empty response or assessment file"),
    ],
)
def test_warnings_about_a_run(run, problem, tmp_path):
    _, err = generate(tmp_path, run)
    assert problem in err
    assert err.endswith("1 warning encountered\n")


@pytest.mark.parametrize(
    ("run", "message"),
    [
        (ANSWER.replace("0123456789", "9876543210"), "Query CSSF15_ENG_9876543210 not loaded"),
        ("what is this\n", "Unknown file type"),
        ("# nothing\n", "Empty file"),
        (ANSWER + ANSWER.replace("\t0.8", ""), "1 error encountered"),
    ],
)
def test_runs_that_stop_it(run, message, tmp_path):
    with pytest.raises(Stop, match=message):
        generate(tmp_path, run)


def test_an_answer_of_another_type_leads_nowhere(tmp_path):
    assert ids(generate(tmp_path, ANSWER.replace("\tPER\t", "\tORG\t"))[0]) == []
