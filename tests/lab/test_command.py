"""dicelab lab on the command line: what it says, and what it leaves alone."""

import builtins
import contextlib
import subprocess
import sys
from urllib.parse import urlsplit

import pytest
from typer.testing import CliRunner

from dicelab.cli import app
from dicelab.cli import lab as command
from dicelab.errors import DicelabError
from lab_rooms import Visitor, open_lab


def test_other_commands_do_not_load_the_web(tmp_path):
    code = (
        "import sys\n"
        "from typer.testing import CliRunner\n"
        "from dicelab.cli import app\n"
        "done = CliRunner().invoke(app, ['solve', 'piglet', 'target=3'])\n"
        "assert done.exit_code == 0, done.output\n"
        "web = {'fastapi', 'starlette', 'uvicorn', 'dicelab.lab'}\n"
        "print(sorted(web & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n", done.stderr


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    really = builtins.__import__

    def without(name, *more):
        if name.partition(".")[0] == "uvicorn":
            raise ModuleNotFoundError("no", name="uvicorn")
        return really(name, *more)

    monkeypatch.setattr(builtins, "__import__", without)
    monkeypatch.delitem(sys.modules, "dicelab.lab.server", raising=False)
    done = CliRunner().invoke(app, ["lab", "--no-browser"])
    assert done.exit_code == 1
    assert done.stderr == (
        "DicelabError: the lab needs uvicorn, which is not installed: "
        "pip install 'dicelab[lab]', or run make lab\n"
    )


class Server:
    """Stands for the web server: it only notes what it was given."""

    ran = None

    def __init__(self, app, proxy):
        self.app = app

    def capture_signals(self):
        return contextlib.nullcontext()

    def run(self, sockets):
        Server.ran = (self.app, sockets[0].getsockname())


@pytest.fixture
def started(monkeypatch, tmp_path):
    """A function that runs the command without serving anything."""
    monkeypatch.setattr("dicelab.lab.server.Server", Server)
    monkeypatch.setattr(command, "open_browser", lambda _: None)

    def run(*options):
        return CliRunner().invoke(app, ["lab", "--data", str(tmp_path / "lab.db"), *options])

    return run


def test_it_listens_on_this_machine_only_and_says_where(started, tmp_path):
    done = started("--port", "8499", "--memory", "1GB")
    assert done.exit_code == 0
    assert done.stdout == (
        f"the lab is at http://127.0.0.1:8499/ (records in {tmp_path / 'lab.db'}); Ctrl-C ends it\n"
    )
    application, address = Server.ran
    assert address == ("127.0.0.1", 8499)
    settings = application.state.lab.settings
    assert (settings.admin_token, settings.memory) == (None, 10**9)
    assert settings.hosts == ("127.0.0.1", "localhost", "::1")


def test_with_a_host_it_prints_what_that_means_and_a_token(started):
    done = started("--host", "0.0.0.0", "--port", "8498")
    token = Server.ran[0].state.lab.settings.admin_token
    assert len(token) >= 24
    assert f"the administrator's token is {token}\n" in done.stdout
    assert done.stderr == (
        "note: everybody who can reach 0.0.0.0:8498 can play, open a review whose link they have, "
        "and make this machine work; nothing is encrypted\n"
    )
    assert Server.ran[0].state.lab.settings.hosts is None


def test_with_a_seed_it_warns_that_the_dice_can_be_foretold(started):
    done = started("--seed", "5", "--port", "8497")
    assert done.stderr == (
        "note: with --seed the dice can be foretold: for tests and demonstrations only\n"
    )
    assert Server.ran[0].state.lab.settings.seed == 5


def test_an_address_that_is_not_ours_is_refused_in_a_sentence():
    with pytest.raises(DicelabError) as refused:
        command.listen("192.0.2.1", 8421)  # an address kept for documentation
    assert str(refused.value) == (
        "cannot listen on 192.0.2.1:8421: cannot assign requested address; another lab may be "
        "running there, or try --port 8422"
    )


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8421/"),
        ("0.0.0.0", "http://127.0.0.1:8421/"),
        ("::", "http://127.0.0.1:8421/"),
        ("::1", "http://[::1]:8421/"),
        ("dice.example", "http://dice.example:8421/"),
    ],
)
def test_the_address_it_tells_is_one_that_a_browser_opens(host, address):
    assert command.address_of(host, 8421) == address
    assert urlsplit(address).port == 8421


def test_records_go_to_the_users_data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert command.default_data() == tmp_path / "dicelab" / "lab.db"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert command.default_data() == tmp_path / ".local" / "share" / "dicelab" / "lab.db"


def test_a_browser_is_opened_only_where_there_is_a_screen(monkeypatch):
    opened = []

    class Timer:
        daemon = False

        def __init__(self, seconds, function, arguments):
            self.start = lambda: opened.append(arguments[0])

    monkeypatch.setattr("threading.Timer", Timer)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    command.open_browser("http://127.0.0.1:8421/")
    monkeypatch.setenv("DISPLAY", ":0")
    command.open_browser("http://127.0.0.1:8421/")
    assert opened == ["http://127.0.0.1:8421/"] * (1 if sys.platform == "linux" else 2)


def test_the_api_is_told_on_a_page_that_needs_no_script(tmp_path):
    visitor = Visitor(open_lab(tmp_path))
    page = visitor.ask("GET", "/api/docs")
    assert page.headers["content-type"].startswith("text/html")
    told = visitor.get("/openapi.json")
    for path, methods in told["paths"].items():
        for method in methods:
            assert f"<h2>{method.upper()} {path}</h2>" in page.text
    assert "<script" not in page.text
