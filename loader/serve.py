"""A library as a site in the browser.

In: the path of a database. Out: a `Datasette` that serves it under the name `library`, with
our metadata, plugins, templates and settings; and a server for it on 127.0.0.1.

Importing this module imports Datasette, which takes a while: do it only where a site is wanted.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import uvicorn
from datasette.app import Datasette
from datasette.database import Database
from datasette.utils import parse_metadata

from loader.model import LoadError
from loader.versions import reads_anew, version_of
from loader.warming import Busy, keep_warm, warm_first

NAME: Final = "library"  # what the database is called in addresses, whatever its file is called

SETTINGS: Final = {
    "suggest_facets": False,  # a scan of every column for every page
    "sql_time_limit_ms": 3000,  # must exceed the limit of facets
    "facet_time_limit_ms": 1000,
    "default_page_size": 50,
    "default_facet_size": 10,
    "max_returned_rows": 5000,
    "max_csv_mb": 0,  # no limit: a download is complete or it is an error
    "num_sql_threads": 4,
    "truncate_cells_html": 600,
    "default_cache_ttl": 0,  # a load shows at the next click
    "allow_download": True,
}

_Scope = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
_App = Callable[[_Scope, _Receive, _Send], Awaitable[None]]


def site_root() -> Path:
    """The folder that holds `plugins/`, `metadata.yml` and `seeds/`.

    In a wheel that is `loader/site`, in a checkout the folder above `loader`. Raises
    `LoadError` where neither has them.
    """
    package = Path(__file__).resolve().parent
    for root in (package / "site", package.parent):
        if (root / "metadata.yml").is_file() and (root / "plugins").is_dir():
            return root
    raise LoadError("the files of the site are missing; install litsette again", file=str(package))


def seed_files() -> list[Path]:
    """The files that are loaded where there is no database yet. Raises `LoadError`."""
    files = sorted((site_root() / "seeds").glob("*.txt"))
    if not files:
        raise LoadError("the seed files are missing; install litsette again")
    return files


def datasette_for(db: Path, *, base_url: str = "/") -> Datasette:
    """The site of the database `db`, ready for `.client` or `.app()`.

    Plugins are registered with Datasette for the whole process: a second site in one process
    shares them, which is harmless as they keep nothing about a site. Raises `LoadError` where
    there is no such file.
    """
    if not db.is_file():
        raise LoadError("no such database; load a file first: litsette load FILE", file=str(db))
    root = site_root()
    site = Datasette(
        metadata=parse_metadata((root / "metadata.yml").read_text(encoding="utf-8")) or {},
        plugins_dir=str(root / "plugins"),
        template_dir=str(root / "plugins" / "templates"),
        static_mounts=[("static", str(root / "plugins" / "static"))],
        settings=SETTINGS | {"base_url": base_url},
    )
    site.remove_database("_memory")  # comes by itself where no file is named
    site.add_database(Database(site, path=str(db), is_mutable=True), name=NAME)
    return site


def is_local(host: str) -> bool:
    """Whether a Host header names this machine, with or without a port.

    Any other name that leads here was set up by somebody else (DNS rebinding): a page of
    theirs could then read the library through the reader's browser.
    """
    name, _, port = host.partition(":")
    return name.lower() in {"127.0.0.1", "localhost"} and (
        (port.isascii() and port.isdigit()) or not port
    )


def only_local(app: _App) -> _App:
    """`app`, but requests whose Host header is not this machine's are answered 400."""

    async def guarded(scope: _Scope, receive: _Receive, send: _Send) -> None:
        if scope["type"] != "lifespan":
            hosts = [value for key, value in scope["headers"] if key == b"host"]
            if len(hosts) != 1 or not is_local(hosts[0].decode("latin-1")):
                if scope["type"] == "http":
                    await _refuse(send)
                return
        await app(scope, receive, send)

    return guarded


async def _refuse(send: _Send) -> None:
    body = b"This site answers to 127.0.0.1 and localhost only.\n"
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": 400, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def listen(port: int) -> socket.socket:
    """A socket that listens on `port` of 127.0.0.1; port 0 takes a free one.

    Raises `LoadError` where the port is in use or not allowed.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    # without it a port stays "in use" for a minute after the last server ended
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            raise LoadError(f"port {port} is in use; choose another: --port {port + 1}") from None
        raise LoadError(f"port {port} cannot be used: {error}") from None
    return listener


def serve(db: Path, port: int, open_browser: bool = False) -> None:
    """Serve the database `db` on 127.0.0.1:`port` until Ctrl-C or SIGTERM, then return.

    Reads what the first pages need, then prints the address, and one that signs its user in once,
    as `datasette --root` does; `open_browser` opens that one. Raises `LoadError` where there is no
    such database or the port cannot be used.
    """
    site = datasette_for(db)
    busy = Busy(site.app(), partial(reads_anew, site.get_database(NAME)))
    with contextlib.closing(listen(port)) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        sign_in = f"{address}-/auth-token?token={site._root_token}"

        def announce() -> None:
            print(f"litsette serves {db.name} at {address} (Ctrl-C stops it)", flush=True)
            print(f"Sign in, to settle duplicates (works once): {sign_in}", flush=True)
            if open_browser:
                threading.Thread(target=webbrowser.open, args=(sign_in,), daemon=True).start()

        config = uvicorn.Config(
            only_local(busy),
            log_level="warning",
            lifespan="on",
            server_header=False,
            timeout_graceful_shutdown=3,
        )
        # pages take many short steps; between each one a thread that counts may hold Python
        sys.setswitchinterval(0.001)
        with _sigterm_as_ctrl_c(), contextlib.suppress(KeyboardInterrupt):
            _Server(config, site, busy, announce).run(sockets=[listener])


class _Server(uvicorn.Server):
    """A server that warms the site up before it announces it, and keeps it warm."""

    def __init__(
        self, config: uvicorn.Config, site: Datasette, busy: Busy, announce: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._site, self._busy, self._announce = site, busy, announce
        self._warming: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await warm_first(self._site)
        await super().startup(sockets)
        self._announce()
        version = partial(version_of, self._site.get_database(NAME))
        self._warming = asyncio.create_task(keep_warm(self._site, self._busy, version))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._warming:
            self._warming.cancel()
        await super().shutdown(sockets)


@contextlib.contextmanager
def _sigterm_as_ctrl_c() -> Iterator[None]:
    """uvicorn raises the signal that stopped it once more; both are to end the same way."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
