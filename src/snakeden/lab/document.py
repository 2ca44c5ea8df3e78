"""A report as plain data, and the same as HTML that stands alone, as Markdown and as PDF."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from textwrap import wrap

from snakeden.lab.plots import FONT, GRID, INK, QUIET

FORMATS = ("html", "md", "pdf")


@dataclass(frozen=True)
class Heading:
    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Code:
    text: str


@dataclass(frozen=True)
class Table:
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int = 1
    """This many columns, the first ones, are texts; the others are numbers, which stand to the right."""


@dataclass(frozen=True)
class Figure:
    svg: str
    caption: str


Block = Heading | Paragraph | Code | Table | Figure


def html(title: str, blocks: Sequence[Block]) -> str:
    """One page that needs nothing beside it."""
    body = "\n".join(_html(block) for block in blocks)
    return _PAGE.replace("TITLE", escape(title)).replace("BODY", body)


def _html(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h{block.level}>{escape(block.text)}</h{block.level}>"
    if isinstance(block, Paragraph):
        return f"<p>{escape(block.text)}</p>"
    if isinstance(block, Code):
        return f"<pre>{escape(block.text)}</pre>"
    if isinstance(block, Figure):
        return f"<figure>{block.svg}<figcaption>{escape(block.caption)}</figcaption></figure>"
    head = "".join(
        f"<th{_side(block, k)} scope=col>{escape(cell)}</th>" for k, cell in enumerate(block.header)
    )
    rows = "\n".join(
        "<tr>" + "".join(f"<td{_side(block, k)}>{escape(cell)}</td>" for k, cell in enumerate(row)) + "</tr>"
        for row in block.rows
    )
    return f"<div class=wide><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"


def _side(table: Table, column: int) -> str:
    return "" if column < table.left else " class=number"


_PAGE = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>TITLE</title>
<style>
body {{ font: 16px/1.5 {FONT}; color: {INK}; background: #fff; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }}
h1, h2, h3 {{ line-height: 1.2; margin: 2em 0 .6em }} h1 {{ margin-top: 0 }}
.wide {{ overflow-x: auto }}
table {{ border-collapse: collapse; font-size: .9rem }}
th, td {{ padding: .3rem .7rem; border-bottom: 1px solid {GRID}; text-align: left; white-space: nowrap }}
.number {{ text-align: right; font-variant-numeric: tabular-nums }}
th {{ color: {QUIET}; font-weight: 600 }}
figure {{ margin: 1.5rem 0 }} figure svg {{ max-width: 100%; height: auto }}
figcaption {{ color: {QUIET}; font-size: .9rem }}
pre {{ background: #f3f6f4; padding: .8rem 1rem; overflow-x: auto }}
</style>
<main>
<h1>TITLE</h1>
BODY
</main>
</html>
"""


def markdown(title: str, blocks: Sequence[Block], name: str) -> dict[str, str]:
    """The page and its pictures, each under its file's name; `name` is the page's without ending."""
    parts, files = [f"# {title}"], dict[str, str]()
    for block in blocks:
        if isinstance(block, Heading):
            parts.append("#" * block.level + " " + block.text)
        elif isinstance(block, Paragraph):
            parts.append(block.text)
        elif isinstance(block, Code):
            parts.append(f"```\n{block.text}\n```")
        elif isinstance(block, Figure):
            picture = f"{name}-{len(files) + 1}.svg"
            files[picture] = block.svg
            parts.append(f"![{block.caption}]({picture})")
        else:
            rule = ["---" if k < block.left else "---:" for k in range(len(block.header))]
            rows = [block.header, tuple(rule), *block.rows]
            parts.append("\n".join("| " + " | ".join(row) + " |" for row in rows))
    return {f"{name}.md": "\n\n".join(parts) + "\n", **files}


# ---- PDF: pages are pictures, filled from the top

_PAPER = (595.0, 842.0)
_MARGIN = 48.0
_LETTER = 0.53
"""The width of a letter as a part of its height, on average."""
_HIGHEST = 0.45
"""The part of a page that a picture takes at most."""


@dataclass(frozen=True)
class _Strip:
    """Something that is not divided between pages; its elements are drawn from its upper left corner."""

    height: float
    body: str
    stays_with_next: bool = False
    above: _Strip | None = None
    """What is repeated above it where it is the first on a page: the head of its table."""


def pdf(title: str, blocks: Sequence[Block]) -> bytes:
    """The report on pages of A4."""
    from snakeden.drawing.image import pdf as document

    strips = [strip for block in (Heading(title, 1), *blocks) for strip in _strips(block)]
    pages: list[list[str]] = [[]]
    y = _MARGIN
    for k, strip in enumerate(strips):
        if y + _together(strips, k) > _PAPER[1] - _MARGIN and pages[-1]:
            pages.append([])
            y = _MARGIN
            if strip.above is not None:
                pages[-1].append(f'<g transform="translate({_MARGIN} {y:.1f})">{strip.above.body}</g>')
                y += strip.above.height
        pages[-1].append(f'<g transform="translate({_MARGIN} {y:.1f})">{strip.body}</g>')
        y += strip.height
    return document(_paper(page, number, len(pages)) for number, page in enumerate(pages, 1))


def _together(strips: Sequence[_Strip], first: int) -> float:
    """The height of a strip and of those that stay with it."""
    height = strips[first].height
    while strips[first].stays_with_next and first + 1 < len(strips):
        first += 1
        height += strips[first].height
    return height


def _paper(body: list[str], number: int, count: int) -> str:
    width, height = _PAPER
    foot = _words(width / 2, height - 24, f"{number} / {count}", 8, colour=QUIET, anchor="middle")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="{escape(FONT, quote=True)}">'
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>{"".join(body)}{foot}</svg>'
    )


def _words(
    x: float,
    y: float,
    text: str,
    size: float,
    *,
    bold: bool = False,
    colour: str = INK,
    anchor: str = "start",
    code: bool = False,
) -> str:
    weight = (
        ' font-weight="bold"' if bold else ' font-family="monospace" xml:space="preserve"' if code else ""
    )
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" fill="{colour}" text-anchor="{anchor}"{weight}>'
        f"{escape(text)}</text>"
    )


def _strips(block: Block) -> Iterator[_Strip]:
    if isinstance(block, Heading):
        size = {1: 20.0, 2: 14.0}.get(block.level, 11.0)
        for line in wrap(block.text, int(_width() / (size * _LETTER))):
            yield _Strip(size * 2, _words(0, size * 1.4, line, size, bold=True), stays_with_next=True)
    elif isinstance(block, Paragraph | Code):
        size, letters = 9.5, int(_width() / (9.5 * _LETTER))
        for line in (part for text in block.text.split("\n") for part in wrap(text, letters) or [""]):
            yield _Strip(size * 1.5, _words(0, size, line, size, code=isinstance(block, Code)))
        yield _Strip(size * 0.7, "")
    elif isinstance(block, Figure):
        yield _figure(block)
        yield _Strip(18, _words(0, 8, block.caption, 8, colour=QUIET))
    else:
        yield from _rows(block)


def _width() -> float:
    return _PAPER[0] - 2 * _MARGIN


def _figure(block: Figure) -> _Strip:
    """The picture at the width of the text, or smaller: others must find room on its page."""
    found = dict(re.findall(r' (width|height)="([\d.]+)"', block.svg.partition(">")[0]))
    wide, high = float(found["width"]), float(found["height"])
    scale = min(_width() / wide, _HIGHEST * (_PAPER[1] - 2 * _MARGIN) / high, 1.0)
    first, rest = block.svg.split(">", 1)
    first = re.sub(r' (width|height)="[\d.]+"', "", first)
    # Not every program draws a dot for a line of no length.
    rest = rest.replace('l0 0"', 'l.01 0"')
    body = f'{first} x="0" y="0" width="{wide * scale:.1f}" height="{high * scale:.1f}">{rest}'
    return _Strip(high * scale + 8, body, stays_with_next=True)


def _rows(block: Table) -> Iterator[_Strip]:
    """The lines of a table, with letters so small that it fits."""
    columns = zip(block.header, *block.rows, strict=True)
    # Headings are bold, so a little wider.
    longest = [max(1.15 * len(head), *map(len, cells), 0) + 2 for head, *cells in columns]
    size = min(8.5, _width() / (sum(longest) * _LETTER))
    ends = [sum(longest[: k + 1]) * size * _LETTER for k in range(len(longest))]

    def line(row: tuple[str, ...], *, bold: bool, colour: str) -> str:
        cells = []
        for k, cell in enumerate(row):
            if k < block.left:
                cells.append(
                    _words(
                        ends[k] - longest[k] * size * _LETTER,
                        size * 1.2,
                        cell,
                        size,
                        bold=bold,
                        colour=colour,
                    )
                )
            else:
                cells.append(
                    _words(ends[k] - size, size * 1.2, cell, size, bold=bold, colour=colour, anchor="end")
                )
        rule = (
            f'<line x1="0" y1="{size * 1.7:.1f}" x2="{ends[-1]:.1f}" y2="{size * 1.7:.1f}" stroke="{GRID}"/>'
        )
        return "".join(cells) + rule

    head = _Strip(size * 1.9, line(block.header, bold=True, colour=QUIET), stays_with_next=True)
    yield head
    for number, row in enumerate(block.rows):
        # A heading with a row or two at the foot of a page is easily overlooked.
        few = number < min(2, len(block.rows) - 1)
        yield _Strip(size * 1.9, line(row, bold=False, colour=INK), stays_with_next=few, above=head)
    yield _Strip(size * 1.2, "")


def write(path: Path, title: str, blocks: Sequence[Block]) -> list[Path]:
    """Write the report in the format that the file's ending asks for; the files written. Raises ValueError."""
    form = path.suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise ValueError(
            f"{path}: a report's name ends in one of {', '.join('.' + known for known in FORMATS)}"
        )
    if form == "md":
        files = {name: text.encode() for name, text in markdown(title, blocks, path.stem).items()}
    else:
        files = {path.name: pdf(title, blocks) if form == "pdf" else html(title, blocks).encode()}
    for name, data in files.items():
        (path.parent / name).write_bytes(data)
    return [path.parent / name for name in files]
