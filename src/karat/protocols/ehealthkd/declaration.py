"""eHealth-KD 2021, 2020 and 2019: entities and relations in health texts, sentence by sentence.

Mirrors ``score.py`` of ehealthkd/corpora (aff4b53), of knowledge-learning/ehealthkd-2020 (7cafdae) and of
knowledge-learning/ehealthkd-2019 (35d9b57). The programs themselves, with their files, are in ``drop_in``.
"""

from __future__ import annotations

from functools import partial

from karat.evaluation.protocol import Demands, Protocol, Rules
from karat.evaluation.quirks import quirks_of
from karat.protocols.ehealthkd.book import BOOK
from karat.protocols.ehealthkd.draft import draft, facts, remarks, settle
from karat.protocols.ehealthkd.judge import Subtasks
from karat.protocols.ehealthkd.options import EhealthOptions, EhealthRelationOptions


def demands(options: EhealthOptions) -> Demands:
    """Return how BRAT files are to be read: as the programs do, unless the words of the task document are to count.

    The folders of the challenge hold, beside the gold, what systems were given.
    """
    rules = "strict" if options.profile == "documented" else "ehealthkd"
    return Demands(options={"brat": {"rules": rules, "inputs": "skip"}})


def bind(options: EhealthOptions, *, part: Subtasks) -> Rules:
    """Return the rules of a subtask, or of both, with these options."""
    return Rules(
        BOOK,
        partial(draft, options=options, part=part),
        facts=facts,
        settle=settle,
        remarks=partial(remarks, part=part),
        demands=demands(options),
    )


def _protocol(part: Subtasks, title: str, summary: str) -> Protocol:
    return Protocol(
        name=f"ehealthkd2021-{part}",
        title=f"eHealth-KD 2021 {title}",
        task="entities" if part == "entities" else "relations",
        summary=summary,
        unit="sentence",
        bind=partial(bind, part=part),
        options=EhealthOptions if part == "entities" else EhealthRelationOptions,
        quirks=quirks_of("karat.protocols.ehealthkd"),
        reference="score.py of ehealthkd/corpora",
        docs="ehealthkd",
    )


PROTOCOLS = (
    _protocol(
        "main",
        "entities and relations together",
        "Scenario 1: all verdicts of both subtasks in one count; a partial match of entities is worth half.",
    ),
    _protocol(
        "entities",
        "entities",
        "Scenario 2, subtask A: same span and label is correct, a shared part with the same label is worth half.",
    ),
    _protocol(
        "relations",
        "relations",
        "Scenario 3, subtask B: same label between entities that match, or are the same as those of the gold.",
    ),
)
