"""Ctrl-C, heard at any time and told in one line.

In: SIGINT. Out: one line and exit code 130. Before a command begins nothing is open, and the
process ends at once; while it works `KeyboardInterrupt` is raised, and whoever writes undoes; what
must be whole (a commit, an undoing) holds it back. All of it is for the process of the command:
where Python is embedded, as in tests, or Ctrl-C is ignored, as behind `nohup`, nothing is done.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

EXIT: Final = 130  # as a shell has it: 128 and the number of the signal
_NOTHING: Final = "litsette: interrupted; nothing was changed"
_DONE: Final = "litsette: interrupted after the database was changed; what was asked is done"


class _State:
    ours = False  # is Ctrl-C of this process ours to hear?
    heard = False
    changed = False


def begin() -> None:
    """From now on Ctrl-C ends the process at once, with its line."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        _State.ours = True
        signal.signal(signal.SIGINT, _end)


def _end(*_: Any) -> None:
    os.write(2, f"{line()}\n".encode())
    os._exit(EXIT)


def _raise(*_: Any) -> None:
    _State.heard = True
    raise KeyboardInterrupt


@contextmanager
def heard_by_command() -> Iterator[None]:
    """Ctrl-C raises `KeyboardInterrupt` in the block; behind it all is done, and it is late."""
    _State.heard = _State.changed = False
    if _State.ours:
        signal.signal(signal.SIGINT, _raise)
    try:
        yield
    finally:
        if _State.ours:
            signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def held_back() -> Iterator[None]:
    """Ctrl-C has no effect in the block, which is short and is done whole."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        # None: what heard it before was not set by Python
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)


def heard() -> bool:
    """Was it pressed? SQLite turns an exception in a function that it calls into one of its own."""
    return _State.heard


def note_change() -> None:
    """Something was written for good."""
    _State.changed = True


def line() -> str:
    """What is said of it."""
    return _DONE if _State.changed else _NOTHING
