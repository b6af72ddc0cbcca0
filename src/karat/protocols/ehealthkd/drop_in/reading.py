"""Reading a text file and the annotations beside it, as the program of an edition does."""

from __future__ import annotations

from pathlib import Path

from karat.files import read_text
from karat.protocols.ehealthkd.annotations import Annotations
from karat.protocols.ehealthkd.options import Rules
from karat.protocols.ehealthkd.sentences import Sentences

Texts = dict[str, Sentences]
"""The sentences of each text, so that those who annotate the same text share them."""


def load(path: str | Path, rules: Rules, texts: Texts, *, relations: bool = True) -> Annotations:
    """Read a text file and the annotations beside it: ``.ann``, in 2019 ``output_a_…`` and ``output_b_…``.

    ``relations=False`` does not even look at relations, which the corrected profile does where they do not count.
    """
    if rules.edition == "2019":
        from karat.protocols.ehealthkd.drop_in.tabfiles import read_tabs as read
    else:
        from karat.protocols.ehealthkd.drop_in.brat import read_brat as read
    file = Path(path)
    text = read_text(file)
    sentences = texts.get(text) or texts.setdefault(text, Sentences(text, rules))
    warnings: list[str] = []
    builder = read(file, sentences, warnings.append, relations=relations)
    return builder.finished(sentences.texts, sentences.begins, warnings, by_extent=not rules.by_position)
