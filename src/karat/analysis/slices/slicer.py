"""The slicer for the requested features, which reads the forms of the gold and of other files; label confusion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from karat.analysis.slices.breakdowns import SEEN, Breakdown, item_features
from karat.errors import UsageError, in_python_words, unknown
from karat.evaluation.corpora import Reading, Source, load
from karat.evaluation.corpus import Corpus
from karat.evaluation.evaluation import Evaluation
from karat.evaluation.protocol import Bound, Protocol
from karat.evaluation.registry import configure

if TYPE_CHECKING:
    from karat.analysis.slices.confusion import Confusion
    from karat.analysis.slices.items import ItemSlicer

_OF_THE_GOLD = {"frequency", "ambiguity"}


def slicer_for(bound: Bound, asked: Sequence[Breakdown], gold: Corpus, reading: Reading) -> ItemSlicer | None:
    """Return a slicer for the requested features of items, or None if there are none.

    The gold is read first if a feature needs all of it; another file is read like the gold.
    """
    features = item_features(asked)
    if not features:
        return None
    from karat.analysis.slices.features import Forms
    from karat.analysis.slices.items import ItemSlicer, check_features, forms_in

    check_features(bound, features)
    known, seen, notes = Forms(), Forms(), []
    for feature in features:
        if feature.name == SEEN:
            other = _other(bound, feature, reading)
            seen = forms_in(bound, Evaluation(bound, other, other).sheets())
            notes.append(f"seen: in the gold of {other.name}, {len(seen)} forms, content {other.content}")
    if any(feature.name in _OF_THE_GOLD for feature in features):
        known = forms_in(bound, Evaluation(bound, gold, gold).sheets())
    return ItemSlicer(bound, features, known, seen, tuple(notes), {})


def _other(bound: Bound, feature: Breakdown, reading: Reading) -> Corpus:
    if not feature.file:
        raise UsageError("seen needs a file with other gold, such as the training data: seen=train.conll")
    other = load(bound, [feature.file], [reading], again=True)[0]
    other.identifies = True
    return other


@in_python_words
def confusion(
    protocol: str | Protocol,
    gold: Source,
    system: Source,
    *,
    regime: str | None = None,
    format: str | None = None,  # noqa: A002 - the word users know
    system_format: str | None = None,
    read: Mapping[str, Any] | None = None,
    **options: Any,
) -> Confusion:
    """Return the counts of gold labels against system labels under a regime.

    The default regime is the first main one of the protocol. All other arguments are as in :func:`karat.score`.

    >>> gold, system = [["B-LOC", "O", "B-PER"]], [["B-PER", "B-LOC", "B-PER"]]
    >>> confusion("hipe2022-nerc-coarse", gold, system).items("LOC", "PER")
    1
    """
    from karat.analysis.slices.confusion import check_labels, confusion_of

    bound = configure(protocol, options)
    check_labels(bound)
    if regime is not None and regime not in bound.regimes():
        raise unknown("regime", regime, bound.regimes())
    readings = [Reading(name, read or {}) for name in (format, system_format or format)]
    sides = load(bound, [gold, system], readings)
    return confusion_of(bound, Evaluation(bound, *sides).entries(), regime)
