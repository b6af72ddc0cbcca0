"""Hostile input: whatever a file holds, a command ends with a sentence and a status, and leaves nothing half-done.

Sound files are damaged in many ways, then scored, explained, converted, validated and evaluated. No run may end with
a traceback or with status 70; a run that fails may not leave or change a file, and says why in exactly one line.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat import formats
from karat.cli import run
from karat.model import Document, Link, Mention

PROTOCOLS = ("hipe2022-nerc-coarse", "hipe2022-nel", "hipe2020-nerc-fine")
ENDINGS = {"hipe": ".tsv", "brat": "", "conll": ".conll", "jsonl": ".jsonl"}

HIPE = (
    "TOKEN\tNE-COARSE-LIT\tNE-FINE-LIT\tNE-FINE-METO\tNE-FINE-COMP\tNE-NESTED\tNEL-LIT\tMISC\n"
    "# document_id = a\n# date = 1798-01-20\n"
    "Zürich\tB-loc\tB-loc.adm\tO\tO\tO\tQ72|NIL\tLED0.1\n"
    ",\tO\tO\tO\tO\tO\t_\tNoSpaceAfter\n"
    "# segment_iiif_link = _\n"
    "Ada\tB-pers\tB-pers.ind\tO\tB-comp.name\tO\tQ7259\t_\n"
    "Byron\tI-pers\tE-pers.ind\tO\tI-comp.name\tS-loc\tQ7259\t_\n\n"
    "# document_id = b\n"
    "Bern\tB-loc\tO\tO\tO\tO\tNIL\t_\n"
)
CONLL = (
    "# global.columns = FORM NE-COARSE-LIT NEL-LIT MISC\n# newdoc id = a\n# meta::date = 1798\n"
    "Zürich\tB-loc\tQ72\tSpaceAfter=No\n,\tO\t_\t_\n\nAda\tB-pers\tQ7259\t_\nByron\tI-pers\tQ7259\t_\n\n"
    "# newdoc id = b\nBern\tB-loc\tNIL\t_\n\n"
)
TEXT = "Zürich, Ada Byron"
MENTIONS = [
    Mention("T1", ((0, 6),), ("loc",), "Zürich", "NE-COARSE-LIT", (Link("Q72"),)),
    Mention("T2", ((8, 17),), ("pers",), "Ada Byron", "NE-COARSE-LIT", (), {"sure": "no"}),
]
JSONL = formats.render([Document("a", TEXT, MENTIONS), Document("b", "Bern")], "jsonl")[""]
ANN = (
    formats.render([Document("a", TEXT, MENTIONS)], "brat")["a.ann"]
    + "R1\tx Arg1:T1 Arg2:T2\n#1\tAnnotatorNotes T1\t?\n"
)
SOUND = {"hipe": HIPE, "conll": CONLL, "jsonl": JSONL, "brat": ANN}


def put(folder: Path, name: str, data: bytes, kind: str) -> Path:
    """Write data as a file of that kind; BRAT lives in a folder, beside its text."""
    path = folder / f"{name}{ENDINGS[kind]}"
    if kind != "brat":
        path.write_bytes(data)
        return path
    path.mkdir()
    (path / "a.ann").write_bytes(data)
    (path / "a.txt").write_bytes(TEXT.encode())
    return path


@contextmanager
def captured() -> Iterator[Callable[[], tuple[str, str]]]:
    """Catch what is printed, as a terminal would get it."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace") for _ in range(2)]
    before = sys.stdout, sys.stderr

    def texts() -> tuple[str, str]:
        found = []
        for stream in streams:
            stream.flush()
            found.append(stream.buffer.getvalue().decode())
        return found[0], found[1]

    sys.stdout, sys.stderr = streams
    try:
        yield texts
    finally:
        sys.stdout, sys.stderr = before


def snapshot(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() and not path.is_symlink() else None
        for path in folder.rglob("*")
    }


def survives(folder: Path, *words: str) -> int:
    """Run a command and check that it ends as it should, whatever its input."""
    before = snapshot(folder)
    with captured() as texts:
        status = run(words)
        out, err = texts()
    assert "Traceback" not in out + err
    assert status in (0, 2, 3), f"{words}: {err}"
    after = snapshot(folder)
    if status:
        assert after == before, words
    else:
        inputs = {name: data for name, data in before.items() if name == "out/old.txt" or not name.startswith("out")}
        assert inputs.items() <= after.items(), words
    if status == 3 and words[0] != "validate":
        assert err.startswith("karat: "), err
        assert err.endswith("\n")
        assert len(err.splitlines()) == 1, err
        assert out == ""
    return status


def attack(folder: Path, gold: Path, system: Path, kind: str, *, named: bool) -> None:
    """Run every command on a pair of files."""
    (folder / "out").mkdir()
    (folder / "out" / "old.txt").write_text("old")
    source = ("--from", kind) if named else ()
    for protocol in PROTOCOLS:
        survives(folder, "score", protocol, str(gold), str(system), "-o", str(folder / "out" / "scores.txt"), *source)
    survives(folder, "explain", PROTOCOLS[0], str(gold), str(system), "--profile", "corrected", *source)
    for target, ending in ENDINGS.items():
        name = str(folder / "out" / f"converted{ending}")
        survives(folder, "convert", str(system), name, "--to", target, *source)
    survives(folder, "validate", str(gold), str(system), *source)
    if kind == "hipe":
        words = ["hipe", "evaluate", "-r", str(gold), "-p", str(system), "-e", "hipe-2022", "--skip-check"]
        outputs = ["-o", str(folder / "out"), "-l", str(folder / "out" / "log")]
        slices = ["--noise-level", "0-0.5", "--time-period", "1700-1800", "--glue", "NE-COARSE-LIT+NE-FINE-COMP"]
        for task in ("nerc_coarse", "nel"):
            survives(folder, *words, "-t", task, *outputs)
        survives(folder, *words, "-t", "nerc_fine", *outputs, *slices, "--profile", "2022")


SPLICES = [
    *(b"\xff\xfe", b"\xc3", b"\x00", b"\r", b"\x1b[2J", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xed\xa0\x80"),
    *(b"\t", b"\n", b"\n\n", b"#", b"# document", b"# date = 1798-99-99\n", b"|", b"B-", b"-1", b"9" * 400, b"NaN"),
    *(
        b'"',
        b"\\ud800",
        b"\\",
        b"{",
        b"[" * 3000,
        b"null",
        b"true",
        b"1e999",
        b"O",
        b"_",
        b"..",
        b"/",
        b" ",
        b";",
        b":",
    ),
]
Change = Callable[[bytes], bytes]
places = st.floats(0, 1, allow_nan=False)


def _at(place: float, size: int) -> int:
    return min(size - 1, int(place * size)) if size else 0


def _flip(place: float, bits: int) -> Change:
    def change(data: bytes) -> bytes:
        at = _at(place, len(data))
        return data[:at] + bytes(one ^ bits for one in data[at : at + 1]) + data[at + 1 :]

    return change


def _truncate(place: float) -> Change:
    return lambda data: data[: _at(place, len(data))]


def _splice(place: float, piece: bytes) -> Change:
    return lambda data: data[: _at(place, len(data))] + piece + data[_at(place, len(data)) :]


def _shuffle(where: float, first: float, second: float, deed: str, separator: bytes) -> Change:
    """Delete, repeat or swap lines, or cells of a line."""

    def shuffled(parts: list[bytes]) -> list[bytes]:
        one, two = _at(first, len(parts)), _at(second, len(parts))
        if deed == "delete":
            return parts[:one] + parts[one + 1 :]
        if deed == "repeat":
            return [*parts[:one], parts[one], *parts[one:]]
        parts[one], parts[two] = parts[two], parts[one]
        return parts

    def change(data: bytes) -> bytes:
        lines = data.split(b"\n")
        if separator == b"\n":
            return b"\n".join(shuffled(lines))
        at = _at(where, len(lines))
        lines[at] = separator.join(shuffled(lines[at].split(separator)))
        return b"\n".join(lines)

    return change


changes: st.SearchStrategy[Change] = st.one_of(
    st.builds(_flip, places, st.integers(1, 255)),
    st.builds(_truncate, places),
    st.builds(_splice, places, st.sampled_from(SPLICES)),
    st.builds(
        _shuffle,
        places,
        places,
        places,
        st.sampled_from(["delete", "repeat", "swap"]),
        st.sampled_from([b"\n", b"\t", b",", b" "]),
    ),
)


@pytest.mark.parametrize("kind", SOUND)
@given(st.lists(changes, min_size=1, max_size=4), st.booleans(), st.booleans())
def test_damaged_files(kind: str, damages: list[Change], swapped: bool, named: bool) -> None:
    data = SOUND[kind].encode()
    for damage in damages:
        data = damage(data)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pair = put(folder, "sound", SOUND[kind].encode(), kind), put(folder, "damaged", data, kind)
        attack(folder, *(pair[::-1] if swapped else pair), kind, named=named)


@pytest.mark.parametrize("kind", SOUND)
def test_the_undamaged_files_are_sound(kind: str, tmp_path: Path) -> None:
    """So that the damage is what the other tests are about."""
    path = put(tmp_path, "sound", SOUND[kind].encode(), kind)
    assert survives(tmp_path, "validate", str(path), "--view", "jsonl") in ((0, 3) if kind == "hipe" else (0,))
    assert survives(tmp_path, "score", PROTOCOLS[0], str(path), str(path)) == 0


@settings(max_examples=12, deadline=None)
@given(st.lists(changes, max_size=2), places, st.booleans())
def test_damaged_archives(damages: list[Change], place: float, cut: bool) -> None:
    data = gzip.compress(HIPE.encode())
    for damage in [*damages, *([_truncate(place)] if cut else [])]:
        data = damage(data)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "a.tsv.gz"
        path.write_bytes(data)
        survives(folder, "score", PROTOCOLS[0], str(path), str(path))
        survives(folder, "convert", str(path), str(folder / "b.jsonl"), "--from", "hipe")
        survives(folder, "validate", str(path))


NESTED = 20_000
ODD_LINES = {
    "hipe": [
        "TOKEN\tMISC",
        "\tTOKEN\tNE-FINE-LIT\tMISC\nQ1\ta\tO\t_\nQ1\tb\tB-x\t_",
        "TOKEN\tTOKEN\tNE-COARSE-LIT\tNE-COARSE-LIT\tMISC\na\tb\tB-x\tB-y\t_",
        "MISC\tNE-COARSE-LIT\tTOKEN\n_\tB-x\ta\tsurplus\tcells",
        "TOKEN\tNE-COARSE-LIT\tNEL-LIT\tMISC\na\tB-x\t|\tLED" + "9" * 5000,
        "TOKEN\tNE-COARSE-LIT\tNEL-LIT\tMISC\n" + "a\tI-x\tNIL|" + "|" * 5000 + "\t_\n" * 3,
        "TOKEN\tNE-COARSE-LIT\tMISC\n# date = 0000-00-00\na\tO\t_",
        "TOKEN\tNE-COARSE-LIT\tMISC\n" + "# document_id = x\n" * 500 + "#a\tB-x\t_",
    ],
    "conll": [
        "# global.columns =",
        "# global.columns = FORM FORM",
        "# global.columns = FORM A A\na\tO\tO",
        "# global.columns = FORM TAG\na\tO\n# global.columns = FORM X\nb\tO",
        "# global.columns = FORM ID MISC\na\t3-4\t_",
        "-DOCSTART-",
        "-DOCSTART- ((((\na O",
        "a " + "x " * 5000 + "O",
        "a B-\nb -x\nc -\nd E-\ne S",
    ],
    "jsonl": [
        "[" * NESTED,
        '{"id":"a","metadata":' + '{"x":' * NESTED,
        '{"id":"a","mentions":' + "[" * NESTED + "]" * NESTED + "}",
        '{"id":"a","text":"x","mentions":[{"id":"T1","spans":[[0,1e400]]}]}',
        '{"id":"a","text":"x","mentions":[{"id":"T1","spans":[[0,' + "9" * 5000 + "]]}]}",
        '{"id":"a","text":"x","mentions":[{"id":"T1","spans":[[0,1]],"links":[{"target":"Q1","score":NaN}]}]}',
        '{"id":"a","text":"\\ud800"}',
        '{"id":"a","id":"b"}',
        '{"id":"a\\n\\u001b[2J","text":"x"}\n{"id":"a\\n\\u001b[2J"}',
        '{"id":"a\\nb","text":"x"}',
        '{"id":"","text":"","mentions":null}',
        '{"id":"a","table":{"forms":["x"],"dialect":"hipe"}}',
        '{"id":"a","text":"x","table":{"forms":["x"],"dialect":"hipe","columns":{"NE-COARSE-LIT":["B"],"MISC":[""]}}}',
        '{"id":"a","table":{"forms":[],"segments":[0],"dialect":"hipe"}}',
        '{"id":"a","text":"x","table":{"forms":["x"],"segments":[1],"dialect":"hipe","dates":[[0,"x"]]}}',
        '{"id":"a","text":"x y","table":{"forms":["x","y"],"segments":[0,0,2,2],"columns":{"TAG":["B","\\n"]}}}',
        '{"id":"a","text":"x","table":{"forms":["x"],"comments":[[0,"a\\nb\\tc"]],"dialect":"conll"}}',
    ],
    "brat": [
        "T1\tLOC 0 99999999999999999999\tx",
        "T1\tLOC 0 1;1 2;2 3;3 4;4 5;5 4\tZürich",
        "T1\tLOC -1 6\tZürich",
        "T\tLOC 0 6\tZürich",
        "T1\tLOC 0 6\tZürich\nT1\tLOC 0 6\tZürich",
        "R1\tx Arg1:R1 Arg2:R1",
        "E1\tx:E1 A:E1",
        "A1\tLayer T1",
        "N1\tReference T1 :",
        "*\tEquiv " + "T1 " * 5000,
        "#1\tAnnotatorNotes #1\t?",
        "T1\tLOC 0 6\tZürich\nA1\tLayer T1 ../../etc\nA2\tLayer T1 x",
    ],
}


@pytest.mark.parametrize(
    ("kind", "text"), [(kind, text) for kind, texts in ODD_LINES.items() for text in ("", "\n", "\ufeff", *texts)]
)
def test_odd_files(kind: str, text: str, tmp_path: Path) -> None:
    odd, sound = put(tmp_path, "odd", text.encode(), kind), put(tmp_path, "sound", SOUND[kind].encode(), kind)
    for number, pair in enumerate(((sound, odd), (odd, sound), (odd, odd))):
        folder = tmp_path / str(number)
        folder.mkdir()
        attack(folder, *pair, kind, named=True)


@pytest.mark.parametrize("kind", SOUND)
def test_what_is_no_file(kind: str, tmp_path: Path) -> None:
    sound = put(tmp_path, "sound", SOUND[kind].encode(), kind)
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "nowhere").symlink_to("absent")
    names = ["folder", "loop", "nowhere", "absent", "x" * 5000, f"{sound.name}/inside", "http://x.org/a.tsv"]
    for number, name in enumerate([*names, "/dev/null", "/dev/zero", ""]):
        folder = tmp_path / f"run{number}"
        folder.mkdir()
        path = name if name.startswith("/dev") or "://" in name or not name else str(tmp_path / name)
        for pair in ((str(sound), path), (path, str(sound))):
            for words in (["score", PROTOCOLS[0]], ["explain", PROTOCOLS[0]], ["validate"]):
                for source in ([], ["--from", kind]):
                    status = survives(folder, *words, *pair, *source)
                    assert status == 3 or name == "/dev/null", name
        survives(folder, "convert", path, str(folder / "out.jsonl"))


def test_odd_folders(tmp_path: Path) -> None:
    root = tmp_path / "brat"
    (root / "sub.ann").mkdir(parents=True)
    (root / "a.ann").symlink_to("/dev/zero")
    (root / "b.ann").write_text("T1\tLOC 0 1\tx")
    (root / "b.txt").symlink_to("/dev/zero")
    (root / "c.ann").write_text("T1\tLOC 0 1\tx")
    (root / "d").symlink_to(root)
    (root / os.fsdecode(b"\xff.ann")).write_text("")
    for words in (["score", PROTOCOLS[0], str(root), str(root)], ["validate", str(root)], ["convert", str(root)]):
        target = [str(tmp_path / "out.jsonl")] if words[0] == "convert" else []
        assert survives(tmp_path, *words, *target) == 3


@pytest.mark.parametrize("kind", SOUND)
def test_a_line_of_100_megabytes(kind: str, tmp_path: Path) -> None:
    start = SOUND[kind].encode()
    path = put(tmp_path, "long", start.rstrip(b"\n") + b"x" * 100_000_000, kind)
    for words in (["score", PROTOCOLS[0], str(path), str(path)], ["validate", str(path)]):
        with captured() as texts:
            status = run([*words, "--from", kind])
            out, err = texts()
        assert (status, "longer than" in out + err or "characters" in out + err) == (3, True)
        assert len(out + err) < 2000


def test_an_archive_that_grows(tmp_path: Path) -> None:
    """100 MB of zeros in 100 kB: the line is refused before it is unpacked."""
    path = tmp_path / "bomb.tsv.gz"
    path.write_bytes(gzip.compress(HIPE.encode() + bytes(100_000_000), compresslevel=1))
    tracemalloc.start()
    assert survives(tmp_path, "score", PROTOCOLS[0], str(path), str(path)) == 3
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert used < 100_000_000


@pytest.mark.parametrize(
    "words",
    [
        ["--n-best", "9" * 5000],
        ["--n-best", "0,-1," + "9" * 30],
        ["--n-best", ",,"],
        ["--noise-level", "nan-inf"],
        ["--noise-level", "1e999-0"],
        ["--noise-level", "-"],
        ["--time-period", "0000-9999"],
        ["--time-period", "1-2-3"],
        ["--glue", "TOKEN+MISC"],
        ["--glue", "MISC+MISC"],
        ["--glue", "+"],
        ["--tagset", "/dev/zero"],
        ["--tagset", "."],
        ["--tagset", ""],
        ["--missing", "skip"],
        ["--read", "rows=full", "--read", "="],
        ["--read", "rows=full"],
        ["--ci", "--resamples", "1", "--seed", "9" * 100],
        ["--fail-under", "inf"],
        ["-o", "/dev/null"],
        ["-o", "/"],
        ["-o", "/dev/full"],
    ],
)
def test_odd_options(words: list[str], tmp_path: Path) -> None:
    path = put(tmp_path, "a", HIPE.encode(), "hipe")
    for protocol in PROTOCOLS:
        with captured() as texts:
            status = run(["score", protocol, str(path), str(path), *words])
            out, err = texts()
        assert status in (0, 1, 2, 3), err
        assert "Traceback" not in out + err


def test_ids_from_a_file_do_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    for name in ("../x", "/x", "a/../../x", "./x", "a//b", ".x", "\\x", "c:x", "x\ny", "x\x00", "x" * 300, "a.ann/b"):
        lines = [json.dumps({"id": one, "text": "t"}) for one in ("a", name)]
        (tmp_path / "in.jsonl").write_text("\n".join(lines))
        assert survives(tmp_path, "convert", str(tmp_path / "in.jsonl"), str(out), "--to", "brat") == 3, name
        assert list(out.iterdir()) == []


def test_xml_that_takes_more_memory_than_there_is_is_a_sentence(tmp_path: Path) -> None:
    """Libxml2 calls that an unknown error."""
    path = tmp_path / "big.naf"
    path.write_text(f"<NAF>{'<a>x</a>' * 400_000}</NAF>", "utf-8")
    code = "import resource, karat.cli, karat.formats.parts.xml, lxml.etree, sys\n"
    code += "resource.setrlimit(resource.RLIMIT_DATA, (80 << 20, 80 << 20))\n"
    code += f"sys.exit(karat.cli.run(['validate', {str(path)!r}, '--from', 'naf']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert done.stderr.startswith("karat: memory ran out: more was needed")
