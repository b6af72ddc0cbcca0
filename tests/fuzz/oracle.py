"""What must hold of every case: an error in a sentence, or success.

What was read is sound, is written and read back, scored, explained and shown. Nothing is written but output, and output
is whole or not there.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import tempfile
import traceback
from contextlib import chdir
from itertools import accumulate
from pathlib import Path
from typing import Any, Literal
from unittest.mock import patch

from karat import formats
from karat.analysis.statistics.intervals import Bootstrap
from karat.analysis.summary import evaluate
from karat.annotations.faults import faults
from karat.display.views import render
from karat.display.views.ledger import render_entries
from karat.errors import KaratError
from karat.evaluation.corpora import Reading, load
from karat.evaluation.evaluation import Evaluation
from karat.evaluation.registry import protocol as protocol_named
from karat.formats import format_named
from karat.formats.base import Problems
from karat.io import tolerating_bad_bytes
from karat.model import Document
from tests.fuzz.calling import Called, call
from tests.fuzz.cases import Case
from tests.fuzz.cuts import Cuts
from tests.fuzz.guards import guarded
from tests.fuzz.targets import Files, Target, placed, targets, write

Outcome = Literal["refused", "scored"]
ABOVE_ONE = {
    "corefeval": "repeats-are-shared-again",
    "corefud": "repeated-in-two-chains",
    "coval": "repeated-mentions-stay",
    "conll2012": "repeated-gold-mentions",
    "newsreader-ned": "pairs-counted",
    "omin-coref": "repeats-are-shared-again",
    "relations": "repeats-count-each-time",
    "scorch": "repeats-by-format",
    "universal-anaphora": "repeated-mentions",
}
"""Protocols whose ratios may be above 1, and the quirk that says so."""
MAY_REPEAT = {
    "conll": "ids are as they are written, and scoring refuses them",
    "hipe": "documents are paired by position, as the program does",
    "omin": "rows may be read apart",
}
"""Formats that read several documents with one id, and why."""
_RAW = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]")
_TEMPORARY = re.compile(r"^\..+\.[a-z0-9_]{8}$|\.(part|old)$")
_FRAME = re.compile(r'File "[^"]*/src/(karat/[^"]+)", line (\d+)')


class FaultError(AssertionError):
    """A case that breaks a promise; ``key`` is the same for cases that break it in the same place."""

    def __init__(self, key: str, told: str) -> None:
        self.key, self.told = key, told
        super().__init__(f"{key}\n{told}")


class Place:
    """A folder in memory or on disk in which cases are tried one after the other: ``in`` and ``out``."""

    def __init__(self) -> None:
        room = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - memory, if there is some
        self.root = Path(tempfile.mkdtemp(prefix="karat-fuzz-", dir=room))
        self.input, self.output = self.root / "in", self.root / "out"
        self.gold = self.root / "gold"
        self.temporary = self.root / "tmp"
        self._held: Files = {}
        self._gold: str = ""
        for folder in (self.input, self.output, self.gold, self.temporary):
            folder.mkdir()
        self.queries = self.root / "queries.xml"
        self.queries.write_bytes(targets()["table slots"].files["queries.xml"])

    def __enter__(self) -> Place:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    def fill(self, case: Case, target: Target) -> None:
        """Put the files of a case into place, and the sound ones beside them."""
        if self._gold != target.title:
            _empty(self.gold)
            write(target.files, self.gold)
            self._gold = target.title
        if self._held.keys() != case.files.keys():
            _empty(self.input)
            self._held = {}
        write({name: content for name, content in case.files.items() if self._held.get(name) != content}, self.input)
        self._held = dict(case.files)

    def left(self) -> list[str]:
        """Return the names of the files for output, and empty the folder."""
        names = [path.relative_to(self.output).as_posix() for path in self.output.rglob("*") if not path.is_dir()]
        if names or any(self.output.iterdir()):
            _empty(self.output)
        return names

    def forget(self) -> None:
        """Write the input anew for the next case."""
        _empty(self.input)
        self._held = {}


def _empty(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def examine(case: Case, place: Place) -> Outcome:
    """Try a case; a promise that is broken is a :class:`FaultError`."""
    target = targets()[case.target]
    place.fill(case, target)
    before = tempfile.tempdir
    tempfile.tempdir = str(place.temporary)
    allowed = [f"{place.output}/", f"{place.temporary}/", *([f"{place.input}/"] if target.beside else [])]
    try:
        with chdir(place.output), guarded(*allowed, starts=target.starts) as noted:
            outcome = _examine_format(case, target, place) if target.is_format else _examine_command(case)
    except KaratError:
        outcome = "refused"
    except FaultError:
        raise
    except Exception as error:
        told = "".join(traceback.format_exception(error))
        raise FaultError(_crash(told, type(error).__name__), told) from error
    finally:
        tempfile.tempdir = before
        left = place.left()
    if noted:
        raise FaultError("writes outside of its output", "\n".join(noted))
    if target.beside:
        place.forget()
    _check_left(left, target, outcome)
    if any(place.temporary.iterdir()):
        _empty(place.temporary)
        raise FaultError("leaves temporary files", "")
    return outcome


def _crash(told: str, kind: str) -> str:
    """Return the innermost line of Karat in a traceback, which stands for all cases that end there."""
    frames = _FRAME.findall(told)
    where = f"{frames[-1][0]}:{frames[-1][1]}" if frames else "?"
    return f"{kind} at {where}"


def _check_left(left: list[str], target: Target, outcome: Outcome) -> None:
    odd = [name for name in left if any(map(_TEMPORARY.search, name.split("/")))]
    if odd:
        raise FaultError("leaves temporary files", ", ".join(odd))
    if outcome == "refused" and left and not target.keeps and not target.is_format:
        raise FaultError("fails, and leaves output behind", ", ".join(left))


def _examine_command(case: Case) -> Outcome:
    with patch.dict(os.environ, KARAT_TRACEBACK="1"):
        called = call(placed(case.words))
    _check_called(called)
    if called.status and not (called.err.strip() or called.out.strip() or any(Path().iterdir())):
        raise FaultError("fails without a word", "")
    return "refused" if called.status else "scored"


def _check_called(called: Called) -> None:
    if called.status == 70 or "Traceback (most" in called.err:
        last = called.err.strip().splitlines()[-1:] or [""]
        kind = re.search(r"internal error \((\w+)", last[0])
        raise FaultError(_crash(called.err, kind[1] if kind else "crash"), called.err)
    if called.status not in (0, 1, 2, 3, 255):
        raise FaultError(f"ends with status {called.status}", called.err)
    for line in called.err.split("\n"):
        if line.startswith("karat: ") and (found := _RAW.search(line)):
            raise FaultError(f"shows a raw control character {found[0]!r}", line)


def _examine_format(case: Case, target: Target, place: Place) -> Outcome:
    source = str(place.input / case_read(target))
    options = dict(zip(case.options, placed(list(case.options.values())), strict=True))
    documents = _check_reading(source, target, options)
    if options.get("rules", "strict") == "strict":  # other programs take what is written as it is
        _check_sound(documents, target.name)
    _check_round_trip(documents, case, place)
    _check_scores(case, target, source, options, place)
    return "scored"


def case_read(target: Target) -> str:
    """Return the name of what is read."""
    return "" if target.read == "." else target.read


def _check_reading(source: str, target: Target, options: dict[str, str]) -> list[Document]:
    """Read all, as ``karat validate`` does and as scoring does: both say the same."""
    problems = Problems(collect=True)
    refusal: KaratError | None = None
    bad: list[int] = []
    try:
        with tolerating_bad_bytes(lambda path, line: bad.append(line)):
            list(formats.read(source, target.name, problems=problems, options=options))
    except KaratError as error:
        refusal = error
    found = [problem for problem in problems.found if problem.severity == "error"]
    try:
        documents = list(formats.read(source, target.name, options=options))
    except KaratError as error:
        if refusal is None and not found and not bad:
            raise FaultError("validate finds nothing in what cannot be read", str(error)) from error
        raise
    if refusal is not None or found:
        raise FaultError("validate finds errors in what can be read", str(refusal or found[0]))
    return documents


def _check_sound(documents: list[Document], name: str) -> None:
    names: set[str] = set()
    for document in documents:
        if document.id in names and name not in MAY_REPEAT:
            raise FaultError("reads two documents with the same id", repr(document.id))
        names.add(document.id)
        wrong = next(faults(document), None)
        if wrong is not None:
            raise FaultError(f"reads an unsound document: {_masked(wrong)}", wrong)


def _masked(sentence: str) -> str:
    """Return a sentence without the names and numbers in it, which are another in each case."""
    return re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|-?\d+", "…", sentence)[:160]


def _check_round_trip(documents: list[Document], case: Case, place: Place) -> None:
    """Write documents and read them back: they are the same, or were refused."""
    path = place.output / "back"
    declared = format_named(case.writer)
    try:
        formats.write(documents, path, case.writer)
    except KaratError:
        return
    if not path.exists():
        raise FaultError(f"writes nothing as {case.writer}", "")
    try:
        back = list(formats.read(path, case.writer))
    except KaratError as error:
        if not documents:
            return
        said = _masked(getattr(error, "message", str(error)))
        raise FaultError(f"writes {case.writer} that cannot be read: {said}", str(error)) from error
    _check_sound(back, case.writer)
    ordered = sorted if declared.folder else list
    if (
        ordered(document.id for document in documents) != ordered(document.id for document in back)
        and case.writer in case.target
    ):
        raise FaultError(f"writes other documents as {case.writer}", f"{[one.id for one in back]}")
    for first, second in zip(documents, back, strict=False) if not declared.folder else ():
        for part in ("mentions", "chains", "relations"):
            before, after = _said(first, part), _said(second, part)
            if before != after:
                raise FaultError(f"writes other {part} as {case.writer}", f"{before}\n{after}")


def _said(document: Document, part: str) -> Any:
    """Return what annotations say, not by which ids: mentions, sizes of chains, relations.

    Mentions are placed by characters that are no blanks, since formats of tokens put one between any two; no label and
    an empty one are the same.
    """
    if part == "mentions":
        ruler = [0, *accumulate(not character.isspace() for character in document.text)]
        return sorted(
            (
                [(_placed(ruler, start), _placed(ruler, end)) for start, end in mention.spans],
                [label for label in mention.labels if label],
                [link.target for link in mention.links],
            )
            for mention in document.mentions
        )
    if part == "chains":
        return sorted(len(chain.mentions) for chain in document.chains)
    return sorted((relation.label, len(relation.arguments)) for relation in document.relations)


def _placed(ruler: list[int], offset: int) -> int:
    """Return where an offset is among characters that are no blanks; outside of the text it is what it is."""
    return ruler[offset] if 0 <= offset < len(ruler) else offset


def _check_scores(case: Case, target: Target, source: str, options: dict[str, str], place: Place) -> None:
    """Score the damaged sample against the sound one, explain the score, and show it."""
    protocol = protocol_named(case.protocol)
    given = {**case.settings, **_needed(protocol, place)}
    bound = protocol.with_options(given)
    sound = str(place.gold / case_read(target))
    sides = [source, sound] if case.swapped else [sound, source]
    readings = [Reading(target.name, options), Reading(target.name, options)]
    corpora = load(bound, sides, readings)
    cuts = Cuts(protocol, given, sides, readings)
    try:
        scores = evaluate(bound, *corpora, by="label", ci=Bootstrap(5))
    except KaratError as error:
        _check_cuts(cuts, error)
        raise
    _check_cuts(cuts, scores.run)
    for row in scores.rows:
        values = [row.value, *((row.interval.low, row.interval.high) if row.interval else ())]
        for value in values:
            if value is not None and not (math.isfinite(value) and 0 <= value <= 1):
                if case.protocol in ABOVE_ONE and math.isfinite(value) and value > 1:
                    continue
                raise FaultError(f"{case.protocol}: {row.measure} is no share", f"{row.name} is {value}")
    text = render(case.view, [scores])
    text.encode("utf-8")
    entries = Evaluation(bound, *load(bound, sides, readings, lines=True)).entries()
    views = {"table": "table", "tsv": "tsv"}
    for line in render_entries(entries, views.get(case.view, "jsonl")):  # type: ignore[arg-type]
        if "\n" in line:
            raise FaultError("shows an entry of the ledger on several lines", line)


def _check_cuts(cuts: Cuts, whole: Any) -> None:
    """Score by a worker, and with facts gathered before: the run, or a refusal, is that of one process."""
    fault = cuts.fault(whole)
    if fault is not None:
        raise FaultError(*fault)


def _needed(protocol: Any, place: Place) -> dict[str, str]:
    """Return the files that a protocol needs besides gold and system."""
    if protocol.name != "tac2015-sf":
        return {}
    return {"queries": str(place.queries)}
