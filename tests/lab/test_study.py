"""The study in the lab: its questions, records out and in, and who is who in them."""

import csv
import io
import json

import pytest

from dicelab.games.pig.study.tracker_file import parse_tracker
from dicelab.lab.records import is_machine, machine, names_of
from dicelab.people import decisions
from lab_rooms import Visitor, best, open_lab, whole_lab

PIG = {"target": 20}
FORM = "game,seat,player,turn,rolls,banked\n"


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    with whole_lab(tmp_path_factory.mktemp("lab"), seed=2) as app:
        yield app


def test_the_questionnaire_is_that_of_the_tracker_form(ann):
    names = [one["name"] for one in ann.get("/api/study/questions")["questions"]]
    assert names == ["preference", "lottery_10", "lottery_million"]
    assert ann.get("/api/study/answers") == {"answers": None}
    said = {"preference": "averse", "lottery_10": "a", "lottery_million": None}
    assert ann.ask("PUT", "/api/study/answers", json=said).json() == {"answers": said}
    assert ann.get("/api/me")["player"]["answers"] == said


def test_forms_go_out_and_come_back_in_and_the_study_counts_people_only(tmp_path):
    lab = open_lab(tmp_path, seed=4)
    people = [Visitor(lab) for _ in range(4)]
    for number, one in enumerate(people):
        one.ask("PATCH", "/api/me", json={"name": f"person {number}"})
        preference = ("averse", "averse", "seeking", "seeking")[number]
        said = {"preference": preference, "lottery_10": "a", "lottery_million": "b"}
        one.ask("PUT", "/api/study/answers", json=said)
        for _ in range(2):
            one.finish(one.begin("pig", "hold-at:8", parameters=PIG, starts="coin"), best)
    admin = people[0]
    text = admin.ask("GET", "/api/admin/tracker.csv?game=pig&target=20").text
    forms = parse_tracker(text)
    assert len(forms.forms) == 8
    assert {sheet.lotteries for sheet in forms.sheets if sheet.preference} == {("a", "b")}
    said = {sheet.preference for sheet in forms.sheets if sheet.player == "person 2"}
    assert said == {"seeking"}
    study = admin.get("/api/admin/study", game="pig", **PIG)
    assert study["games"] == 8
    groups = {name: group["players"] for name, group in study["groups"].items()}
    assert groups == {"averse": 2, "seeking": 2, "everybody": 4}  # and not the machine
    assert study["differ"]["groups"] == ["averse", "seeking"]
    record = admin.ask(
        "POST", "/api/admin/records?name=forms.csv", 201, content=text.encode()
    ).json()["record"]
    assert (record["games"], record["title"]) == (8, "pig target=20")
    assert admin.get("/api/admin/study", game="pig", **PIG)["games"] == 16
    assert admin.get("/api/admin/study", game="pig", imported=False, **PIG)["games"] == 8
    number = record["players"].index("person 1") + 1
    person = {"kind": "person", "record": record["id"], "player": f"participant {number}"}
    match = admin.begin("pig", person, parameters=PIG)
    assert match["opponent"]["label"] == f"participant {number}, as fitted"
    own = people[1].ask("GET", "/api/me/tracker.csv?target=20").text
    rows = csv.DictReader(io.StringIO(own.partition("\n")[2]))
    assert {row["player"] for row in rows} == {"person 1", "the lab (hold-at:8)"}
    decisions = people[1].ask("GET", "/api/me/decisions.csv?target=20").text
    assert decisions.startswith('# {"format": "dicelab decisions 1", "game": "pig"')
    picture = admin.ask("GET", "/api/admin/plots/totals.svg?target=20").text
    assert "averse" in picture
    overview = admin.get("/api/admin/overview")
    assert (overview["players"], overview["over"]) == (4, 8)
    assert overview["tables"]["bytes"] <= overview["tables"]["budget"]
    admin.ask("DELETE", f"/api/admin/records/{record['id']}", 204)
    told = admin.refused("DELETE", f"/api/admin/records/{record['id']}", 404)
    assert told == f"there is no record {record['id']!r}"


def test_the_study_follows_names_answers_and_records(tmp_path):
    ann = Visitor(open_lab(tmp_path, seed=4))
    ann.finish(ann.begin("pig", "hold-at:8", parameters=PIG), best)

    def groups():
        return list(ann.get("/api/admin/study", game="pig", **PIG)["groups"])

    assert groups() == ["everybody"]
    said = {"preference": "seeking", "lottery_10": "b", "lottery_million": "b"}
    ann.ask("PUT", "/api/study/answers", json=said)
    assert groups() == ["seeking", "everybody"]
    ann.ask("PUT", "/api/study/answers", json={**said, "preference": "averse"})
    assert groups() == ["averse", "everybody"]


def test_a_record_in_the_place_of_another_is_fitted_anew(tmp_path):
    ann = Visitor(open_lab(tmp_path))
    numbers = []
    # The same two players, once holding at once and once rolling on: 10 turns each.
    for rolls, banked in ((1, 4), (4, 16)):
        rows = [
            f"1,{seat},{name},{turn},{rolls},{banked}\n"
            for turn in range(1, 6)
            for seat, name in ((1, "eva"), (2, "tom"))
        ]
        text = FORM + "".join(rows)
        answer = ann.ask("POST", "/api/admin/records", 201, content=text.encode())
        record = answer.json()["record"]
        assert record["id"] == "r1"
        eva = {"kind": "person", "record": "r1", "player": "participant 1"}
        numbers.append(ann.begin("pig", eva, coach="off")["opponent"]["numbers"][0])
        ann.ask("DELETE", "/api/admin/records/r1", 204)
    assert numbers[0] < 10 < numbers[1]


def test_an_opponent_says_what_it_takes_to_meet_it_again(tmp_path):
    ann = Visitor(open_lab(tmp_path))
    rows = [f"1,{seat},{name},1,2,8\n" for seat, name in ((1, "eva"), (2, "tom"))]
    ann.ask("POST", "/api/admin/records", 201, content=(FORM + "".join(rows)).encode())
    eva = {"kind": "person", "record": "r1", "player": "participant 1"}
    opponent = ann.begin("pig", eva, coach="off")["opponent"]
    assert {name: opponent[name] for name in eva} == eva


def test_those_who_took_part_in_a_record_stay_unnamed_to_players(tmp_path):
    ann = Visitor(open_lab(tmp_path, admin_token="secret", hosts=None))
    secret = {"x-admin-token": "secret"}
    rows = "".join(f"1,{seat},{name},1,2,8\n" for seat, name in ((1, "Eva Muster"), (2, "Tom X")))
    ann.ask("POST", "/api/admin/records", 201, content=(FORM + rows).encode(), headers=secret)
    people = ann.ask("GET", "/api/people").text
    eva = {"kind": "person", "record": "r1", "player": "participant 1"}
    match = ann.begin("pig", eva, coach="off")
    ann.post(f"/api/matches/{match['id']}/resign")
    jobs = [ann.client.get(f"/api/jobs/j{number}").text for number in range(1, 6)]
    review = ann.ask("GET", f"/api/reviews/{match['id']}?wait=60").text
    seen = "".join([people, json.dumps(match), review, *jobs])
    assert "participant 2" in people
    assert "fitting participant 1 at pig" in seen
    assert "Eva" not in seen
    assert "Tom" not in seen
    # what a lab of version 0.1 wrote down
    with ann.app.state.lab.store.writing() as file:
        file.execute("UPDATE matches SET opponent = replace(opponent, 'participant 1', 'Eva M')")
    early = ann.get(f"/api/matches/{match['id']}")
    assert early["opponent"]["label"] == "a participant, as fitted"
    review = ann.ask("GET", f"/api/reviews/{match['id']}?wait=60").text
    assert "Eva" not in json.dumps(early) + review + ann.ask("GET", "/api/matches").text
    body = {"game": "pig", "opponent": {**eva, "player": "Eva Muster"}}
    told = ann.refused("POST", "/api/matches", 400, json=body)
    assert told == "nobody called 'Eva Muster' is in record 'r1'; there is participant 1 to 2"
    overview = ann.ask("GET", "/api/admin/overview", headers=secret).json()
    assert overview["records"][0]["players"] == ["Eva Muster", "Tom X"]


@pytest.mark.parametrize("name", ["=cmd|calc", "+1+1", "@sum", "-2+3", "=HYPERLINK(1)"])
def test_names_that_a_spreadsheet_would_run_go_out_as_text_and_come_back(tmp_path, name):
    ann = Visitor(open_lab(tmp_path))
    rows = "".join(f"1,{seat},{who},1,2,8\n" for seat, who in ((1, name), (2, "tom")))
    ann.ask("POST", "/api/admin/records", 201, content=(FORM + rows).encode())
    text = ann.ask("GET", "/api/admin/tracker.csv").text
    (cell,) = {row["player"] for row in csv.DictReader(io.StringIO(text.partition("\n")[2]))} - {
        "tom"
    }
    assert cell == "'" + name
    assert set(parse_tracker(text).players) == {name, "tom"}


def test_a_record_says_what_the_study_can_do_with_it(tmp_path):
    ann = Visitor(open_lab(tmp_path))
    rows = "1,1,ann,0-0,throw 1,0-2,yes\n"
    told = {"max": "3", "die": "2", "tie": "1/2", "second_tie": "None"}
    head = {"format": "dicelab decisions 1", "game": "greed", "parameters": told}
    text = f"# {json.dumps(head)}\ngame,seat,player,position,move,after,passes\n{rows}"
    ann.ask("POST", "/api/admin/records", 201, content=text.encode())
    (record,) = ann.get("/api/admin/overview")["records"]
    assert (record["title"], record["tracker"]) == ("greed max=3 die=2", False)
    known = {"max": 3, "die": "2", "tie": "1/2", "second_tie": None}
    assert record["parameters"] == {**known, "players": 2}  # records from before say nothing of it
    (person,) = ann.get("/api/people")["people"]
    assert person["parameters"] == record["parameters"]


def test_a_record_is_read_once_however_often_the_page_asks_who_is_in_it(tmp_path, monkeypatch):
    ann = Visitor(open_lab(tmp_path))
    head = {"format": "dicelab decisions 1", "game": "pig", "parameters": {"target": "7"}}
    columns = "game,seat,player,position,move,after,passes"
    text = f"# {json.dumps(head)}\n{columns}\n1,1,eva,0-0 +0,roll,0-0 +5,no\n"
    compiled, compile = [], decisions.compile

    def counted(game):
        compiled.append(str(game))
        return compile(game)

    monkeypatch.setattr(decisions, "compile", counted)
    ann.ask("POST", "/api/admin/records", 201, content=text.encode())
    for _ in range(3):
        (person,) = ann.get("/api/people")["people"]
        assert (person["player"], person["games"]) == ("participant 1", 1)
    assert compiled == ["pig target=7"]


def test_no_two_players_share_a_name_in_records_nor_one_with_a_machine(tmp_path):
    lab = open_lab(tmp_path)
    for name in ("Ann", "ann", "Ann 1", "the lab (optimal)"):
        Visitor(lab).ask("PATCH", "/api/me", json={"name": name})
    names = names_of(lab.state.lab.store)
    assert names == {1: "Ann 1 1", 2: "ann 2", 3: "Ann 1", 4: "the lab (optimal) 4"}
    assert not any(is_machine(name) for name in names.values())
    assert is_machine(machine({"kind": "optimal"}))


def test_matches_say_which_records_they_make(tmp_path):
    ann = Visitor(open_lab(tmp_path))
    ann.begin("pig", "turtle", parameters=PIG, coach="off")
    ann.begin("two-dice-pig", "hold-at:9", parameters={"target": 20}, coach="off")
    ann.begin("421-round", coach="off")
    at_once = {"target": 5, "dice": 2, "variant": "simultaneous"}
    ann.begin("dice-battle", "blind", parameters=at_once, coach="off")
    told = {one["game"]: one["records"] for one in ann.get("/api/matches")["matches"]}
    assert told == {
        "pig": ["decisions", "tracker"],
        "two-dice-pig": ["decisions"],  # two ones lose the bank, which the form does not say
        "421-round": ["decisions"],
        "dice-battle": [],
    }


def test_what_was_begun_is_shown_by_a_lab_with_less_memory(tmp_path):
    lab = open_lab(tmp_path)
    ann = Visitor(lab)
    ann.begin("pig", "turtle", parameters=PIG, coach="off")
    text = FORM + "1,1,ann,1,2,8\n"
    ann.ask("POST", "/api/admin/records", 201, content=text.encode())
    later = Visitor(open_lab(tmp_path, memory=2_000), ann.headers)
    (match,) = later.get("/api/me")["player"]["unfinished"]
    assert match["title"] == "pig target=20"
    (record,) = later.get("/api/admin/overview")["records"]
    assert record["title"] == "pig"
    told = later.refused("POST", "/api/games/check", 400, json={"game": "pig", "parameters": PIG})
    assert "which needs about" in told
    later.ask("DELETE", f"/api/admin/records/{record['id']}", 204)


@pytest.mark.parametrize(
    ("path", "status", "told"),
    [
        (
            "study?target=9",
            400,
            "there is no finished game of pig target=9 yet: play one to its end",
        ),
        (
            "tracker.csv?game=greed&max=6",
            400,
            "the tracker form is for two players at Pig or its kin: got greed max=6",
        ),
        (
            "decisions.csv?game=421-round",
            400,
            "there is no finished game of 421-round yet: play one to its end",
        ),
        (
            "decisions.csv?game=dice-battle&target=5&variant=simultaneous",
            400,
            "there is no finished game of dice-battle target=5 variant=simultaneous yet: "
            "play one to its end",
        ),
        ("plots/nothing.svg?target=20", 404, "no figure called 'nothing'; there is games, totals"),
    ],
)
def test_what_the_study_cannot_tell_is_said_in_a_sentence(ann, path, status, told):
    assert ann.refused("GET", f"/api/admin/{path}", status) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            '# {"format": "dicelab tracker 1", "game": "os:path", "parameters": {}}\n',
            "'x.csv' is a record of os:path, which is not registered",
        ),
        (
            '# {"format": "dicelab tracker 1", "game": "421-round", "parameters": {}}\n',
            "the tracker form is for two players at Pig or its kin: got 421-round",
        ),
        (
            '# {"format": "something", "game": "pig", "parameters": {}}\n',
            "'x.csv' is no record: its first line says 'something'",
        ),
        (
            "game,seat,player,turn,rolls,banked\n1,1,ann,1,2,3\n",
            "row 2 cannot be: 3 points in 2 rolls: they score 4 to 12, or bust",
        ),
        ("\xff", "cannot read 'x.csv': save it as CSV in UTF-8"),
    ],
)
def test_a_record_that_cannot_be_is_not_brought_in(ann, text, told):
    path = "/api/admin/records?name=x.csv"
    assert ann.refused("POST", path, 400, content=text.encode("latin-1")) == told
