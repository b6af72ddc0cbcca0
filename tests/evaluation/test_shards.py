"""Shards of a corpus, scored by whoever and in whatever order, are the run of one process, to the byte."""

from __future__ import annotations

import os
import re
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import karat
from karat.errors import InputError, KaratError, UsageError
from karat.evaluation import tasks, workers
from karat.evaluation.corpora import Source, load
from karat.evaluation.protocol import Facts, no_facts
from karat.evaluation.registry import configure
from karat.evaluation.run import Run
from karat.evaluation.run_file import packed
from karat.evaluation.shards import partners, pattern_of, shard_paths
from karat.evaluation.tasks import facts_of, run_of, runs_of
from karat.evaluation.workers import Processes
from karat.model import Document, Mention
from karat.signature import ContentDigest
from tests.properties.walk import PROTOCOLS, draw_pair, few

TEXTLESS = "tac2015-sf"  # whose documents cannot be written as JSON lines
every_protocol = pytest.mark.parametrize("name", [name for name in PROTOCOLS if name != TEXTLESS])
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as executor:
        yield executor


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    with Processes(2) as executor:
        yield executor


def run(
    name: str, *sources: Source, executor: Executor | None = None, facts: Facts | None = None, **options: Any
) -> Run:
    bound = configure(name, options)
    return run_of(bound, *load(bound, list(sources)), executor=executor, facts=facts)


def written(folder: Path, documents: Sequence[Document], shards: Sequence[int]) -> list[Path]:
    """Write documents to as many files as there are numbers of shards, and one file with all in this order."""
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    paths = []
    for shard in sorted(set(shards)):
        paths.append(folder / f"{shard}.jsonl")
        own = [document for document, number in zip(documents, shards, strict=True) if number == shard]
        karat.write(own, paths[-1], "jsonl")
    return paths


def like_one_file(run: Run) -> tuple[Any, ...]:
    """Return what does not depend on how a corpus is cut: rows, contents and notes, but for the names of files."""
    notes = [re.sub(r"\S*[*\w]*\.jsonl", "FILE", note) for note in run.notes]
    return run.scores(by="label").rows, run.gold_content, run.system_content, sorted(notes)


@every_protocol
@few
@given(data=st.data())
def test_shards_are_the_run_of_one_process(
    name: str, data: st.DataObject, tmp_path: Path, threads: Executor, processes: Executor
) -> None:
    gold, system = draw_pair(data, name)
    assume(len(gold) == len(system))
    numbers = data.draw(st.lists(st.integers(1, 3), min_size=len(gold), max_size=len(gold)))
    by_id = {document.id: number for document, number in zip(gold, numbers, strict=True)}
    assume(all(document.id in by_id for document in system))
    golds = written(tmp_path / "gold", gold, numbers)
    systems = written(tmp_path / "system", system, [by_id[document.id] for document in system])
    bound = configure(name, {})
    whole = run(name, golds, systems)
    for executor in (threads, processes):
        assert packed(run(name, data.draw(st.permutations(golds)), systems, executor=executor)) == packed(whole)
    together = sorted(zip(golds, systems, strict=True))
    if bound.whole(None) and len(together) > 1:
        with pytest.raises(UsageError, match="cannot be merged"):
            karat.merge([run(name, *pair) for pair in together])
        return
    facts = None if bound.facts is no_facts else facts_of(bound, *load(bound, [golds, systems]))
    runs = [run(name, *pair, facts=facts) for pair in data.draw(st.permutations(together))]
    saved = [tmp_path / f"{number}.karat" for number in range(len(runs))]
    for path, one in zip(saved, runs, strict=True):
        one.save(path)
    assert packed(karat.merge(saved)) == packed(whole)
    assert packed(karat.merge([karat.merge(runs[:2]), *runs[2:]])) == packed(whole)
    ordered = [document for _, document in sorted(zip(numbers, gold, strict=True), key=lambda pair: pair[0])]
    in_order = sorted(system, key=lambda document: by_id[document.id])
    karat.write(ordered, tmp_path / "gold.jsonl", "jsonl")
    karat.write(in_order, tmp_path / "system.jsonl", "jsonl")
    assert like_one_file(run(name, tmp_path / "gold.jsonl", tmp_path / "system.jsonl")) == like_one_file(whole)


def documents(*names: str) -> list[Document]:
    return [Document(name, "Ada in Bern", [Mention("T1", ((0, 3),), ("PER",))]) for name in names]


@pytest.fixture
def sides(tmp_path: Path) -> tuple[Path, Path]:
    """Write three shards of gold and system."""
    for side in ("gold", "system"):
        (tmp_path / side).mkdir()
        for number, names in enumerate(("ab", "c", "def"), 1):
            karat.write(documents(*names), tmp_path / side / f"{number}-of-3.jsonl", "jsonl")
    return tmp_path / "gold", tmp_path / "system"


def test_a_side_is_a_folder_a_pattern_or_a_list(sides: tuple[Path, Path]) -> None:
    whole = run("conll2003", *sides)
    assert (whole.system, whole.tallies.units) == ("*-of-3.jsonl", list("abcdef"))
    assert packed(run("conll2003", *(f"{side}/*.jsonl" for side in sides))) == packed(whole)
    assert packed(run("conll2003", *(sorted(side.iterdir(), reverse=True) for side in sides))) == packed(whole)
    assert karat.score("conll2003", *sides).run == whole


def test_a_folder_of_a_format_that_lives_in_folders_is_one_input() -> None:
    assert shard_paths(EXAMPLES / "brat" / "gold") is None
    assert shard_paths(["Ada", "in"]) is None
    assert shard_paths("-") is None


def test_a_pattern_without_files_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file matches this pattern"):
        shard_paths(tmp_path / "*.conll")


def test_partners_are_told_by_name_else_by_order() -> None:
    assert partners(["g/a", "g/b"], ["s/b", "s/a"]) == ["s/a", "s/b"]
    assert partners(["g/a-1", "g/a-2"], ["s/b-1", "s/b-2"]) == ["s/b-1", "s/b-2"]
    with pytest.raises(InputError, match="3 shards and the system 2; a has no partner"):
        partners(["g/a", "g/b", "g/c"], ["s/b", "s/c"])


def test_a_single_file_has_no_shards_to_meet(sides: tuple[Path, Path]) -> None:
    with pytest.raises(InputError, match="the gold is several files, and the system is not"):
        run("conll2003", sides[0], sides[1] / "1-of-3.jsonl")


def test_names_of_several() -> None:
    assert pattern_of(["aa", "a"]) == "a*"
    assert pattern_of(["a", "b"]) == "*"


def test_a_shard_that_is_there_twice_is_refused(sides: tuple[Path, Path]) -> None:
    runs = [run("conll2003", *(side / f"{number}-of-3.jsonl" for side in sides)) for number in (1, 2)]
    with pytest.raises(InputError, match=r"the shard 1-of-3\.jsonl is there twice"):
        karat.merge([*runs, runs[0]])


def test_a_document_in_two_shards_is_refused(sides: tuple[Path, Path]) -> None:
    for side in sides:
        karat.write(documents("c", "x"), side / "4-of-4.jsonl", "jsonl")
    with pytest.raises(InputError, match=r"the document 'c' is in 2-of-3\.jsonl and 4-of-4\.jsonl"):
        run("conll2003", *sides)


def test_documents_that_are_only_numbered_are_named_with_their_shard(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"{number}.conll").write_text(f"Ada{number} B-PER\n\n-DOCSTART- O\n\nBern B-LOC\n")
    paths = sorted(tmp_path.glob("*.conll"))
    whole = run("conll2003", paths, paths)
    assert whole.tallies.units == ["1.conll:1", "1.conll:2", "2.conll:1", "2.conll:2"]
    assert packed(karat.merge([run("conll2003", path, path) for path in reversed(paths)])) == packed(whole)


@pytest.mark.parametrize("missing", ["skip", "empty"])
def test_what_one_side_lacks_adds_up(sides: tuple[Path, Path], threads: Executor, missing: str) -> None:
    karat.write(documents("a", "x"), sides[1] / "1-of-3.jsonl", "jsonl")
    karat.write(documents("d", "y"), sides[1] / "3-of-3.jsonl", "jsonl")
    whole = run("conll2003", *sides, missing=missing)
    verb = "skipped" if missing == "skip" else "counted as empty"
    assert whole.notes[0] == f"{verb} 3 of 6 gold documents that the system lacks: b, e, f"
    assert whole.notes[1] == "left out 2 system documents that the gold lacks: x, y"
    assert packed(run("conll2003", *sides, executor=threads, missing=missing)) == packed(whole)


def test_shards_that_know_less_than_the_whole_are_refused(tmp_path: Path) -> None:
    """A label that the gold of one shard lacks is spurious there, and counts in the whole."""
    for side, labels in (("gold", ("PER", "LOC")), ("system", ("PER", "PER"))):
        (tmp_path / side).mkdir()
        for name, label in zip("ab", labels, strict=True):
            document = Document(name, "Ada in Bern", [Mention("T1", ((0, 3),), (label,))])
            karat.write([document], tmp_path / side / f"{name}.jsonl", "jsonl")
    sides = tmp_path / "gold", tmp_path / "system"
    alone = [run("hipe2022-nerc-coarse", *(side / f"{name}.jsonl" for side in sides)) for name in "ab"]
    with pytest.raises(InputError, match="was judged with other facts than those of all shards"):
        karat.merge(alone)
    bound = configure("hipe2022-nerc-coarse", {})
    facts = facts_of(bound, *load(bound, list(sides)))
    told = [run("hipe2022-nerc-coarse", *(side / f"{name}.jsonl" for side in sides), facts=facts) for name in "ab"]
    assert packed(karat.merge(told)) == packed(run("hipe2022-nerc-coarse", *sides))
    assert karat.merge(told[:1]).told, "of a larger corpus"
    with pytest.raises(InputError, match="the facts that were given are not of a corpus with this shard"):
        run("hipe2022-nerc-coarse", *(side / "b.jsonl" for side in sides), facts=Counter())


def test_a_fault_is_named_with_its_file_and_line(
    sides: tuple[Path, Path], threads: Executor, processes: Executor
) -> None:
    path = sides[0] / "3-of-3.jsonl"
    text = path.read_text().splitlines()
    path.write_text("\n".join([text[0], text[1].replace('"PER"', "1"), *text[2:]]))
    for executor in (None, threads, processes):
        with pytest.raises(InputError, match=r"3-of-3\.jsonl:2: "):
            run("conll2003", *sides, executor=executor)


def test_several_systems_and_their_shards_are_tasks(sides: tuple[Path, Path], threads: Executor) -> None:
    bound = configure("hipe2022-nerc-coarse", {})
    shared, alone = (
        [packed(each) for each in runs_of(bound, *_two(bound, sides), executor=executor)]
        for executor in (threads, None)
    )
    assert shared == alone
    assert len(alone) == 2


def _two(bound: Any, sides: tuple[Path, Path]) -> Any:
    gold, *systems = load(bound, [sides[0], sides[1], sides[0]])
    return gold, systems


def test_small_data_are_not_worth_processes() -> None:
    assert not Processes().pays(1_000_000)
    assert Processes(2).pays(1)
    assert not Processes(1).pays(10**12)


def test_one_shard_needs_no_workers(sides: tuple[Path, Path]) -> None:
    class Nobody(Executor):
        def submit(self, *_: Any, **__: Any) -> Future[Any]:
            raise AssertionError

    run("conll2003", *(side / "1-of-3.jsonl" for side in sides), executor=Nobody())
    assert karat.score("conll2003", documents("a"), documents("a"), executor=Nobody()).run is not None


_DIED = "KARAT_TEST_DIED"


def _judge_and_die(task: Any) -> Any:
    if (path := Path(os.environ[_DIED])).exists():
        return tasks.judge(task)._replace(known=None)
    path.touch()
    os.kill(os.getpid(), signal.SIGKILL)
    return None


def test_the_shards_of_a_process_that_is_killed_are_scored_again(
    sides: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run("conll2003", *sides)
    monkeypatch.setenv(_DIED, str(tmp_path / "died"))
    monkeypatch.setattr(tasks, "_judge_apart", _judge_and_die)
    with Processes(2) as executor:
        assert packed(run("conll2003", *sides, executor=executor)) == packed(whole)
    assert (tmp_path / "died").exists()


def test_workers_of_others_that_die_are_one_sentence(sides: tuple[Path, Path]) -> None:
    class Broken(Executor):
        def submit(self, *_: Any, **__: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(workers.BrokenExecutor())
            return future

    with pytest.raises(KaratError, match="workers have died before they were done"):
        karat.score("conll2003", *sides, executor=Broken())


def test_no_digest_of_a_content_is_taken_that_nobody_asks_for(
    sides: tuple[Path, Path], threads: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[str] = []
    monkeypatch.setattr(ContentDigest, "add", lambda _, document: taken.append(document.id))
    bound = configure("conll2003", {})
    for executor in (None, threads):
        scored = run_of(bound, *load(bound, list(sides)), executor=executor, identify=False)
        assert (scored.gold_content, scored.system_content, taken) == ("", "", [])


def test_workers_in_another_folder_find_the_files(sides: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sides[0].parent)
    whole = run("conll2003", "gold", "system")
    sent: list[bytes] = []

    class Elsewhere(Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            monkeypatch.chdir("/")
            try:
                future.set_result(fn(*args, **kwargs))
            finally:
                monkeypatch.chdir(sides[0].parent)
            sent.append(b"")
            return future

    assert packed(run("conll2003", "gold", "system", executor=Elsewhere())) == packed(whole)
    assert len(sent) > 2


def test_a_folder_of_shards_passes_over_no_file(tmp_path: Path) -> None:
    for side in ("gold", "system"):
        (tmp_path / side).mkdir()
        for number in (1, 2):
            text = f"# newdoc id = d{number}\nBern\tB-loc\n\n"
            (tmp_path / side / f"{number}.conll").write_bytes(text.encode())
        (tmp_path / side / "2.conll").rename(tmp_path / side / "2.txt")
    sides = tmp_path / "gold", tmp_path / "system"
    assert karat.score("conll2003", *sides).tallies.units == ["d1", "d2"]
    (tmp_path / "gold" / "more").mkdir()
    with pytest.raises(karat.InputError, match="has the folder 'more' beside files"):
        karat.score("conll2003", *sides)


def test_shards_pair_by_name_or_in_the_order_given(tmp_path: Path) -> None:
    paths = []
    for name, tag in (("a", "B-loc"), ("b", "B-per"), ("x", "B-per"), ("y", "B-loc")):
        paths.append(tmp_path / f"{name}.conll")
        paths[-1].write_text(f"Bern\t{tag}\n\n")
    gold_a, gold_b, first, second = paths
    assert karat.score("conll2003", [gold_b, gold_a], [first, second]).value() == 1
    with pytest.raises(karat.InputError, match=r"b\.conll has no partner"):
        karat.score("conll2003", [gold_a, gold_b], [gold_a, first])


def test_a_document_in_different_shards_is_refused(tmp_path: Path) -> None:
    paths = {}
    for name, ids in (("gold-1", "ab"), ("gold-2", "c"), ("system-1", "ac"), ("system-2", "b")):
        paths[name] = tmp_path / f"{name}.jsonl"
        mention = '"mentions": [{"id": "m", "spans": [[0, 4]], "labels": ["LOC"]}]'
        paths[name].write_text("".join(f'{{"id": "{id_}", "text": "Bern", {mention}}}\n' for id_ in ids))
    golds, systems = ([paths[f"{side}-{number}"] for number in (1, 2)] for side in ("gold", "system"))
    with pytest.raises(karat.InputError, match="cut both sides alike"):
        karat.score("omin-head-ner", golds, systems)
