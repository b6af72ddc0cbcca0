"""The built-in formats: one row each, with what must be known before the module of the format is imported.

Everything else is in the :class:`~karat.formats.base.Format` that the module ``karat.formats.NAME`` declares as
``FORMAT``, or ``karat.formats.NAME.declaration`` if the format is a package; a hyphen in the name is an underscore
there. To add a format, write that module and add a row here.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_TEN_COLUMNS = r"(?:^|\n)(?:[^\t\n]*\t){9}[^\t\n]*(?:\n|$)"
_RELATION = r"(?i:relation|predicate|property)"


class Row(NamedTuple):
    """A format by its name.

    Attributes:
        name: The name that ``--from`` takes.
        kind: The heading under which ``karat formats`` lists it.
        begins: The kinds of files it has, by their first character: ``json`` for a brace or bracket, ``xml`` for ``<``,
            ``text`` for any other.
        mark: A regular expression that the beginning of every file matches. A file without it is not shown to the
            format, so that its module need not be imported. None if nothing is known that is cheap to see.
        folder: The ending of its files, for a format whose documents may be the files of a folder.

    """

    name: str
    kind: str
    begins: frozenset[str]
    mark: str | None = None
    folder: str = ""

    def may_have(self, head: str) -> bool:
        """Tell, without importing the format, whether a file with this beginning may have it."""
        return self.mark is None or re.search(self.mark, head) is not None


_TEXT, _JSON, _XML = frozenset({"text"}), frozenset({"json"}), frozenset({"xml"})
_OWN, _CHAINS, _COLUMNS = "Karat's own", "chains", "tokens in columns"
_TOOLS, _PIPELINES, _LAYERS = "annotation tools", "pipelines and data sets", "layered XML"
_CORPORA, _ANSWERS = "entities, links and relations of corpora", "answers to classification tasks"
_BIOMEDICAL, _TABLES, _MODELS = "biomedical corpora", "tables and knowledge bases", "language models"

_ROWS = (
    Row("jsonl", _OWN, _JSON),
    Row("jsonlines", _CHAINS, _JSON),
    Row("scorch", _CHAINS, _JSON, folder=".json"),
    Row("hipe", _COLUMNS, _TEXT, "TOKEN"),
    Row("conll2012", _COLUMNS, _TEXT, "begin document"),
    Row("universal-anaphora", _COLUMNS, _TEXT, "IDENTITY"),
    Row("corefud", _COLUMNS, _TEXT, rf"global\.Entity|{_TEN_COLUMNS}"),
    Row("conllumisc", _COLUMNS, _TEXT, _TEN_COLUMNS),
    Row("conllup", _COLUMNS, _TEXT, r"global\.columns|(?:^|\n)\d"),
    Row("conll", _COLUMNS, _TEXT),
    Row("brat", _TOOLS, _TEXT, r"^[\ufeff\r\n]*[^\ufeff\r\n][0-9\t]", folder=".ann"),
    Row("labelstudio", _TOOLS, _JSON),
    Row("doccano", _TOOLS, _JSON),
    Row("prodigy", _TOOLS, _JSON),
    Row("webanno", _TOOLS, _TEXT, "#FORMAT="),
    Row("gate", _TOOLS, _JSON | _XML),
    Row("plain", _PIPELINES, _JSON),
    Row("spacyjson", _PIPELINES, _JSON),
    Row("docbin", _PIPELINES, _TEXT, "^x"),
    Row("hf", _PIPELINES, _TEXT, "^(?:PAR1|ARROW1|\ufffd)"),
    Row("casjson", _PIPELINES, _JSON),
    Row("cat", _LAYERS, _XML, folder=".xml"),
    Row("naf", _LAYERS, _XML, folder=".naf"),
    Row("tei", _LAYERS, _XML),
    Row("xmi", _LAYERS, _XML | _TEXT, "(?i:xmi)"),
    Row("scierc", _CORPORA, _JSON),
    Row("docred", _CORPORA, _JSON),
    Row("tacred", _CORPORA, _JSON),
    Row("spert", _CORPORA, _JSON),
    Row("elevant", _CORPORA, _JSON),
    Row("nif", _CORPORA, _XML | _TEXT, "nif-core#"),
    Row("semeval2010", _ANSWERS, _TEXT, r"^\d"),
    Row("labels", _ANSWERS, _TEXT, "(?!)"),
    Row("biocjson", _BIOMEDICAL, _JSON),
    Row("biocxml", _BIOMEDICAL, _XML),
    Row("pubtator", _BIOMEDICAL, _TEXT, r"\|t\|"),
    Row("i2b2", _BIOMEDICAL, _TEXT, 'c="', folder=".con"),
    Row("omin", _TABLES, _TEXT, ","),
    Row("triples", _TABLES, _TEXT, _RELATION),
    Row("coldstart", _TABLES, _TEXT, r"^(?=[^\t]*\t)[^:]*:"),
    Row("llm", _MODELS, _JSON),
)

OWN_FORMATS = {row.name: row for row in _ROWS}
"""The formats that come with Karat, by name, in the order in which they are listed."""
