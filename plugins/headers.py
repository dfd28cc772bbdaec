"""What a browser may do with our pages: run our scripts, talk to us, nothing else.

In: a page on its way out. Out: the same with a Content-Security-Policy and its like. Every
`<script>` of a template (ours, Datasette's, a plugin's) gets a nonce when the template is read, so
that a script which came in with text never runs. Charts by datasette-vega compile functions, so
pages that send its script may `eval`; no other page may.

Pages of Datasette that tell about this machine (paths, versions, threads) are for the signed-in
user only.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from datasette import Forbidden, hookimpl
from jinja2.ext import Extension


class Allowed:
    """What the scripts of one answer may do: the nonce they must have, and whether to eval."""

    def __init__(self) -> None:
        self.nonce = secrets.token_urlsafe(18)
        self.evals = False


_allowed: ContextVar[Allowed | None] = ContextVar("allowed", default=None)
_SCRIPT = re.compile(r"<script\b(?![^>]*\bnonce=)", re.IGNORECASE)

OTHERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
# these tell paths, versions or what is going on
PRIVATE = r"/-/(?:versions|plugins|databases|threads)(?:\.json)?$"


def policy(allowed: Allowed) -> str:
    """The Content-Security-Policy of an answer."""
    scripts = f"'nonce-{allowed.nonce}'" + (" 'unsafe-eval'" if allowed.evals else "")
    rules = {
        "default-src": "'none'",
        "script-src": scripts,
        "style-src": "'self' 'unsafe-inline'",  # bars have their width in a style attribute
        "img-src": "'self' data: blob:",  # a chart is saved as a picture
        "font-src": "'self'",
        "connect-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def with_nonces(source: str) -> str:
    """A template whose scripts have the nonce of the answer they are sent with."""
    return _SCRIPT.sub('<script nonce="{{ script_nonce() }}"', source)


def script_nonce() -> str:
    """The nonce of the answer that is being made."""
    allowed = _allowed.get()
    return allowed.nonce if allowed else ""


def let_eval() -> str:
    """Let the scripts of this answer compile functions; writes nothing."""
    allowed = _allowed.get()
    if allowed:
        allowed.evals = True
    return ""


class Nonces(Extension):
    """Reads templates through `with_nonces`."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002
        """The source as Jinja compiles it."""
        return with_nonces(source)


def guarded(app: Any) -> Any:
    """`app`, with our headers on every answer; a header that it sets itself stays."""

    async def answered(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        allowed = Allowed()
        token = _allowed.set(allowed)

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", []))
                there = {bytes(name).lower() for name, _ in headers}
                for name, value in {**OTHERS, "content-security-policy": policy(allowed)}.items():
                    if name.encode() not in there:
                        headers.append((name.encode(), value.encode()))
                message = {**message, "headers": headers}
            await send(message)

        try:
            await app(scope, receive, with_headers)
        finally:
            _allowed.reset(token)

    return answered


async def private(datasette: Any, request: Any) -> Any:
    """Datasette's own page for the signed-in user, 403 for everybody else."""
    if not request.actor or request.actor.get("id") != "root":
        raise Forbidden("This page is for the user who is signed in.")
    path = request.scope.get("route_path", request.path)
    for route, view in datasette._routes():
        match = route.match(path)
        if match and getattr(view, "__wrapped__", None) is not private:
            request.scope = {**request.scope, "url_route": {"kwargs": match.groupdict()}}
            return await view(request, None)
    return None


@hookimpl
def register_routes() -> list[tuple[str, Any]]:
    return [(PRIVATE, private)]


@hookimpl
def prepare_jinja2_environment(env: Any) -> None:
    env.add_extension(Nonces)
    env.globals.update(script_nonce=script_nonce, let_eval=let_eval)


@hookimpl(trylast=True)
def asgi_wrapper() -> Callable[[Any], Any]:
    return guarded
