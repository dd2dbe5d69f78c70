"""The lab as an application of the phone: its manifest, and the script that keeps the page.

The script (`static/sw.js`) keeps the files of the page in the browser, so that the page opens when
the lab is out of reach and says so. Which files these are, and a version that is a hash of them,
are written in front of it here: a browser takes up a script whose text has changed, so an update of
any file reaches everybody at their next visit. What the lab answers about players is never kept.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from dicelab.core.language import ENGLISH, tr
from dicelab.lab.languages import LANGUAGES, LOCALE

STATIC = Path(__file__).parent / "static"
LEFT_OUT = ("vendor/", "sw.js", "icons/")  # large and seldom used, or not a part of the page
router = APIRouter(include_in_schema=False)


@router.get("/manifest.webmanifest")
def manifest() -> JSONResponse:
    """Return what a phone asks before it installs the lab."""
    icons = [
        ("icon.svg", "any", "image/svg+xml", "any"),
        ("icons/icon-192.png", "192x192", "image/png", "any"),
        ("icons/icon-512.png", "512x512", "image/png", "any"),
        ("icons/maskable-512.png", "512x512", "image/png", "maskable"),
    ]
    told = {
        "id": "/",
        "name": "dicelab",
        "short_name": "dicelab",
        "description": tr("Play dice games against perfection, with a coach beside you."),
        "start_url": "/play",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f6f3ec",
        "theme_color": "#14665a",
        "icons": [
            {"src": f"/static/{path}", "sizes": sizes, "type": kind, "purpose": purpose}
            for path, sizes, kind, purpose in icons
        ],
    }
    kept = {"cache-control": "no-cache", "vary": "accept-language"}
    return JSONResponse(told, headers=kept, media_type="application/manifest+json")


@router.get("/sw.js")
def worker() -> Response:
    """Return the script that keeps the page, for the files as they are now."""
    found = [*sorted(STATIC.rglob("*")), *sorted(LOCALE.glob("*.po"))]
    files = [path for path in found if path.is_file()]
    states = tuple((path, path.stat().st_mtime_ns, path.stat().st_size) for path in files)
    return Response(
        _written(states), headers={"cache-control": "no-cache"}, media_type="text/javascript"
    )


@lru_cache(maxsize=1)
def _written(states: tuple[tuple[Path, int, int], ...]) -> str:
    """Return the script with its version and its files; read again only where one has changed."""
    whole, kept = hashlib.sha256(), ["/play"]
    for path, _, _ in states:
        whole.update(path.name.encode() + b"\0" + path.read_bytes())
        if path.parent == LOCALE:
            continue
        name = path.relative_to(STATIC).as_posix()
        if not name.startswith(LEFT_OUT) and name != "index.html" and path.suffix != ".txt":
            kept.append(f"/static/{name}")
    kept += [f"/api/text/{name}" for name in LANGUAGES if name != ENGLISH]
    version = json.dumps(whole.hexdigest()[:16])
    script = (STATIC / "sw.js").read_text(encoding="utf-8")
    return f"const VERSION = {version};\nconst FILES = {json.dumps(kept)};\n{script}"
