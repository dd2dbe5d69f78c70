"""The scripts in examples/ answer what they are asked, and rightly."""

import importlib
import math
import re
from fractions import Fraction
from pathlib import Path

import pytest

import dicelab
from dicelab.rounds import Round, ratchet

EXAMPLES = Path(__file__).parent.parent / "examples"
SCRIPTS = sorted(path.stem for path in EXAMPLES.glob("*.py"))


@pytest.fixture
def script(monkeypatch):
    """A function that imports one of the scripts."""
    monkeypatch.syspath_prepend(EXAMPLES)
    return importlib.import_module


def test_every_script_is_told_on_the_page_and_has_fewer_than_eighty_lines():
    page = (EXAMPLES.parent / "docs" / "examples.md").read_text(encoding="utf-8")
    assert len(SCRIPTS) >= 3
    for name in SCRIPTS:
        assert f"$ python examples/{name}.py" in page
        assert len((EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()) < 80


# Is my variant of Pig fair?


def test_a_coin_to_two_is_fair_by_the_published_values(script, capsys):
    # Neller & Presser give 4/7 at the start of Piglet to 2, and 2/5 where the other player has a
    # point. With p x 4/7 + (1 - p) x 2/5 = 1/2, p = 7/12.
    script("fair_pig").main(["target=2", "die=0:1/2,1:1/2", "bust=0", "--exact"])
    *_, nearest, fair = capsys.readouterr().out.splitlines()
    assert nearest == "Nearest to fair: a head start of 0, 57.1429% for who starts."
    assert fair == "Fair on the whole: a head start of 0 with chance 7/12, otherwise 1."


def test_a_head_start_is_worth_what_pig_gives_the_same_position(script, capsys):
    # The other route: in Pig itself the second player may have so many points later on.
    pig = dicelab.solve(dicelab.game("pig", target=40))
    script("fair_pig").main(["target=40"])
    told = capsys.readouterr().out
    rows = dict(re.findall(r"^ +(\d+) +(\d+\.\d{4}%)", told, re.MULTILINE))
    assert len(rows) > 4
    for ahead, chance in rows.items():
        if ahead != "1":  # no bank of 1 without a head start
            assert chance == f"{pig.value_at(f'0-{ahead} +0'):.4%}"
    fewer, chance, more = re.search(r"(\d+) with chance ([\d.]+), otherwise (\d+)", told).groups()
    mixed = [pig.value_at(f"0-{ahead} +0") for ahead in (fewer, more)]
    assert float(chance) * mixed[0] + (1 - float(chance)) * mixed[1] == pytest.approx(0.5, abs=1e-8)


def test_no_head_start_can_even_a_race_to_one(script, capsys):
    # Who starts wins 6/7, and nobody can be given a point without having won.
    script("fair_pig").main(["target=1"])
    assert capsys.readouterr().out.splitlines()[-1] == "No points will even it."


def test_a_head_start_that_wins_is_refused(script):
    with pytest.raises(dicelab.DicelabError) as refused:
        script("fair_pig").HeadStart(target=10, ahead=10)
    assert str(refused.value) == "pig-with-a-head-start needs a head start below the target: 10"


# How much does a risk-averse player lose?


@pytest.mark.parametrize("aversion", [0.25, 0.5, 0.75])
def test_the_averse_hold_as_soon_as_one_more_roll_is_liked_less(script, capsys, aversion):
    # For them rolling once and holding is the best way to roll, so one comparison decides.
    def liked(points):
        return points ** (1 - aversion)

    first = next(x for x in range(1, 100) if 6 * liked(x) >= sum(liked(x + f) for f in range(2, 7)))
    script("risk_averse").main(["target=30"])
    holds = dict(re.findall(r"^ *(-?[\d.]+) +(\d+) ", capsys.readouterr().out, re.MULTILINE))
    assert int(holds[str(aversion)]) == first
    # to first order, x = 20 (1 - g)
    assert math.isclose(first, 20 * (1 - aversion), abs_tol=1)


def test_a_neutral_player_holds_at_20_and_earns_8_14_a_turn(script):
    # 20 points are lost in one case of six, and five faces bring 20: x = 20. The mean of 8.14 is
    # that of Neller & Presser's hold at 20.
    ours, pig = script("risk_averse"), dicelab.game("pig")
    assert ours.threshold(pig, "crra", 0) == 20
    assert round(float(ours.points_a_turn(pig, 20)), 2) == 8.14
    # With nothing more to count than one roll: (2 + ... + 6) / 6.
    assert ours.points_a_turn(pig, 1) == Fraction(20, 6)


def test_every_player_of_a_race_to_two_wins_half(script, capsys):
    # Whoever rolls anything but a 1 has won, so there is nothing to be averse to.
    script("risk_averse").main(["target=2"])
    rows = capsys.readouterr().out.splitlines()[2:10]
    assert len(rows) == 8
    assert all(row.split()[3:] == ["50.0000%", "0.0%", "50.0000%"] for row in rows)


# What should I keep?


def test_to_one_goal_the_advice_is_the_ratchet(script):
    # With three casts the ratchet is optimal (the study's theorem holds there).
    game = Round()
    plan = ratchet(game, "421")
    for keep, (shown, _, _) in script("what_to_keep").advice_table(game, "goal:421", 2, "first"):
        for throw in shown:
            kept = {"all": throw, "nothing": "-"}.get(keep, keep)
            assert plan.decisions("-", throw, cast=1) == {kept: 1}


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        # the 421 study, tables 1 and 3; the next player's 421 is 0.13198 there
        (["goal:421"], "42571/186624 = 0.228111"),
        (["transfer"], "349621/93312 = 3.746796"),
        (["goal:421", "--next"], "24631/186624 = 0.131982"),
        # with one cast left, keep what shows and throw the rest: by hand, over the 216 throws,
        # (6 x 1 + 72 x 1/6 + 111 x 1/18 + 27 x 1/36) / 216
        (["goal:421", "--left", "1"], "299/2592 = 0.115355"),
    ],
)
def test_the_advice_is_worth_on_the_whole_what_the_round_is(script, capsys, arguments, value):
    script("what_to_keep").main(arguments)
    assert f"  on the whole: {value}\n" in capsys.readouterr().out


def test_the_chances_of_all_throws_sum_to_one(script):
    assert sum(chance for _, chance in script("what_to_keep").throws(Round())) == 1


# How good is a learner?


def test_a_learner_improves_and_never_beats_the_optimum(script, capsys):
    script("learner").main(["500"])
    told = [float(share) for share in re.findall(r"([\d.]+)%", capsys.readouterr().out)]
    assert told[0] < told[1] < told[2]
    exact = dicelab.solve(dicelab.game("piglet", target=10), exact=True).value
    assert told[2] == pytest.approx(100 * float(exact), abs=0.005)


# How much can I gain by looking at the other card?


@pytest.mark.parametrize(
    ("scores", "most"),
    [
        # one die, cast once, in one box: nothing to choose, so it is even. With the chances of 1
        # and 4 alone, 1 to 3 count as 1 and 4 to 6 as 1/2: (1 + 1 + 3/4 + 1/2 + 1/2 + 1/4) / 6
        (["1", "2", "3", "4", "5", "6", "7"], 1 / 2),
        (["1", "4", "7"], 2 / 3),
    ],
)
def test_looking_brings_what_can_be_counted_on_one_die(script, tmp_path, scores, most):
    card = ["dice=1", "casts=1", "only=chance"]
    path = str(tmp_path / "chances.csv")
    ours = script("looking_at_the_other_card")
    assert ours.main(path, *scores, *card) == pytest.approx(most, abs=1e-9)
    assert ours.main(path, *card) == pytest.approx(most, abs=1e-9)  # from the file


def test_who_looks_at_a_small_card_stays_within_the_bound(script, tmp_path):
    # 49.1130% is the first player's value where both look
    card = {"dice": 2, "casts": 2, "only": "aces+chance", "enough": 2, "bonus": 5}
    given = [f"{name}={value}" for name, value in card.items()]
    scores = map(str, range(2, 25))
    most = script("looking_at_the_other_card").main(str(tmp_path / "c.csv"), *scores, *given)
    looks = dicelab.solve(dicelab.game("yahtzee", **card), for_="more than another player").value
    assert 1 - most <= looks <= most < 0.6
