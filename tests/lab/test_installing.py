"""The lab as an application: what a phone asks, and which files the page keeps."""

import json
import re
from io import BytesIO

import pytest
from PIL import Image

from dicelab.lab import installing
from lab_rooms import client_of, open_lab


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    app = open_lab(tmp_path_factory.mktemp("installing"))
    yield client_of(app)
    app.state.lab.store.close()


def written(client):
    """Return the version and the files that the script keeps, and the script."""
    answer = client.get("/sw.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    version, files = re.match(r"const VERSION = (.*);\nconst FILES = (.*);\n", answer.text).groups()
    return json.loads(version), json.loads(files), answer.text


def test_the_manifest_has_icons_of_the_sizes_it_says(client):
    answer = client.get("/manifest.webmanifest", headers={"accept-language": "en"})
    assert answer.headers["content-type"] == "application/manifest+json"
    told = answer.json()
    assert (told["start_url"], told["scope"], told["display"]) == ("/play", "/", "standalone")
    assert {icon["purpose"] for icon in told["icons"]} == {"any", "maskable"}
    for icon in told["icons"]:
        served = client.get(icon["src"])
        assert served.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            picture = Image.open(BytesIO(served.content))
            assert icon["sizes"] == f"{picture.width}x{picture.height}"


def test_everything_that_is_kept_is_there_and_nothing_is_about_a_player(client):
    _, files, _ = written(client)
    for path in files:
        assert client.get(path).status_code == 200
    # Texts of the page are the same for everybody; all else below /api may be somebody's.
    assert [path for path in files if path.startswith("/api")] == ["/api/text/fr"]
    scripts = [path for path in installing.STATIC.rglob("*.js") if path.parent.name != "vendor"]
    assert len([path for path in files if path.endswith(".js")]) == len(scripts) - 1  # sw.js itself
    assert not any("plotly" in path for path in files)


def test_a_file_that_changes_makes_another_version(client, tmp_path, monkeypatch):
    (tmp_path / "js").mkdir()
    script = tmp_path / "js" / "app.js"
    script.write_text("1")
    (tmp_path / "sw.js").write_text("// keeps the page")
    monkeypatch.setattr(installing, "STATIC", tmp_path)
    first = written(client)
    assert first == written(client)
    script.write_text("2 and more")
    changed = written(client)
    assert first[0] != changed[0]
    assert first[1] == changed[1] == ["/play", "/static/js/app.js", "/api/text/fr"]
