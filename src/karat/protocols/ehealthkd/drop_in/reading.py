"""Reading a text file and the annotations beside it, as the program of an edition does."""

from __future__ import annotations

from pathlib import Path

from karat.files import read_text
from karat.protocols.ehealthkd.annotations import Annotations, Draft
from karat.protocols.ehealthkd.rules import Rules
from karat.protocols.ehealthkd.sentences import Page

Pages = dict[str, Page]
"""Pages by their texts, so that those who annotate the same text share one."""


def load(path: str | Path, rules: Rules, pages: Pages, *, relations: bool = True) -> Annotations:
    """Read a text file and the annotations beside it: ``.ann``, in 2019 ``output_a_…`` and ``output_b_…``.

    ``relations=False`` does not even look at relations, which the corrected profile does where they do not count.
    """
    file = Path(path)
    text, draft = read_text(file), Draft()
    page = pages.get(text) or pages.setdefault(text, Page(text, rules))
    warnings: list[str] = []
    if rules.edition == "2019":
        from karat.protocols.ehealthkd.drop_in.tabfiles import TabFiles

        TabFiles(file, page, draft, warnings.append).read(relations=relations)
    else:
        from karat.protocols.ehealthkd.drop_in.brat import BratFile

        BratFile(file, page, draft, warnings.append).read(relations=relations)
    return draft.finished(page.texts, page.begins, warnings, by_extent=not rules.by_position)
