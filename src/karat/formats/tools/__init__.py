"""The extraction tools whose output Karat reads, by name: native files, recorded CSV files and live objects.

Every tool is a :class:`~karat.formats.base.Format`, so that ``--from refined`` works wherever a format can be named.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from karat.formats.base import Format

_MODULES = {
    "spacy_entityrecognizer": "spacy",
    "flair": "flair",
    "stanza": "stanza",
    "nltk_ne_chunk": "nltk",
    "plmarker_scierc_ner": "plmarker",
    "plmarker_ace05_bert_ner": "plmarker",
    "plmarker_ace05_albert_ner": "plmarker",
    "asp": "asp",
    "coref_mt5": "coref_mt5",
    "s2e-coref": "s2e",
    "neuralcoref": "neuralcoref",
    "blink": "blink",
    "spacy_entitylinker": "spacy_linker",
    "genre": "genre",
    "refined": "refined",
    "rebel": "rebel",
    "unirel": "unirel",
    "deepstruct": "deepstruct",
    "plmarker_scierc_re": "plmarker_relations",
    "plmarker_ace05_bert_re": "plmarker_relations",
    "plmarker_ace05_albert_re": "plmarker_relations",
    "llm": "llm",
}
"""The tools in the order of the table of OMIn, and their modules; then what language models write."""

TOOLS = tuple(_MODULES)


def tool(name: str) -> Format:
    """Return the format of a tool's output.

    >>> tool("refined").title
    'ReFinED: linked spans as printed, or as recorded in CSV'
    """
    formats: dict[str, Format] = importlib.import_module(f"karat.formats.tools.{_MODULES[name]}").FORMATS
    return formats[name]
