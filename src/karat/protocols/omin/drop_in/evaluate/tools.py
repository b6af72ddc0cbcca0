"""The tools that OMIn compares, by task as in its table, and how a file of results tells which tool it is from."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from karat.protocols.omin.schemes import SHORTER, TYPE_SETS

TASKS = {
    "NER": "Named Entity Recognition",
    "CR": "Coreference Resolution",
    "NEL": "Named Entity Linking",
    "RE": "Relation Extraction",
}


class ToolRow(NamedTuple):
    """A row of the table: the tool, its task, what the path of its results has in it, its reader, and its types."""

    name: str
    task: str
    pattern: str
    reader: str
    types: str = ""


TOOLS = (
    ToolRow("spaCy EntityRecognizer", "NER", r"spacy(?!.*link)", "spacy_entityrecognizer", "ontonotes"),
    ToolRow("flair NER", "NER", r"flair", "flair"),
    ToolRow("stanza NERProcessor", "NER", r"stanza", "stanza"),
    ToolRow("nltk ne_chunk", "NER", r"nltk", "nltk_ne_chunk", "ace05_nltk"),
    ToolRow("PL-Marker (SciERC) NER", "NER", r"pl-?marker.*scierc", "plmarker_scierc_ner", "scierc"),
    ToolRow("PL-Marker (ACE05 bert) NER", "NER", r"pl-?marker.*ace05.*(?<!al)bert", "plmarker_ace05_bert_ner", "ace05"),
    ToolRow(
        "PL-Marker (ACE05 albert-xxl) NER", "NER", r"pl-?marker.*ace05.*albert", "plmarker_ace05_albert_ner", "ace05"
    ),
    ToolRow("ASP", "CR", r"(?<![a-z])asp(?![a-z])", "asp"),
    ToolRow("coref_mt5", "CR", r"coref_mt5", "coref_mt5"),
    ToolRow("s2e-coref", "CR", r"s2e", "s2e-coref"),
    ToolRow("neuralcoref", "CR", r"neuralcoref|(?<![a-z])ncoref(?![a-z])", "neuralcoref"),
    ToolRow("BLINK", "NEL", r"blink", "blink"),
    ToolRow("spaCy EntityLinker", "NEL", r"spacy.*link", "spacy_entitylinker"),
    ToolRow("GENRE", "NEL", r"genre", "genre"),
    ToolRow("ReFinED", "NEL", r"refined", "refined"),
    ToolRow("REBEL", "RE", r"rebel", "rebel"),
    ToolRow("UniRel", "RE", r"unirel", "unirel"),
    ToolRow("DeepStruct", "RE", r"deepstruct", "deepstruct"),
    ToolRow("PL-Marker (SciERC)", "RE", r"pl-?marker.*scierc", "plmarker_scierc_re"),
    ToolRow("PL-Marker (ACE05 bert)", "RE", r"pl-?marker.*ace05.*(?<!al)bert", "plmarker_ace05_bert_re"),
    ToolRow("PL-Marker (ACE05 albert-xxl)", "RE", r"pl-?marker.*ace05.*albert", "plmarker_ace05_albert_re"),
)

_TYPES_IN_PATH = (
    ("conll03", r"conll-?(20)?03"),
    ("ontonotes", r"ontonotes"),
    ("scierc", r"scierc"),
    ("ace05", "ace05"),
)
_TYPES_BY_LABELS = ("conll03", "ace05_nltk", "ace05", "ontonotes", "scierc")


def tool_of(path: str, task: str) -> ToolRow | None:
    """Return the tool whose results for a task are at a path, which names it in the folder or in the file.

    >>> tool_of("flair/flair_ner.csv", "NER").name, tool_of("mine/results.csv", "NER")
    ('flair NER', None)
    >>> tool_of("ncoref/cr.csv", "CR").name
    'neuralcoref'
    """
    known = (tool for tool in TOOLS if tool.task == task and re.search(tool.pattern, path.lower()))
    return next(known, None)


def types_of(path: str, tool: ToolRow | None, labels: Collection[object]) -> str | None:
    """Return the set of types of some results: the path names it, the tool has it, or the labels are all in it.

    >>> types_of("stanza/stanza_conll03_ner.csv", None, ()), types_of("mine/results.csv", None, {"PERSON", "ORG"})
    ('conll03', 'conll03')
    >>> types_of("mine/results.csv", None, {"AIRCRAFT"}) is None
    True
    """
    for name, pattern in _TYPES_IN_PATH:
        if re.search(pattern, path.lower()):
            return name
    if tool is not None and tool.types:
        return tool.types
    plain = {SHORTER.get(label, label) if isinstance(label, str) else label for label in labels}
    return next((name for name in _TYPES_BY_LABELS if plain and plain.issubset(TYPE_SETS[name])), None)
