"""The cache of machine code, damaged in every way: it heals, and no answer is ever wrong."""

import importlib
import pickle
import pkgutil
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from numba import njit
from numba.core.dispatcher import Dispatcher

import dicelab
from dicelab.core.kernel_cache import SEAL, KernelCache, ingredients

HALVES = """
import os, signal, sys
from pathlib import Path
from numba import njit
from dicelab.core import kernel_cache

def half(number):
    return number / 2

kernel = njit(half)
kernel._cache = kernel_cache.KernelCache(kernel, [Path(sys.argv[1])], True)
if sys.argv[2:] == ["kill"]:
    os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
print(kernel(8))
"""


def half(number):
    return number / 2


def third(number):
    return number / 3


def made(function, *folders, writable=True):
    """Return a function compiled, its machine code kept in the first of some folders."""
    kernel = njit(function)
    kernel._cache = KernelCache(kernel, list(folders), writable)
    return kernel


def is_loaded(kernel):
    """Return whether the code that was run came from the disk."""
    return not kernel._cache_misses


def kept(folder):
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


def cut(length):
    return lambda path: path.write_bytes(path.read_bytes()[:length])


def flipped(place):
    def flip(path):
        content = bytearray(path.read_bytes())
        content[place % len(content)] ^= 4
        path.write_bytes(content)

    return flip


def folder_instead(path):
    path.unlink()
    path.mkdir()


def nowhere(path):
    path.unlink()
    path.symlink_to("nowhere")


def nonsense_sealed(path):
    import hashlib

    for data in (pickle.dumps(("x",)),):
        path.write_bytes(hashlib.sha256(data).digest() + data)


DAMAGE = {
    "empty": cut(0),
    "the checksum alone": cut(SEAL),
    "half of the checksum": cut(SEAL // 2),
    "half of it": cut(3000),
    "all but a byte": cut(-1),
    "a bit of the checksum": flipped(5),
    **{f"bit {place}": flipped(place) for place in (SEAL, SEAL + 40, 1000, 2500, 5000, -1, -200)},
    "something else": lambda path: path.write_text("something else"),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "more at the end": lambda path: path.write_bytes(path.read_bytes() + b"more"),
    "sealed, and something else": nonsense_sealed,
    "gone": Path.unlink,
    "a link to nowhere": nowhere,
}


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_file_is_compiled_again_and_replaced(tmp_path, how):
    assert made(half, tmp_path)(8) == 4
    (path,) = kept(tmp_path)
    whole = path.read_bytes()
    DAMAGE[how](path)
    again = made(half, tmp_path)
    assert (again(8), is_loaded(again)) == (4, False)
    assert kept(tmp_path) == [path] or how == "a link to nowhere"
    healed = made(half, tmp_path)
    assert (healed(8), is_loaded(healed)) == (4, True)
    assert abs(path.stat().st_size - len(whole)) < 200


def test_a_folder_in_the_place_of_a_file_stops_nobody(tmp_path):
    made(half, tmp_path)(8)
    (path,) = kept(tmp_path)
    folder_instead(path)
    assert made(half, tmp_path)(8) == 4
    assert path.is_dir()


def test_the_code_of_another_kernel_or_other_types_is_not_run(tmp_path):
    made(half, tmp_path)(8)
    (halves,) = kept(tmp_path)
    made(third, tmp_path)(9)
    (thirds,) = [path for path in kept(tmp_path) if path != halves]
    halves.write_bytes(thirds.read_bytes())
    assert made(half, tmp_path)(8) == 4
    kernel = made(half, tmp_path)
    kernel(1.0)
    (floats,) = [path for path in kept(tmp_path) if path not in (halves, thirds)]
    floats.write_bytes(halves.read_bytes())
    assert made(half, tmp_path)(5.0) == 2.5


PARTS = 2


@njit
def part(number):
    return number / 2


def whole(number):
    return part(number) * PARTS


def quarter(number):
    return number / 4


@pytest.mark.parametrize("changed", ["itself", "a number", "what it calls", "how it is compiled"])
def test_a_changed_kernel_is_compiled_again(tmp_path, monkeypatch, changed):
    assert made(whole, tmp_path)(8) == 8
    kept_one = made(whole, tmp_path)
    assert (kept_one(8), is_loaded(kept_one)) == (8, True)
    options = {}
    if changed == "itself":
        monkeypatch.setattr(whole, "__code__", quarter.__code__)
    elif changed == "a number":
        monkeypatch.setitem(globals(), "PARTS", 2.5)
    elif changed == "what it calls":
        monkeypatch.setitem(globals(), "part", njit(quarter))
    else:
        options = {"error_model": "numpy"}
    again = njit(whole, **options)
    again._cache = KernelCache(again, [tmp_path], True)
    assert again(8) == {"itself": 2, "a number": 10, "what it calls": 4}.get(changed, 8)
    assert not is_loaded(again)


def test_what_could_change_unseen_is_refused():
    def with_list(number):
        return number in WORDS

    with pytest.raises(TypeError, match="with_list uses WORDS, a list: a change of it would not"):
        ingredients(njit(with_list))


WORDS = [1, 2]


def test_code_is_read_from_a_folder_that_cannot_be_written(tmp_path):
    made(half, tmp_path / "install")(8)
    for writable in (True, False):
        kernel = made(half, tmp_path / "home", tmp_path / "install", writable=writable)
        assert (kernel(8), is_loaded(kernel)) == (4, True)
    for path in kept(tmp_path / "install"):
        path.write_bytes(b"")
    kernel = made(half, tmp_path / "home", tmp_path / "install", writable=False)
    assert (kernel(8), is_loaded(kernel)) == (4, False)
    assert not (tmp_path / "home").exists()
    made(half, tmp_path / "home", tmp_path / "install")(8)
    assert len(kept(tmp_path / "home")) == 1


def run(folder, *words, **options):
    """Return how a process ended that uses a kernel with its code in a folder."""
    command = [sys.executable, "-c", HALVES, str(folder), *words]
    # A function typed after -c has no file of its own; this one will do.
    code = f"import sys; exec(compile({HALVES!r}, {__file__!r}, 'exec'))"
    command[2] = code
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


@pytest.mark.slow
def test_a_full_disk_and_a_kill_leave_a_cache_that_works(tmp_path):
    def full():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    ended = run(tmp_path, preexec_fn=full)
    assert (ended.returncode, ended.stdout) == (0, "4.0\n"), ended.stderr
    assert list(tmp_path.iterdir()) == []
    assert run(tmp_path, "kill").returncode == -signal.SIGKILL
    assert kept(tmp_path) == []
    for _ in range(2):
        assert run(tmp_path).stdout == "4.0\n"
    assert len(kept(tmp_path)) == 1


def test_every_kernel_of_the_house_says_what_it_is_made_of():
    counted = 0
    for found in pkgutil.walk_packages(dicelab.__path__, "dicelab."):
        if found.name.split(".")[1] in ("solvers", "rounds", "table", "strategies"):
            module = importlib.import_module(found.name)
            for kernel in vars(module).values():
                if isinstance(kernel, Dispatcher):
                    assert kernel.py_func.__qualname__ in ingredients(kernel)
                    counted += 1
    assert counted > 100
