"""What the validator leaves out, corrected, and where it writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.protocols.coldstart.slot_files import QUERIES, RUN, Q, target

from karat.cli import run as karat

CITIES = QUERIES.replace("per:children", "per:city_of_birth").replace("per:age", "gpe:residents_of_city")


def _city(value: str, place: str, sure: str, *, slot: str = "per:city_of_birth", kind: str = "GPE") -> str:
    return f"{Q}\t{slot}\tr\td1:0-9\t{value}\t{kind}\t{place}\t{sure}"


def _resident(query: str) -> str:
    return f"{query}\tgpe:residents_of_city\tr\td1:0-9\tEve\tPER\td1:0-1\t0.5"


@pytest.fixture
def validated(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    Path("q.xml").write_text(CITIES)

    def validate(lines: list[str], *switches: str) -> tuple[str, str]:
        Path("run").write_text("\n".join(lines) + "\n")
        words = ["-profile", "corrected", "-output_file", "stdout", *switches]
        assert karat(["coldstart", "validate-sf", *words, "q.xml", "run"]) == 0
        return capfd.readouterr()

    return validate


def test_whatever_is_left_out_is_reported(validated):
    again = target("Rome", "d2:3-5")
    lines = [_city("Rome", "d1:3-5", "0.9"), _city("Rome", "d2:3-5", "0.8"), _resident(again)]
    out, err = validated(lines)
    assert out == lines[0] + "\n"
    assert err == (
        f"WARNING: Response for illegal query {again} skipped\n"
        "WARNING: Multiple responses given to single-valued slot per:city_of_birth (run line 2)\n"
        "2 warnings encountered\n"
    )
    assert len(validated(lines, "-groundtruth").out.splitlines()) == 3


@pytest.mark.parametrize("switches", [(), ("-groundtruth",), ("-output_file", "none")])
def test_what_follows_from_a_wrong_slot_is_reported(validated, switches):
    oslo = target("Oslo", "d1:7-9")
    lines = [_city("Rome", "d1:3-5", "0.9"), _city("Oslo", "d1:7-9", "0.5", slot="per:title"), _resident(oslo)]
    err = validated(lines, *switches).err
    assert f"WARNING: Response for illegal query {oslo} skipped\n" in err
    assert err.endswith("2 warnings encountered\n")


def test_what_a_right_line_leads_to_is_kept_although_a_wrong_one_does_too(validated):
    rome = target("Rome", "d1:3-5")
    lines = [_city("Rome", "d1:3-5", "0.9"), _city("Rome", "d1:3-5", "0.9", slot="per:title"), _resident(rome)]
    assert validated(lines).out.splitlines() == [lines[0], lines[2]]


def test_the_order_of_lines_changes_nothing(validated):
    lines = [
        _city("Rome", "d1:3-5", "0.9"),
        _city("Oslo", "d1:7-9", "0.95"),
        _city("Oslo", "d1:7-9", "0.95"),
        _city("Oslo", "d1:7-9", "0.950"),
        _city("Oslo", "d1:7-9", "0.95", kind="STRING"),
        _city("Rome", "d2:3-5", "0.8").replace("\tr\t", "\tother\t"),
        _resident(target("Oslo", "d1:7-9")),
        _resident(target("Oslo", "d1:7-9")).replace("0.5", "0.6"),
    ]
    found = set()
    for turn in range(2 * len(lines)):
        lines = [*lines[1:], lines[0]][:: -1 if turn % 3 else 1]
        out, err = validated(lines)
        found.add((out, err.splitlines()[-1]))
    ((out, last),) = found
    assert out.splitlines()[0] == _city("Oslo", "d1:7-9", "0.95")
    assert len(out.splitlines()) == 3
    assert last == "5 warnings encountered"


def test_only_none_in_small_letters_is_no_output(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("q.xml").write_text(QUERIES)
    Path("run").write_text("\n".join(RUN) + "\n")
    assert karat(["coldstart", "validate-sf", "-output_file", "NONE", "q.xml", "run"]) == 0
    assert len(Path("NONE").read_text().splitlines()) == len(RUN)


def test_output_and_log_change_places(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    Path("q.xml").write_text(QUERIES)
    Path("run").write_text("\n".join(RUN) + "\n")
    assert karat(["coldstart", "validate-sf", "-output_file", "stderr", "-error_file", "stdout", "q.xml", "run"]) == 0
    out, err = capfd.readouterr()
    assert out == "No warnings encountered\n"
    assert len(err.splitlines()) == len(RUN)


def test_the_run_is_looked_for_before_the_queries(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert karat(["coldstart", "validate-sf", "q.xml", "run"]) == 255
    assert capfd.readouterr().err == "FATAL: File run does not exist\n"
