"""report: what it prints and writes, and what it refuses."""


def test_a_report_is_told_and_written(dicelab):
    said = dicelab("report", "piglet", "target=3", "--tries", "3").stdout.splitlines()
    assert said[0] == "piglet target=3"
    assert said[1].startswith("value: 54.5455% (within ")
    assert said[-2].startswith("the lead changes 2.09091 (within ")
    assert said[-1] == "wrote piglet.html"
    page = (dicelab.folder / "piglet.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "dicelab report piglet target=3" in page


def test_with_json_no_page_is_written_unless_one_is_named(dicelab):
    told = dicelab.json("report", "piglet", "target=3", "--tries", "3")
    assert told["game"] == "piglet"
    assert abs(told["value"]["value"]["value"] - 6 / 11) < 1e-12
    assert not list(dicelab.folder.glob("*.html"))
    dicelab.json("report", "piglet", "target=3", "--tries", "3", "--out", "it.html")
    assert (dicelab.folder / "it.html").exists()


def test_a_page_is_an_html_file(dicelab):
    said = dicelab.misused("report", "pig", "--out", "pig.pdf")
    assert "a report is an .html file: got 'pig.pdf'" in said
    said = dicelab.misused("report", "pig", "--tries", "0")
    assert "at least one rule of thumb is tried: got 0" in said


def test_a_limit_of_memory_is_kept(dicelab):
    said = dicelab.refused("report", "pig", "--memory", "1MB")
    assert said.startswith("TooLarge: pig ")
    assert not list(dicelab.folder.glob("*.html"))
