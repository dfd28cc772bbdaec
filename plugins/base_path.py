"""The site under a path of another one, and links that hold for whatever name it is reached by.

In: requests with or without the setting `base_url` before their path, as the server in front
passes them on. Out: the same without it, as Datasette builds its links from the path of the
request and puts `base_url` before it once more; redirects with it; links in JSON, in `/llms.txt`
and in the header `Link` as paths, as the name and scheme in a request may be those of the server in
front or anybody's; the filter `|path_only`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping
from typing import Any

from datasette import hookimpl

_HOST = re.compile(r"(?:https?:)?//[^/?#]*", re.IGNORECASE)


def path_only(address: str) -> str:
    """An address of ours without scheme and host; one that has none stays as it is."""
    found = _HOST.match(address)
    if not found:
        return address
    rest = address[found.end() :]
    return rest if rest.startswith("/") else "/" + rest


def without_base(scope: MutableMapping[str, Any], base: str) -> MutableMapping[str, Any]:
    """A scope of ASGI whose paths have no `base` (`/papers/`) before them; others stay."""
    path, raw = scope["path"], scope.get("raw_path")
    # the whole part only: /papers/x and /papers, but not /papersx
    if base == "/" or not f"{path}/".startswith(base):
        return scope
    fresh = {**scope, "path": path[len(base) - 1 :] or "/"}
    if raw and (raw + b"/").startswith(base.encode()):
        fresh["raw_path"] = raw[len(base) - 1 :] or b"/"
    return fresh


def with_base(address: str, base: str) -> str:
    """Where a redirect leads, with `base` before a path that lacks it."""
    if not address.startswith("/") or address.startswith(("//", base)):
        return address
    return base + address[1:]


def named_by_path(datasette: Any) -> None:
    """Let `datasette` make no address with a host; those it makes have `base_url` already."""
    ask = datasette.absolute_url
    datasette.absolute_url = lambda request, path: path_only(ask(request, path))


def in_brackets(link: str) -> str:
    """The header `Link` as RFC 8288 has it, which Datasette writes without the brackets."""
    address, rest, parameters = link.partition("; rel=")
    return link if link.startswith("<") or not rest else f"<{address}>{rest}{parameters}"


def mended(name: bytes, value: bytes, base: str) -> bytes:
    """A header of an answer as it is sent."""
    if name.lower() == b"location":
        return with_base(value.decode("latin-1"), base).encode("latin-1")
    return (
        in_brackets(value.decode("latin-1")).encode("latin-1") if name.lower() == b"link" else value
    )


@hookimpl
def startup(datasette: Any) -> None:
    named_by_path(datasette)


@hookimpl(trylast=True)
def asgi_wrapper(datasette: Any) -> Callable[[Any], Any]:
    def wrap(app: Any) -> Any:
        async def mounted(scope: Any, receive: Any, send: Any) -> None:
            base = datasette.setting("base_url")
            if scope["type"] != "http":
                await app(scope, receive, send)
                return

            async def leading(message: Any) -> None:
                if message["type"] == "http.response.start":
                    headers = message.get("headers", [])
                    headers = [(name, mended(name, value, base)) for name, value in headers]
                    message = {**message, "headers": headers}
                await send(message)

            await app(without_base(scope, base), receive, leading)

        return mounted

    return wrap


@hookimpl
def prepare_jinja2_environment(env: Any) -> None:
    env.filters["path_only"] = path_only
