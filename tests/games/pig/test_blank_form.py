"""Forms to print and empty tables: what is on them, and that `study` reads them once filled in."""

from html.parser import HTMLParser

from typer.testing import CliRunner

from dicelab.cli import app
from dicelab.games.pig import Pig
from dicelab.games.pig.study.blank_form import empty_csv, printable
from dicelab.games.pig.study.tracker_file import parse_tracker


def run(*arguments):
    return CliRunner().invoke(app, ["form", *map(str, arguments)])


def test_an_empty_table_becomes_a_record_when_rows_are_added():
    text = empty_csv(Pig(target=50)) + "1,1,ann,neutral,a,b,1,3,12,12\n"
    tracker = parse_tracker(text)
    assert tracker.game == Pig(target=50)
    assert tracker.forms[0].sheets[0].turns[0].banked == 12


class Rows(HTMLParser):
    """Counts the rows and cells of a page, whose tags must be closed in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.rows, self.cells = [], 0, 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag != "meta":
            self.open.append(tag)
        self.rows += tag == "tr"
        self.cells += tag == "td"

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_printed_form_has_a_row_for_each_turn_and_needs_no_network():
    page = printable(Pig(target=30), turns=10)
    read = Rows(page)
    assert read.open == []
    assert (read.rows, read.cells) == (2 + 10, 6 * 10)
    assert "pig target=30" in page
    assert "http" not in page
    assert "averse / neutral / seeking" in page


def test_the_command_writes_either_and_refuses_the_rest(tmp_path):
    for name in ("form.html", "forms.csv"):
        answer = run(tmp_path / name, "pig", "target=40")
        assert answer.exit_code == 0
        assert "target" in (tmp_path / name).read_text()
    told = " ".join(run(tmp_path / "form.pdf").stderr.replace("│", " ").split())
    assert "a form is a .html file to print or a .csv table" in told
    refused = run(tmp_path / "form.html", "two-dice-pig")
    assert refused.exit_code == 1
    assert "bank" in refused.stderr
