"""A scorer for spaCy pipelines: with ``karat.v1`` in a config, evaluation and training use a protocol of Karat.

.. code-block:: ini

    [components.ner.scorer]
    @scorers = "karat.v1"
    protocol = "conll2003"

The result has the keys of spaCy's own entity scorer, so ``score_weights`` need no change. spaCy finds
the name by an entry point of Karat; if Karat is not installed, importing this module registers it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from karat.evaluation.scores import Scores

_MEASURES = {"p": "precision", "r": "recall", "f": "f1"}

NAME = "karat.v1"
Scorer = Callable[..., dict[str, Any]]
"""Takes examples and further arguments from spaCy, and returns scores by name."""


def make_scorer(
    protocol: str = "conll2003", regime: str | None = None, options: Mapping[str, Any] | None = None
) -> Scorer:
    """Return a scorer of entities by a protocol, under its first regime if none is named.

    It returns ``ents_p``, ``ents_r``, ``ents_f`` and ``ents_per_type``; a score that is undefined is ``None``, and so
    is every one if no example has entities in its reference, as in spaCy. System entities on tokens that the
    reference leaves unannotated are ignored, as in spaCy. ``karat`` is the signature.
    """

    def score(examples: Iterable[Any], **how: Any) -> dict[str, Any]:
        del how
        from karat.api import score as scored

        annotated = [example for example in examples if example.reference.has_annotation("ENT_IOB")]
        if not annotated:
            return {**{f"ents_{key}": None for key in _MEASURES}, "ents_per_type": None}
        sides = [[example.reference for example in annotated], [_judgeable(example) for example in annotated]]
        return _named(scored(protocol, *sides, by="label", **(options or {})), regime)

    return score


def _judgeable(example: Any) -> Any:
    """Return the predicted entities, without those that contain tokens unannotated in the reference."""
    unknown = [token for token in example.reference if not token.ent_iob]
    if not unknown:
        return example.predicted
    known = [
        entity
        for entity in example.predicted.ents
        if not any(token.idx < entity.end_char and entity.start_char < token.idx + len(token) for token in unknown)
    ]
    predicted = example.predicted.copy()
    predicted.set_ents(known, default="outside")
    return predicted


def _named(scores: Scores, regime: str | None) -> dict[str, Any]:
    values: dict[str, Any] = {f"ents_{key}": scores.value(measure, regime=regime) for key, measure in _MEASURES.items()}
    labels = sorted({row.label for row in scores if row.label is not None})
    values["ents_per_type"] = {
        label: {key: scores.value(measure, regime=regime, label=label) for key, measure in _MEASURES.items()}
        for label in labels
    }
    return {**values, "karat": str(scores.signature)}


with suppress(ImportError):  # without spaCy there is nobody who could ask for it
    from spacy.util import registry

    registry.scorers.register(NAME, func=make_scorer)
