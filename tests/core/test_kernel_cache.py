"""The cache of machine code, damaged in every way: it heals, and no answer is ever wrong."""

import os
import pickle
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from numba import njit

import dicelab
from dicelab.core import jit
from dicelab.core.kernel_cache import SEAL, KernelCache

HALVES = """
import os, signal, sys
from pathlib import Path
from numba import njit
from dicelab.core import kernel_cache

def half(number):
    return number / 2

kernel = njit(half)
kernel._cache = kernel_cache.KernelCache(half, [Path(sys.argv[1])], True)
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
    kernel._cache = KernelCache(function, list(folders), writable)
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


def test_a_changed_source_is_compiled_again(tmp_path, monkeypatch):
    made(half, tmp_path)(8)
    stat = os.stat

    def later(path, **_):
        return os.stat_result([*stat(path)[:6], stat(path).st_size + 1, *stat(path)[7:]])

    monkeypatch.setattr("dicelab.core.kernel_cache.os.stat", later)
    again = made(half, tmp_path)
    assert (again(8), is_loaded(again)) == (4, False)


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


def test_all_files_with_kernels_are_looked_at_for_changes():
    package = Path(dicelab.__file__).parent
    decorated = re.compile(r"^@(jit|allocating|inlined)$", re.MULTILINE)
    rooms = {
        path.relative_to(package).parts[0]
        for path in package.rglob("*.py")
        if decorated.search(path.read_text("utf-8"))
    }
    assert rooms == set(jit.KERNELS)
