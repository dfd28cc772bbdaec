"""A copy of a library to show to others: one file that nothing writes to.

In: a database. Out: a new file with the same rows but for who decided what, packed, without a
write-ahead log, so that it can be served with `datasette serve -i`.
"""

from __future__ import annotations

from pathlib import Path

from loader.database import read_library, write_copy
from loader.model import LoadError


def publish(database: Path, out: Path) -> int:
    """Write the copy to the new file `out`; its size in bytes.

    The database may be in use, and stays as it is. Raises LoadError where it cannot be read, or
    `out` exists or cannot be written.
    """
    if out.exists():
        raise LoadError("this file exists; name a new one", file=str(out))
    library = read_library(database)
    try:
        write_copy(library, out)
    finally:
        library.close()
    return out.stat().st_size
