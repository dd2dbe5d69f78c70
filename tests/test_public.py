"""The public names: all of them, and nothing else."""

import importlib.metadata
import inspect
import subprocess
import sys
import types
from pathlib import Path

import dicelab

ROOT = Path(__file__).parent.parent


def test_all_names_what_the_package_offers_and_nothing_else():
    offered = {
        name
        for name, thing in vars(dicelab).items()
        if not name.startswith("_") and not isinstance(thing, types.ModuleType)
    }
    assert offered == set(dicelab.__all__)
    assert len(offered) == len(dicelab.__all__)


def test_no_public_name_hides_a_module():
    package = Path(dicelab.__file__).parent
    modules = {path.stem for path in package.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert not modules & set(dicelab.__all__)


def test_every_public_name_says_what_it_is():
    undocumented = [
        name
        for name in dicelab.__all__
        if callable(thing := getattr(dicelab, name)) and not inspect.getdoc(thing)
    ]
    assert undocumented == []


def test_the_page_of_the_library_is_up_to_date():
    tool = [sys.executable, str(ROOT / "tools" / "api_reference.py"), "--check"]
    run = subprocess.run(tool, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_the_installed_version_is_the_package_s_own():
    assert importlib.metadata.version("dicelab") == dicelab.__version__
