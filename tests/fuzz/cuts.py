"""What must hold of files that can be cut: shares and parts, put together in any order, are the run of one process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future
from typing import Any

import pytest

from karat import merge
from karat.errors import KaratError, UsageError
from karat.evaluation import spreading
from karat.evaluation.corpora import Reading, load
from karat.evaluation.part import Part, PartNumber
from karat.evaluation.protocol import Protocol
from karat.evaluation.run import Run
from karat.evaluation.run_file import packed
from karat.evaluation.tasks import run_of
from karat.evaluation.spreading import facts_of, part_of
from karat.formats import format_named


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
    """An evaluation of two files, by shares or in parts; ``given`` are the options of the protocol."""

    def __init__(
        self, protocol: Protocol, given: Mapping[str, Any], sides: Sequence[str], readings: Sequence[Reading]
    ) -> None:
        self.bound, self.given = protocol.with_options(given), given
        self.sides, self.readings = sides, readings

    @property
    def can_be_cut(self) -> bool:
        """Whether the formats say where documents lie."""
        return all(format_named(reading.format or "").index is not None for reading in self.readings)

    def fault(self, whole: Run | KaratError) -> tuple[str, str] | None:
        """Return what differs from the run of one process, or its error, in short and in full; nothing if nothing."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(spreading, "SHARE", 1)
            patch.setattr(spreading, "LOAD", 0)
            for way, cut in {"shares": self._by_shares, "parts": self._in_parts}.items():
                try:
                    run = cut()
                except UsageError:  # some options are about the corpus as a whole
                    continue
                except KaratError as error:
                    if isinstance(whole, Run):
                        return f"refuses in {way} what one process scores", str(error)
                    continue
                if not isinstance(whole, Run):
                    return f"scores in {way} what one process refuses", str(whole)
                if packed(run) != packed(whole):
                    return f"scores otherwise in {way}", f"{run}\n{whole}"
        return None

    def _by_shares(self) -> Run:
        return run_of(self.bound, *self._loaded(), executor=AtOnce())

    def _in_parts(self) -> Run:
        return merge([self._part(3, told=True), self._part(1, told=False), self._part(2, told=True)])

    def _part(self, number: int, *, told: bool) -> Part:
        facts = facts_of(self.bound, *self._loaded()) if told else None
        numbered: dict[str, Any] = {"number": PartNumber(number, 3), "given": self.given, "facts": facts}
        return part_of(self.bound, *self._loaded(), **numbered)

    def _loaded(self) -> Any:
        return load(self.bound, list(self.sides), self.readings)
