"""Reports: a study as one page with everything inside, readable on a phone, without a network."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from dicelab.core.atomic_write import written_whole
from dicelab.plots.page import as_text, whole_page
from dicelab.studies.checks import AGREES, EXPLAINED, WRONG, Check, Drawn, Reproduction, Section

LARGEST = 400_000
"""Bytes beyond which a figure goes into the page as PNG and not as SVG."""

SHORT, BESIDE, WIDE = 28, 4, 1000
"""Letters of a number that must not break in two; printed numbers shown beside a figure; pixels
beyond which a figure takes the whole width."""

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
    """Return the page of one study: the verdict, what differs, the figures, then every check."""
    study = found.study
    figures = [_figure(figure, section) for section in found.sections for figure in section.figures]
    parts = [
        "<header>",
        f"<h1>{as_text(study.title)}</h1>",
        f'<p class="about">{as_text(study.about)}. What the study says, beside what dicelab finds.'
        "</p>",
        _summary(found),
        _contents(found, bool(figures)),
        "</header>",
        _differences(found),
    ]
    if figures:
        parts += ['<h2 id="figures">The figures, drawn again</h2>', '<div class="figures">']
        parts += [*figures, "</div>"]
    parts.append('<h2 id="checks">Every check, section by section</h2>')
    parts += [_section(section) for section in found.sections if section.checks or section.notes]
    if study.left_out:
        lines = "".join(f"<li>{as_text(line)}</li>" for line in study.left_out)
        parts.append(f"<h2>What cannot be recomputed</h2><ul>{lines}</ul>")
    parts.append(
        f'<p class="small">Made by: dicelab reproduce {as_text(study.name)}, in '
        f"{found.seconds:.0f} s. More on this study: {as_text(study.page)}.</p>"
    )
    return _page(f"{study.name}: {study.title}", "\n".join(parts))


def index_page(found: Sequence[Reproduction]) -> str:
    """Return the page that lists the studies."""
    cards = "".join(
        f'<li class="card"><a href="{as_text(one.study.name)}.html">{as_text(one.study.title)}</a>'
        f'<p class="about">{as_text(one.study.about)}</p>{_summary(one)}</li>'
        for one in found
    )
    head = (
        "<h1>The studies, reproduced</h1>"
        '<p class="about">What each study says, worked out again from the rules.</p>'
    )
    return _page("The studies, reproduced", f'{head}<ul class="studies">{cards}</ul>')


def tally(found: Reproduction) -> str:
    """Return how many checks agree, differ for a known reason, or are wrong."""
    counts = {verdict: found.count(verdict) for verdict in (AGREES, EXPLAINED, WRONG)}
    told = f"{counts[AGREES]} of {len(found.checks)} claims agree"
    if counts[EXPLAINED]:
        told += f", {counts[EXPLAINED]} differ for a reason we can show"
    told += f", {counts[WRONG]} differ and should not" if counts[WRONG] else ""
    failed = sum(check.verdict == WRONG for check in found.besides)
    return told + (f"; besides, {failed} findings of ours do not hold" if failed else "")


def _summary(found: Reproduction) -> str:
    """Return the numbers of each verdict, large, over a bar of their shares."""
    tiles = "".join(
        f'<div class="tile {verdict}"><b>{found.count(verdict)}</b><span>{told}</span></div>'
        for verdict, told in (
            (AGREES, "claims agree"),
            (EXPLAINED, "differ, and we can show why"),
            (WRONG, "differ and should not"),
        )
        if verdict == AGREES or found.count(verdict)
    )
    if found.besides:
        tiles += (
            f'<div class="tile besides"><b>{len(found.besides)}</b>'
            "<span>findings of ours besides</span></div>"
        )
    state = "good" if found.holds else "bad"
    return (
        f'<div class="tiles">{tiles}</div>{_bar(found.checks)}'
        f'<p class="total {state}">{as_text(tally(found))}</p>'
    )


def _bar(checks: Sequence[Check]) -> str:
    """Return a bar whose parts are as long as the verdicts are many."""
    parts = "".join(
        f'<i class="{verdict}" style="flex-grow: {count}"></i>'
        for verdict in (AGREES, EXPLAINED, WRONG)
        if (count := sum(check.verdict == verdict for check in checks))
    )
    return f'<div class="bar" aria-hidden="true">{parts}</div>'


def _contents(found: Reproduction, figures: bool) -> str:
    links = [("#differs", "What differs, and why")] if _differing(found) else []
    links += [("#figures", "The figures")] if figures else []
    links.append(("#checks", f"All {len(found.checks) + len(found.besides)} checks"))
    inside = "".join(f'<a href="{place}">{as_text(told)}</a>' for place, told in links)
    return f"<nav>{inside}</nav>"


def _differing(found: Reproduction) -> list[Check]:
    """Return what does not agree, the unexplained first."""
    differing = [c for c in (*found.checks, *found.besides) if c.verdict != AGREES]
    return sorted(differing, key=lambda check: check.verdict != WRONG)


def _differences(found: Reproduction) -> str:
    """Return a card for everything that differs: what is said, what we find, and why."""
    cards = "".join(
        f'<article class="card {check.verdict}"><p class="where">{as_text(check.source)}</p>'
        f"<h3>{as_text(check.claim)}</h3>"
        f'<dl><div><dt>the study</dt><dd class="study">{as_text(check.paper or "-")}</dd></div>'
        f"<div><dt>we find</dt><dd>{as_text(check.ours)}</dd></div></dl>"
        f'<p class="why"><b>{WORDS[check.verdict]}</b>{as_text(_after_colon(check.remark))}</p>'
        "</article>"
        for check in _differing(found)
    )
    if not cards:
        return ""
    return f'<h2 id="differs">What differs, and why</h2><div class="cards">{cards}</div>'


def _after_colon(remark: str) -> str:
    return f": {remark}" if remark else ""


def _section(section: Section) -> str:
    """Return the checks of a section, folded; open where something is wrong."""
    agree = sum(check.verdict == AGREES for check in section.checks)
    failing = any(check.verdict == WRONG for check in section.checks)
    told = f"{agree} of {len(section.checks)}" if section.checks else ""
    parts = [
        f"<details{' open' if failing else ''}><summary><span>{as_text(section.title)}</span>"
        f'<span class="count">{told}</span>{_bar(section.checks)}</summary>'
    ]
    parts += [f"<p>{as_text(note)}</p>" for note in section.notes]
    if section.checks:
        head = "".join(f"<th>{title}</th>" for title in ("what", "study", "ours", "verdict"))
        rows = "\n".join(_row(check) for check in section.checks)
        parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table>")
    parts.append("</details>")
    return "\n".join(parts)


def _row(check: Check) -> str:
    what = f'{as_text(check.claim)} <span class="where">{as_text(check.source)}</span>'
    verdict = "holds" if not check.is_claimed and check.verdict == AGREES else WORDS[check.verdict]
    cells = (
        ("what", what, ""),
        ("study", as_text(check.paper if check.is_claimed else "not claimed"), check.paper),
        ("ours", as_text(check.ours), check.ours),
        ("verdict", as_text(verdict + _after_colon(check.remark)), ""),
    )
    inside = "".join(
        f'<td data-label="{name}"{_whole(number)}>{cell}</td>' for name, cell, number in cells
    )
    kind = check.verdict if check.is_claimed else f"{check.verdict} besides"
    return f'<tr class="{kind}">{inside}</tr>'


def _whole(number: str) -> str:
    """Return what keeps a short number on one line."""
    return ' class="whole"' if number and len(number) <= SHORT else ""


def _figure(figure: Drawn, section: Section) -> str:
    """Return a figure with its caption and, beside it, what the study prints in its own."""
    kind, content = ("svg+xml", figure.svg) if len(figure.svg) <= LARGEST else ("png", figure.png)
    data = base64.b64encode(content).decode()
    # the header of a PNG says how many pixels it is wide
    wide = ' class="wide"' if int.from_bytes(figure.png[16:20], "big") > WIDE else ""
    return (
        f'<figure{wide}><img alt="{as_text(figure.caption)}" src="data:image/{kind};base64,{data}">'
        f"<figcaption>{as_text(figure.caption)} <code>{as_text(figure.command)}</code>"
        f"{_beside(figure, section)}</figcaption></figure>"
    )


def _beside(figure: Drawn, section: Section) -> str:
    """Return the printed numbers that belong to a figure, beside ours."""
    named = [
        f"{kind} {number}"
        for kind, first, last in re.findall(r"(figure|table)s? (\d+)(?: to (\d+))?", figure.caption)
        for number in range(int(first), int(last or first) + 1)
    ]
    found = [
        check
        for check in section.checks
        if check.is_claimed
        and re.search(r"\d", check.paper)
        and any(re.search(rf"\b{name}\b", check.source) for name in named)
    ]
    if not found:
        return ""
    lines = "".join(
        f"<li>{as_text(f'{check.claim}: the study {check.paper}, ours {check.ours}')}</li>"
        for check in found[:BESIDE]
    )
    more = f"<li>and {len(found) - BESIDE} more below</li>" if len(found) > BESIDE else ""
    return f"<ul>{lines}{more}</ul>"


def _page(title: str, body: str) -> str:
    style = files(__package__).joinpath("report.css").read_text(encoding="utf-8")
    return whole_page(title, style, body)
