"""Commands whose input, output or error stream was closed before they began."""

import subprocess
import sys

import pytest

STREAMS = {"stdin": "0<&-", "stdout": ">&-", "stderr": "2>&-", "all": "0<&- >&- 2>&-"}
COMMANDS = [
    ("games", 0),
    ("games --json", 0),
    ("solve pig target=5 --out best.csv --json", 0),
    ("strategies", 0),
    ("strategies nonsense", 1),
    ("solve pig target=x", 1),
    ("solve", 2),
    ("--version", 0),
]


@pytest.mark.slow
@pytest.mark.parametrize("closed", STREAMS)
def test_a_closed_stream_changes_neither_the_work_nor_the_exit_code(tmp_path, closed):
    for command, code in COMMANDS:
        script = f'"{sys.executable}" -m dicelab {command} {STREAMS[closed]}'
        ended = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert ended.returncode == code, (command, ended.stderr)
        assert "Traceback" not in ended.stderr
        if closed in ("stdout", "all"):
            assert ended.stdout == ""
    # Nothing that was meant for a stream went into a file that was opened in its place.
    assert (tmp_path / "best.csv").read_text().startswith('# {"format": "dicelab strategy')
    assert [path.name for path in tmp_path.iterdir()] == ["best.csv"]
