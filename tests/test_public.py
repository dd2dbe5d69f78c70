"""The public names: all of them, and nothing else."""

import importlib.metadata
import inspect
import types

import dicelab


def test_all_names_what_the_package_offers_and_nothing_else():
    offered = {
        name
        for name, thing in vars(dicelab).items()
        if not name.startswith("_") and not isinstance(thing, types.ModuleType)
    }
    assert offered == set(dicelab.__all__)
    assert len(offered) == len(dicelab.__all__)


def test_the_list_of_games_can_be_asked_for_twice():
    # The package of games has the same name as the function, and must not take its place.
    assert dicelab.games() == dicelab.games()
    assert "pig" in dicelab.games()


def test_every_public_name_says_what_it_is():
    undocumented = [
        name
        for name in dicelab.__all__
        if callable(thing := getattr(dicelab, name)) and not inspect.getdoc(thing)
    ]
    assert undocumented == []


def test_the_installed_version_is_the_package_s_own():
    assert importlib.metadata.version("dicelab") == dicelab.__version__
