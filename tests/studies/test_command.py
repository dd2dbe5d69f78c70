"""dicelab reproduce: what it prints, what it writes, and when it exits with 1."""

import json
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from typer.testing import CliRunner

from dicelab.cli import app
from dicelab.studies import STUDIES, four21, four21_claims, pig
from dicelab.studies.checks import Check, Drawn, Part, Reason, Reproduction, Section, besides
from dicelab.studies.report import index_page, study_page, tally, write_reports

PIXEL = Drawn("421-theorem", "a <figure>", "dicelab plot 421-round theorem", b"<svg/>", b"\x89PNG")


def run(*arguments):
    return CliRunner().invoke(app, ["reproduce", *arguments, "--quick", "--jobs", "1"])


def only(monkeypatch, name, work):
    """Leave one part of a study."""
    part = next(part for part in STUDIES[name].parts if part is work)
    monkeypatch.setitem(STUDIES, name, replace(STUDIES[name], parts=(part,)))


def test_a_study_that_holds_exits_with_0_and_writes_a_report(monkeypatch, tmp_path):
    only(monkeypatch, "421", four21.theory)
    answer = run("421", "--out", str(tmp_path))
    assert answer.exit_code == 0
    assert "classes of couples" in answer.stdout
    assert "9 of 10 claims agree, 1 differ for a reason we can show" in answer.stdout
    assert f"wrote {tmp_path / '421.html'}" in answer.stdout.replace("\n", " ")
    assert "31" in (tmp_path / "421.html").read_text()


def test_a_planted_wrong_number_exits_with_1(monkeypatch, tmp_path):
    only(monkeypatch, "421", four21.theory)
    monkeypatch.setitem(four21.PAPER["classes"], "couples_of_three_dice", 32)
    answer = run("421", "--out", str(tmp_path), "--json")
    assert answer.exit_code == 1
    (told,) = json.loads(answer.stdout)["studies"]
    assert (told["agree"], told["explained"], told["wrong"]) == (8, 1, 1)
    (wrong,) = [check for check in told["checks"] if check["verdict"] == "wrong"]
    assert (wrong["paper"], wrong["ours"], wrong["reason"]) == ("32", "31", None)
    assert 'class="total bad"' in (tmp_path / "421.html").read_text()


@pytest.mark.parametrize(
    ("planted", "remark"),
    [
        ("0.4427", "the known reason does not account for it: rounded twice"),
        ("0.4425", "agrees although a difference was expected: rounded twice"),
    ],
)
def test_a_known_difference_must_be_the_known_one(monkeypatch, tmp_path, planted, remark):
    only(monkeypatch, "pig", pig.pairs)
    first, second, _ = pig.EXETER["hold_at_pairs"]["15v20"]
    monkeypatch.setitem(pig.EXETER["hold_at_pairs"], "15v20", [first, second, planted])
    answer = run("pig", "--out", str(tmp_path), "--json")
    assert answer.exit_code == 1
    (told,) = json.loads(answer.stdout)["studies"]
    (wrong,) = [check for check in told["checks"] if check["verdict"] == "wrong"]
    assert wrong["claim"] == "hold-at:15 v hold-at:20: A overall"
    assert wrong["reason"].startswith(remark)


def test_only_differences_are_printed_on_request(monkeypatch, tmp_path):
    only(monkeypatch, "421", four21_claims.errata)
    answer = run("421", "--out", str(tmp_path), "--differences")
    assert "differs, explained" in answer.stdout
    assert "bounded number of operations" not in answer.stdout


def test_a_strategy_is_not_taken_for_an_emoji(monkeypatch, tmp_path):
    strange = Check("figure 17", "hold-at:1 v hold-at:100: [A]", "1", "1", True)
    part = Part("Pairs", lambda quick: [strange])
    monkeypatch.setitem(STUDIES, "pig", replace(STUDIES["pig"], parts=(part,)))
    told = run("pig", "--out", str(tmp_path)).stdout
    assert "hold-at:100: [A]" in told


def test_an_unknown_study_is_refused_before_the_work(tmp_path):
    answer = run("pgi", "--out", str(tmp_path))
    assert answer.exit_code == 1
    assert answer.stderr.strip() == "UnknownStudy: no study called 'pgi'; did you mean 'pig'?"


def test_a_place_that_cannot_be_written_is_refused_before_the_work(tmp_path):
    (tmp_path / "file").write_text("")
    answer = run("421", "--out", str(tmp_path / "file"))
    assert answer.exit_code == 1
    assert "cannot write" in answer.stderr


# The report.


class Parsed(HTMLParser):
    """A page read strictly: every tag closed in order, every address noted."""

    void = ("meta", "img", "br")

    def __init__(self, text):
        super().__init__()
        self.open, self.addresses = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.addresses += [value for name, value in attrs if name in ("src", "href")]
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def found():
    sections = (
        Section(
            "Theory <1>",
            (
                Check("section 1", "a & b", "1", "1", True),
                Check("section 2", "c", "1", "2", False, Reason('a "slip"', True)),
                Check("section 3", "d", "1", "2", False),
            ),
            (PIXEL,),
            ("a note",),
        ),
    )
    return Reproduction(STUDIES["421"], sections, 1.5)


@pytest.mark.parametrize("make", [lambda: study_page(found()), lambda: index_page([found()])])
def test_a_report_is_well_formed_and_needs_no_network(make):
    page = make()
    parsed = Parsed(page)
    assert parsed.open == []
    assert all(link.startswith(("data:", "421.html", "#")) for link in parsed.addresses)
    assert "http" not in page
    assert "url(" not in page
    assert "@import" not in page
    assert 'name="viewport"' in page


def test_a_report_says_what_agrees_and_what_does_not():
    page = study_page(found())
    assert tally(found()) == (
        "1 of 3 claims agree, 1 differ for a reason we can show, 1 differ and should not"
    )
    assert tally(found()) in page
    assert "differs, explained: a &quot;slip&quot;" in page
    assert "Theory &lt;1&gt;" in page
    assert "dicelab plot 421-round theorem" in page


def test_a_report_begins_with_what_differs_and_folds_the_rest():
    page = study_page(found())
    order = ['class="tiles"', 'id="differs"', 'id="figures"', 'id="checks"', "<details"]
    places = [page.index(part) for part in order]
    assert places == sorted(places)
    differs = page[page.index('id="differs"') : page.index('id="figures"')]
    assert differs.count("<article") == 2  # one explained, one wrong; what agrees is not there
    assert differs.index("<h3>d</h3>") < differs.index("<h3>c</h3>")  # the unexplained first
    assert "<details open>" in page  # this section has something wrong
    alone = replace(found(), sections=(Section("Fine", found().sections[0].checks[:1]),))
    assert "<details>" in study_page(alone)
    assert 'id="differs"' not in study_page(alone)


def test_a_figure_stands_beside_the_numbers_the_study_prints_in_its_own():
    printed = Check("figure 16", "the lowest share", "0.4974", "0.4970", True)
    words = Check("figure 16", "all is well", "yes", "it is", True)
    other = Check("figure 1", "another", "0.1", "0.1", True)
    drawing = replace(PIXEL, caption="Fair tests (figure 16).")
    section = Section("Fair tests", (printed, words, other), (drawing,))
    page = study_page(Reproduction(STUDIES["421"], (section,), 0.0))
    beside = page[page.index("<figcaption>") : page.index("</figcaption>")]
    assert "the lowest share: the study 0.4974, ours 0.4970" in beside
    assert "all is well" not in beside
    assert "another" not in beside


def test_short_numbers_stay_on_one_line_and_what_is_not_claimed_says_so():
    page = study_page(
        Reproduction(
            STUDIES["421"],
            (
                Section(
                    "Theory",
                    (
                        Check("table 1", "a share", "0.8325", "0.83251", True),
                        besides("section 1", "ours", "it is", True),
                    ),
                ),
            ),
            0.0,
        )
    )
    assert '<td data-label="study" class="whole">0.8325</td>' in page
    assert '<td data-label="study">not claimed</td>' in page
    assert '<td data-label="verdict">holds</td>' in page


def test_a_finding_of_ours_that_fails_is_told_and_is_no_claim_of_the_study():
    lost = besides("section 1", "ours", "it does not", False)
    failing = Reproduction(STUDIES["421"], (Section("Theory", (lost,)),), 0.0)
    assert not failing.holds
    assert tally(failing) == "0 of 0 claims agree; besides, 1 findings of ours do not hold"


def test_a_large_figure_goes_into_the_page_as_png(tmp_path):
    large = replace(PIXEL, svg=b" " * 500_000)
    section = Section("Large", (), (large,))
    page = study_page(Reproduction(STUDIES["421"], (section,), 0.0))
    assert "data:image/png" in page
    assert len(page) < 100_000


def test_figures_lie_beside_the_report_as_files(tmp_path):
    pages = write_reports([found(), found()], tmp_path / "deep")
    assert [page.name for page in pages] == ["index.html", "421.html", "421.html"]
    assert (tmp_path / "deep" / "figures" / "421-theorem.svg").read_bytes() == PIXEL.svg
    assert (tmp_path / "deep" / "figures" / "421-theorem.png").read_bytes() == PIXEL.png
