"""The lab speaks the language of who asks."""

import ast
import importlib.util
import re
import threading
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import dicelab
from dicelab.core.language import Later, language, number, speaking
from dicelab.lab import languages
from dicelab.lab.solution_cache import Shelf, Working
from dicelab.verbs.mixtures import how_often
from lab_rooms import Visitor, open_lab

PLACE = re.compile(r"\{(\w+)\}")
STATIC = Path(dicelab.__file__).parent / "lab" / "static"


@pytest.fixture(scope="module")
def ann(tmp_path_factory):
    return Visitor(open_lab(tmp_path_factory.mktemp("lab")))


def test_the_header_says_which_language_is_read():
    known = {
        "fr": "fr",
        "fr-FR,fr;q=0.9,en;q=0.8": "fr",
        "en-GB,en;q=0.9,fr;q=0.8": "en",
        "en;q=0.2, fr-CA;q=0.7": "fr",
        "de, es": "en",
        "fr;q=0": "en",
        "fr;q=zero": "en",
        "": "en",
        "*": "en",
        ",;=," * 1000: "en",
    }
    assert {header: languages.preferred(header) for header in known} == known


def test_the_page_gets_what_it_says_itself(ann):
    told = ann.get("/api/text/fr")
    assert told["language"] == "fr"
    assert told["text"]["Play"] == ["Jouer"]
    assert ann.get("/api/text/en") == {"language": "en", "text": {}}
    ann.refused("GET", "/api/text/../fr.po", 404)
    ann.refused("GET", "/api/text/de", 422)


def test_the_page_and_the_server_have_the_same_languages():
    script = (STATIC / "js" / "i18n.js").read_text("utf-8")
    listed = re.search(r"LANGUAGES = \{(.*)\}", script)[1]
    assert dict(re.findall(r'(\w+): "(\w+)"', listed)) == languages.LANGUAGES
    assert {path.stem for path in languages.LOCALE.glob("*.po")} == {*languages.LANGUAGES} - {"en"}


def test_numbers_are_written_as_the_reader_writes_them():
    assert [number(0.5306, ".1%"), number(1234567.5, ",.1f"), number(3)] == [
        "53.1%",
        "1,234,567.5",
        "3",
    ]
    with speaking(languages.catalogue("fr")):
        assert number(0.5306, ".1%") == "53,1\u00a0%"
        assert number(1234567.5, ",.1f") == "1\u202f234\u202f567,5"


def test_a_mixture_is_told_in_the_language_of_who_asks():
    level = dicelab.solve(dicelab.game("undercut", most=3, target=1))
    with speaking(languages.catalogue("fr")):
        said = level.advice_at(level.game.start())
    thrice = "dire 1 une fois sur trois, dire 2 une fois sur trois et dire 3 une fois sur trois"
    assert thrice in said
    assert said.startswith("Laissez faire le hasard")
    with speaking(languages.catalogue("fr")):
        assert how_often(0.1809) == "dans 18,09\u00a0% des cas"


def test_work_that_many_wait_for_is_told_to_each_in_their_language():
    shelf, go_on, heard = Shelf(1000), threading.Event(), []

    def make(_):
        go_on.wait(10)
        heard.append(language())

    with speaking(languages.catalogue("fr")):
        with pytest.raises(Working) as still:
            shelf.get("x", Later("solving {game}", game="x"), make, 0)
        assert still.value.job.told["what"] == "résolution de x"
    assert still.value.job.told["what"] == "solving x"
    go_on.set()
    assert still.value.job.done.wait(10)
    assert heard == ["en"]  # whoever waits: the work itself speaks for everybody
    shelf.close()


OTHERS = sorted({*languages.LANGUAGES} - {"en"})


@pytest.fixture(scope="module")
def tool():
    """The command behind `make translations`."""
    path = Path(__file__).parents[2] / "tools" / "translations.py"
    spec = importlib.util.spec_from_file_location("translations", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def said(tool):
    """Every text that the code says: English, and the plural where there is one."""
    return {message.id for message in tool.extracted() if message.id}


@pytest.mark.parametrize("language", OTHERS)
def test_no_text_is_missing_and_none_is_left_over(language, tool, said):
    known = tool.read(language)
    assert said - {message.id for message in known} == set(), "run make translations"
    assert {message.id for message in known if message.id} - said == set(), "run make translations"
    assert tool.missing(known) == []


def test_no_text_escapes_the_extraction(said):
    # Read in another way than the tool does: by the syntax tree.
    known = {text if isinstance(text, str) else text[0] for text in said}
    places = {"tr": 0, "mark": 0, "Later": 0, "trn": 0, "said_by": 1}
    escaped = []
    for path in sorted(STATIC.parents[1].rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            name = getattr(getattr(node, "func", None), "id", None)
            if name in places and len(node.args) > places[name]:
                text = node.args[places[name]]
                if isinstance(text, ast.JoinedStr):
                    escaped.append(f"{path.name}: an f-string is given to {name}")
                if isinstance(text, ast.Constant) and text.value not in known:
                    escaped.append(f"{path.name}: {text.value}")
    assert escaped == []


@pytest.mark.parametrize("language", OTHERS)
def test_translations_keep_the_places_and_none_is_a_guess(language):
    with (languages.LOCALE / f"{language}.po").open("rb") as file:
        known = read_po(file, language)
    assert len(known) > 300
    assert not known.obsolete
    for message in known:
        one, *many = [message.id] if isinstance(message.id, str) else message.id
        forms = [message.string] if isinstance(message.string, str) else message.string
        if not one:
            continue  # the heading
        assert not message.fuzzy, one
        for form in forms:  # "one die" need not say the number
            wanted = PLACE.findall(many[0] if many else one)
            assert sorted(set(PLACE.findall(form)) | ({"n"} if many else set())) == sorted(
                {*wanted} | ({"n"} if many else set())
            ), one
            assert not re.search(" [:;!?%»]", form), f"a plain space breaks the line: {form}"
            own = {*re.findall(r"\d+", form)} - {*re.findall(r"\d+", " ".join([one, *many]))}
            assert not own, f"numbers that the text has not, such as a broken sign: {form}"


def test_a_game_is_told_in_the_language_of_who_asks(ann):
    french = {"accept-language": "fr"}
    listed = ann.ask("GET", "/api/games", headers=french).json()["games"]
    told = next(game for game in listed if game["name"] == "421")
    assert told["rules"].startswith("Lancez trois dés, en trois coups au plus")
    assert [each["label"] for each in told["parameters"]][:2] == ["Joueurs", "Jetons"]
    english = next(game for game in ann.get("/api/games")["games"] if game["name"] == "421")
    assert english["rules"].startswith("Cast three dice up to three times")
    body = {"game": "421", "opponent": {"kind": "strategy", "name": "random"}, "starts": "me"}
    body["parameters"] = {"tokens": 2}
    match = ann.ask("POST", "/api/matches?wait=60", 201, json=body, headers=french).json()
    assert match["position"]["words"].endswith("jetons au pot.")
    assert ann.get(f"/api/matches/{match['id']}")["position"]["words"].endswith("in the pot.")


def test_to_keep_nothing_is_said_in_french(ann):
    body = {"game": "421", "opponent": {"kind": "strategy", "name": "random"}, "coach": "on"}
    body["start"] = "0-0 pot 11 threw 1 5 6"
    french = {"accept-language": "fr"}
    match = ann.ask("POST", "/api/matches?wait=60", 201, json=body, headers=french).json()
    said = match["coach"]["sentence"]
    assert said.startswith("Garder 1. Ne rien garder vous coûterait 5,2\u00a0% de la partie\u00a0;")
    move = next(each for each in match["moves"] if each["move"] == "keep nothing")
    assert move["label"] == "Ne rien garder, lancer 3 dés"


def test_an_opponent_without_a_name_is_called_in_the_language_of_who_reads(ann):
    french = {"accept-language": "fr"}
    body = {"game": "pig", "parameters": {"target": 10}, "coach": "off"}
    body["opponent"] = {"kind": "strategy", "name": "hold-at:6"}
    match = ann.ask("POST", "/api/matches?wait=60", 201, json=body, headers=french).json()
    address = f"/api/matches/{match['id']}"
    assert match["opponent"]["label"] == "garder à 6"
    assert ann.get(address)["opponent"]["label"] == "hold at 6"
    assert ann.ask("GET", address, headers=french).json()["opponent"]["label"] == "garder à 6"
