"""Ray gives the bytes that one process gives, as an executor and by parts, also if one of its workers is killed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.api import score_part
from karat.evaluation import spreading
from karat.evaluation.workers import in_order
from tests.evaluation.test_shares import EXAMPLES, dying

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


def test_ray_gives_the_same_bytes(local: RayExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreading, "SHARE", 1)
    monkeypatch.setattr(spreading, "LOAD", 0)
    karat.score("hipe2022-nel", *SIDES, executor=local).save(tmp_path / "there.karat")
    karat.score("hipe2022-nel", *SIDES).save(tmp_path / "here.karat")
    assert (tmp_path / "there.karat").read_bytes() == (tmp_path / "here.karat").read_bytes()


@pytest.mark.usefixtures("local")
def test_parts_of_ray_are_the_run(tmp_path: Path) -> None:
    task = ray.remote(score_part)
    parts = ray.get([task.remote("hipe2022-nel", *SIDES, f"{number}/3") for number in (1, 2, 3)])
    karat.merge(parts).save(tmp_path / "there.karat")
    karat.score("hipe2022-nel", *SIDES).save(tmp_path / "here.karat")
    assert (tmp_path / "there.karat").read_bytes() == (tmp_path / "here.karat").read_bytes()


def test_what_a_killed_worker_had_to_do_another_one_does(local: RayExecutor, tmp_path: Path) -> None:
    tasks = [(str(tmp_path / "died"), number) for number in range(20)]
    assert list(in_order(local, dying, tasks)) == list(range(20))
    assert (tmp_path / "died").exists()
