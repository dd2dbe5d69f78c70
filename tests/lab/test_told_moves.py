"""What is said of a way that was taken after a throw: what was done, and nothing else."""

import pytest

from lab_rooms import Visitor, open_lab

GAMES = {
    "ur": ({"pieces": 2}, ("You enter a piece", "You move a piece", "You bring a piece home")),
    "cant-stop": ({"sides": 2, "shortest": 1}, ("You climb",)),
    "shut-the-box": ({"tiles": 9}, ("You shut",)),
    "bear-off": ({"chequers": 2}, ("You play",)),
}


@pytest.fixture(scope="module")
def ann(tmp_path_factory):
    return Visitor(open_lab(tmp_path_factory.mktemp("lab"), seed=4))


@pytest.mark.parametrize("name", GAMES)
def test_a_way_is_told_as_what_it_does(ann, name):
    parameters, beginnings = GAMES[name]
    told = []
    for _ in range(4):
        match = ann.begin(name, parameters=parameters, starts="me")
        for _ in range(40):
            if match["over"]:
                break
            chooses = " threw " in match["position"]["notation"]
            after = ann.move(match, match["moves"][0]["move"])
            told += [after["events"][0]["text"]] if chooses else []
            match = after
    assert told
    assert all(text.startswith(beginnings) for text in told)


def test_a_button_says_where_a_piece_comes_to(ann):
    match = ann.begin("ur", parameters={"pieces": 2}, starts="me")
    while not any(one["move"] == "enter" for one in match["moves"]):
        match = ann.move(match, match["moves"][0]["move"])
    (label,) = (one["label"] for one in match["moves"] if one["move"] == "enter")
    threw = sum(match["position"]["threw"])
    assert label.removesuffix(" and capture") == f"Enter on {threw}"
    coached = {one["move"]: one["label"] for one in match["coach"]["moves"]}
    assert coached == {one["move"]: one["label"] for one in match["moves"]}
