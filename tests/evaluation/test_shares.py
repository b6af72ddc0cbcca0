"""Shares of documents, read and judged apart by whoever, are the run that one process makes by reading in order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import karat
from karat.api import score_part
from karat.errors import InputError, KaratError
from karat.evaluation import spreading
from karat.evaluation.corpora import load
from karat.evaluation.engines import Processes, in_order
from karat.evaluation.registry import configure
from karat.evaluation.run import Run
from karat.evaluation.run_file import packed
from karat.evaluation.running import run_of
from karat.evaluation.shares import NOBODY, _brought_together
from karat.evaluation.spreading import facts_of
from karat.formats import format_named, read
from karat.io.excerpts import Excerpt
from karat.model import Document, Mention
from karat.signature import ContentDigest
from tests.properties.walk import PROTOCOLS, draw_pair, few

TEXTLESS = "tac2015-sf"  # whose documents cannot be written as JSON lines
every_protocol = pytest.mark.parametrize("name", [name for name in PROTOCOLS if name != TEXTLESS])
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def _tiny_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every pair of documents be a share of its own."""
    monkeypatch.setattr(spreading, "SHARE", 1)
    monkeypatch.setattr(spreading, "LOAD", 0)


@pytest.fixture(scope="module")
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as executor:
        yield executor


class Counting(ThreadPoolExecutor):
    """Threads that count what they are asked to do."""

    asked = 0

    def submit(self, *args: Any, **kwargs: Any) -> Future[Any]:
        self.asked += 1
        return super().submit(*args, **kwargs)


def run(name: str, *paths: Path | str, executor: Executor | None = None, **options: Any) -> Run:
    bound = configure(name, options)
    return run_of(bound, *load(bound, [str(path) for path in paths]), executor=executor)


@every_protocol
@few
@given(data=st.data())
def test_shares_in_any_order_are_the_run_of_one_process(
    name: str, data: st.DataObject, tmp_path: Path, threads: Executor
) -> None:
    gold, system = draw_pair(data, name)
    paths = [tmp_path / "gold.jsonl", tmp_path / "system.jsonl"]
    in_any_order = not any(document.table is not None for document in system)  # tables of HIPE meet in their order
    for path, documents in zip(paths, (gold, system), strict=True):
        shuffled = data.draw(st.permutations(documents)) if in_any_order else documents
        karat.write(shuffled, path, "jsonl")
    whole = run(name, *paths)
    assert packed(run(name, *paths, executor=threads)) == packed(whole)
    if PROTOCOLS[name].with_options().whole(None):
        return
    of = data.draw(st.integers(1, 3))
    parts = [score_part(name, *paths, f"{number}/{of}") for number in range(of, 0, -1)]
    assert packed(karat.merge(parts)) == packed(whole)


@pytest.mark.parametrize(
    ("protocol", "gold", "system"),
    [
        ("hipe2022-nel", "hipe/gold.tsv", "hipe/system-a.tsv"),
        ("conll2012", "coreference/gold.conll", "coreference/system.conll"),
        ("coref", "coreference/gold.conll", "coreference/system.conll"),
        ("conll2003", "brat/gold", "brat/system"),
        ("newsreader-ned", "naf/gold", "naf/system"),
    ],
)
def test_formats_are_cut(protocol: str, gold: str, system: str) -> None:
    paths = EXAMPLES / gold, EXAMPLES / system
    with Counting(2) as counting:
        assert packed(run(protocol, *paths, executor=counting)) == packed(run(protocol, *paths))
    assert counting.asked > 4


ROWS = "a\tB-x\nb\tI-x\n\nc\tI-y\n"
PLAIN = "".join(f"# newdoc id = {name}\n{ROWS}" for name in "abc")
NUMBERED = f"-DOCSTART- -X- O\n\n{ROWS}\n" * 3
HEADED = (
    "# global.columns = FORM TAG NE\n# newdoc id = a\na\tB-x\tO\nb\tI-z\tO\n\n# newdoc id = b\n# text = b\nb\tO\tE-y\n"
)
COLUMNS = {
    "plain": PLAIN,
    "numbered": NUMBERED,
    "headed": HEADED,
    "rows before the first mark": ROWS + PLAIN,
    "a comment before the first mark": "# source = x\n" + PLAIN,
    "an empty document": f"{PLAIN}# newdoc id = d\n\n# newdoc id = e\n{ROWS}",
    "documents of several schemes": PLAIN + "".join(f"# newdoc id = {name}\na\tS-x\nb\tE-x\n" for name in "def"),
    "blanks": PLAIN.replace("\t", " "),
    "carriage returns": PLAIN.replace("\n", "\r\n"),
}
UNCUT = {
    "a document in blanks": PLAIN + f"# newdoc id = d\n{ROWS}".replace("\t", " "),
    "a byte order mark": f"\ufeff{PLAIN}",
    "an empty document beside many columns": f"# newdoc id = d\n\n{PLAIN}".replace("\tB-x", "\tN\tB-x").replace(
        "\tI", "\tN\tI"
    ),
    "a comment that may be a row": f"{PLAIN}# newdoc id = d\n# e\n# newdoc id = f\n{ROWS}",
    "other blanks in a mark": PLAIN.replace("# newdoc id = b", "#  newdoc id = b"),
}


@pytest.mark.parametrize("name", [*COLUMNS, *UNCUT])
def test_columns_are_cut_where_they_can_be(name: str, tmp_path: Path) -> None:
    path = tmp_path / "gold.conll"
    path.write_bytes((COLUMNS | UNCUT)[name].encode())
    for protocol in ("conll2003", "seqeval", "semeval2013", "omin-head-ner"):
        with Counting(2) as counting:
            shared, whole = run(protocol, path, path, executor=counting), run(protocol, path, path)
        assert packed(shared) == packed(whole)
        assert any("repair" in note for note in whole.notes)
    index = format_named("conll").index
    assert index is not None
    cut = index(str(path), format_named("conll").options())
    assert (cut is not None and len(cut.places) == len(list(read(path, "conll")))) == (name in COLUMNS)
    assert (counting.asked > 4) == (cut is not None)


def test_columns_of_another_width_are_a_fault_as_ever(tmp_path: Path, threads: Executor) -> None:
    path = tmp_path / "gold.conll"
    path.write_text(PLAIN + "# newdoc id = d\nd\tO\tO\n")
    for executor in (None, threads):
        with pytest.raises(InputError, match=r"gold\.conll:17: the line has 3 columns; expected 2 as in the first row"):
            run("conll2003", path, path, executor=executor)


HEADER = "TOKEN\tNE-COARSE-LIT\tNE-COARSE-METO\tMISC\n"
TOKEN, PLACE = "x\tO\tO\t_\n", "x\tB-loc\tO\t_\n"
COMMENTS = "# comment\n" * 999
MARK, UNKNOWN = "# document = {}\n", "# hipe2022:document_id = {}\n"
TABLES = {
    "tags that begin no entity": ("conll2003", f"{MARK}x\tI-loc\tO\t_\nx\tS-loc\tO\t_\n" * 3),
    "marks that begin no document": (
        "hipe2020-nerc-coarse",
        f"{MARK}{PLACE}{UNKNOWN}{TOKEN}{MARK}{PLACE}{UNKNOWN}{TOKEN}{UNKNOWN}{TOKEN}",
    ),
    "a document without tokens but hashes": ("hipe2022-nerc-coarse", f"{MARK}{PLACE}{MARK}C#{PLACE[1:]}{MARK}{TOKEN}"),
    "an empty last segment": ("hipe2022-nerc-coarse", f"{MARK}{PLACE}{MARK}{TOKEN}# segment = _\n"),
    "many comments": ("hipe2022-nerc-coarse", f"{MARK}{PLACE}{COMMENTS}{MARK}{PLACE}"),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_read_apart_as_they_are_read_in_order(name: str, tmp_path: Path, threads: Executor) -> None:
    protocol, text = TABLES[name]
    path = tmp_path / "gold.tsv"
    path.write_text(HEADER + text.format(*range(9)))
    check_cuts(protocol, path, threads, **({"profile": "2020"} if protocol.startswith("hipe2020") else {}))


def check_cuts(protocol: str, path: Path, threads: Executor, **options: str) -> None:
    """Score a file against itself: by shares, and in more parts than it has documents, it is what it is in order."""
    whole = run(protocol, path, path, **options)
    assert packed(run(protocol, path, path, executor=threads, **options)) == packed(whole)
    bound = configure(protocol, options)
    facts = facts_of(bound, *load(bound, [str(path)] * 2))
    parts = [score_part(protocol, path, path, f"{number}/4", facts=facts, **options) for number in (3, 1, 4, 2)]
    assert packed(karat.merge(parts)) == packed(whole)


BRACKETS = "#begin document (a); part 000 \na 0 0 Ada (1)\n\na 0 0 she (1)\n#end document\n"


@pytest.mark.parametrize("protocol", ["conll2012", "coval", "scorch", "coref"])
def test_documents_of_brackets_have_the_names_of_their_reading(
    protocol: str, tmp_path: Path, threads: Executor
) -> None:
    """What stands between two documents is the second's: scorch counts its blank lines."""
    path = tmp_path / "gold.conll2012"
    path.write_text(f"{BRACKETS}\n{BRACKETS.replace('(a)', '(b)')}")
    check_cuts(protocol, path, threads)
    index = format_named("conll2012").index
    assert index is not None
    protocol_options = PROTOCOLS[protocol].with_options().demands.of("gold", "conll2012")
    assert index(str(path), format_named("conll2012").options(**protocol_options)) is not None


@pytest.mark.parametrize(("protocol", "line"), [("conll2003", '{"id": "d"}'), ("coref", '{"id": "d", "text": "x"}')])
def test_two_documents_of_one_id_are_named_with_their_lines(
    protocol: str, line: str, tmp_path: Path, threads: Executor
) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(f"{line}\n{line}\n")
    for executor in (None, threads):
        with pytest.raises(InputError, match=r"gold\.jsonl:2: document 'd' is there twice, first on line 1"):
            run(protocol, path, path, executor=executor)


def documents(*names: str) -> list[Document]:
    return [Document(name, "Ada in Bern", [Mention("T1", ((0, 3),), ("PER",))]) for name in names]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Write files of which each has documents that the other lacks."""
    paths = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
    karat.write(documents(*"abcdef"), paths[0], "jsonl")
    karat.write(documents(*"fxbyda"), paths[1], "jsonl")
    return paths


@pytest.mark.parametrize("missing", ["skip", "empty"])
def test_what_one_side_lacks_is_said_as_ever(files: tuple[Path, Path], threads: Executor, missing: str) -> None:
    whole = run("conll2003", *files, missing=missing)
    assert packed(run("conll2003", *files, executor=threads, missing=missing)) == packed(whole)
    assert len(whole.notes) == 2
    parts = [score_part("conll2003", *files, f"{number}/2", missing=missing) for number in (1, 2)]
    assert packed(karat.merge(parts)) == packed(whole)
    assert all(part.apart for part in parts)


def test_what_one_side_lacks_is_an_error_as_ever(files: tuple[Path, Path], threads: Executor) -> None:
    with pytest.raises(InputError, match="the system lacks 2 documents: c, e"):
        run("conll2003", *files, executor=threads)


def test_documents_that_the_gold_lacks_come_last(files: tuple[Path, Path], threads: Executor) -> None:
    whole = run("omin-seed-ner", *files)
    assert whole.tallies.units[-2:] == ["x", "y"]
    assert packed(run("omin-seed-ner", *files, executor=threads)) == packed(whole)


def test_a_fault_is_named_with_its_line(files: tuple[Path, Path], threads: Executor) -> None:
    text = files[0].read_text().splitlines()
    files[0].write_text("\n".join([*text[:3], text[3].replace('"PER"', "1"), *text[4:]]))
    with pytest.raises(InputError, match=r"gold\.jsonl:4: ") as alone:
        run("conll2003", *files, missing="skip")
    with pytest.raises(InputError) as apart:
        run("conll2003", *files, executor=threads, missing="skip")
    assert str(apart.value) == str(alone.value)
    with pytest.raises(InputError, match=r"gold\.jsonl:4: "):
        score_part("conll2003", *files, "1/1", missing="skip")


def test_documents_without_an_id_keep_their_numbers(tmp_path: Path, threads: Executor) -> None:
    path = tmp_path / "clusters.jsonlines"
    path.write_text('{"clusters": [[[0, 1], [2, 2]]]}\n\n{"clusters": []}\n{"clusters": [[[0, 0], [3, 3]]]}\n')
    whole = run("coref", path, path)
    assert whole.tallies.units == ["1", "2", "3"]
    assert packed(run("coref", path, path, executor=threads)) == packed(whole)


def test_processes_of_this_machine(files: tuple[Path, Path]) -> None:
    with Processes(2) as executor:
        apart = run("conll2003", *files, executor=executor, missing="skip")
    assert packed(apart) == packed(run("conll2003", *files, missing="skip"))


def test_small_data_are_not_worth_processes() -> None:
    assert not Processes().pays(1_000_000)
    assert Processes(2).pays(1)
    assert not Processes(1).pays(10**12)


def dying(flag: str, number: int) -> int:
    """Return a number; the first who asks for the third dies."""
    if number == 3 and not Path(flag).exists():
        Path(flag).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_the_work_of_a_process_that_dies_is_done_again(tmp_path: Path) -> None:
    tasks = [(str(tmp_path / "died"), number) for number in range(6)]
    with Processes(2) as executor:
        assert list(in_order(executor, dying, tasks)) == list(range(6))
    assert (tmp_path / "died").exists()


def test_work_is_taken_as_it_comes_and_done_again_all_the_same(tmp_path: Path) -> None:
    taken: list[int] = []

    def tasks() -> Iterator[tuple[str, int]]:
        for number in range(9):
            taken.append(number)
            yield str(tmp_path / "died"), number

    with Processes(2) as executor:
        done = in_order(executor, dying, tasks(), 4)
        assert (next(done), taken) == (0, [0, 1, 2, 3])
        assert list(done) == list(range(1, 9))
    assert (tmp_path / "died").exists()


def test_processes_whose_work_is_broken_off_end_in_the_middle_of_it() -> None:
    waiting: list[Future[None]] = []

    def broken_off() -> None:
        with Processes(2) as executor:
            waiting.extend(executor.submit(time.sleep, 600) for _ in range(4))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken_off()
    assert all(future.done() for future in waiting)


ORPHANS = """
import os, signal, time
from karat.evaluation.engines import Processes
executor = Processes(2)
print(executor.submit(abs, -1).result(), flush=True)
for _ in range(4):
    executor.submit(time.sleep, 600)
os.kill(os.getpid(), signal.{})
"""


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM"])
def test_processes_end_with_the_one_that_has_started_them(name: str) -> None:
    """Their output is at its end when the last of them is gone."""
    command = [sys.executable, "-c", ORPHANS.format(name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=500)
    assert (done.returncode, done.stdout) == (-getattr(signal, name), "1\n")


class Broken(Executor):
    """Workers that have died, and that are not ours to start again."""

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(BrokenExecutor())
        return future


def test_workers_of_others_that_die_are_one_sentence() -> None:
    with pytest.raises(KaratError, match="workers have died before they were done"):
        list(in_order(Broken(), abs, [(1,)]))
    with pytest.raises(KaratError, match="workers have died before they were done"):
        karat.score("conll2003", documents("a"), documents("a"), executor=Broken())


LINES = st.sampled_from(
    [
        "Bern\tB-loc\t_",
        "liegt\tO\t_",
        "Aare\tS-loc\t_",
        "",
        "\tx",
        "# segment_iiif_link = _",
        "# document_id = {}",
        "# hipe2022:document_id = {}",
        "# document",
        "# date = 1798-01-20",
        "# hipe2022:date = 1801-02-03",
        "# language = de",
        "#Bern\tO\t_",
    ]
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=st.lists(LINES, max_size=14), end=st.sampled_from(["\n", "\r\n"]))
def test_a_document_of_a_hipe_file_read_apart_is_what_it_is_in_the_file(
    drawn: list[str], end: str, tmp_path: Path
) -> None:
    path = tmp_path / "gold.tsv"
    lines = ["TOKEN\tNE-COARSE-LIT\tMISC", *(line.format(number) for number, line in enumerate(drawn))]
    path.write_bytes(end.join([*lines, ""]).encode())
    declared = format_named("hipe")
    assert declared.index is not None
    index = declared.index(str(path), declared.options())
    whole = list(read(path, "hipe"))
    if index is None:
        return
    assert [place.id for place in index.places] == [document.id for document in whole]
    for place, document in zip(index.places, whole, strict=True):
        [apart] = read(Excerpt(str(path), [(0, index.head), (place.start, place.end)]), "hipe")
        apart.id = place.id if place.numbered else apart.id
        for table in (apart.table, document.table):
            assert table is not None
            table.lines = []
        assert apart == document


def test_workers_take_no_digest_of_a_content_that_nobody_asks_for(
    files: tuple[Path, Path], threads: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[str] = []
    monkeypatch.setattr(ContentDigest, "add", lambda _, document: taken.append(document.id))
    bound = configure("conll2003", {"missing": "empty"})
    for executor in (None, threads):
        sides = load(bound, [str(path) for path in files])
        scored = run_of(bound, *sides, executor=executor, identify=False)
        assert (scored.gold_content, scored.system_content, taken) == ("", "", [])


def test_a_share_whose_sides_have_the_same_order_holds_no_more_than_a_pair() -> None:
    read: list[str] = []

    def side(name: str) -> Iterator[Document]:
        for number in range(5):
            read.append(name)
            yield Document(str(number))

    same = [(number, number) for number in range(5)]
    for times, (gold, system) in enumerate(_brought_together(side("gold"), side("system"), same), 1):
        assert (gold.id, system.id, read.count("gold"), read.count("system")) == (str(times - 1),) * 2 + (times,) * 2
    swapped = [(1, 0), (0, NOBODY), (NOBODY, 3)]
    read.clear()
    pairs = [(gold.id, system.id) for gold, system in _brought_together(side("gold"), side("system"), swapped)]
    assert pairs == [("1", "0"), ("0", "0"), ("3", "3")]
    assert (read.count("gold"), read.count("system")) == (5, 5), "what has no partner is read, too"
