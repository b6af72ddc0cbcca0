"""Small tables with sentences around them, as text for people: aligned, Markdown, LaTeX, HTML or CSV."""

from __future__ import annotations

import csv
import io
from html import escape as escape_markup
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from karat.terminal import aligned, visible, widths
from karat.views.latex import escape as latex_escape
from karat.views.markdown import escape as markdown_escape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_MARKS = {"†": r"$^{\dagger}$", "−": "$-$", "●": "$\\bullet$"}
"""What LaTeX sets by a command."""


class Strong(str):
    """A cell that stands out where a view can do that."""

    __slots__ = ()


class Block(NamedTuple):
    """A table: the head, the lines, and how many columns from the left hold words."""

    head: Sequence[str]
    lines: Sequence[Sequence[str]]
    left: int


class Tables(NamedTuple):
    """What is shown: a title, sentences, tables, remarks below them, and signatures."""

    title: str
    sentences: Sequence[str]
    blocks: Sequence[Block]
    remarks: Sequence[str]
    signatures: Sequence[str]


def rendered(view: str, tables: Tables, width: int = 100) -> str:
    """Return tables as text of a view, which ends with a line end; at a terminal sentences are broken to fit."""
    text = _aligned(tables, width) if view == "table" else _VIEWS[view](tables)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _aligned(tables: Tables, width: int) -> str:
    told, remarks = (
        [line for text in texts for line in wrap(visible(text), width)] for texts in (tables.sentences, tables.remarks)
    )
    parts = [[tables.title], told, *map(_text_block, tables.blocks), [*remarks, *tables.signatures]]
    return "\n\n".join("\n".join(map(visible, part)) for part in parts if part) + "\n"


def _text_block(block: Block) -> list[str]:
    shown = [[visible(cell) for cell in line] for line in (block.head, *block.lines)]
    columns = widths(shown)
    shown.insert(1, ["-" * column for column in columns])
    return [aligned(line, columns, left=block.left) for line in shown]


def _markdown(tables: Tables) -> str:
    parts = [f"**{markdown_escape(tables.title)}**", *map(markdown_escape, tables.sentences)]
    for block in tables.blocks:
        rule = [":---"] * block.left + ["---:"] * (len(block.head) - block.left)
        lines = [[markdown_escape(cell) for cell in block.head], rule]
        lines += ([_markdown_cell(cell) for cell in line] for line in block.lines)
        parts.append("\n".join(f"| {' | '.join(line)} |" for line in lines))
    parts += [markdown_escape(remark) for remark in tables.remarks]
    parts += [f"`{visible(line).replace('`', '')}`" for line in tables.signatures]
    return "\n\n".join(parts) + "\n"


def _markdown_cell(cell: str) -> str:
    return f"**{markdown_escape(cell)}**" if isinstance(cell, Strong) and cell else markdown_escape(cell)


def _latex(tables: Tables) -> str:
    lines = [r"% needs \usepackage{booktabs}", *(f"% {visible(line)}" for line in (tables.title, *tables.sentences))]
    lines += [f"% {visible(line)}" for line in tables.signatures]
    for block in tables.blocks:
        columns = "l" * block.left + "r" * (len(block.head) - block.left)
        lines += [rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
        lines += [" & ".join(map(_latex_text, block.head)) + r" \\", r"\midrule"]
        lines += [" & ".join(map(_latex_cell, line)) + r" \\" for line in block.lines]
        lines += [r"\bottomrule", r"\end{tabular}", ""]
    lines += [rf"{{\footnotesize {_latex_text(remark)}}}" + "\n" for remark in tables.remarks]
    return "\n".join(lines).rstrip("\n") + "\n"


def _latex_cell(cell: str) -> str:
    return rf"\textbf{{{_latex_text(cell)}}}" if isinstance(cell, Strong) and cell else _latex_text(cell)


def _latex_text(text: str) -> str:
    escaped = latex_escape(text)
    for mark, command in _MARKS.items():
        escaped = escaped.replace(mark, command)
    return escaped


def _html(tables: Tables) -> str:
    lines = [f"<p><strong>{_markup(tables.title)}</strong></p>", *_paragraphs(tables.sentences)]
    for block in tables.blocks:
        head = "".join(f'<th scope="col">{_markup(cell)}</th>' for cell in block.head)
        lines += ['<table class="karat">', "<thead>", f"<tr>{head}</tr>", "</thead>", "<tbody>"]
        lines += [f"<tr>{''.join(_html_cells(line, block.left))}</tr>" for line in block.lines]
        lines += ["</tbody>", "</table>"]
    lines += [*_paragraphs(tables.remarks), *(f"<p><code>{_markup(line)}</code></p>" for line in tables.signatures)]
    return "\n".join(lines) + "\n"


def _html_cells(line: Sequence[str], left: int) -> Iterable[str]:
    for place, cell in enumerate(line):
        shown = f"<strong>{_markup(cell)}</strong>" if isinstance(cell, Strong) and cell else _markup(cell)
        yield f'<th scope="row">{shown}</th>' if place < min(left, 1) else f"<td>{shown}</td>"


def _paragraphs(texts: Iterable[str]) -> Iterable[str]:
    return (f"<p>{_markup(text)}</p>" for text in texts)


def _markup(text: str) -> str:
    return escape_markup(visible(text))


def _csv(tables: Tables) -> str:
    """Return the first table alone: what stands beside it has no place in a file of values."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    for block in tables.blocks[:1]:
        writer.writerow(block.head)
        writer.writerows([_unformulated(cell) for cell in line] for line in block.lines)
    return target.getvalue()


def _unformulated(cell: str) -> str:
    """Return a cell that no spreadsheet computes; numbers have a plain minus."""
    from karat.terminal import masked

    return masked(cell.replace("−", "-"))


_VIEWS: dict[str, Callable[[Tables], str]] = {
    "markdown": _markdown,
    "latex": _latex,
    "html": _html,
    "csv": _csv,
}
TEXT_VIEWS = ("table", *_VIEWS)
