"""Tables with sentences around them: aligned for a terminal, and as Markdown, LaTeX and HTML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from karat.display.drawing.pages import marked_up, page
from karat.display.views import writable
from karat.display.views._columns import ScreenColumn, fitted, folded, left_out_note, lines_of
from karat.display.views._grid import notes, pivot, signatures, title_of
from karat.display.views._pictures import pictures
from karat.io.terminal import Screen, visible, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from karat.evaluation.scores import Scores

_ACTIVE = re.compile(r"([\\`*_\[\]<>|~&$#])")
"""Characters with a special meaning in Markdown."""
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # unescaped, it would be an option of the line break in the row above
    "*": "{*}",
} | {character: f"\\{character}" for character in "{}$&#_%"}
_ESCAPES = str.maketrans(_SPECIAL)
_MARKS = {"†": r"$^{\dagger}$", "−": "$-$", "●": "$\\bullet$"}
"""The LaTeX commands of special characters."""


class Strong(str):
    """A cell that is set in bold in views that can."""

    __slots__ = ()


class TextTable(NamedTuple):
    """A table: the head, the lines, and how many columns from the left hold words.

    ``drawn`` are the indices of columns with pictures, ``strong`` is that of the main number, ``left_out`` the heads of
    columns that had no room.
    """

    head: Sequence[str]
    lines: Sequence[Sequence[str]]
    left: int
    drawn: Sequence[int] = ()
    strong: int | None = None
    left_out: Sequence[str] = ()


class Tables(NamedTuple):
    """The content of a view: a title, sentences, tables, remarks below them, and signatures."""

    title: str
    sentences: Sequence[str]
    blocks: Sequence[TextTable]
    remarks: Sequence[str] = ()
    signatures: Sequence[str] = ()


def rendered(view: str, tables: Tables, screen: Screen = Screen()) -> str:  # noqa: B008 - it cannot change
    """Return tables as text in a view, ending with a line end; sentences are wrapped for a terminal."""
    return writable(_aligned(tables, screen) if view == "table" else _VIEWS[view](tables))


def _aligned(tables: Tables, screen: Screen) -> str:
    laid_out = [
        fitted(columns_of(block), screen.width) if screen.terminal else (columns_of(block), [])
        for block in tables.blocks
    ]
    spared = [name for block in tables.blocks for name in block.left_out] if screen.terminal else []
    left_out = left_out_note([*spared, *(name for _, names in laid_out for name in names)])
    told, remarks = (
        [line for text in texts for line in wrapped(visible(text), screen.width)]
        for texts in (tables.sentences, [*tables.remarks, *left_out])
    )
    signed = [screen.tone("soft", line) for text in tables.signatures for line in folded(visible(text), screen)]
    blocks = (lines_of(block, screen) for block, _ in laid_out)
    parts = [[screen.tone("strong", visible(tables.title))], told, *blocks, [*remarks, *signed]]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def columns_of(block: TextTable) -> list[ScreenColumn]:
    """Return a table as columns of a terminal."""
    cells = list(zip(*block.lines, strict=True)) or [()] * len(block.head)
    return [
        ScreenColumn(
            head,
            column,
            left=index < block.left,
            tone="gold" if index in block.drawn else "strong" if index == block.strong else "",
            drawn=index in block.drawn,
        )
        for index, (head, column) in enumerate(zip(block.head, cells, strict=True))
    ]


def markdown_escape(text: str) -> str:
    r"""Return the text so that Markdown shows it as it is.

    >>> print(markdown_escape("a|b_c"))
    a\|b\_c
    """
    return _ACTIVE.sub(r"\\\1", visible(text))


def _markdown(tables: Tables) -> str:
    parts = [f"**{markdown_escape(tables.title)}**", *map(markdown_escape, tables.sentences)]
    parts += (
        _markdown_table(block.head, [list(map(_markdown_cell, line)) for line in block.lines], block.left)
        for block in tables.blocks
    )
    parts += [markdown_escape(remark) for remark in tables.remarks]
    parts += [f"`{visible(line).replace('`', '')}`" for line in tables.signatures]
    return "\n\n".join(parts) + "\n"


def _markdown_table(head: Sequence[str], lines: Iterable[Sequence[str]], left: int) -> str:
    """Return a table of escaped cells; the head is escaped here."""
    rule = [":---"] * left + ["---:"] * (len(head) - left)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (map(markdown_escape, head), rule, *lines))


def _markdown_cell(cell: str) -> str:
    return f"**{markdown_escape(cell)}**" if isinstance(cell, Strong) and cell else markdown_escape(cell)


def scores_markdown(scores: Sequence[Scores]) -> str:
    """Return the table of scores, the notes, and the signatures as code.

    >>> from karat.evaluation.scores import Row, Scores
    >>> from karat.evaluation.tally import Tallies
    >>> rows = (Row("f1", "strict", "micro", "NE", 0.5),)
    >>> print(scores_markdown([Scores("small", "team1", rows, "karat:1.0", Tallies([], []))]), end="")
    | layer | average | regime | F1 |
    | :--- | :--- | :--- | ---: |
    | NE | micro | strict | 0.500 |
    <BLANKLINE>
    `karat:1.0`
    """
    grid = pivot(scores)
    head, *body = grid.scores()
    names = len(grid.keys)
    lines = ([*map(markdown_escape, cells[:names]), *cells[names:]] for cells in body)
    ending = [markdown_escape(note) for note in notes(scores)] + [_code(line) for line in signatures(scores)]
    return "\n\n".join([_markdown_table(head, lines, names), *ending]) + "\n"


def _code(text: str) -> str:
    """Return the text as code, between more backticks than it has in a row."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {visible(text)} {fence}" if longest else f"{fence}{visible(text)}{fence}"


def latex_escape(text: str) -> str:
    r"""Return the text so that LaTeX sets it as it is.

    >>> print(latex_escape("50 % of A&B"))
    50 \% of A\&B
    """
    return visible(text).translate(_ESCAPES)


def _latex(tables: Tables) -> str:
    lines = [r"% needs \usepackage{booktabs}", *(f"% {visible(line)}" for line in (tables.title, *tables.sentences))]
    lines += [f"% {visible(line)}" for line in tables.signatures]
    for block in tables.blocks:
        cells = [list(map(_latex_text, block.head)), *(list(map(_latex_cell, line)) for line in block.lines)]
        lines += [*_latex_table(cells, block.left), ""]
    lines += [rf"{{\footnotesize {_latex_text(remark)}}}" + "\n" for remark in tables.remarks]
    return "\n".join(lines).rstrip("\n") + "\n"


def _latex_table(cells: Sequence[Sequence[str]], left: int) -> list[str]:
    """Return the lines of a table of cells that are escaped, the head first."""
    head, *body = (" & ".join(line) + r" \\" for line in cells)
    columns = "l" * left + "r" * (len(cells[0]) - left)
    start = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule"]
    return [*start, *body, r"\bottomrule", r"\end{tabular}"]


def _latex_cell(cell: str) -> str:
    return rf"\textbf{{{_latex_text(cell)}}}" if isinstance(cell, Strong) and cell else _latex_text(cell)


def _latex_text(text: str) -> str:
    escaped = latex_escape(text)
    for mark, command in _MARKS.items():
        escaped = escaped.replace(mark, command)
    return escaped


def scores_latex(scores: Sequence[Scores]) -> str:
    r"""Return the table of scores, with notes and signatures as comments and the signatures once more in small print.

    >>> from karat.evaluation.scores import Row, Scores
    >>> from karat.evaluation.tally import Tallies
    >>> rows = (Row("f1", "strict", "micro", "NE_LIT", 0.5),)
    >>> print(scores_latex([Scores("small", "team1", rows, "karat:1.0", Tallies([], []))]), end="")
    % karat:1.0
    \begin{tabular}{lllr}
    \toprule
    layer & average & regime & F1 \\
    \midrule
    NE\_LIT & micro & strict & 0.500 \\
    \bottomrule
    \end{tabular}
    <BLANKLINE>
    {\footnotesize\texttt{karat:1.0}}
    """
    grid = pivot(scores)
    head, *body = grid.scores()
    names = len(grid.keys)
    cells = [[*map(latex_escape, line[:names]), *line[names:]] for line in body]
    comments = [f"% {visible(line)}" for line in notes(scores) + signatures(scores)]
    table = _latex_table([list(map(latex_escape, head)), *cells], names)
    ending = [rf"{{\footnotesize\texttt{{{_breakable(line)}}}}}" for line in signatures(scores)]
    return "\n\n".join(["\n".join([*comments, *table]), *ending]) + "\n"


def _breakable(signature: str) -> str:
    """Return the escaped signature, which may be broken behind each of its parts."""
    return latex_escape(signature).replace(_SPECIAL["|"], _SPECIAL["|"] + r"\allowbreak{}")


def tables_markup(tables: Tables) -> str:
    """Return tables with the text around them as HTML."""
    lines = [f"<h1>{marked_up(tables.title)}</h1>", *_paragraphs(tables.sentences, ' class="told"')]
    for block in tables.blocks:
        lines += _html_table(
            _html_head(block.head, block.left), [_html_cells(line, block.left) for line in block.lines]
        )
    return "\n".join([*lines, *_paragraphs(tables.remarks), *_signed(tables.signatures)]) + "\n"


def _html_table(head: Iterable[str], lines: Iterable[Iterable[str]]) -> list[str]:
    """Return the lines of a table of cells that are markup."""
    start = ['<div class="wide" tabindex="0"><table>', "<thead>", f"<tr>{''.join(head)}</tr>", "</thead>", "<tbody>"]
    return [*start, *(f"<tr>{''.join(cells)}</tr>" for cells in lines), "</tbody>", "</table></div>"]


def _html_head(head: Sequence[str], left: int) -> list[str]:
    return [f'<th scope="col"{_side(column, left)}>{marked_up(cell)}</th>' for column, cell in enumerate(head)]


def _side(column: int, left: int) -> str:
    return ' class="text"' if column < left else ""


def _html_cells(line: Sequence[str], left: int) -> Iterable[str]:
    for column, cell in enumerate(line):
        shown = f"<strong>{marked_up(cell)}</strong>" if isinstance(cell, Strong) and cell else marked_up(cell)
        is_name = column < min(left, 1) and cell
        yield f'<th scope="row">{shown}</th>' if is_name else f"<td{_side(column, left)}>{shown}</td>"


def _paragraphs(texts: Iterable[str], kind: str = "") -> list[str]:
    return [f"<p{kind}>{marked_up(text)}</p>" for text in texts]


def _signed(signed: Iterable[str]) -> list[str]:
    return [f"<p><code>{marked_up(line)}</code></p>" for line in signed]


def scores_html(scores: Sequence[Scores]) -> str:
    """Return a whole page with the scores of some systems."""
    return page(title_of(scores), scores_markup(scores))


def scores_markup(scores: Sequence[Scores]) -> str:
    """Return scores as HTML: the table with its counts, intervals drawn, the notes and the signatures.

    >>> from karat.evaluation.scores import Row, Scores
    >>> from karat.evaluation.tally import Tallies
    >>> rows = (Row("f1", "strict", "micro", "<NE>", 0.5),)
    >>> text = scores_markup([Scores("small", "team1", rows, "karat:1.0", Tallies([], []))])
    >>> text.splitlines()[6]
    '<tr><th scope="row">&lt;NE&gt;</th><th scope="row">micro</th><th scope="row">strict</th><td>0.500</td></tr>'
    """
    grid = pivot(scores)
    head, *body = grid.scores_and_counts()
    names = len(grid.keys)
    measure = "f1" if "f1" in grid.measures else next(iter(grid.measures), "")
    drawn = pictures([line.numbers.get(measure) for line in grid.lines])
    lines = []
    for cells in body:
        keys = [f'<th scope="row">{marked_up(cell)}</th>' if cell else "<td></td>" for cell in cells[:names]]
        lines.append([*keys, *(f"<td>{marked_up(cell)}</td>" for cell in cells[names:])])
    heads = _html_head(head, names)
    if drawn:
        column = names + len(grid.measures)
        heads.insert(column, "<td></td>")
        for line, picture in zip(lines, drawn, strict=True):
            line.insert(column, f'<td class="drawn">{picture}</td>')
    parts = [f"<h1>{marked_up(title_of(scores))}</h1>", *_html_table(heads, lines)]
    return "\n".join([*parts, *_paragraphs(notes(scores)), *_signed(signatures(scores))]) + "\n"


_VIEWS: dict[str, Callable[[Tables], str]] = {
    "markdown": _markdown,
    "latex": _latex,
    "html": lambda tables: page(tables.title, tables_markup(tables)),
}
TEXT_VIEWS = ("table", *_VIEWS)
