"""How the tests speak to the command line: in this process, or as a shell would."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dicelab.cli import app


def _hear_ctrl_c() -> None:
    """Let Ctrl-C through, also where the tests themselves run in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Shell:
    """Runs commands in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *words: str) -> Any:
        """Return the result of a command: exit_code, stdout, stderr."""
        return CliRunner().invoke(app, list(words), catch_exceptions=False)

    def json(self, *words: str) -> dict[str, Any]:
        """Return what a command prints with --json."""
        result = self(*words, "--json")
        assert result.exit_code == 0, result.stderr
        answer: dict[str, Any] = json.loads(result.stdout)
        return answer

    def refused(self, *words: str) -> str:
        """Return the error of a command that must fail with 1 and print nothing else."""
        result = self(*words)
        assert (result.exit_code, result.stdout) == (1, "")
        return str(result.stderr)

    def misused(self, *words: str) -> str:
        """Return the last line of a command that must fail with 2."""
        result = self(*words)
        assert (result.exit_code, result.stdout) == (2, "")
        return str(result.stderr).splitlines()[-1]

    def start(self, *words: str, **options: Any) -> subprocess.Popen[str]:
        """Return a command that runs as a process of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "dicelab", *words],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "NO_COLOR": ""},
            **{"preexec_fn": _hear_ctrl_c, **options},
        )


@pytest.fixture
def dicelab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Return a shell in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    return Shell(tmp_path)
