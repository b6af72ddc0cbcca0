"""What is written appears whole or not at all, where it was asked for and nowhere else."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Sequence
from contextlib import chdir, suppress
from pathlib import Path

import pytest
from tests.cli.conftest import ENVIRONMENT

from karat import formats
from karat.cli import run
from karat.errors import InputError
from karat.formats.fidelity import Losses
from karat.io import outputs
from karat.model import Chain, Document, Mention

WRITERS = sorted(name for name, declared in formats.formats().items() if declared.write is not None)
FOLDERS = sorted(name for name in WRITERS if formats.format_named(name).folder)


def put(folder: Path, data: bytes, name: str = "a.txt") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def listing(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_files_appear_whole_with_ordinary_permissions(tmp_path: Path) -> None:
    old = put(tmp_path, b"old", "old.txt")
    old.chmod(0o640)
    mask = os.umask(0o027)
    try:
        outputs.write_whole({old: "new\r\n", tmp_path / "b" / "c.txt": b"\xff"}, folders=True)
    finally:
        os.umask(mask)
    assert listing(tmp_path) == {"old.txt": b"new\r\n", "b/c.txt": b"\xff"}
    assert [stat.S_IMODE(path.stat().st_mode) for path in (old, tmp_path / "b" / "c.txt")] == [0o640, 0o640]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("folder", "x", "folder: cannot be written: is a directory"),
        ("absent/b.txt", "x", "absent/b.txt: cannot be written: no such file"),
        ("a.txt/b.txt", "x", "a.txt/b.txt: cannot be written: not a directory"),
        ("b.txt", "\ud800", r"b.txt: cannot be written: UTF-8 has no bytes for '\\ud800'"),
        ("x" * 300, "x", "cannot be written: file name too long"),
    ],
)
def test_all_files_are_written_or_none(name: str, text: str, message: str, tmp_path: Path) -> None:
    put(tmp_path, b"old")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.iterdir())
    with pytest.raises(InputError, match=message):
        outputs.write_whole({tmp_path / "a.txt": "new", tmp_path / "z.txt": "new", tmp_path / name: text})
    assert listing(tmp_path) == {"a.txt": b"old"}
    assert sorted(tmp_path.iterdir()) == before


def test_a_file_cannot_be_a_folder_too(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="b: cannot be written: not a directory"):
        outputs.write_whole({tmp_path / "a": "x", tmp_path / "a" / "b": "x"}, folders=True)
    assert list(tmp_path.iterdir()) == []


def test_folders_made_for_nothing_go_again(tmp_path: Path) -> None:
    put(tmp_path, b"old")
    contents = {tmp_path / "new" / "deep" / "b.txt": "x", tmp_path / "a.txt" / "c.txt": "x"}
    with pytest.raises(InputError, match="not a directory"):
        outputs.write_whole(contents, folders=True)
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path: Path) -> None:
    put(tmp_path, b"old")
    (tmp_path / "link").symlink_to("a.txt")
    outputs.write_whole({tmp_path / "link": "new", os.devnull: "x"})
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "a.txt").read_bytes() == b"new"
    assert Path(os.devnull).is_char_device()


TRICKS = {
    "traversal": ["../x", "a/../../x", "..", "a/..", "..\\x", "./x", "a//b", "a/", ".x"],
    "absolute": ["/x", "//x", "/etc/passwd", "c:x", "C:\\x", "\\\\host\\x"],
    "control": ["x\0", "\0", "x\ny", "x\x1b[2Jy", "x\x9b", "\ud800"],
    "length": ["x" * 300, "é" * 150, "a/" * 3000 + "b", ""],
    "devices": ["CON", "con", "nul.txt", "aux", "COM1", "lpt9.x", "a/PRN/b", "COM¹", "CONIN$"],
    "ends": ["a./b", "a /b", "... "],
}
PAIRS = {
    "case": ["Doc", "doc"],
    "folders": ["A/x", "a/y"],
    "sharp s": ["STRASSE", "straße"],
    "forms": [unicodedata.normalize("NFC", "Zürich"), unicodedata.normalize("NFD", "Zürich")],
    "same": ["d", "d"],
}


def corpus(*names: str) -> list[Document]:
    return [Document(name, "Ada", [Mention("T1", ((0, 3),), ("PER",))], [Chain("c", ("T1",))]) for name in names]


def tree(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.mark.parametrize("kind", TRICKS)
@pytest.mark.parametrize("name", WRITERS)
def test_no_id_leads_out_of_the_folder(name: str, kind: str, tmp_path: Path) -> None:
    """Whatever a document is called, it is written inside of the folder or refused, and then nothing is."""
    room = tmp_path / "room"
    room.mkdir()
    for trick in TRICKS[kind]:
        if name in FOLDERS:
            with pytest.raises(InputError, match="its id has"):
                formats.write(corpus("good", trick), room / "out", name, losses=Losses())
        else:
            with suppress(InputError):
                formats.write(corpus("good", trick), room / "out", name, losses=Losses())
            (room / "out").unlink(missing_ok=True)
        assert tree(tmp_path) == {"room"}, trick


@pytest.mark.parametrize("kind", PAIRS)
@pytest.mark.parametrize("name", FOLDERS)
def test_two_documents_are_two_files_on_every_system(name: str, kind: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be written as .*: its id (meets|is the id of two)"):
        formats.write(corpus(*PAIRS[kind]), tmp_path / "out", name, losses=Losses())
    assert tree(tmp_path) == set()


@pytest.mark.parametrize("name", FOLDERS)
def test_every_writer_of_folders_is_tried(name: str, tmp_path: Path) -> None:
    formats.write(corpus("good", "deep/er", "deep/est"), tmp_path / "out", name, losses=Losses())
    assert {path.stem for path in (tmp_path / "out").rglob("*") if path.is_file()} == {"good", "er", "est"}


@pytest.mark.parametrize("name", FOLDERS)
@pytest.mark.parametrize("way", ["d", "deep"])
def test_links_inside_of_an_output_folder_are_not_followed(name: str, way: str, tmp_path: Path) -> None:
    suffix = formats.format_named(name).suffixes[0]
    away = tmp_path / "away"
    away.mkdir()
    put(away, b"years of work", f"d{suffix}")
    (tmp_path / "out").mkdir()
    if way == "d":
        (tmp_path / "out" / f"d{suffix}").symlink_to(away / f"d{suffix}")
    else:
        (tmp_path / "out" / "deep").symlink_to(away)
    before = tree(tmp_path)
    with pytest.raises(InputError, match="no link inside of an output folder is followed"):
        formats.write(corpus("d" if way == "d" else "deep/d"), tmp_path / "out", name, losses=Losses())
    assert tree(tmp_path) == before
    assert (away / f"d{suffix}").read_bytes() == b"years of work"
    (tmp_path / "named").symlink_to(away)
    formats.write(
        corpus("other"), tmp_path / "named", name, losses=Losses()
    )  # the folder itself is what somebody has asked for
    assert (away / f"other{suffix}").is_file()


@pytest.mark.parametrize("name", FOLDERS)
def test_an_empty_corpus_is_an_empty_folder(name: str, tmp_path: Path) -> None:
    formats.write([], tmp_path / "deep" / "out", name)
    assert (tmp_path / "deep" / "out").is_dir()
    assert tree(tmp_path / "deep") == {"out"}


def test_a_plug_in_cannot_choose_a_path_either(tmp_path: Path) -> None:
    for name in ("../x", "/x", "a/../../x"):
        with pytest.raises(InputError, match="cannot hold a file called"):
            outputs.write_folder(tmp_path / "out", {name: "x"})
    assert tree(tmp_path) == set()


LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
from karat.cli import run
sys.exit(run(sys.argv[1:]))
"""
"""A process whose files may have 100,000 bytes: the next write fails, as on a full disk."""


@pytest.mark.parametrize("target", ["big.conll", "out", "old.conll"])
def test_a_disk_that_is_full_is_a_sentence_and_leaves_nothing(target: str, tmp_path: Path) -> None:
    put(tmp_path, b"old", "old.conll")
    document = {"id": "d", "text": "Ada " * 30_000}
    put(tmp_path, json.dumps(document).encode(), "big.jsonl")
    before = tree(tmp_path)
    kind = "brat" if target == "out" else "conll"
    command = [sys.executable, "-c", LIMITED, "convert", "big.jsonl", target, "--to", kind]
    done = subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "cannot be written: file too large" in done.stderr
    assert (tree(tmp_path), (tmp_path / "old.conll").read_bytes()) == (before, b"old")


CONVERT = ["convert", "many.jsonl", "out", "--to", "brat"]
STOPPED = """
import signal, sys
from pathlib import Path
from karat.cli import run
number, shape, after, *words = sys.argv[1:]
is_sent = False
def look(event, arguments):
    global is_sent
    if not is_sent and event in ("open", "os.mkdir", "os.rename"):
        is_sent = sum(1 for _ in Path().glob(shape)) >= int(after)
        if is_sent:
            signal.raise_signal(int(number))
sys.addaudithook(look)
sys.exit(run(words))
"""
"""The command line, which gets a signal when it is about to change the disk and so many files of a shape are there."""


def many(folder: Path, number: int = 30) -> None:
    """Write a corpus of some documents."""
    document = {"text": "Ada " * 50, "mentions": [{"id": "T1", "spans": [[0, 3]], "labels": ["X"]}]}
    lines = (json.dumps({"id": f"d{place}", **document}) + "\n" for place in range(number))
    (folder / "many.jsonl").write_text("".join(lines))


def killed(
    folder: Path, number: int, shape: str, after: int = 1, *, script: str = STOPPED, words: Sequence[str] = CONVERT
) -> tuple[int, str]:
    """Convert the corpus, or run another command, until there are so many files of that shape, and send a signal."""
    command = [sys.executable, "-c", script, str(int(number)), shape, str(after), *words]
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("shape", "after"),
    [
        pytest.param(".karat.*", 1, id="before the first file of a new folder"),
        pytest.param(".karat.*/**/*.ann", 10, id="between the files of a new folder"),
        pytest.param("out/.karat.*/*", 10, id="between the files for an old folder"),
        pytest.param("out/d1*.ann", 1, id="while they are put into the old folder"),
    ],
)
def test_an_interrupt_leaves_nothing(shape: str, after: int, tmp_path: Path) -> None:
    many(tmp_path)
    if shape.startswith("out"):
        (tmp_path / "out").mkdir()
        put(tmp_path / "out", b"old", "d0.ann")
    before = tree(tmp_path)
    status, told = killed(tmp_path, signal.SIGINT, shape, after)
    assert (status, told.strip()) == (130, "karat: interrupted")
    assert tree(tmp_path) == before
    assert before == {"many.jsonl"} or (tmp_path / "out" / "d0.ann").read_bytes() == b"old"


SMALL_PAGES = f"from karat.report.pages import pages_of\npages_of.__kwdefaults__['most'] = 1\n{STOPPED}"
"""The same, with a report that is a folder of pages where there are more than one item."""


@pytest.mark.parametrize(("shape", "after"), [(".karat.*", 1), (".karat.*/**/*.html", 3)])
def test_an_interrupted_report_of_many_pages_leaves_nothing(shape: str, after: int, tmp_path: Path) -> None:
    many(tmp_path, 3)
    words = ["report", "conll2003", "many.jsonl", "many.jsonl", "--resamples", "2", "-o", "report.html"]
    status, told = killed(tmp_path, signal.SIGINT, shape, after, script=SMALL_PAGES, words=words)
    assert (status, told.strip().splitlines()[-1]) == (130, "karat: interrupted")
    assert tree(tmp_path) == {"many.jsonl"}


def test_what_a_killed_run_leaves_is_removed_by_the_next(tmp_path: Path) -> None:
    many(tmp_path)
    assert killed(tmp_path, signal.SIGKILL, ".karat.*/**/*.ann")[0] == -signal.SIGKILL
    assert [path for path in tmp_path.iterdir() if path.name.startswith(".karat.")]
    with chdir(tmp_path):
        assert run(CONVERT) == 0
    assert {path.name for path in tmp_path.iterdir()} == {"many.jsonl", "out"}
    assert len(tree(tmp_path / "out")) == 60


def test_what_another_run_is_making_stays(tmp_path: Path) -> None:
    with outputs.temporary_folder(tmp_path / "karat") as live:
        outputs.write_whole({tmp_path / "a.txt": "x"})
        assert live.is_dir()
    assert tree(tmp_path) == {"a.txt"}


def test_what_cannot_be_put_in_its_place_is_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = Path.replace
    put(tmp_path, b"old", "old.txt")

    def fail(self: Path, target: Path) -> Path:
        if target.name == "b.txt":
            raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", fail)
    contents = {tmp_path / "new" / "a.txt": "x", tmp_path / "old.txt": "x", tmp_path / "b.txt": "x"}
    with pytest.raises(InputError, match="cannot be written: no space left"):
        outputs.write_whole(contents, folders=True)
    assert tree(tmp_path) == {"old.txt"}
    assert (tmp_path / "old.txt").read_bytes() == b"old"


def test_many_files_wait_for_the_disk_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[object] = []
    for name in ("sync", "fsync"):
        monkeypatch.setattr(os, name, lambda *handle: waits.append(handle))
    outputs.write_whole({tmp_path / f"{number}.txt": "a" for number in range(100)})
    assert waits == [()]


def test_scratch_folders_of_killed_runs_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    script = "import os; from karat.io.outputs import scratch_folder\nwith scratch_folder(): os._exit(9)"
    environment = ENVIRONMENT | {"TMPDIR": str(tmp_path)}
    assert subprocess.run([sys.executable, "-c", script], env=environment, check=False).returncode == 9
    assert len(list(tmp_path.iterdir())) == 1
    with outputs.scratch_folder() as folder:
        assert list(tmp_path.iterdir()) == [folder]
    assert not list(tmp_path.iterdir())
