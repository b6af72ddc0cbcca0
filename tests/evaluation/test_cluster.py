"""A cluster of Dask gives the bytes that one process gives, also if one of its workers is killed on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from karat._version import __version__
from karat.cli import run
from karat.errors import KaratError
from karat.evaluation.workers import _check_versions, cluster, in_order
from tests.evaluation.test_shards import EXAMPLES
from tests.evaluation.test_workers import dying

pytestmark = pytest.mark.filterwarnings("default")
GOLD, SYSTEM = (str(EXAMPLES / "hipe" / name) for name in ("gold.tsv", "system-a.tsv"))


@pytest.fixture(scope="module", autouse=True)
def distributed() -> Any:
    """Load Dask, which takes long, when the first of these tests runs."""
    return pytest.importorskip("distributed", reason="needs Dask distributed: pip install 'karat[cluster]'")


@pytest.fixture
def shards(tmp_path: Path) -> list[str]:
    """Cut gold and system into two shards."""
    for path, side in ((GOLD, "gold"), (SYSTEM, "system")):
        assert run(["split", path, "-n", "2", "-o", str(tmp_path / side)]) == 0
    return [str(tmp_path / "gold"), str(tmp_path / "system")]


@pytest.fixture(scope="module")
def local(distributed: Any) -> Iterator[Any]:
    """Start two workers of this machine."""
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0", "silence_logs": 50}
    with distributed.LocalCluster(**settings) as cluster_here:
        yield cluster_here


def test_a_cluster_gives_the_same_bytes(local: Any, tmp_path: Path, shards: list[str]) -> None:
    asked = ["score", "hipe2022-nel", *shards, "--save"]
    assert run([*asked, str(tmp_path / "there.karat"), "--cluster", local.scheduler_address]) == 0
    assert run([*asked, str(tmp_path / "here.karat")]) == 0
    assert (tmp_path / "there.karat").read_bytes() == (tmp_path / "here.karat").read_bytes()


def test_what_a_killed_worker_had_to_do_another_one_does(local: Any, tmp_path: Path) -> None:
    tasks = [(str(tmp_path / "died"), number) for number in range(20)]
    with cluster(local.scheduler_address) as executor:
        assert list(in_order(executor, dying, tasks)) == list(range(20))
    assert (tmp_path / "died").exists()


def test_a_lost_scheduler_is_one_sentence(distributed: Any, capfd: pytest.CaptureFixture[str]) -> None:
    settings = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0", "processes": False}
    lost = distributed.LocalCluster(**settings, silence_logs=False)

    with cluster(lost.scheduler_address) as found:
        assert list(in_order(found, abs, [(-1,)])) == [1]
        found._client._timeout = 0.1  # type: ignore[attr-defined]  # it is not to look long for what is gone
        lost.close()
        with pytest.raises(KaratError, match="the scheduler of the cluster was lost"):
            list(in_order(found, abs, [(-2,)]))
    assert "distributed.client" not in capfd.readouterr().err


def test_an_address_where_nobody_answers_is_one_sentence(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("karat.evaluation.workers._PATIENCE", 0.2)
    words = ["--cluster", "tcp://127.0.0.1:9", "--save", str(tmp_path / "run.karat")]
    assert run(["score", "hipe2022-nel", GOLD, SYSTEM, *words]) == 3
    assert "no scheduler of Dask answers at 'tcp://127.0.0.1:9'" in capfd.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_connection_that_lacks_something_is_one_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "hipe2022-nel", GOLD, SYSTEM, "--cluster", "tls://127.0.0.1:9"]) == 3
    assert "the cluster at 'tls://127.0.0.1:9' cannot be reached: TLS expects" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("found", "told"),
    [("0.0.9", "has Karat 0.0.9"), (ModuleNotFoundError("No module named 'karat'"), "cannot load Karat (No module")],
)
def test_workers_without_this_karat_are_named(found: object, told: str) -> None:
    with pytest.raises(KaratError, match=re.escape(f"the worker tcp://a:1 {told}")):
        _check_versions({"tcp://b:1": __version__, "tcp://a:1": found})


def test_workers_who_do_not_see_a_file_are_one_sentence(
    local: Any, shards: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """They see what this process sees: so it is told that their folder is another one."""
    monkeypatch.chdir(Path(shards[0]).parent)
    monkeypatch.setattr("karat.evaluation.corpora.os.getcwd", lambda: "/nowhere")
    assert run(["score", "hipe2022-nel", "gold", "system", "--cluster", local.scheduler_address]) == 3
    assert "is not there for the workers, who must see files under the same paths" in capfd.readouterr().err


def test_workers_here_and_elsewhere_exclude_each_other(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "hipe2022-nel", GOLD, SYSTEM, "--cluster", "tcp://h:1", "--workers", "2"]) == 2
    assert "give one of them" in capfd.readouterr().err
