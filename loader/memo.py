"""What a function gave for each key, kept in bounded memory.

In: a pure function of one key. Out: a dict that asks it for what it has not seen yet; looked up
through `map`, it costs a fraction of a call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")

_LONGEST: Final = 60  # characters of a text that is kept as a key


class Memo(dict[Key, Value]):
    """The values of `find` for the keys that were asked for.

    At most `most` are kept, then all are forgotten; the usual ones are soon known again. A text
    too long to come twice is not kept.
    """

    __slots__ = ("_find", "_most")

    def __init__(self, find: Callable[[Key], Value], most: int = 20_000) -> None:
        super().__init__()
        self._find, self._most = find, most

    def __missing__(self, key: Key) -> Value:
        value = self._find(key)
        if not isinstance(key, str) or len(key) <= _LONGEST:
            if len(self) >= self._most:
                self.clear()
            self[key] = value
        return value
