"""The road from files or objects to scores: read, pair, judge, count, sum, and sign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from karat.errors import UsageError, plural
from karat.ledger import Entry
from karat.protocols import protocol as protocol_named
from karat.protocols.base import Protocol
from karat.scores import ZERO_RULES, Scores, ZeroRule, rows_of, unit_rows
from karat.scoring.corpora import Corpus, Reading, Source, load
from karat.scoring.evaluation import Evaluation
from karat.settings import shown
from karat.signature import signature

if TYPE_CHECKING:
    from concurrent.futures import Executor

__all__ = [
    "Bootstrap",
    "Corpus",
    "Evaluation",
    "Reading",
    "Source",
    "configure",
    "evaluate",
    "explain",
    "load",
    "score",
]


@dataclass(frozen=True)
class Bootstrap:
    """How intervals are computed: percentile bootstrap over units.

    The second version of drawing units, ``v2``, takes them in the order of their names.
    """

    resamples: int = 1000
    seed: int = 42
    level: float = 0.95

    def __str__(self) -> str:
        level = "" if self.level == 0.95 else f"/{self.level:g}"
        return f"bootstrap{self.resamples}/v2/seed{self.seed}{level}"


def score(
    protocol: str | Protocol,
    gold: Source,
    system: Source,
    *,
    by: str | None = None,
    ci: bool | Bootstrap = False,
    zero: ZeroRule = "undefined",
    share_links: bool = False,
    executor: Executor | None = None,
    **options: Any,
) -> Scores:
    """Score a system against the gold by a published protocol.

    ``gold`` and ``system`` are paths, :class:`~karat.model.Document` objects, or plain lists and dictionaries.
    ``by="label"`` adds a row for each label, ``ci=True`` percentile bootstrap intervals over the units; ``zero`` says
    what an undefined ratio is; with ``share_links`` mentions without a link take those of their chain; ``options`` are
    those of the protocol.

    >>> gold = [["B-LOC", "O", "B-PER", "I-PER"]]
    >>> system = [["B-LOC", "O", "B-PER", "O"]]
    >>> scores = score("hipe2022-nerc-coarse", gold, system)
    >>> scores.value("f1", regime="strict"), scores.value("f1", regime="fuzzy")
    (0.5, 1.0)
    """
    chosen, settings = configure(protocol, options)
    sides = load(chosen, settings, [gold, system], [Reading(share_links=share_links)] * 2)
    return evaluate(chosen, settings, *sides, by=by, ci=ci, zero=zero, executor=executor)


def explain(protocol: str | Protocol, gold: Source, system: Source, **options: Any) -> Iterator[Entry]:
    """Yield the ledger: every gold and every system item with its verdict, its partner and the reason.

    >>> gold, system = [["B-LOC", "O", "B-PER"]], [["B-PER", "B-LOC", "B-PER"]]
    >>> [entry.case for entry in explain("hipe2022-nerc-coarse", gold, system)]
    ['wrong-label', 'spurious', 'exact']
    """
    chosen, settings = configure(protocol, options)
    sides = load(chosen, settings, [gold, system], lines=True)
    return Evaluation(chosen, settings, *sides).entries()


def configure(protocol: str | Protocol, options: Mapping[str, Any]) -> tuple[Protocol, Any]:
    """Return the protocol and its options, checked."""
    chosen = protocol_named(protocol) if isinstance(protocol, str) else protocol
    return chosen, chosen.configure(options)


def evaluate(
    protocol: Protocol,
    settings: Any,
    gold: Corpus,
    system: Corpus,
    *,
    by: str | None = None,
    ci: bool | Bootstrap = False,
    zero: ZeroRule = "undefined",
    executor: Executor | None = None,
) -> Scores:
    """Score one side against the other."""
    if by not in (None, "label", "unit"):
        raise UsageError(f"scores cannot be broken down by {by!r}; expected label or unit")
    if zero not in ZERO_RULES:
        raise UsageError(f"unknown zero rule {zero!r}; expected {', '.join(ZERO_RULES)}")
    evaluation = Evaluation(protocol, settings, gold, system)
    tallies = evaluation.tallies(executor)
    units = len(tallies.units)
    rows = rows_of(protocol, tallies, labels=by == "label", zero=zero)
    details = unit_rows(protocol, tallies, zero=zero) if by == "unit" else ()
    bootstrap = Bootstrap() if ci is True else ci
    if bootstrap:
        from karat.statistics.bootstrap import with_intervals

        rows = with_intervals(
            protocol,
            tallies,
            rows,
            resamples=bootstrap.resamples,
            seed=bootstrap.seed,
            level=bootstrap.level,
            zero=zero,
        )
    parts = {"protocol": protocol.name, **shown(settings), "zero": zero, plural(protocol.unit): str(units)}
    said = "/".join(dict.fromkeys(side.read_as for side in (gold, system) if side.read_as))
    parts |= {"read": said} if said else {}
    parts |= {"gold": gold.digest, "system": system.digest} | ({"ci": str(bootstrap)} if bootstrap else {})
    notes = evaluation.notes + ((f"one {protocol.unit}: no interval",) if bootstrap and units == 1 else ())
    return Scores(protocol.name, system.name, rows + details, signature(parts), tallies, notes)
