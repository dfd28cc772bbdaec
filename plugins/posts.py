"""How much a form may send: more is refused before it fills the memory.

In: the body of a request. Out: the same, or 413. Datasette reads a whole body to check its CSRF
token, so the limit stands before that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from datasette import hookimpl

# a text of 1,000,000 letters that are three bytes each in a form, and the rest of the form
LARGEST = 4_000_000


class TooMuchError(Exception):
    """A body has more than `LARGEST` bytes."""


def limited(app: Any, largest: int = LARGEST) -> Any:
    """`app`, but a body of more than `largest` bytes is answered 413, one that is no UTF-8 400."""

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await app(scope, receive, send)
            return
        read, started = 0, False

        async def counted() -> Any:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > largest:
                raise TooMuchError
            return message

        async def watched(message: Any) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await app(scope, counted, watched)
        except (TooMuchError, UnicodeDecodeError) as error:
            if started:
                raise
            if isinstance(error, TooMuchError):
                await _refuse(send, 413, b"This is too much for a form; send less.\n")
            else:
                await _refuse(send, 400, b"This form is not UTF-8.\n")

    return guarded


async def _refuse(send: Any, status: int, body: bytes) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@hookimpl
def asgi_wrapper() -> Callable[[Any], Any]:
    return limited
