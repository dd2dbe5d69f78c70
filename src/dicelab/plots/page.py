"""A page as it is written: sections of what is said and drawn, and numbers in words."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from typing import TypeVar

from matplotlib.figure import Figure

from dicelab.plots.report_figures import inline
from dicelab.verbs.numbers import Number
from dicelab.verbs.report_sections import Refused

Found = TypeVar("Found")


class Page:
    """Sections as they are written: what is said, and the figures that stand beside it."""

    def __init__(self) -> None:
        self.links: list[tuple[str, str]] = []
        self.said: list[list[str]] = []
        self.drawn: list[list[str]] = []
        self.count = 0

    def section(self, key: str, title: str, section: Found | Refused) -> Found | None:
        """Begin a section; return what there is to say in it, or None where that is nothing."""
        self.links.append((key, title))
        self.said.append([])
        self.drawn.append([])
        if isinstance(section, Refused):
            self.say(f"Not for this game: {section.sentence}.")
            return None
        return section

    def say(self, *sentences: str, small: bool = False) -> None:
        """Write sentences, each a paragraph."""
        kind = ' class="small"' if small else ""
        self.said[-1] += [f"<p{kind}>{as_text(each)}</p>" for each in sentences if each]

    def aside(self, sentence: str) -> None:
        """Write a sentence in small letters."""
        self.say(sentence, small=True)

    def explained(self, lines: Iterable[tuple[str, str]]) -> None:
        """Write names and what they are."""
        inside = "".join(f"<dt>{as_text(one)}</dt><dd>{as_text(two)}</dd>" for one, two in lines)
        self.said[-1].append(f"<dl>{inside}</dl>")

    def table(self, head: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> None:
        """Write a table; the first columns are words, the others numbers."""
        kinds = ["" if place < words else ' class="number"' for place in range(len(head))]

        def line(tag: str, cells: Sequence[str]) -> str:
            told = zip(kinds, cells, strict=True)
            inside = "".join(f"<{tag}{kind}>{as_text(cell)}</{tag}>" for kind, cell in told)
            return f"<tr>{inside}</tr>"

        body = "".join(line("td", row) for row in rows)
        self.said[-1].append(
            f'<div class="scroll"><table><thead>{line("th", head)}</thead>'
            f"<tbody>{body}</tbody></table></div>"
        )

    def figure(self, drawn: Figure | None, caption: str) -> None:
        """Put a figure beside what is said, where there is one."""
        if drawn is None:
            return
        self.count += 1
        inside = inline(drawn, self.count)
        self.drawn[-1].append(
            f"<figure>{inside}<figcaption>{as_text(caption)}</figcaption></figure>"
        )

    def sections(self) -> list[str]:
        """Return all sections."""
        return [
            f'<section id="{key}"><h2>{as_text(title)}</h2><div class="said">{"".join(said)}</div>'
            f'<div class="drawn">{"".join(drawn)}</div></section>'
            for (key, title), said, drawn in zip(self.links, self.said, self.drawn, strict=True)
        ]


def told(number: Number | None, bound: bool = False) -> str:
    """Return a number as people say it, with its bound where that is asked for."""
    if number is None or number.value is None:
        return "-"
    if math.isinf(number.value):
        return "for ever" if number.value > 0 else "without bound"
    found, error = number.in_digits, number.error
    if number.is_chance and error is not None:
        error *= 100
    if not bound:
        return found
    if error is None:
        return f"{found} (in floats)"
    return f"{found} (exact)" if error == 0 else f"{found} (within {rounded_up(error)})"


def rounded_up(error: float) -> str:
    """Return an error in one digit, never less than it is."""
    power = math.floor(math.log10(error))
    digit = math.ceil(error / 10.0**power * (1 - 1e-12))
    return f"{digit}e{power}" if digit < 10 else f"1e{power + 1}"


def whole_page(title: str, style: str, body: str) -> str:
    """Return a page with everything inside: no network, for any width of screen."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{as_text(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f"{body}\n</main>\n</body>\n</html>\n"
    )


def as_text(text: str) -> str:
    """Return text as HTML shows it."""
    return html.escape(text, quote=True)
