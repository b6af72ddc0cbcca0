"""A query of two hops with a run and a pool, to be changed by the tests of slot filling."""

from __future__ import annotations

from pathlib import Path

from karat.cli import run as karat
from karat.vocabularies.coldstart.query_ids import follow_up_digits

Q = "CSSF15_ENG_0123456789"
QUERIES = f"""<query_set>
  <query id="{Q}"><name>Ada</name><docid>d1</docid><beg>0</beg><end>2</end><enttype>per</enttype>
  <slot0>per:children</slot0><slot1>per:age</slot1></query>
</query_set>
"""


def target(value: str, place: str, query: str = Q) -> str:
    """Return the id of the query that an answer leads to."""
    return f"{Q}_{follow_up_digits(query, value, place)}"


BOB, CY = target("Bob", "d1:10-12"), target("Cy", "d2:0-1")


def answer(query: str, value: str, place: str, *, relation: str = "d1:0-99", confidence: str = "1.0") -> str:
    """Return a line of a run."""
    slot = "per:children" if query == Q else "per:age"
    return f"{query}\t{slot}\trun1\t{relation}\t{value}\tSTRING\t{place}\t{confidence}"


def judged(query: str, value: str, place: str, judgment: str, ec: str, *, relation: str = "d1:0-99") -> str:
    """Return a line of a pool; the class is without the query."""
    slot = "per:children" if query == Q else "per:age"
    name = f"{Q}:{ec}" if ec != "0" else ec
    return f"a\t{query}:{slot}\t{relation}\t{value}\t{place}\t{judgment}\t{judgment}\t{name}"


RUN = [answer(Q, "Bob", "d1:10-12"), answer(Q, "Dan", "d1:20-22"), answer(BOB, "4", "d1:30-30")]
POOL = [
    judged(Q, "Bob", "d1:10-12", "C", "1"),
    judged(Q, "Cy", "d2:0-1", "C", "2"),
    judged(Q, "Dan", "d1:20-22", "W", "0"),
    judged(BOB, "4", "d1:30-30", "C", "1:1"),
]


def write(folder: Path, run: list[str], pool: list[str], queries: str = QUERIES) -> list[str]:
    """Write the files of an evaluation and return their names."""
    texts = {"q.xml": queries, "run.tab.txt": "\n".join(run) + "\n", "pool.fqec": "\n".join(pool) + "\n"}
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    return [str(folder / name) for name in texts]


def rows(folder: Path, run: list[str], pool: list[str], *switches: str, queries: str = QUERIES) -> dict[str, list[str]]:
    """Score a run and return GT, Right, Wrong, Dup and F1 by row, as text."""
    files = write(folder, run, pool, queries)
    out = folder / "scores"
    assert karat(["coldstart", "score", "-tabs", "-output_file", str(out), *switches, *files]) == 0
    cells = [line.split("\t") for line in out.read_text("utf-8").splitlines()[1:]]
    return {f"{row[0]} {row[2]}".strip(): [*map(str.strip, row[3:7]), row[-1]] for row in cells}
