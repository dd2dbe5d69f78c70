"""Planted faults: does a test notice when the engine is wrong?

    python tools/mutate.py --faults 300 --seed 8
    python tools/mutate.py --faults 300 --seed 8 --survivors     # only those that survived
    python tools/mutate.py --show 17 --faults 300 --seed 8       # what fault number 17 is

A fault is one small change to one function: a comparison turned, a plus made a minus, a number made
one larger, a condition negated, a statement left out. They are drawn by seed from the files of the
engine and the rules of Pig, a share of each. For each fault a process is forked in which all tests
are collected and nothing is compiled (kernels run as plain Python), the function gets the faulty
code, and the quick tests run until one fails. A fault that makes a test hang is caught as well.

Quick tests are those that pass within half a second without compiling, and those of
Hypothesis; a first run finds them. With `--compiled --survivors`, what survived outside the kernels
meets the other tests too, such as those on Pig to 100. The share
of faults caught is printed, and those that no test noticed are listed for somebody to look at.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import gc
import json
import os
import random
import resource
import signal
import sys
import time
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "dicelab"
REPORT = ROOT / "out" / "mutate.json"
QUICK_TESTS = ROOT / "out" / "mutate-tests.json"  # found once; remove it to look again
SLOWER_TESTS = ROOT / "out" / "mutate-tests-compiled.json"
ROOMS = ("rules", "table", "solvers", "strategies", "verbs")
ENGINE = [
    *sorted(
        path.relative_to(PACKAGE).as_posix()
        for room in ROOMS
        for path in (PACKAGE / room).glob("*.py")
    ),
    "games/pig/rules.py",
]
TESTS = [
    *(f"tests/{room}" for room in ROOMS),
    "tests/games/test_pig.py",
    "tests/games/test_dice_battle.py",
    "tests/test_every_game.py",
    "tests/test_properties.py",
]
QUICK = 0.5  # seconds a test may take without compiling; one of Hypothesis 10 times as long
SLOWER = 4.0  # the same with compiled kernels
PATIENCE = 180  # seconds of work until a fault counts as hanging; or ten times that of waiting
ROOM = 6 * 2**30  # bytes a faulty process may ask for

TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
SWAPPED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


@dataclass(frozen=True)
class Fault:
    """One change to one function."""

    path: str  # within the package
    function: str
    line: int
    what: str
    source: str  # of the whole function with the fault in it

    def __str__(self) -> str:
        """Return where it is and what it does."""
        return f"{self.path}:{self.line} {self.function}: {self.what}"


# Making faults


def faults_in(path: str) -> Iterator[Fault]:
    """Yield every fault that can be planted in a file."""
    text = (PACKAGE / path).read_text(encoding="utf-8")
    for function in outer_functions(ast.parse(text)):
        count = len(list(places(function)))
        for number in range(count):
            changed = copy.deepcopy(function)
            what, line = plant(list(places(changed))[number])
            whole = ast.unparse(ast.fix_missing_locations(changed))
            if whole != ast.unparse(function):
                yield Fault(path, function.name, line, what, whole)


def outer_functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    """Yield the functions and methods of a module, those inside functions left out."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from outer_functions(node)


def places(function: ast.AST) -> Iterator[tuple[ast.AST, str, Any]]:
    """Yield (parent, field, index) of every node that can be made faulty, in a fixed order."""
    for name, value in ast.iter_fields(function):
        if name in ("decorator_list", "returns", "annotation", "args", "keywords") and (
            isinstance(function, ast.FunctionDef | ast.AnnAssign | ast.arg)
        ):
            continue
        if isinstance(function, ast.Raise | ast.JoinedStr):
            return  # the words of an error are tested as such
        nodes = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
        for index, node in nodes:
            if not isinstance(node, ast.AST):
                continue
            if is_docstring(node):
                continue
            if can_be_faulty(node):
                yield function, name, index
            yield from places(node)


def is_docstring(node: ast.AST) -> bool:
    """Return whether a statement is a text alone."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def can_be_faulty(node: ast.AST) -> bool:
    """Return whether there is a fault for a node."""
    if isinstance(node, ast.Compare):
        return type(node.ops[0]) in TURNED
    if isinstance(node, ast.BinOp):
        return type(node.op) in SWAPPED and not isinstance(node.left, ast.Constant | ast.JoinedStr)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int)
    if isinstance(node, ast.AugAssign | ast.BoolOp | ast.Continue | ast.Break | ast.Raise):
        return True
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not | ast.USub)
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Subscript | ast.Attribute)
    return False


def plant(place: tuple[Any, str, Any]) -> tuple[str, int]:
    """Make one node faulty, in place; return what was done and in which line."""
    parent, name, index = place
    node = getattr(parent, name) if index is None else getattr(parent, name)[index]
    before, new = ast.unparse(node), node
    if isinstance(node, ast.Compare):
        node.ops[0] = TURNED[type(node.ops[0])]()
    elif isinstance(node, ast.BinOp):
        node.op = SWAPPED[type(node.op)]()
    elif isinstance(node, ast.Constant):
        node.value = (not node.value) if isinstance(node.value, bool) else node.value + 1
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.UnaryOp):
        new = node.operand
    elif isinstance(node, ast.AugAssign) and type(node.op) in (ast.Add, ast.Sub):
        node.op = SWAPPED[type(node.op)]()
    else:
        new = ast.Pass()
    if new is not node:
        ast.copy_location(new, node)
        if index is None:
            setattr(parent, name, new)
        else:
            getattr(parent, name)[index] = new
    return f"`{before}` becomes `{ast.unparse(new)}`".replace("\n", " "), node.lineno


def drawn(count: int, seed: int, paths: list[str]) -> list[Fault]:
    """Return so many faults, a share of each file, by seed."""
    every = {path: list(faults_in(path)) for path in paths}
    total = sum(map(len, every.values()))
    picked = []
    for path, found in every.items():
        share = min(len(found), max(1, round(count * len(found) / total)))
        picked += random.Random(f"{seed} {path}").sample(found, share)
    random.Random(seed).shuffle(picked)  # so that a run cut short is a fair sample too
    return picked


# Planting them


def put_into_place(fault: Fault) -> bool:
    """Give every function object of that name in that file the faulty code."""
    file = str(PACKAGE / fault.path)
    tree = ast.parse((PACKAGE / fault.path).read_text(encoding="utf-8"))
    replaced = Replace(fault)
    tree = ast.fix_missing_locations(replaced.visit(tree))
    codes = {code.co_qualname: code for code in codes_of(compile(tree, file, "exec"))}
    planted = False
    gc.unfreeze()  # the tests froze what is imported, and nobody lists what is frozen
    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType) and thing.__code__.co_filename == file:
            name = thing.__code__.co_qualname
            if name.split(".")[-1] == fault.function and name in codes:
                with contextlib.suppress(ValueError):  # another number of free names
                    thing.__code__ = codes[name]
                    planted = True
    return planted


class Replace(ast.NodeTransformer):
    """Put the faulty function where the right one is: found by its name and first line."""

    def __init__(self, fault: Fault) -> None:
        self.fault, self.new = fault, ast.parse(fault.source).body[0]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if node.name == self.fault.function and node.lineno <= self.fault.line <= last(node):
            return self.new
        return node


def last(node: ast.FunctionDef) -> int:
    return node.end_lineno or node.lineno


def codes_of(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield the code of every function in a module, inner ones left out."""
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            if "<locals>" not in constant.co_qualname:
                yield from codes_of(constant)


# Running the tests


class Runner:
    """A plugin of pytest: once the tests are collected, a fork for each fault runs them."""

    def __init__(self, faults: list[Fault], compiled: bool) -> None:
        self.faults = faults
        self.limit = SLOWER if compiled else QUICK
        self.known = SLOWER_TESTS if compiled else QUICK_TESTS
        self.quick: dict[str, float] = {}  # seconds of each quick test, the quickest first
        self.results: list[tuple[int, Fault, str]] = []

    def pytest_runtestloop(self, session: Any) -> bool:
        """Run the tests on every fault."""
        if session.testsfailed:
            raise SystemExit("some tests cannot be collected: nothing would be proved")
        if self.known.exists():
            self.quick = json.loads(self.known.read_text(encoding="utf-8"))
        else:
            self.quick = self.baseline(session)
            self.known.parent.mkdir(exist_ok=True)
            self.known.write_text(json.dumps(self.quick, indent=1) + "\n", encoding="utf-8")
        order = {name: place for place, name in enumerate(self.quick)}
        items = sorted(
            (i for i in session.items if i.nodeid in order), key=lambda i: order[i.nodeid]
        )
        total = sum(self.quick[item.nodeid] for item in items)
        print(f"{len(items)} quick tests of {len(session.items)}: {total:.0f} s", flush=True)
        for number, fault in enumerate(self.faults):
            began = time.monotonic()
            how = self.forked(lambda fault=fault: self.faulty(session, items, fault))
            self.results.append((number, fault, how))
            if how == "survived":
                print(f"  survived {number}: {fault}", flush=True)
            if (number + 1) % 50 == 0:
                took = time.monotonic() - began
                print(f"{number + 1} of {len(self.faults)} ({took:.1f} s the last)", flush=True)
        return True

    def forked(self, work: Any) -> str:
        """Return how some work went in a process of its own."""
        pid = os.fork()
        if pid == 0:
            with contextlib.suppress(BaseException):
                os._exit(work())
            os._exit(1)
        until = time.monotonic() + 10 * PATIENCE
        while time.monotonic() < until:
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                code = os.waitstatus_to_exitcode(status)
                ways = {0: "survived", 2: "not planted", -signal.SIGXCPU: "hung"}
                return ways.get(code, "caught")
            time.sleep(0.02)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        return "hung"

    def faulty(self, session: Any, items: list[Any], fault: Fault) -> int:
        resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
        resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE + 1))
        if not put_into_place(fault):
            return 2
        quiet()
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if session.testsfailed:
                return 1
        return 0

    def baseline(self, session: Any) -> dict[str, float]:
        """Return the tests that pass quickly without compiling, the quickest first."""
        reader, writer = os.pipe()
        if os.fork() == 0:
            os.close(reader)
            quiet()
            with os.fdopen(writer, "w") as told:
                for item, following in zip(session.items, [*session.items[1:], None], strict=True):
                    failed, began = session.testsfailed, time.process_time()
                    limit = self.limit * (10 if hasattr(item.function, "hypothesis") else 1)
                    signal.signal(signal.SIGVTALRM, too_long)
                    signal.setitimer(signal.ITIMER_VIRTUAL, 2 * limit)
                    with contextlib.suppress(BaseException):
                        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
                    took = time.process_time() - began
                    if session.testsfailed == failed and took < limit:
                        told.write(f"{took} {item.nodeid}\n")
                        told.flush()
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as told:
            lines = [line.rstrip("\n").partition(" ") for line in told]
        os.wait()
        found = {name: float(took) for took, _, name in lines}
        return dict(sorted(found.items(), key=lambda pair: pair[1]))


def too_long(*_: object) -> None:
    raise TimeoutError


def quiet() -> None:
    """Let nothing of a faulty run be seen."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def main() -> int:
    """Plant the faults, run the tests and say how many were caught."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--faults", type=int, default=300)
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--file", action="append", help="only faults in these files")
    parser.add_argument("--survivors", action="store_true", help="only those that survived before")
    parser.add_argument(
        "--compiled", action="store_true", help="all tests, on faults outside the kernels"
    )
    parser.add_argument("--show", type=int, help="print one fault and stop")
    asked = parser.parse_args()
    faults = drawn(asked.faults, asked.seed, asked.file or ENGINE)
    if asked.show is not None:
        print(faults[asked.show], faults[asked.show].source, sep="\n")
        return 0
    if asked.survivors:
        before = set(json.loads(REPORT.read_text(encoding="utf-8"))["survivors"])
        faults = [fault for fault in faults if str(fault) in before]
    if asked.compiled:
        faults = [fault for fault in faults if not fault.path.startswith("solvers/")]
    else:
        os.environ["NUMBA_DISABLE_JIT"] = "1"
    os.environ["PYTHONHASHSEED"] = "0"
    sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]
    os.chdir(ROOT)
    print(f"seed {asked.seed}: {len(faults)} faults", flush=True)
    import pytest

    runner = Runner(faults, asked.compiled)
    began = time.monotonic()
    # Without compiling, numbers that run over warn. In kernels that is meant, so it is no fault.
    options = [
        "-p",
        "no:terminal",
        "-p",
        "no:cacheprovider",
        "-n",
        "0",
        "-W",
        "ignore::RuntimeWarning",
    ]
    options += ["-o", "addopts=--import-mode=importlib"]
    pytest.main([*TESTS, *options], [runner])
    return told(asked.seed, runner.results, time.monotonic() - began, not asked.survivors)


def told(
    seed: int, results: list[tuple[int, Fault, str]], seconds: float, keep: bool = True
) -> int:
    """Print the shares, keep the survivors, and return the exit code."""
    ways = ("caught", "hung", "survived", "not planted")
    counts = {how: sum(result[2] == how for result in results) for how in ways}
    planted = len(results) - counts["not planted"]
    noticed = counts["caught"] + counts["hung"]
    survivors = [str(fault) for _, fault, how in results if how == "survived"]
    REPORT.parent.mkdir(exist_ok=True)
    if keep:
        REPORT.write_text(json.dumps({"seed": seed, "survivors": survivors}, indent=1) + "\n")
    by_file: dict[str, list[int]] = {}
    for _, fault, how in results:
        if how != "not planted":
            tally = by_file.setdefault(fault.path, [0, 0])
            tally[0] += how != "survived"
            tally[1] += 1
    for path, (found, all_of_them) in sorted(by_file.items()):
        print(f"  {path:28} {found:4} of {all_of_them}")
    share = 100 * noticed / max(1, planted)
    print(
        f"seed {seed}: {planted} faults, {noticed} noticed ({share:.1f}%), {counts['hung']} of "
        f"them by hanging; {counts['survived']} survived, {counts['not planted']} not planted; "
        f"{seconds:.0f} s"
    )
    return int(counts["survived"] > 0)


if __name__ == "__main__":
    sys.exit(main())
