"""Small tables with sentences around them, as text for people: aligned, Markdown, LaTeX or HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from karat.drawing.pages import marked_up, page
from karat.screen import Screen
from karat.terminal import visible, wrapped
from karat.views._columns import ScreenColumn, fitted, folded, left_out_note, lines_of
from karat.views.latex import escape as latex_escape
from karat.views.markdown import escape as markdown_escape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_MARKS = {"†": r"$^{\dagger}$", "−": "$-$", "●": "$\\bullet$"}
"""What LaTeX sets by a command."""


class Strong(str):
    """A cell that stands out where a view can do that."""

    __slots__ = ()


class TextTable(NamedTuple):
    """A table: the head, the lines, and how many columns from the left hold words.

    ``drawn`` are the places of pictures, ``strong`` that of the number that matters, and ``left_out`` the heads of
    columns that had no room.
    """

    head: Sequence[str]
    lines: Sequence[Sequence[str]]
    left: int
    drawn: Sequence[int] = ()
    strong: int | None = None
    left_out: Sequence[str] = ()


class Tables(NamedTuple):
    """What is shown: a title, sentences, tables, remarks below them, and signatures."""

    title: str
    sentences: Sequence[str]
    blocks: Sequence[TextTable]
    remarks: Sequence[str]
    signatures: Sequence[str]


def rendered(view: str, tables: Tables, screen: Screen = Screen()) -> str:  # noqa: B008 - it cannot change
    """Return tables as text of a view, which ends with a line end; at a terminal sentences are broken to fit."""
    text = _aligned(tables, screen) if view == "table" else _VIEWS[view](tables)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _aligned(tables: Tables, screen: Screen) -> str:
    laid_out = [
        fitted(_columns(block), screen.width) if screen.terminal else (_columns(block), []) for block in tables.blocks
    ]
    spared = [name for block in tables.blocks for name in block.left_out] if screen.terminal else []
    left_out = left_out_note([*spared, *(name for _, names in laid_out for name in names)])
    told, remarks = (
        [line for text in texts for line in wrapped(visible(text), screen.width)]
        for texts in (tables.sentences, [*tables.remarks, *left_out])
    )
    signed = [screen.tone("soft", line) for text in tables.signatures for line in folded(visible(text), screen)]
    blocks = (lines_of(columns, screen) for columns, _ in laid_out)
    parts = [[screen.tone("strong", visible(tables.title))], told, *blocks, [*remarks, *signed]]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _columns(block: TextTable) -> list[ScreenColumn]:
    cells = list(zip(*block.lines, strict=True)) or [()] * len(block.head)
    return [
        ScreenColumn(
            head,
            column,
            left=place < block.left,
            tone="gold" if place in block.drawn else "strong" if place == block.strong else "",
            drawn=place in block.drawn,
        )
        for place, (head, column) in enumerate(zip(block.head, cells, strict=True))
    ]


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
    return page(tables.title, tables_markup(tables))


def tables_markup(tables: Tables) -> str:
    """Return tables with what stands around them as a piece of a page."""
    lines = [f"<h1>{marked_up(tables.title)}</h1>", *_paragraphs(tables.sentences, ' class="told"')]
    for block in tables.blocks:
        head = "".join(
            f'<th scope="col"{_side(place, block)}>{marked_up(cell)}</th>' for place, cell in enumerate(block.head)
        )
        lines += ['<div class="wide" tabindex="0"><table>', "<thead>", f"<tr>{head}</tr>", "</thead>", "<tbody>"]
        lines += [f"<tr>{''.join(_html_cells(line, block))}</tr>" for line in block.lines]
        lines += ["</tbody>", "</table></div>"]
    lines += [*_paragraphs(tables.remarks), *(f"<p><code>{marked_up(line)}</code></p>" for line in tables.signatures)]
    return "\n".join(lines) + "\n"


def _side(place: int, block: TextTable) -> str:
    return ' class="text"' if place < block.left else ""


def _html_cells(line: Sequence[str], block: TextTable) -> Iterable[str]:
    for place, cell in enumerate(line):
        shown = f"<strong>{marked_up(cell)}</strong>" if isinstance(cell, Strong) and cell else marked_up(cell)
        is_name = place < min(block.left, 1) and cell
        yield f'<th scope="row">{shown}</th>' if is_name else f"<td{_side(place, block)}>{shown}</td>"


def _paragraphs(texts: Iterable[str], kind: str = "") -> Iterable[str]:
    return (f"<p{kind}>{marked_up(text)}</p>" for text in texts)


_VIEWS: dict[str, Callable[[Tables], str]] = {
    "markdown": _markdown,
    "latex": _latex,
    "html": _html,
}
TEXT_VIEWS = ("table", *_VIEWS)
