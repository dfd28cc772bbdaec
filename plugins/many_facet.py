"""Facets through link tables: `?_facet_many=topics`, and `?_many_topics=...` to filter by one.

What a facet means stands beside its table in metadata.yml, under `many`:

    many:
      topics:               # the name in addresses
        title: topics       # the name on pages; the same where it is left out
        table: paper_topics # the link table: one row a key and value
        key: paper_id       # its column with the key of this table's rows
        value: topic_id     # its column with the value
        lookup: topics      # where the value is an id: the table that names it ...
        label: term         # ... and the column with the name, which must be unique
        address: label      # or `value`: what stands in addresses, the name or the id itself
        where: {kind: x}    # only rows of the link table with these values
        distinct: true      # several rows may say the same
        column: paper_id    # the column of this table that is the key; else the primary key

A name that is not there but is a column of the table is a facet of that column; it filters as
Datasette's own does. All counts equal the rows that the click shows, on every page of a table:
Datasette hands facets the rows from the current page on, so the filters are collected anew.
"""

import json
import threading
import urllib.parse
from functools import partial
from typing import Any, NamedTuple

from datasette import hookimpl
from datasette.database import QueryInterrupted
from datasette.facets import Facet
from datasette.filters import FilterArguments, Filters
from datasette.plugins import pm
from datasette.utils import await_me_maybe, escape_sqlite, sqlite3, sqlite_timelimit
from datasette.utils.asgi import BadRequest

from loader import facets
from loader.facets import Link

PREFIX = "_many_"
WIDE = 5_000  # rows of a link table with one value
MOST = 200  # values of a facet, also with `_facet_size=max`; a page of thousands serves nobody


def many_config(datasette: Any, database: str, table: str) -> dict[str, dict[str, Any]]:
    """The link facets of a table by their names in addresses."""
    return datasette.table_metadata(database, table).get("many") or {}


def known_facet(many: dict[str, dict[str, Any]], name: object) -> dict[str, Any]:
    """The facet of that name. Raises BadRequest, naming those there are, where there is none."""
    if isinstance(name, str) and name in many:
        return many[name]
    there_are = f"; it has: {', '.join(many)}" if many else ""
    raise BadRequest(f"This table has no facet of the name {str(name)[:80]!r}{there_are}")


def having(config: dict[str, Any], parameter: str) -> str:
    """The SQL query for the keys that have the value `:parameter`."""
    value = f"= :{parameter}"
    if config.get("lookup") and config.get("address", "label") == "label":
        lookup, label = escape_sqlite(config["lookup"]), escape_sqlite(config["label"])
        value = f"in (select id from {lookup} where {label} = :{parameter})"
    only = "".join(
        f" and {escape_sqlite(name)} = '{str(wanted).replace(chr(39), chr(39) * 2)}'"
        for name, wanted in (config.get("where") or {}).items()
    )
    return (
        f"select {escape_sqlite(config['key'])} from {escape_sqlite(config['table'])} "
        f"where {escape_sqlite(config['value'])} {value}{only}"
    )


async def filter_clause(
    db: Any, config: dict[str, Any], column: str, parameter: str, value: str
) -> str:
    """The SQL condition for rows that have the value `:parameter`; `column` is the key.

    A value of many rows is looked up for each row in the order of the page, which soon has enough
    of them; those of few rows are found from their link table. The `+` keeps SQLite from that.
    """
    keys = having(config, parameter)
    some = await db.execute(f"select count(*) from ({keys} limit {WIDE})", {parameter: value})
    return f"{'+' * (some.rows[0][0] == WIDE)}{escape_sqlite(column)} in ({keys})"


def toggled(query_string: str, pair: tuple[str, str], selected: bool) -> str:
    """The query string with `pair` added, or without it where it is selected; page one."""
    pairs = urllib.parse.parse_qsl(query_string, keep_blank_values=True)
    kept = [(name, value) for name, value in pairs if name != "_next"]
    kept = [other for other in kept if other != pair] if selected else [*kept, pair]
    return urllib.parse.urlencode(kept)


def link_of(config: dict[str, Any]) -> Link:
    """The facet's link table as the counting room knows it."""
    return Link(
        table=config["table"],
        key=config["key"],
        value=config["value"],
        where=tuple((config.get("where") or {}).items()),
        distinct=bool(config.get("distinct")),
    )


class Rows(NamedTuple):
    """The rows of a table that are looked at, and its column that link tables speak of."""

    table: str
    key: str
    where: str
    parameters: dict[str, Any]

    @property
    def sql(self) -> str:
        """A query of the column, called `key`."""
        return (
            f"select {escape_sqlite(self.key)} as key from {escape_sqlite(self.table)}{self.where}"
        )


def counted(
    conn: Any, counter: facets.Counter, rows: Rows, links: dict[str, Link], limit_ms: int
) -> dict[str, dict[Any, int]]:
    """For each name in `links` the values with their counts among `rows`.

    Only the query of the rows is limited in time, as what else is read is read once. Raises
    QueryInterrupted when it takes longer.
    """
    for link in links.values():
        counter.read(conn, rows.table, rows.key, link)
    try:
        with sqlite_timelimit(conn, limit_ms):
            weights = counter.weigh(conn, rows.table, rows.key, rows.sql, rows.parameters)
    except sqlite3.OperationalError as error:
        if error.args == ("interrupted",):
            raise QueryInterrupted(error, rows.sql, rows.parameters) from error
        raise
    return {
        name: counter.count(rows.table, rows.key, link, weights) for name, link in links.items()
    }


async def integer_key(db: Any, table: str) -> str | None:
    """The column that is the one integer key of a table; None where there is no such column."""
    keys = await db.primary_keys(table)
    if len(keys) != 1:
        return None
    types = {column.name: column.type for column in await db.table_column_details(table)}
    return str(keys[0]) if types[keys[0]].lower() == "integer" else None


async def filtered(datasette: Any, request: Any, database: str, table: str) -> tuple[str, Any]:
    """The condition of all filters of a request, without its page, and the parameters."""
    pairs = [
        (key, value)
        for key in request.args
        if not key.startswith("_") or "__" in key
        for value in request.args.getlist(key)
    ]
    clauses, parameters = Filters(sorted(pairs)).build_where_clauses(table)
    for hook in pm.hook.filters_from_request(
        request=request, database=database, table=table, datasette=datasette
    ):
        arguments = await await_me_maybe(hook)
        if arguments:
            clauses.extend(arguments.where_clauses)
            parameters.update(arguments.params)
    return (f" where {' and '.join(clauses)}" if clauses else ""), parameters


class ManyFacet(Facet):  # type: ignore[misc]
    """Counts values through link tables, and of columns; see the module."""

    type = "many"

    async def facet_results(self) -> tuple[list[dict[str, Any]], list[str]]:
        """Datasette's form: a list of facets with their values, and the names that took too long.

        Raises BadRequest for a facet that the table has not.
        """
        configs = self.get_configs()
        if not configs:
            return [], []
        db = self.ds.get_database(self.database)
        many = many_config(self.ds, self.database, self.table)
        columns = await db.table_columns(self.table)
        where, parameters = await filtered(self.ds, self.request, self.database, self.table)
        wanted: dict[str, tuple[dict[str, Any], str]] = {}
        for each in configs:
            name = each["config"].get("column") or each["config"].get("simple")
            if name not in columns or name in many:
                known_facet(many, name)
            wanted.setdefault(name, (many.get(name) or {}, each["source"]))

        own_key = await integer_key(db, self.table)
        by_key: dict[str | None, list[str]] = {}
        for name, (config, _) in wanted.items():
            key = config.get("column") or own_key if config.get("table") else own_key
            by_key.setdefault(key, []).append(name)

        counts: dict[str, dict[Any, int]] = {}
        timed_out = []
        limit = self.ds.setting("facet_time_limit_ms")
        for key, names in by_key.items():
            try:
                if key is None:  # a view: one query a column
                    for name in names:
                        counts[name] = await self._count_column(name, where, parameters)
                else:
                    rows = Rows(self.table, key, where, parameters)
                    links = {name: self._link(name, wanted[name][0], key) for name in names}
                    counts |= await db.execute_fn(
                        partial(
                            counted,
                            counter=facets.counter_of(db),
                            rows=rows,
                            links=links,
                            limit_ms=limit,
                        )
                    )
            except QueryInterrupted:
                timed_out += [name for name in names if name not in counts]
        results = [
            await self._result(name, *wanted[name], counts[name])
            for name in wanted
            if name in counts
        ]
        return results, timed_out

    def _link(self, name: str, config: dict[str, Any], key: str) -> Link:
        return link_of(config) if config.get("table") else Link(self.table, key, name)

    def _selected(self, name: str, config: dict[str, Any]) -> list[str]:
        argument = self._argument(name, config)
        return list(dict.fromkeys(self.request.args.getlist(argument)))

    def _argument(self, name: str, config: dict[str, Any]) -> str:
        if config.get("table"):
            return PREFIX + name
        return f"{name}__exact" if name.startswith("_") else name

    async def _count_column(
        self, name: str, where: str, parameters: dict[str, Any]
    ) -> dict[Any, int]:
        column, table = escape_sqlite(name), escape_sqlite(self.table)
        results = await self.ds.execute(
            self.database,
            f"select {column}, count(*) as n from {table}{where} group by {column} "
            f"having {column} is not null order by n desc, {column}",
            parameters,
            truncate=False,
            custom_time_limit=self.ds.setting("facet_time_limit_ms"),
        )
        return {row[0]: row[1] for row in results.rows}

    async def _result(
        self, name: str, config: dict[str, Any], source: str, counts: dict[Any, int]
    ) -> dict[str, Any]:
        argument = self._argument(name, config)
        selected = self._selected(name, config)
        size = min(self.get_facet_size(), MOST)
        labels = await self._labels(name, config, list(counts), selected)
        by_address = config.get("lookup") and config.get("address", "label") == "label"
        shown = []
        for place, (value, number) in enumerate(counts.items()):
            label = labels.get(value, value)
            address = str(label if by_address else value)
            if place < size or address in selected:
                shown.append((value, label, address, number))
        # what is filtered by can be taken back, even if it finds nothing
        there = {address for _, _, address, _ in shown}
        shown += [(text, text, text, 0) for text in selected if text not in there]
        removal = toggled(self.request.query_string, ("_facet_many", name), True)
        return {
            "name": name,
            "title": config.get("title") or name.replace("_", " "),
            "type": self.type if config.get("table") else "column",
            "hideable": source != "metadata",
            "toggle_url": self._url(removal, absolute=False),
            "truncated": len(counts) > size,
            "results": [
                {
                    "value": value,
                    "label": label,
                    "count": number,
                    "selected": address in selected,
                    "toggle_url": self._url(
                        toggled(self.request.query_string, (argument, address), address in selected)
                    ),
                }
                for value, label, address, number in shown
            ],
        }

    async def _labels(
        self, name: str, config: dict[str, Any], values: list[Any], selected: list[str]
    ) -> dict[Any, Any]:
        few = values[: min(self.get_facet_size(), MOST)]
        if not config.get("table"):
            expanded = await self.ds.expand_foreign_keys(self.database, self.table, name, few)
            return {value: label for (_, value), label in expanded.items() if label is not None}
        if not config.get("lookup"):
            return {}
        lookup, label = escape_sqlite(config["lookup"]), escape_sqlite(config["label"])
        results = await self.ds.execute(
            self.database,
            f"select id, {label} from {lookup} where id in (select value from json_each(:ids)) "
            f"or {label} in (select value from json_each(:labels))",
            {"ids": json.dumps(few), "labels": json.dumps(selected)},
            truncate=False,
        )
        return {row[0]: row[1] for row in results.rows}

    def _url(self, query_string: str, absolute: bool = True) -> str:
        path = self.request.path + (f"?{query_string}" if query_string else "")
        url = self.ds.urls.path(path)
        return str(self.ds.absolute_url(self.request, url) if absolute else url)


def check_asked_for(request: Any, columns: list[str], many: dict[str, dict[str, Any]]) -> None:
    """Raises BadRequest for a `?_facet...=` that is neither a column nor a link facet."""
    asked = [key for key in request.args if key.startswith("_facet") and key != "_facet_size"]
    for key in asked:
        for value in request.args.getlist(key):
            name: object = value
            if value.startswith("{"):
                try:
                    config = json.loads(value)
                except (ValueError, RecursionError):
                    raise BadRequest(f"{key[:40]} is no JSON object: {value[:80]}") from None
                name = config.get("column") or config.get("simple")
            if name not in columns:
                known_facet(many if key == "_facet_many" else {}, name)


async def many_filters(datasette: Any, request: Any, database: str, table: str) -> FilterArguments:
    """The conditions for all `?_many_...=` of a request.

    Raises BadRequest for an unknown facet, and for one that is asked for and cannot be read:
    here, as Datasette's facets do not expect it.
    """
    db = datasette.get_database(database)
    many = many_config(datasette, database, table)
    check_asked_for(request, await db.table_columns(table), many)
    names = [key[len(PREFIX) :] for key in request.args if key.startswith(PREFIX)]
    clauses: list[str] = []
    parameters: dict[str, str] = {}
    told: list[str] = []
    linked = {name: config for name, config in many.items() if "table" in config}
    for name in names:
        config = known_facet(linked, name)
        column = config.get("column") or await integer_key(db, table) or "rowid"
        for value in request.args.getlist(PREFIX + name):
            # not p0, p1 ..., which are Datasette's own
            parameter = f"many_{len(parameters)}"
            clauses.append(await filter_clause(db, config, column, parameter, value))
            parameters[parameter] = value
            label = value
            if config.get("lookup") and config.get("address") == "value":
                label = await looked_up(db, config, value) or value
            told.append(f'{config.get("title") or name}: "{label}"')
    return FilterArguments(clauses, parameters, told)


async def looked_up(db: Any, config: dict[str, Any], value: str) -> str | None:
    """The name of a value that addresses give as an id; None where there is none."""
    lookup, label = escape_sqlite(config["lookup"]), escape_sqlite(config["label"])
    results = await db.execute(f"select {label} from {lookup} where id = :id", {"id": value})
    return str(results.rows[0][0]) if results.rows else None


def warm_up(db: Any, tables: dict[str, Any]) -> None:
    """Read the facets that pages show unasked, so that the first reader need not wait.

    `tables` is what metadata.yml says about each table.
    """
    counter = facets.counter_of(db)
    conn = db.connect()
    try:
        for table, described in tables.items():
            many = described.get("many") or {}
            columns = list(conn.execute(f"pragma table_info([{table}])"))
            keys = [row[1] for row in columns if row[5]]
            if len(keys) != 1:
                continue
            for name in [asked["many"] for asked in described.get("facets", ())]:
                config = many.get(name) or {}
                link = link_of(config) if config.get("table") else Link(table, keys[0], name)
                counter.read(conn, table, config.get("column") or keys[0], link)
    except sqlite3.Error:
        pass  # a database that cannot be read says so on its pages
    finally:
        conn.close()


@hookimpl
def startup(datasette: Any) -> None:
    for name, described in (datasette.metadata("databases") or {}).items():
        db = datasette.databases.get(name)
        if db is not None and db.path:
            # beside the first requests, which wait only for what they need
            arguments = (db, described.get("tables") or {})
            threading.Thread(target=warm_up, args=arguments, daemon=True).start()


@hookimpl
def register_facet_classes() -> list[type[ManyFacet]]:
    return [ManyFacet]


@hookimpl
def filters_from_request(datasette: Any, request: Any, database: str, table: str) -> Any:
    async def inner() -> FilterArguments:
        return await many_filters(datasette, request, database, table)

    return inner
