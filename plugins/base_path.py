"""The site under a path of another one, and links that hold for whatever name it is reached by.

In: requests with or without the setting `base_url` before their path, as the server in front
passes them on. Out: the same without it, as Datasette builds its links from the path of the
request and puts `base_url` before it once more; redirects with it; the filter `|path_only`.
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


@hookimpl(trylast=True)
def asgi_wrapper(datasette: Any) -> Callable[[Any], Any]:
    def wrap(app: Any) -> Any:
        async def mounted(scope: Any, receive: Any, send: Any) -> None:
            base = datasette.setting("base_url")
            if scope["type"] != "http" or base == "/":
                await app(scope, receive, send)
                return

            async def leading(message: Any) -> None:
                if message["type"] == "http.response.start":
                    headers = [
                        (name, with_base(value.decode("latin-1"), base).encode("latin-1"))
                        if name.lower() == b"location"
                        else (name, value)
                        for name, value in message.get("headers", [])
                    ]
                    message = {**message, "headers": headers}
                await send(message)

            await app(without_base(scope, base), receive, leading)

        return mounted

    return wrap


@hookimpl
def prepare_jinja2_environment(env: Any) -> None:
    env.filters["path_only"] = path_only
