"""What must hold of files wherever they are scored: by a worker or merged again, the run is that of one process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future
from typing import Any

from karat import merge
from karat.errors import KaratError
from karat.evaluation.corpora import Reading, load
from karat.evaluation.protocol import Protocol
from karat.evaluation.run import Run
from karat.evaluation.run_file import packed
from karat.evaluation.tasks import facts_of, run_of, runs_of


class AtOnce(Executor):
    """Does here and now what it is asked for."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Return what a function returns or raises."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - whoever asks for the result is told
            future.set_exception(error)
        return future


class Cuts:
    """An evaluation of two files, by a worker or with facts gathered before; ``given`` are the protocol's options."""

    def __init__(
        self, protocol: Protocol, given: Mapping[str, Any], sides: Sequence[str], readings: Sequence[Reading]
    ) -> None:
        self.bound, self.sides, self.readings = protocol.with_options(given), sides, readings

    def fault(self, whole: Run | KaratError) -> tuple[str, str] | None:
        """Return what differs from the run of one process, or its error, in short and in full; None if nothing."""
        for way, scored in {"by a worker": self._by_worker, "merged": self._merged}.items():
            try:
                run = scored()
            except KaratError as error:
                if isinstance(whole, Run):
                    return f"refuses {way} what one process scores", str(error)
                continue
            if not isinstance(whole, Run):
                return f"scores {way} what one process refuses", str(whole)
            if packed(run) != packed(whole):
                return f"scores otherwise {way}", f"{run}\n{whole}"
        return None

    def _by_worker(self) -> Run:
        gold, system = self._loaded()
        return runs_of(self.bound, gold, [system, system], executor=AtOnce())[0]

    def _merged(self) -> Run:
        facts = facts_of(self.bound, *self._loaded())
        return merge([run_of(self.bound, *self._loaded(), facts=facts)])

    def _loaded(self) -> Any:
        return load(self.bound, list(self.sides), self.readings)
