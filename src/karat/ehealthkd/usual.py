"""Reading ``.ann`` files of the usual form with no detours: most of the time of an evaluation goes into reading.

What is read here is read by :mod:`karat.ehealthkd.brat` in exactly the same way, only slower; whatever departs from the
usual form is left to it.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from karat.ehealthkd.annotations import Draft
from karat.ehealthkd.fields import read_spans
from karat.ehealthkd.pages import Page, cut

_IDS = r"(?:T(?:0|[1-9][0-9]*)\n)*"


def read_usual(lines: list[str], page: Page, draft: Draft) -> bool:
    """Read lines into an empty draft, and say whether they have the usual form; if not, the draft is of no use.

    Usual are entities with plain ids, each given once and before it is referred to, their attributes, and relations
    inside of a sentence; everything has as many columns and blanks as it needs. Pages remember what they have been
    asked.
    """
    known: dict[str, int] = {}
    places, memory, texts, begins, ends = draft.places, page.memory, page.texts, page.begins, page.ends
    add_label, add_place, add_relation = draft.labels.append, draft.places.append, draft.relations.append
    try:
        for line in lines:
            kind = line[0]
            if kind == "T":
                name, middle, _ = line.split("\t")
                if name in known:
                    return False
                known[name] = len(known)
                if middle in memory:
                    label, place = memory[middle]
                else:
                    label, _, spans = middle.partition(" ")
                    if ";" in spans:
                        found = page.place(read_spans(spans))
                        if found is None:
                            return False
                        place = found
                    else:
                        first, last = spans.split(" ")
                        start = int(first)
                        number = bisect_right(ends, start)
                        begin = begins[number]
                        start -= begin
                        end = int(last) - begin
                        covered = texts[number][start:end]
                        place = cut(number, start, end, covered) if " " in covered else (number, start, end)
                    memory[middle] = label, place
                add_label(label)
                add_place(place)
            elif kind == "R":
                _, label, one, two = line.split()
                source, target = known[one.split(":")[1]], known[two.split(":")[1]]
                if places[source][0] != places[target][0]:
                    return False
                add_relation((label, source, target))
            elif kind == "*":
                label, one, two = line[2:].split(" ")
                source, target = known[one], known[two]
                if line[1] != "\t" or label != label.strip() or places[source][0] != places[target][0]:
                    return False
                add_relation((label, source, target))
            elif kind == "A":
                _, label, name = line.split()
                index = known[name]
                draft.attributes[index] = (*draft.attributes.get(index, ()), label)
            else:
                return False
    except (ValueError, IndexError, KeyError):
        return False
    draft.ids = [name[1:] for name in known]
    return re.fullmatch(_IDS, "\n".join([*known, ""])) is not None
