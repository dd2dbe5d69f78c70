"""Reports: a study as one page with everything inside, readable on a phone, without a network."""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from dicelab.strategies.file import written_whole
from dicelab.studies.checks import AGREES, EXPLAINED, WRONG, Check, Drawn, Reproduction, Section

LARGEST = 400_000
"""Bytes beyond which a figure goes into the page as PNG and not as SVG."""

WORDS = {AGREES: "agrees", EXPLAINED: "differs, explained", WRONG: "differs"}


def write_reports(found: Sequence[Reproduction], folder: Path) -> list[Path]:
    """Write a page for each study, its figures as files, and a page that lists the studies."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for one in found:
        page = folder / f"{one.study.name}.html"
        _write(page, study_page(one).encode())
        for figure in (figure for section in one.sections for figure in section.figures):
            place = folder / "figures"
            place.mkdir(exist_ok=True)
            _write(place / f"{figure.name}.svg", figure.svg)
            _write(place / f"{figure.name}.png", figure.png)
        written.append(page)
    if len(found) > 1:
        _write(folder / "index.html", index_page(found).encode())
        written.insert(0, folder / "index.html")
    return written


def _write(path: Path, content: bytes) -> None:
    with written_whole(path, "wb") as file:
        file.write(content)


def study_page(found: Reproduction) -> str:
    """Return the page of one study."""
    study = found.study
    parts = [
        f"<h1>{_text(study.title)}</h1>",
        f"<p>{_text(study.about)}. What the study says, beside what dicelab finds.</p>",
        f'<p class="total {"bad" if not found.holds else "good"}">{_text(tally(found))}</p>',
        *(_section(section) for section in found.sections),
    ]
    if study.left_out:
        lines = "".join(f"<li>{_text(line)}</li>" for line in study.left_out)
        parts.append(f"<h2>What cannot be recomputed</h2><ul>{lines}</ul>")
    parts.append(
        f'<p class="small">Made by: dicelab reproduce {_text(study.name)}, in '
        f"{found.seconds:.0f} s. More on this study: {_text(study.page)}.</p>"
    )
    return _page(f"{study.name}: {study.title}", "\n".join(parts))


def index_page(found: Sequence[Reproduction]) -> str:
    """Return the page that lists the studies."""
    rows = "".join(
        f'<li><a href="{_text(one.study.name)}.html">{_text(one.study.title)}</a><br>'
        f"{_text(one.study.about)}<br>{_text(tally(one))}</li>"
        for one in found
    )
    return _page("The studies, reproduced", f"<h1>The studies, reproduced</h1><ul>{rows}</ul>")


def tally(found: Reproduction) -> str:
    """Return how many checks agree, differ for a known reason, or are wrong."""
    counts = {verdict: found.count(verdict) for verdict in (AGREES, EXPLAINED, WRONG)}
    told = f"{counts[AGREES]} of {len(found.checks)} claims agree"
    if counts[EXPLAINED]:
        told += f", {counts[EXPLAINED]} differ for a reason we can show"
    told += f", {counts[WRONG]} differ and should not" if counts[WRONG] else ""
    failed = sum(check.verdict == WRONG for check in found.besides)
    return told + (f"; besides, {failed} findings of ours do not hold" if failed else "")


def _section(section: Section) -> str:
    parts = [f"<h2>{_text(section.title)}</h2>"]
    parts += [f"<p>{_text(note)}</p>" for note in section.notes]
    parts += [_figure(figure) for figure in section.figures]
    if section.checks:
        head = "".join(
            f"<th>{title}</th>" for title in ("where", "what", "study", "ours", "verdict")
        )
        rows = "\n".join(_row(check) for check in section.checks)
        parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table>")
    return "\n".join(parts)


def _row(check: Check) -> str:
    cells = (
        ("where", check.source),
        ("what", check.claim),
        ("study", check.paper),
        ("ours", check.ours),
        ("verdict", WORDS[check.verdict] + (f": {check.remark}" if check.remark else "")),
    )
    inside = "".join(f'<td data-label="{name}">{_text(cell)}</td>' for name, cell in cells)
    return f'<tr class="{check.verdict}">{inside}</tr>'


def _figure(figure: Drawn) -> str:
    kind, content = ("svg+xml", figure.svg) if len(figure.svg) <= LARGEST else ("png", figure.png)
    data = base64.b64encode(content).decode()
    return (
        f'<figure><img alt="{_text(figure.caption)}" src="data:image/{kind};base64,{data}">'
        f"<figcaption>{_text(figure.caption)} <code>{_text(figure.command)}</code></figcaption>"
        f"</figure>"
    )


def _page(title: str, body: str) -> str:
    style = files(__package__).joinpath("report.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f"{body}\n</main>\n</body>\n</html>\n"
    )


def _text(text: str) -> str:
    return html.escape(text, quote=True)
