"""Ray gives the bytes that one process gives, as an executor and shard by shard, also if a worker is killed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.cli import run
from karat.evaluation.workers import in_order
from tests.evaluation.test_shards import EXAMPLES
from tests.evaluation.test_workers import dying

ray = pytest.importorskip("ray", reason="needs Ray, which is not installed: pip install ray")

pytestmark = pytest.mark.filterwarnings("default")
SIDES = [str(EXAMPLES / "hipe" / name) for name in ("gold.tsv", "system-a.tsv")]


class RayExecutor(Executor):
    """Ray as the docs have it."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a function called by a worker of Ray."""
        future: Future[Any] = ray.remote(fn).remote(*args, **kwargs).future()
        return future


@pytest.fixture(scope="module")
def local() -> Iterator[RayExecutor]:
    """Start two workers of this machine."""
    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
    yield RayExecutor()
    ray.shutdown()


@pytest.fixture
def shards(tmp_path: Path) -> list[list[Path]]:
    """Cut gold and system into two shards."""
    for path, side in zip(SIDES, ("gold", "system"), strict=True):
        assert run(["split", path, "-n", "2", "-o", str(tmp_path / side)]) == 0
    return [sorted((tmp_path / side).iterdir()) for side in ("gold", "system")]


def test_ray_gives_the_same_bytes(local: RayExecutor, tmp_path: Path, shards: list[list[Path]]) -> None:
    karat.score("coref", *shards, executor=local).save(tmp_path / "there.karat")
    karat.score("coref", *shards).save(tmp_path / "here.karat")
    assert (tmp_path / "there.karat").read_bytes() == (tmp_path / "here.karat").read_bytes()


@pytest.mark.usefixtures("local")
def test_runs_of_ray_are_the_run(tmp_path: Path, shards: list[list[Path]]) -> None:
    task = ray.remote(karat.score)
    scores = ray.get([task.remote("coref", *pair) for pair in zip(*shards, strict=True)])
    karat.merge([each.run for each in scores]).save(tmp_path / "there.karat")
    karat.score("coref", *shards).save(tmp_path / "here.karat")
    assert (tmp_path / "there.karat").read_bytes() == (tmp_path / "here.karat").read_bytes()


def test_what_a_killed_worker_had_to_do_another_one_does(local: RayExecutor, tmp_path: Path) -> None:
    tasks = [(str(tmp_path / "died"), number) for number in range(20)]
    assert list(in_order(local, dying, tasks)) == list(range(20))
    assert (tmp_path / "died").exists()
