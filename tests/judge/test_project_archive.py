"""A project in an archive: out while judges work, in at another place, and nothing else comes in with it."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from pathlib import Path

import pytest
from tests.postgresql import Places

from karat.cli import run
from karat.errors import InputError
from karat.judge.desk import Desk
from karat.judge.people import People
from karat.judge.pool import make_pool, write_pool
from karat.judge.project import begin, resume
from karat.judge.project_archive import export_project, import_project
from karat.judge.results import results_of

from .test_desk import Judge
from .test_results import SYSTEMS


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Return the archive of a project that two judges are half through, one answer taken back."""
    write_pool(make_pool(SYSTEMS, "relation", overlap=0.5), tmp_path / "pool.jsonl")
    with begin(tmp_path / "pool.jsonl", "correct") as project:
        desk = Desk(project)
        for name in ("ann", "ben"):
            judge = Judge(desk, name)
            for _ in range(5):
                judge.answer_next()
        desk.undo("ben", "undo-0001")
        People(project.database).invite("eve", "owner")
    export_project(tmp_path / "pool.jsonl", None, str(tmp_path / "project.zip"))
    return tmp_path / "project.zip"


def parts_of(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def repack(archive: Path, parts: dict[str, bytes]) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in parts.items():
            opened.writestr(name, content)


def refused(archive: Path, match: str) -> None:
    """Try to bring it in, and see that nothing came."""
    before = sorted(archive.parent.rglob("*"))
    with pytest.raises(InputError, match=match):
        import_project(archive, str(archive.parent / "new.jsonl"), None)
    assert sorted(archive.parent.rglob("*")) == before


def test_a_project_is_the_same_at_another_place(archive: Path, places: Places) -> None:
    pool, place = archive.parent / "moved.jsonl", places()
    import_project(archive, str(pool), place)
    with resume(archive.parent / "pool.jsonl") as old, resume(pool, place) as new:
        assert list(new.journal.lines()) == list(old.journal.lines())
        assert new.journal.standing() == old.journal.standing()
        assert new.journal.check() == 12
        assert results_of(new.judgements()) == results_of(old.judgements())
        assert People(new.database).admitted() == People(old.database).admitted()
        again = archive.parent / "again.zip"
    export_project(pool, place, str(again))
    assert parts_of(again) == parts_of(archive)
    with pytest.raises(InputError, match="already"):
        import_project(archive, str(pool), place)


def test_a_token_goes_on_to_work_and_no_role_is_free(tmp_path: Path, archive: Path) -> None:
    with resume(tmp_path / "pool.jsonl") as project:
        token = People(project.database).invite("eve", "owner")
    export_project(tmp_path / "pool.jsonl", None, str(archive))
    assert token.encode() not in b"".join(parts_of(archive).values())
    import_project(archive, str(tmp_path / "new.jsonl"), None)
    with resume(tmp_path / "new.jsonl") as project:
        people = People(project.database)
        assert people.enter("eve", token, without_token=False)
        assert people.enter("eve", "", without_token=True) is None
    parts = parts_of(archive)
    repack(archive, {**parts, "people.jsonl": b'["mallory","owner",""]\n'})
    (tmp_path / "new.jsonl").unlink()
    (tmp_path / "new.answers").unlink()
    refused(archive, "no token")


def test_it_is_taken_out_while_judges_go_on(tmp_path: Path) -> None:
    write_pool(make_pool(SYSTEMS, "relation"), tmp_path / "pool.jsonl")
    with begin(tmp_path / "pool.jsonl", "correct") as project:
        judge = Judge(Desk(project), "ann")
        working = threading.Thread(target=lambda: list(iter(judge.answer_next, None)))
        working.start()
        export_project(tmp_path / "pool.jsonl", None, str(tmp_path / "project.zip"))
        working.join()
        import_project(tmp_path / "project.zip", str(tmp_path / "new.jsonl"), None)
        with resume(tmp_path / "new.jsonl") as copy:
            lines = list(copy.journal.lines())
            assert copy.journal.check() == len(lines)
        assert list(project.journal.lines())[: len(lines)] == lines


@pytest.mark.parametrize("name", ["../evil", "/evil", "journal.jsonl/../../evil", "extra", "pool.jsonl\\..\\evil"])
def test_no_other_part_comes_in(archive: Path, name: str) -> None:
    repack(archive, {**parts_of(archive), name: b"x"})
    refused(archive, "nothing else")
    parts = parts_of(archive)
    parts.pop("people.jsonl")
    repack(archive, parts)
    refused(archive, "nothing else")


def test_a_bomb_is_refused(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARAT_MAX_UNPACKED", "1M")
    repack(archive, {**parts_of(archive), "journal.jsonl": b"0" * 2**22})
    refused(archive, "unpacks to more than")


@pytest.mark.parametrize("change", ["value", "person", "left out", "put in", "pool", "act", "half"])
def test_what_was_changed_is_refused(archive: Path, change: str) -> None:
    parts = parts_of(archive)
    lines = [json.loads(line) for line in parts["journal.jsonl"].splitlines()]
    match change:
        case "value":
            lines[2][7] = 0.0
        case "person":
            lines[2][3] = "mallory"
        case "left out":
            del lines[3]
        case "put in":
            lines.insert(3, lines[3])
        case "act":
            lines[2][4] = "praise"
        case "pool":
            parts["pool.jsonl"] += b"\n"
    parts["journal.jsonl"] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    if change == "half":
        parts["journal.jsonl"] = parts["journal.jsonl"][:-40]
    repack(archive, parts)
    refused(archive, "changed|does not belong|is no line")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and no more", io.BytesIO().getvalue() + b"text"])
def test_what_is_no_archive_is_refused(archive: Path, content: bytes) -> None:
    archive.write_bytes(content)
    refused(archive, "cannot be read as a project")


def test_nothing_is_left_of_a_project_that_cannot_be_brought_in(tmp_path: Path, archive: Path) -> None:
    answers = tmp_path / "answers"
    with pytest.raises(InputError, match="cannot be written"):
        import_project(archive, str(tmp_path / "nowhere" / "pool.jsonl"), str(answers))
    assert not list(tmp_path.glob("answers*"))


def test_a_journal_must_still_have_what_was_exported_or_summed_up(
    archive: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(archive.parent)
    assert run(["judge", "summary", "pool.jsonl"]) == 0
    saved = str(Path("manual_evaluations", "pool.json"))
    with resume("pool.jsonl") as project:
        Judge(Desk(project), "eve").answer_next()
    capsys.readouterr()
    assert run(["judge", "verify", "pool.jsonl", "project.zip", saved]) == 0
    assert capsys.readouterr().out == (
        f"13 lines, none changed\nproject.zip: the first 12 lines\n{saved}: the first 12 lines\n"
    )
    before = parts_of(archive)["journal.jsonl"].splitlines()
    Path("pool.answers").unlink()
    with begin("pool.jsonl", "correct") as project:  # somebody who answers for all of them, anew
        judge = Judge(Desk(project), "mallory")
        while judge.answer_next():
            pass
        assert project.journal.check() >= len(before)
    for earlier in ("project.zip", saved):
        assert run(["judge", "verify", "pool.jsonl", earlier]) == 3
        assert f"{earlier}: the journal was changed: it does not continue the 12 lines" in capsys.readouterr().err
    Path("other.json").write_text('{"figures": [], "notes": []}')
    for earlier, sentence in (
        ("other.json", "not the summary of a project"),
        ("pool.jsonl", "is neither a project archive nor a summary"),
        ("nothing.json", "nothing.json"),
    ):
        assert run(["judge", "verify", "pool.jsonl", earlier]) == 3
        assert sentence in capsys.readouterr().err
