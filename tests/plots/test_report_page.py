"""The page of a report: what it shows, that nothing is missing, and that it needs no network."""

import re
from html.parser import HTMLParser

import pytest
from tests.strange_games import Purse, Standoff

import dicelab
from dicelab.plots.page import told
from dicelab.plots.report_page import report_page
from dicelab.verbs.numbers import Number

SECTIONS = [
    "rules",
    "value",
    "length",
    "endings",
    "skill",
    "restricted",
    "lead",
    "moves",
    "turning",
    "rules-of-thumb",
    "changes",
]


class Reader(HTMLParser):
    """Reads the text and the figures of each section, and every address."""

    def __init__(self):
        super().__init__()
        self.text, self.figures, self.addresses, self.tags, self.now = {}, {}, [], [], ""

    def handle_starttag(self, tag, given):
        given = dict(given)
        self.tags.append(tag)
        if tag == "section":
            self.now = given["id"]
            self.text[self.now], self.figures[self.now] = "", 0
        if tag == "svg":
            self.figures[self.now] += 1
        self.addresses += [given[key] for key in ("href", "src", "xlink:href") if key in given]

    def handle_data(self, data):
        if self.now:
            self.text[self.now] += f" {data}"


def read(report):
    page = report_page(report, "dicelab report it")
    reader = Reader()
    reader.feed(page)
    return page, reader


@pytest.fixture(scope="module")
def pig():
    report = dicelab.report(dicelab.game("pig", target=20), tries=10)
    return report, *read(report)


def test_every_section_is_there_with_a_figure(pig):
    _, _, reader = pig
    assert list(reader.text) == SECTIONS
    assert all(count >= 1 for count in reader.figures.values()), reader.figures
    assert reader.tags.count("h2") == len(SECTIONS) + 1  # and the sources


def test_the_page_needs_no_network_and_runs_no_script(pig):
    _, page, reader = pig
    assert all(each.startswith(("#", "data:image/png;base64,")) for each in reader.addresses)
    assert not {"script", "link", "iframe", "img"} & set(reader.tags)
    assert "@import" not in page
    assert not re.search(r"url\((?!#)", page)
    assert "#000000" not in page  # figures take the ink of the page, light or dark
    assert "prefers-color-scheme: dark" in page


def test_no_two_things_of_the_figures_have_one_name(pig):
    _, page, _ = pig
    names = re.findall(r'\bid="([^"]+)"', page)
    figures = {name.partition("-")[0] for name in names if re.match(r"f\d+-", name)}
    assert len(figures) >= 12
    used = set(re.findall(r'(?:href="#|url\(#)(f\d+-[^")]+)', page))
    assert used <= set(names)


def test_the_numbers_of_the_report_are_on_the_page(pig):
    report, _, reader = pig
    solution = dicelab.solve(report.game)
    assert f"{100 * solution.value:.4f}%" in reader.text["value"]
    assert f"{100 * (2 * solution.value - 1):.4f}%" in reader.text["value"]
    assert f"{report.lead.changes.value:.6g}" in reader.text["lead"]
    assert "never risks" in reader.text["restricted"]
    assert "Never best, wherever there is a choice: hold." in reader.text["moves"]
    assert "target 20 to 21" in reader.text["changes"]
    assert "Cloud and Laber 2020" in reader.text["skill"]


def test_what_makes_no_sense_says_so_in_its_place():
    _, reader = read(dicelab.report(dicelab.game("craps")))
    assert list(reader.text) == SECTIONS
    assert "Not for this game: craps has no fields" in reader.text["rules-of-thumb"]
    assert "Played alone, nobody leads." in reader.text["lead"]
    assert "There is no position with more than one move." in reader.text["moves"]


def test_a_disadvantage_of_going_first_is_told_as_what_going_second_is_worth():
    # To 2 from 0-1 the second player has the better of it: Piglet is worth 2/5 there (Neller 2004).
    game = dicelab.game("piglet", target=2).starting("0-1")
    _, reader = read(dicelab.report(game, tries=3))
    assert "Going second is worth 20.0000% (within " in reader.text["value"]
    assert ") more than going first." in reader.text["value"]


def test_play_that_never_ends_has_no_length_and_no_average_mistake():
    page, reader = read(dicelab.report(Standoff(), tries=2))
    assert "may go on for ever: it has no length on average" in reader.text["length"]
    assert "on average cannot be had: play may go on for ever." in reader.text["skill"]
    assert "nan" not in page


def test_a_number_that_its_error_swallows_is_nothing():
    assert told(Number(-3e-16, 2e-13, "coins"), True) == "0 (within 2e-13)"
    assert told(Number(-3e-9, 0.0, "chance")) == "0.0000%"
    _, reader = read(dicelab.report(Purse(throws=2)))
    assert "Going first and going second are worth the same" in reader.text["value"]


def test_numbers_are_told_with_their_bounds():
    assert told(Number(0.25, 1e-12, "chance"), True) == "25.0000% (within 1e-10)"
    assert told(Number(3.5, 0.0, "turns"), True) == "3.5 (exact)"
    assert told(Number(float("inf"), None, "turns"), True) == "for ever"
    assert told(Number(2.0, None, "turns"), True) == "2 (in floats)"
    assert told(None) == "-"
