"""distil: what it prints and writes, and what it refuses."""

import pytest

WORDS = ["distil", "pig", "target=20", "die=4", "--size", "1", "--tries", "5"]


def test_a_card_is_told_written_and_drawn(dicelab):
    said = dicelab(*WORDS, "--out", "card.rule", "--plot", "card.svg").stdout.splitlines()
    assert said[0] == (
        "pig target=20 die=4: rules of up to 1 numbers against optimal (best play gets 50.0000%)"
    )
    assert said[1].startswith("0 numbers, costs ")
    assert said[2] == "    roll"
    assert said[-2:] == ["wrote card.rule", "wrote card.svg"]
    best = said[-5].strip()
    written = (dicelab.folder / "card.rule").read_text("utf-8").splitlines()
    assert "; ".join(written[1:]) == best
    assert (dicelab.folder / "card.svg").read_text("utf-8").startswith("<?xml")
    answer = dicelab.json(*WORDS)
    assert answer["rules"][-1]["rule"] == best
    met = dicelab.json("evaluate", "pig", "file:card.rule", "optimal", "target=20", "die=4")
    assert met["overall"] == pytest.approx(answer["rules"][-1]["value"])


def test_a_rule_goes_to_a_rule_file(dicelab):
    assert "a rule is written to a .rule file, all to a .csv: got 'x.txt'" in dicelab.misused(
        *WORDS, "--out", "x.txt"
    )
