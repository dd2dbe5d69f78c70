"""Positions that somebody sets: fields and limits, what they are worth, and play from there."""

import pytest

import dicelab
from dicelab.rules import registry
from lab_rooms import Visitor, best, whole_lab


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    with whole_lab(tmp_path_factory.mktemp("lab"), seed=9) as app:
        yield app


@pytest.fixture
def ann(lab):
    return Visitor(lab)


def test_fields_are_set_within_their_limits_and_the_answer_is_that_of_explain(ann):
    told = ann.get("/api/positions/pig", target=50, set=["mine=40", "yours=12", "at_risk=9"])
    assert told["at"] == "40-12 +9"
    limits = {one["name"]: (one["min"], one["max"], one["value"]) for one in told["fields"]}
    # who comes to 50 with what is at risk has won
    assert limits == {"mine": (0, 49, 40), "yours": (0, 49, 12), "at_risk": (0, 49, 9)}
    assert [one["label"] for one in told["fields"]] == [
        "Your score",
        "The other player's score",
        "The sum at risk",
    ]
    solution = dicelab.solve(dicelab.game("pig", target=50))
    explained = dicelab.explain(solution, "40-12 +9")
    assert told["coach"]["value"] == float(solution.value_at("40-12 +9"))
    assert [(one["move"], one["cost"]) for one in told["coach"]["moves"]] == [
        (one.move, float(one.cost)) for one in explained.moves
    ]


def test_the_notation_is_taken_too_and_a_field_changes_one_number_of_it(ann):
    told = ann.get("/api/positions/pig", target=50, at="40-12 +9", set="yours=30")
    assert told["at"] == "40-30 +9"
    assert ann.get("/api/positions/pig", target=50, at=told["at"])["position"] == told["position"]
    first = ann.get("/api/positions/pig", target=50)
    assert first["at"] == first["examples"][0]


def test_fields_that_count_in_larger_steps_are_set_in_points(ann):
    rules = {"target": 500}
    told = ann.get("/api/positions/farkle", **rules, set=["mine=400", "yours=300", "at_risk=50"])
    assert told["at"] == "400-300 +50 (6 dice)"
    mine = next(one for one in told["fields"] if one["name"] == "mine")
    # six dice with 50 at risk are never come to; the limits are those of the whole game
    assert {**mine, "label": ""} == {
        **mine,
        "value": 400,
        "step": 50,
        "min": 0,
        "max": 450,
        "label": "",
    }
    said = ann.refused("GET", "/api/positions/farkle", 400, params={**rules, "set": "mine=410"})
    assert said == "mine counts in steps of 50: got 410"


def test_a_throw_is_named_in_the_notation_and_goes_when_a_number_is_set(ann):
    told = ann.get("/api/positions/farkle", target=500, at="0-0 +0 (6 dice) threw 5 5")
    assert told["position"]["threw"] == [5, 5]
    told = ann.get("/api/positions/farkle", target=500, at=told["at"], set="mine=100")
    assert (told["at"], told["position"]["threw"]) == ("100-0 +0 (6 dice)", [])


@pytest.mark.parametrize("name", ["ur", "bear-off", "shut-the-box", "cant-stop"])
def test_a_board_has_no_numbers_to_set_and_is_written(ann, name):
    rules = {"bear-off": {"chequers": 2}}.get(name, {})
    told = ann.get(f"/api/positions/{name}", **rules, wait=60)
    assert [one for one in told["fields"] if one["name"] in ("mine", "yours", "open")] == []
    assert told["coach"]["moves"]


@pytest.mark.parametrize(
    ("name", "asked", "said"),
    [
        (
            "pig",
            {"at": "forty to twelve"},
            "cannot read 'forty to twelve' as a position of pig: write it like '0-0 +0'",
        ),
        (
            "pig",
            {"set": "ours=3"},
            "'ours' is nothing that can be set in pig target=20: mine, yours, at_risk",
        ),
        (
            "pig",
            {"set": "mine=many"},
            "a field is set to a whole number, such as mine=40: got 'mine=many'",
        ),
        (
            "pig",
            {"set": "mine=40"},
            "pig target=20 is over at 40-0 +0: start where there is a move to make",
        ),
        (
            "421-round",
            {"set": "left=2"},
            "'left' is nothing that can be set in 421-round: write the position in its notation",
        ),
    ],
)
def test_positions_that_cannot_be_get_a_sentence(ann, name, asked, said):
    rules = {"target": 20} if name == "pig" else {}
    told = ann.refused("GET", f"/api/positions/{name}", 400, params={**rules, **asked})
    assert told == said


def test_what_was_set_is_played_and_reviewed(ann):
    told = ann.get("/api/positions/pig", target=20, set=["mine=15", "yours=12", "at_risk=3"])
    match = ann.begin("pig", parameters={"target": 20}, start=told["at"])
    assert match["position"] == told["position"]
    assert match["coach"]["value"] == told["coach"]["value"]
    last = ann.finish(match, best)[-1]
    assert ann.get(f"/api/reviews/{last['id']}")["start"] == "15-12 +3"


def test_every_game_that_is_solved_in_seconds_can_be_asked(ann):
    """Some position comes with moves, and fields set as they are change nothing."""
    asked = 0
    for name, kind in registry.all_games().items():
        game = registry.registered_game(name)
        if game.solver or (game.size() or 0) > 30_000:
            continue
        told = ann.get(f"/api/positions/{name}", wait=60)
        again = [f"{one['name']}={one['value']}" for one in told["fields"]]
        assert told["coach"]["moves"], kind
        if again and not told["position"]["threw"]:
            assert ann.get(f"/api/positions/{name}", at=told["at"], set=again)["at"] == told["at"]
        asked += 1
    assert asked >= 10
