"""How often each value of a link table occurs among some rows: counting for facets.

In: a connection, a `Link` (which table says what belongs to what) and a query for the rows that
are looked at. Out: values with their counts. `Counter` keeps what was read.

SQLite needs a second for seven link tables of 100,000 papers when a filter keeps most of them.
Here each link table is read once, in the order of its values, as positions of its keys; a count
is then a sum over a slice. 400,000 links take 1.6 MB and about 100 ms to read, 2 ms to count.
SQLite joins the keys of a value to one text, as a text of a million numbers is read much sooner
than a million rows.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from loader.versions import still_good, version_of

Keys = npt.NDArray[np.int64]  # every key there is, sorted
Weights = npt.NDArray[Any]  # how many of the rows looked at have the key, for each of Keys

REMEMBERED = 200  # filters whose weights are kept, mostly a byte a key


@dataclass(frozen=True, slots=True)
class Link:
    """A table in which a row says that `key` has `value`. All names are SQL identifiers.

    `where` keeps rows with these values only. `distinct`: a key counts once for a value even if
    several rows say so.
    """

    table: str
    key: str
    value: str
    where: tuple[tuple[str, str | int], ...] = ()
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class Index:
    """A link table as read: `owners[starts[i]:starts[i + 1]]` are the keys with `values[i]`."""

    values: tuple[Any, ...]
    starts: npt.NDArray[np.intp]
    owners: npt.NDArray[np.int32]  # positions in Keys


def read_keys(conn: sqlite3.Connection, table: str, column: str) -> Keys:
    """Every value of an integer column, sorted, once each."""
    found = np.sort(_integers(conn, f"select [{column}] as key from [{table}]", {}))
    # much quicker than np.unique of numbers that are mostly sorted and single
    return found[np.append(True, found[1:] != found[:-1])] if len(found) else found


def read_index(conn: sqlite3.Connection, link: Link, keys: Keys) -> Index:
    """The link table, for counting among `keys`; rows without a value or with another key are out.

    Values come in SQLite's order.
    """
    conditions = "".join(f" and [{column}] = ?" for column, _ in link.where)
    wanted = [value for _, value in link.where]
    distinct = "distinct " if link.distinct else ""
    rows = (
        f"select {distinct}[{link.value}] as value, [{link.key}] as key from [{link.table}] "
        f"where [{link.value}] is not null{conditions}"
    )
    values, counts, texts = [], [], []
    groups = f"select value, count(key), group_concat(key, ' ') from ({rows}) group by value"
    try:
        for value, number, text in _plain(conn).execute(f"{groups} order by value", wanted):
            values.append(value)
            counts.append(number)
            texts.append(text or "")
        found = _parsed(" ".join(texts))
    except sqlite3.DataError:  # too long for one string
        groups = f"select value, count(key) from ({rows}) group by value order by value"
        values, counts = [], []
        for value, number in _plain(conn).execute(groups, wanted):
            values.append(value)
            counts.append(number)
        keyed = f"select key from ({rows}) where key is not null order by value"
        found = _one_by_one(conn, keyed, wanted)
    places = np.searchsorted(keys, found).clip(max=max(len(keys) - 1, 0))
    known = keys[places] == found if len(keys) else np.zeros(len(found), dtype=bool)
    codes = np.repeat(np.arange(len(values)), counts)[known]
    starts = np.flatnonzero(np.append(True, codes[1:] != codes[:-1])) if len(codes) else codes
    present = codes[starts]
    return Index(tuple(values[i] for i in present), starts, places[known].astype(np.int32))


def read_weights(
    conn: sqlite3.Connection, sql: str, parameters: Mapping[str, Any], keys: Keys
) -> Weights:
    """How many rows each of `keys` has in `sql`, a query of one integer column.

    Rows with another key, or none, are left out. Raises what the query raises.
    """
    found = _integers(conn, f"select key from ({sql}) where key is not null", parameters)
    weights = np.zeros(len(keys), dtype=np.int64)
    if len(keys) and len(found):
        places = np.searchsorted(keys, found).clip(max=len(keys) - 1)
        weights += np.bincount(places[keys[places] == found], minlength=len(keys))
    # mostly a row a key: an eighth of the memory
    return weights.astype(np.min_scalar_type(weights.max(initial=0)))


def count(index: Index, weights: Weights) -> dict[Any, int]:
    """Each value that occurs with its count, most frequent first, else in order of values."""
    if not index.values:
        return {}
    sums = np.add.reduceat(weights[index.owners], index.starts, dtype=np.int64)
    order = np.argsort(-sums, kind="stable")
    occurring = order[: np.count_nonzero(sums)]
    return {index.values[i]: int(sums[i]) for i in occurring}


class Counter:
    """The link tables of a database as they are at one time, for many readers at once.

    `stamp` is the caller's mark of that time.
    """

    def __init__(self, stamp: object = None) -> None:
        self.stamp = stamp
        self._lock = threading.Lock()
        self._follows = False  # another one is being read
        self._keys: dict[tuple[str, str], Keys] = {}
        self._indexes: dict[tuple[str, str, Link], Index] = {}
        self._weights: OrderedDict[object, Weights] = OrderedDict()

    def read(self, conn: sqlite3.Connection, table: str, key: str, link: Link) -> None:
        """Read a link table that speaks of the column `key` of `table`, once."""
        with self._lock:
            if (table, key) not in self._keys:
                self._keys[table, key] = read_keys(conn, table, key)
            if (table, key, link) not in self._indexes:
                keys = self._keys[table, key]
                self._indexes[table, key, link] = read_index(conn, link, keys)

    def weigh(
        self,
        conn: sqlite3.Connection,
        table: str,
        key: str,
        sql: str,
        parameters: Mapping[str, Any],
    ) -> Weights:
        """`read_weights` for a column that was read before, remembered for a while."""
        question = (sql, tuple(sorted(parameters.items())))
        with self._lock:
            known = self._weights.get(question)
        if known is None:
            known = read_weights(conn, sql, parameters, self._keys[table, key])
        with self._lock:
            self._weights[question] = known
            self._weights.move_to_end(question)
            while len(self._weights) > REMEMBERED:
                self._weights.popitem(last=False)
        return known

    def read_anew(self, database: Any, stamp: object) -> None:
        """Read what this has read into another one, which then takes its place; in a thread."""
        with self._lock:
            if self._follows:
                return
            self._follows = True
        threading.Thread(target=self._read_anew, args=(database, stamp), daemon=True).start()

    def _read_anew(self, database: Any, stamp: object) -> None:
        fresh = Counter(stamp)
        try:
            with contextlib.closing(database.connect()) as conn:
                for table, key, link in list(self._indexes):
                    fresh.read(conn, table, key, link)
            if _counters.get(database) is self:
                _counters[database] = fresh
        except sqlite3.Error:
            pass  # who asks next reads it, and is told
        finally:
            self._follows = False

    def count(self, table: str, key: str, link: Link, weights: Weights) -> dict[Any, int]:
        """`count` for a link table that was read before."""
        return count(self._indexes[table, key, link], weights)


_counters: WeakKeyDictionary[Any, Counter] = WeakKeyDictionary()


def counter_of(database: Any) -> Counter:
    """The counter of a database in its present state, the same for all who ask.

    Of a large one perhaps that of before, while the tables are read anew.
    """
    stamp = version_of(database)
    counter = _counters.get(database)
    if counter is None or counter.stamp != stamp:
        if counter is not None and still_good(database, counter.stamp):
            counter.read_anew(database, stamp)
        else:
            counter = _counters[database] = Counter(stamp)
    return counter


def _integers(conn: sqlite3.Connection, sql: str, parameters: Any) -> Keys:
    """All values of a query of one column of integers, called `key`."""
    joined = f"select group_concat(key, ' ') from ({sql})"
    try:
        return _parsed(_plain(conn).execute(joined, parameters).fetchone()[0] or "")
    except sqlite3.DataError:  # too long for one string
        return _one_by_one(conn, sql, parameters)


def _parsed(text: str) -> Keys:
    """Integers with blanks between them; a third of the time of a row each."""
    return np.fromstring(text, dtype=np.int64, sep=" ")


def _one_by_one(conn: sqlite3.Connection, sql: str, parameters: Any) -> Keys:
    rows = _plain(conn).execute(sql, parameters)
    return np.fromiter((row[0] for row in rows), dtype=np.int64)


def _plain(conn: sqlite3.Connection) -> sqlite3.Cursor:
    cursor = conn.cursor()
    cursor.row_factory = None  # tuples, at half the time of rows
    return cursor
