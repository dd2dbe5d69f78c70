"""Playing in the lab: every game from its first throw to its review."""

import threading
from contextlib import suppress
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

import dicelab
from dicelab.lab.http_errors import MovedOn
from dicelab.rounds import Round
from dicelab.rounds import solve as solve_round
from dicelab.rules.throw import throw
from dicelab.verbs.explain import per_cent, sentence
from lab_rooms import Visitor, best, open_lab, worst

GAMES = {
    "pig": {"target": 25},
    "pig, passing": {"target": 20, "passing": True},
    "piglet": {"target": 5},
    "two-dice-pig": {"target": 25},
    "big-pig": {"target": 30},
    "dice-battle": {"target": 25, "dice": 3},
    "dice-battle, zero": {"target": 25, "dice": 3, "variant": "zero"},
    "dice-battle, at once": {"target": 20, "dice": 3, "variant": "simultaneous"},
    "dice-battle, at once, zero": {"target": 20, "dice": 3, "variant": "simultaneous-zero"},
    "greed": {"max": 15},
}
ALONE = {
    "solo-pig": {"target": 20},
    "solo-pig, 3 turns": {"target": 25, "turns": 3},
    "421-round": {"utility": "goal:421"},
    "421-round, next": {"utility": "transfer", "player": "next"},
    "421-round, thirds": {"utility": "goal:421*1/3+111*1/7", "casts": 2},
    "yahtzee-round": {"dice": 2, "casts": 4, "utility": "sum"},
}
OPPONENTS = {
    "pig": "hold-at:9",
    "piglet": "hold-at:2",
    "two-dice-pig": "hold-at:12",
    "big-pig": "hold-at:12",
    "dice-battle": "blind",
    "greed": "aim-at",
}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return open_lab(tmp_path_factory.mktemp("lab"), seed=7)


def name_of(which):
    return which.partition(",")[0]


@pytest.mark.parametrize("which", [*GAMES, *ALONE])
@pytest.mark.parametrize("pick", [best, worst])
def test_a_whole_game_can_be_played_and_its_review_adds_up(ann, which, pick):
    name, parameters = name_of(which), {**GAMES, **ALONE}[which]
    # who plays worst alone would roll for ever
    picked = best if "solo" in which else pick
    opponent = OPPONENTS.get(name, "optimal") if which in GAMES else {"kind": "nobody"}
    match = ann.begin(name, opponent, parameters=parameters, starts="coin")
    last = ann.finish(match, picked)[-1]
    review = ann.get(f"/api/reviews/{last['id']}")
    you, other = review["you"], review["opponent_score"]
    # Everything cancels along a game: result = value + my luck - my costs - (yours - yours).
    sign = -1 if review["unit"] == "turns" else 1
    total = review["start_value"] + sign * (you["luck"] - you["cost"])
    if other is not None:
        at_once = "simultaneous" in review["title"]
        total += other["cost"] - (0 if at_once else other["luck"])
    assert total == pytest.approx(you["result"], abs=1e-9)
    assert last["result"]["value"] == pytest.approx(you["result"], abs=1e-9)
    assert you["luck_adjusted"] == pytest.approx(
        you["result"] - sign * you["luck"] + (other["luck"] if other and not at_once else 0),
        abs=1e-9,
    )
    assert review["mistakes"] == sorted(review["mistakes"], key=lambda one: -one["cost"])
    assert sum(one["cost"] for one in review["mistakes"]) == pytest.approx(you["cost"], abs=1e-9)
    if picked is best:
        assert review["mistakes"] == []
        assert you["cost"] == 0
    assert review["curve"][-1]["value"] == pytest.approx(you["result"], abs=1e-9)
    assert review["link"] == last["result"]["review"] == f"/review/{last['id']}"


@pytest.mark.parametrize("which", GAMES)
def test_the_coach_says_what_the_solver_says(ann, which):
    name, parameters = name_of(which), GAMES[which]
    solution = dicelab.solve(dicelab.game(name, **parameters))
    begun = ann.begin(name, OPPONENTS[name], parameters=parameters, starts="opponent")
    checked = 0
    for match in ann.finish(begun, worst)[:-1]:
        at, coach = match["position"]["notation"], match["coach"]
        assert coach["value"] == float(solution.value_at(at))
        assert (coach["lower"], coach["upper"]) == tuple(map(float, solution.bounds_at(at)))
        told = dicelab.explain(solution, at)
        game, position = solution.game, solution.game.parse(at)
        said = sentence(game, told.moves, per_cent, partial(game.spoken, position))
        assert coach["sentence"] == (solution.advice_at(at) or said)
        for shown, move in zip(coach["moves"], told.moves, strict=True):
            assert (shown["move"], shown["value"]) == (move.move, float(move.value))
            assert (shown["cost"], shown["status"]) == (float(move.cost), move.status)
        checked += 1
    assert checked > 0 or begun["over"]


def test_the_coach_of_a_round_says_what_the_study_says(ann):
    # Goal 421 is worth 42571/186624 before the first cast (table 1 of the study of 421).
    game = Round()
    solution = solve_round(game, "goal:421")
    match = ann.begin("421-round", {"kind": "nobody"}, parameters={"utility": "goal:421"})
    assert match["coach"]["said"] == "22.8% chance to make it"
    match = ann.move(match, "cast")
    fields = match["position"]["fields"]
    thrown = "".join(map(str, fields["thrown"]))
    advice = dicelab.rounds.advise(game, "-", thrown, 2, "goal:421")
    told = {move["move"]: move["value"] for move in match["coach"]["moves"]}
    assert told == pytest.approx(
        {
            "stop" if len(choice.kept) == 3 else f"keep {choice.kept}": float(choice.value)
            for choice in advice.choices
        },
        abs=1e-12,
    )
    assert match["coach"]["moves"][0]["move"] in {f"keep {kept}" for kept in advice.best}
    assert Fraction(match["coach"]["exact"]) == advice.choices[0].value
    review = ann.get(f"/api/reviews/{ann.finish(match, best)[-1]['id']}")
    assert review["start_value"] == pytest.approx(42571 / 186624, abs=1e-15)
    assert float(solution.value) == review["start_value"]


def test_a_game_of_pig_is_told_in_words_and_fields(ann):
    match = ann.begin("pig", "hold-at:9", parameters={"target": 25})
    assert match["position"] == {
        "notation": "0-0 +0",
        "words": "You have 0. The other player has 0.",
        "fields": {"mine": 0, "yours": 0, "at_risk": 0, "target": 25},
        "threw": [],
        "board": [],
    }
    assert match["moves"] == [
        {
            "move": "roll",
            "label": "Roll",
            "key": "r",
            "dice": 1,
            "front": True,
            "number": None,
            "sensible": False,
        }
    ]
    after = ann.move(match, "roll")
    first = after["events"][0]
    assert (first["ply"], first["who"], first["move"]) == (1, "you", "roll")
    (face,) = first["dice"]
    if face == 1:
        assert first["effect"] == "bust"
        assert first["text"] == "You roll a 1 and lose the turn."
        assert after["events"][1]["who"] == "opponent"
    else:
        assert (first["effect"], first["points"]) == ("scored", face)
        assert after["position"]["fields"]["at_risk"] == face
        assert [move["label"] for move in after["moves"]] == ["Roll", f"Hold {face}"]


def test_a_round_that_came_by_the_front_door_is_told_in_its_own_words(ann):
    match = ann.begin("421-round", {"kind": "nobody"}, parameters={"utility": "goal:421"})
    assert match["position"]["words"] == "You have 3 casts."
    match = ann.move(match, "cast")
    faces = match["events"][0]["dice"]
    assert match["events"][0]["text"] == f"You cast {', '.join(map(str, faces))}."
    shown = "".join(map(str, sorted(faces, reverse=True)))
    assert match["position"]["words"] == f"You threw {shown}; 2 casts left."
    assert match["moves"][0]["label"] == "Keep nothing, cast 3 dice"
    match = ann.move(match, "stop")
    assert match["result"]["sentence"] == f"You made {shown}."
    assert match["result"]["value"] == (shown == "421")


def test_a_coin_is_told_by_its_sides(ann):
    match = ann.begin("piglet", "turtle", parameters={"target": 30}, starts="me")
    told = {
        0: ("bust", "You toss tails and lose the turn."),
        1: ("scored", "You toss heads."),
    }
    for _ in range(4):
        match = ann.move(match, "roll")
        first = next(each for each in match["events"] if each["who"] == "you")
        assert (first["effect"], first["text"]) == told[first["dice"][0]]


def test_the_other_players_whole_turn_is_told_throw_by_throw(ann):
    match = ann.begin("pig", "hold-at:9", parameters={"target": 25}, starts="opponent")
    events = match["events"]
    assert {event["who"] for event in events} == {"opponent"}
    assert [event["ply"] for event in events] == list(range(1, len(events) + 1))
    risk = 0
    for event in events[:-1]:
        risk += event["points"]
        assert event["fields"]["at_risk"] == risk
        assert risk < 9
    assert events[-1]["effect"] in ("held", "bust")
    banked = risk if events[-1]["effect"] == "held" else 0
    assert match["position"]["fields"]["yours"] == banked


def test_at_once_both_throws_have_one_number(ann):
    parameters = {"target": 20, "dice": 3, "variant": "simultaneous"}
    match = ann.begin("dice-battle", "blind:2", parameters=parameters)
    after = ann.move(match, "throw 3")
    one, two = after["events"]
    assert (one["ply"], one["who"], len(one["dice"])) == (1, "you", 3)
    assert (two["ply"], two["who"], len(two["dice"])) == (1, "opponent", 2)
    fields = after["position"]["fields"]
    scored = [1 if 1 in event["dice"] else sum(event["dice"]) for event in (one, two)]
    assert [fields["mine"], fields["yours"]] == scored
    assert one["fields"] == two["fields"] == fields


def test_with_a_seed_a_players_matches_have_the_same_dice(tmp_path):
    told = []
    for number in (1, 2):
        visitor = Visitor(open_lab(tmp_path / str(number), seed=11))
        for _ in range(2):
            match = visitor.begin("pig", "turtle", parameters={"target": 20}, starts="coin")
            seen = visitor.finish(match, best)
            told.append([event["dice"] for one in seen for event in one["events"]])
    assert told[:2] == told[2:]
    assert told[0] != told[1]


def test_dice_depend_on_the_seed_of_the_match_and_the_decision_only(ann, lab):
    match = ann.begin("pig", "turtle", parameters={"target": 25})
    kept = lab.state.lab.store.match(match["id"])
    die = dicelab.Die(6)
    expected = throw(die, 1, np.random.default_rng([kept.seed, 1, 0, 0]))
    assert ann.move(match, "roll")["events"][0]["dice"] == expected


def test_a_coin_decides_who_starts_and_says_so(ann):
    told = set()
    for _ in range(12):
        match = ann.begin("piglet", "turtle", parameters={"target": 3}, starts="coin")
        coin = match["events"][0]
        assert (coin["effect"], coin["ply"]) == ("coin", 0)
        who = "you start" if match["you_start"] else "the other player starts"
        assert coin["text"] == f"The coin says {who}."
        told.add(who)
        again = ann.get(f"/api/matches/{match['id']}")
        assert again["events"][0] == coin
    assert len(told) == 2


def test_a_move_sent_twice_is_played_once(ann):
    match = ann.begin("pig", "turtle", parameters={"target": 25})
    after = ann.move(match, "roll")
    answer = ann.ask(
        "POST", f"/api/matches/{match['id']}/moves", 409, json={"move": "roll", "ply": 0}
    ).json()
    assert answer["match"]["ply"] == after["ply"]
    assert answer["match"]["events"] == after["events"]
    decisions = f"{after['ply']} decisions were made, not 0"
    assert answer["error"]["message"] == f"the match has moved on: {decisions}"


def test_of_two_moves_at_the_same_moment_one_is_played(ann, lab):
    playing = lab.state.lab.playing
    token = ann.headers["authorization"].removeprefix("Bearer ")
    player = lab.state.lab.store.player(token)
    for _ in range(5):
        match = ann.begin("pig", "turtle", parameters={"target": 25}, coach="off")
        both, answers = threading.Barrier(2), []

        def send(id=match["id"], both=both, answers=answers):
            both.wait()
            try:
                answers.append(playing.move(player, id, "roll", 0, False, 10)["ply"])
            except MovedOn as moved_on:
                answers.append(str(moved_on))

        threads = [threading.Thread(target=send) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        (played,) = [one for one in answers if isinstance(one, int)]
        (late,) = [one for one in answers if isinstance(one, str)]
        assert late == f"the match has moved on: {played} decisions were made, not 0"
        assert ann.get(f"/api/matches/{match['id']}")["ply"] == played


@pytest.mark.parametrize(
    ("quicker", "outcome", "ply"), [("resign", "stopped", 0), ("move", "won", 1)]
)
def test_of_giving_up_and_the_last_move_the_one_that_was_written_first_stands(
    ann, lab, monkeypatch, quicker, outcome, ply
):
    playing, store = lab.state.lab.playing, lab.state.lab.store
    player = store.player(ann.headers["authorization"].removeprefix("Bearer "))
    # No throw of this die is a bust, and every one wins.
    match = ann.begin("pig", "turtle", parameters={"target": 2, "die": "2,3"}, coach="off")
    acts = {
        "resign": lambda: playing.resign(player, match["id"], 10),
        "move": lambda: playing.move(player, match["id"], "roll", 0, False, 10),
    }
    first = acts.pop(quicker)
    (late,) = acts.values()
    find, looked = store.match, []

    def overtaken(id):  # the late one has read the match when the other writes down its end
        found = find(id)
        if not looked:
            looked.append(id)
            first()
        return found

    monkeypatch.setattr(store, "match", overtaken)
    with suppress(MovedOn):
        late()
    monkeypatch.undo()
    then = ann.get(f"/api/matches/{match['id']}")
    assert (then["result"]["outcome"], then["ply"]) == (outcome, ply)


def test_a_match_that_goes_on_for_ever_is_called_off(ann, monkeypatch):
    monkeypatch.setattr("dicelab.lab.matches.MOST_DECISIONS", 7)
    parameters = {"target": 20, "passing": True}
    match = ann.begin("pig", "hold-at:0", parameters=parameters, coach="off")
    last = ann.finish(match, lambda _: "hold")[-1]
    assert (last["ply"], last["result"]["outcome"]) == (7, "stopped")
    assert last["position"]["notation"] == "0-0 +0"


def test_a_move_the_rules_forbid_is_not_played(ann):
    match = ann.begin("pig", "turtle", parameters={"target": 25})
    path = f"/api/matches/{match['id']}/moves"
    told = ann.refused("POST", path, 400, json={"move": "hold", "ply": 0})
    assert told == "cannot hold at 0-0 +0: you can only roll here"
    battle = ann.begin("dice-battle", "blind", parameters={"target": 25, "dice": 9})
    path = f"/api/matches/{battle['id']}/moves"
    told = ann.refused("POST", path, 400, json={"move": "throw 10", "ply": 0})
    assert told == "cannot throw 10 at 0-0: you can only throw 1 to throw 9 here"
    kept = ann.move(ann.begin("421-round", {"kind": "nobody"}), "cast")
    path = f"/api/matches/{kept['id']}/moves"
    moves = [move["move"] for move in kept["moves"]]
    told = ann.refused("POST", path, 400, json={"move": "keep 9", "ply": 1})
    at = kept["position"]["notation"]
    can = " or ".join(moves) if len(moves) < 6 else f"{moves[0]} to {moves[-1]}"
    assert told == f"cannot keep 9 at {at}: you can only {can} here"
    assert ann.get(f"/api/matches/{match['id']}")["ply"] == 0


def test_a_match_that_is_over_takes_no_move(ann):
    match = ann.begin("piglet", "turtle", parameters={"target": 2})
    last = ann.finish(match, best)[-1]
    path = f"/api/matches/{match['id']}/moves"
    told = ann.refused("POST", path, 409, json={"move": "roll", "ply": last["ply"]})
    assert told == "the match has moved on: it is over"


def test_the_coach_warns_only_of_a_large_mistake(ann):
    match = ann.begin("pig", "turtle", parameters={"target": 10}, coach="warn", warn_at=0.05)
    assert match["coach"] is None
    while not match["over"] and match["position"]["fields"]["at_risk"] == 0:
        match = ann.move(match, "roll")  # with nothing at risk there is no other move
        assert match["warning"] is None
    at = match["position"]["notation"]
    solution = dicelab.solve(dicelab.game("pig", target=10))
    cost = {move.move: float(move.cost) for move in solution.moves_at(at)}["hold"]
    assert cost > 0.05  # to 10 it is best never to hold
    warned = ann.move(match, "hold")
    assert warned["ply"] == match["ply"]
    assert warned["events"] == []
    assert warned["warning"] == {
        "move": "hold",
        "cost": cost,
        "best": ["roll"],
        "sentence": f"Holding would cost you {100 * cost:.1f}% of the game.",
    }
    assert ann.move(match, "hold", sure=True)["events"][0]["move"] == "hold"


def test_what_a_move_cost_is_told_only_where_the_coach_is_on(ann):
    for mode in ("on", "off", "after"):
        match = ann.begin("pig", "turtle", parameters={"target": 25}, coach=mode)
        after = ann.move(match, "roll")
        assert (after["coach"] is not None) == (mode == "on" and not after["over"])
        said = {"move": "roll", "cost": 0.0, "status": "best", "sentence": "Best."}
        assert after["played"] == (said if mode == "on" else None)


def test_the_coach_can_be_changed_in_the_middle(ann):
    match = ann.begin("pig", "turtle", parameters={"target": 25}, coach="off")
    changed = ann.post(f"/api/matches/{match['id']}/coach", {"coach": "on"})
    assert changed["coach"]["value"] > 0
    assert changed["coach_mode"] == "on"


def test_a_match_that_is_stopped_can_still_be_reviewed(ann):
    match = ann.move(ann.begin("pig", "turtle", parameters={"target": 25}), "roll")
    stopped = ann.post(f"/api/matches/{match['id']}/resign")
    assert stopped["result"]["outcome"] == "stopped"
    assert stopped["result"]["value"] is None
    assert stopped["result"]["sentence"] == "The game was stopped before its end."
    review = ann.get(f"/api/reviews/{match['id']}")
    assert review["you"]["result"] == pytest.approx(review["curve"][-1]["value"])
    untouched = ann.begin("pig", "turtle", parameters={"target": 25})
    ann.post(f"/api/matches/{untouched['id']}/resign")
    empty = ann.get(f"/api/reviews/{untouched['id']}")
    assert empty["you"]["decisions"] == 0
    assert empty["grade"]["sentence"] == "You had nothing to decide."


def test_a_match_goes_on_where_it_was_left(ann):
    match = ann.move(ann.begin("pig", "turtle", parameters={"target": 25}), "roll")
    again = ann.get(f"/api/matches/{match['id']}")
    assert {**again, "events": 0, "played": 0} == {**match, "events": 0, "played": 0}
    assert again["events"] == match["events"]
    unfinished = ann.get("/api/me")["player"]["unfinished"]
    assert [one["id"] for one in unfinished] == [match["id"]]
    assert ann.get("/api/matches", state="open")["matches"][0]["ply"] == match["ply"]


def test_a_throw_of_too_many_dice_at_greed_is_reviewed_too(ann):
    # The solution lists only numbers of dice that may help; the rules allow more.
    match = ann.begin("greed", "aim-at", parameters={"max": 15})
    last = ann.finish(match, lambda one: one["moves"][-1]["move"])[-1]
    review = ann.get(f"/api/reviews/{last['id']}")
    solution = dicelab.solve(dicelab.game("greed", max=15), exact=True)
    first = review["curve"][1]
    assert first["move"] == "throw 15"
    # fifteen dice fit only if all show 1: then who threw has 15 and may not lose
    assert first["cost"] == pytest.approx(float(solution.value), abs=1e-6)


# What the coach says about the one who sits opposite.


@pytest.mark.parametrize("which", [name for name in GAMES if name != "greed"])
def test_the_coach_tells_the_chance_against_this_opponent_too(ann, which):
    name, parameters = name_of(which), GAMES[which]
    begun = ann.begin(name, OPPONENTS[name], parameters=parameters, starts="me")
    game = dicelab.game(name, **parameters)
    reply = dicelab.best_response(game, OPPONENTS[name]).solution
    coach = ann.get(f"/api/matches/{begun['id']}", wait=60)["coach"]
    told = coach["against"]
    assert told["value"] == float(reply.value)
    assert told["lower"] <= told["value"] <= told["upper"]
    assert told["value"] >= coach["value"] - 1e-9  # nobody does worse than against perfect play
    assert told["best"] == reply.best_moves(game.start())
    assert coach["assumes"] == "both play their best from here"


def test_against_the_turtle_the_coach_knows_better_than_against_perfect_play(ann):
    # Pig to 100: 53.1% against perfect play (Neller & Presser 2004); best reply to turtle 97.0%.
    match = ann.begin("pig", "turtle", starts="me")
    coach = ann.get(f"/api/matches/{match['id']}", wait=60)["coach"]
    assert coach["said"] == "53.1% to win"
    assert coach["against"]["said"] == "97.0% to win"
    assert coach["against"]["sentence"] == (
        "Against the turtle, with the best reply to it: 97.0% to win. Here that is to roll."
    )


def test_perfect_play_is_told_once(ann):
    match = ann.begin("pig", "optimal", parameters={"target": 20}, starts="me")
    assert ann.get(f"/api/matches/{match['id']}", wait=60)["coach"]["against"] is None
    alone = ann.begin("solo-pig", {"kind": "nobody"}, parameters={"target": 20})
    assert alone["coach"]["against"] is None


def test_where_no_reply_can_be_found_the_coach_says_why(ann):
    match = ann.begin("greed", "aim-at", parameters={"max": 150}, starts="me")
    told = ann.get(f"/api/matches/{match['id']}", wait=60)["coach"]["against"]
    assert (told["value"], told["pending"]) == (None, False)
    assert told["sentence"] == (
        "Not known against the reckoner: greed max=150 is too large to work out a reply to one "
        "opponent while you play: it goes up to 40,000 positions."
    )
    ties = {"max": 12, "tie": "1/4", "second_tie": "1/2"}
    match = ann.begin("greed", "aim-at", parameters=ties, starts="me")
    told = ann.get(f"/api/matches/{match['id']}", wait=60)["coach"]["against"]
    assert told["sentence"] == (
        "Not known against the reckoner: greed max=12 tie=1/4 second_tie=1/2 values its ends "
        "differently by seat: a best reply needs one worth of each end."
    )


# What is said at the table and after it.


def test_a_review_of_solo_pig_counts_the_turns_taken_before_each_mistake(ann):
    match = ann.begin("solo-pig", {"kind": "nobody"}, parameters={"target": 30}, coach="off")
    last = ann.finish(match, lambda one: one["moves"][-1]["move"])[-1]  # holds whatever there is
    review = ann.get(f"/api/reviews/{last['id']}")
    events = ann.get(f"/api/matches/{last['id']}")["events"]
    ended = [event["ply"] for event in events if event["effect"] in ("held", "bust")]
    told = {one["ply"]: one["position"]["fields"]["turns"] for one in review["mistakes"]}
    assert len(told) > 1
    assert told == {ply: sum(end < ply for end in ended) for ply in told}


def test_a_mistake_is_told_as_past_with_what_was_best_and_what_was_done(ann):
    match = ann.begin("pig", "turtle", parameters={"target": 10}, coach="off")
    last = ann.finish(match, lambda one: one["moves"][-1]["move"])[-1]
    solution = dicelab.solve(dicelab.game("pig", target=10))
    for one in ann.get(f"/api/reviews/{last['id']}")["mistakes"]:
        cost = float(solution.value_of(one["position"]["notation"], "hold").cost)
        assert one["sentence"] == (
            f"Best was to roll; to hold cost you {per_cent(solution.game, cost)}."
        )
        assert one["slip"] == (cost < 0.001)


def test_small_slips_are_no_mistakes_and_all_of_them_are_counted(ann):
    found = 0
    for _ in range(3):
        match = ann.begin("pig", "turtle", parameters={"target": 40}, coach="off")
        hold_late = lambda one: (  # noqa: E731  near the best, now and then a little off
            "hold" if one["position"]["fields"]["at_risk"] >= 22 else "roll"
        )
        review = ann.get(f"/api/reviews/{ann.finish(match, hold_late)[-1]['id']}")
        small = [one for one in review["mistakes"] if one["cost"] < 0.001]
        assert review["you"]["slips"] == len(small) == sum(one["slip"] for one in small)
        assert review["you"]["mistakes"] == len(review["mistakes"]) - len(small)
        found += len(review["mistakes"])
    assert found


def test_a_friend_who_opens_a_review_is_told_who_played(ann, lab):
    ann.ask("PATCH", "/api/me", json={"name": "Ann"})
    match = ann.begin("pig", "turtle", parameters={"target": 10}, coach="off")
    last = ann.finish(match, lambda one: one["moves"][-1]["move"])[-1]
    mine = ann.get(f"/api/reviews/{last['id']}")
    theirs = Visitor(lab).get(f"/api/reviews/{last['id']}")
    assert (mine["yours"], theirs["yours"], theirs["player"]) == (True, False, "Ann")
    for a, b in zip(mine["mistakes"], theirs["mistakes"], strict=True):
        assert b["sentence"] == a["sentence"].replace("cost you", "cost Ann")
    assert theirs["result"]["sentence"] == mine["result"]["sentence"].replace("You", "Ann")
    assert theirs["grade"]["sentence"] == mine["grade"]["sentence"].replace("You", "Ann")


def test_costs_are_percentages_of_the_game_whatever_its_unit(ann):
    # At Dice Battle a win is worth 1 and a loss -1: all that can be lost is 2.
    parameters = {"target": 25, "dice": 3}
    match = ann.begin("dice-battle", "blind", parameters=parameters, starts="me")
    assert match["scale"] == {"low": -1.0, "high": 1.0, "means": "chance to win"}
    worse = next(move for move in match["coach"]["moves"] if move["status"] == "worse")
    dice, share = worse["move"].removeprefix("throw "), worse["cost"] / 2
    assert worse["sentence"] == f"Throwing {dice} would cost you {100 * share:.1f}% of the game."
    assert match["coach"]["said"] == f"{100 * (match['coach']['value'] + 1) / 2:.1f}% to win"
    at_once = {**parameters, "variant": "simultaneous"}
    means = ann.begin("dice-battle", "blind", parameters=at_once)["scale"]["means"]
    assert means == "chance to win, a draw counting half"


def test_a_mixture_is_told_only_where_there_is_one(ann):
    parameters = {"target": 15, "dice": 5, "variant": "simultaneous"}
    solution = dicelab.solve(dicelab.game("dice-battle", **parameters))
    table, seen = solution.table, set()
    for number in np.flatnonzero(table.is_ongoing)[::9]:
        at = table.notation(int(number))
        told = ann.get("/api/explore/dice-battle/position", at=at, wait=60, **parameters)
        certain = max(float(chance) for chance in solution.mixture_at(at).values()) >= 0.9995
        assert (told["mixture"] is None) == certain
        seen.add(certain)
    assert seen == {True, False}


def test_the_last_score_has_what_was_at_risk(ann):
    match = ann.begin("pig", "turtle", parameters={"target": 10}, starts="me")
    last = ann.finish(match, best)[-1]
    fields = last["position"]["fields"]
    assert max(fields["mine"], fields["yours"]) >= 10
    assert fields["at_risk"] == 0
    assert last["result"]["sentence"].endswith(f", {fields['mine']} to {fields['yours']}.")


def test_an_opponent_is_called_as_people_say_it(ann):
    names = {"hold-at:8": "hold at 8", "noisy:9,0.1,3": "one who wavers 9, 0.1, 3"}
    for name, called in {**names, "optimal": "perfect play"}.items():
        match = ann.begin("pig", name, parameters={"target": 20}, coach="off")
        assert match["opponent"]["label"] == called


def test_a_full_card_ends_with_its_points(ann):
    match = ann.begin("yahtzee", {"kind": "nobody"}, coach="off")
    while not match["over"]:
        match = ann.move(match, match["moves"][-1]["move"])
    (card,) = (part for part in match["position"]["board"] if part["part"] == "card")
    total = next(line["text"] for line in card["sums"] if line["name"] == "Total")
    assert match["result"]["sentence"] == f"{total} points. You filled the card."


def test_who_goes_bust_at_greed_has_no_score(ann):
    match = ann.begin("greed", parameters={"max": 10}, starts="me")
    match = ann.move(match, "throw 10")  # above 10, unless all show 1
    assert match["position"]["fields"]["mine"] == "bust"
