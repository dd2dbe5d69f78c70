"""Sentences in the reader's language."""

from dicelab.core.language import Catalogue, language, mark, speaking, tr, trn

FRENCH = Catalogue(
    "fr",
    {"You have {points}.": ("Vous avez {points}.",), "{n} die": ("{n} dé", "{n} dés")},
    lambda number: int(number > 1),
)


def test_english_stands_in_the_code():
    assert language() == "en"
    assert tr("You have {points}.", points=3) == "You have 3."
    assert [trn("{n} die", "{n} dice", n) for n in (0, 1, 2)] == ["0 dice", "1 die", "2 dice"]


def test_another_language_is_spoken_until_it_is_not():
    with speaking(FRENCH):
        assert language() == "fr"
        assert tr("You have {points}.", points=3) == "Vous avez 3."
        assert [trn("{n} die", "{n} dice", n) for n in (0, 1, 2)] == ["0 dé", "1 dé", "2 dés"]
        with speaking(None):
            assert tr("You have {points}.", points=3) == "You have 3."
    assert language() == "en"


def test_what_a_catalogue_lacks_stays_english():
    with speaking(FRENCH):
        assert tr(mark("Climb the {name}."), name="ladder") == "Climb the ladder."
        assert trn("{n} step", "{n} steps", 2) == "2 steps"
