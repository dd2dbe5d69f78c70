"""The API on a page: every route with what it takes and answers, made from its own document.

Swagger UI, as FastAPI serves it, is a script from another site and one in the page. The lab works
without a network, and its policy allows neither.
"""

from __future__ import annotations

from html import escape

from dicelab.core.json_object import JsonObject

METHODS = ("get", "post", "put", "patch", "delete")


def page(document: JsonObject) -> str:
    """Return the API's document as a page that needs no script and no style."""
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
        f"<title>{escape(document['info']['title'])}: the API</title></head><body>",
        f"<h1>{escape(document['info']['title'])}: the API</h1>",
        f"<p>{escape(document['info'].get('description', ''))}</p>",
        "<p>The same for programs: <a href='/openapi.json'>openapi.json</a>.</p>",
    ]
    for path, methods in document["paths"].items():
        for method in METHODS:
            if method in methods:
                parts.append(_route(method, path, methods[method]))
    schemas = document.get("components", {}).get("schemas", {})
    parts.append("<h2>Documents</h2>")
    parts += [_schema(name, schemas[name]) for name in sorted(schemas)]
    return "".join([*parts, "</body></html>"])


def _route(method: str, path: str, told: JsonObject) -> str:
    parts = [f"<h2>{method.upper()} {escape(path)}</h2>"]
    parts.append(f"<p>{escape(str(told.get('description', told.get('summary', ''))))}</p>")
    taken = [
        f"<li><code>{escape(one['name'])}</code> in the {escape(one['in'])}: "
        f"{escape(one.get('description', ''))} {escape(_kind(one.get('schema', {})))}</li>"
        for one in told.get("parameters", [])
    ]
    for content in told.get("requestBody", {}).get("content", {}).values():
        taken.append(f"<li>the body: {escape(_kind(content.get('schema', {})))}</li>")
    answers = [
        f"<li>{escape(status)}: {escape(one.get('description', ''))} "
        + ", ".join(
            escape(_kind(content.get("schema", {}))) for content in one.get("content", {}).values()
        )
        + "</li>"
        for status, one in told["responses"].items()
    ]
    return "".join([*parts, "<ul>", *taken, "</ul><p>Answers</p><ul>", *answers, "</ul>"])


def _schema(name: str, told: JsonObject) -> str:
    needed = told.get("required", [])
    rows = [
        f"<li><code>{escape(field)}</code>: {escape(_kind(one))}"
        f"{'' if field in needed else ', may be left out'}. "
        f"{escape(one.get('description', ''))}</li>"
        for field, one in told.get("properties", {}).items()
    ]
    about = escape(told.get("description", ""))
    return f"<h3>{escape(name)}</h3><p>{about}</p><ul>{''.join(rows)}</ul>"


def _kind(schema: JsonObject) -> str:
    """Return what a schema allows, in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return repr(schema["const"])
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return " or ".join(_kind(one) for one in schema[several])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return str(schema.get("type", "anything"))
