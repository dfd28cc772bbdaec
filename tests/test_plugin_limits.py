"""What SQL of visitors cannot do."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import pytest
from datasette.app import Datasette

from plugins.limits import LONGEST_VALUE, allowed, metered, prepare_connection


async def ask(site: Datasette, sql: str) -> tuple[int, dict[str, Any]]:
    response = await site.client.get("/library.json?" + urlencode({"sql": sql}))
    return response.status_code, response.json()


@pytest.mark.parametrize(
    "sql",
    [
        "attach database '/tmp/x.db' as x",
        "select load_extension('x')",
        "select zeroblob(10)",
        "select length(randomblob(900000000))",
        "select fts3_tokenizer('simple')",
        "insert into topics (term) values ('x')",
        "delete from papers",
        "drop table papers",
        "pragma writable_schema = 1",
        "vacuum into '/tmp/copy.db'",
        "with x as (select 1) delete from papers",
        "select writefile('/tmp/x', 'y')",
        "select readfile('/etc/passwd')",
        "with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n",
    ],
)
async def test_it_is_refused(site: Datasette, sql: str) -> None:
    status, answer = await ask(site, sql)
    assert status == 400
    assert answer["error"]


async def test_the_path_of_the_database_is_not_shown(site: Datasette, library: Path) -> None:
    for sql in ("select * from pragma_database_list", "select * from pragma_database_list()"):
        status, answer = await ask(site, sql)
        assert (status, answer["rows"]) == (200, [])
    for address in ("/library", "/library/papers", "/-/databases.json?x=1", "/library.json?sql=x"):
        assert str(library.parent) not in (await site.client.get(address)).text or (
            address.startswith("/-/databases")
        )


async def test_a_value_or_an_answer_can_be_too_large(site: Datasette) -> None:
    status, answer = await ask(site, f"select length(printf('%{LONGEST_VALUE + 1}d', 1)) as n")
    assert (status, answer["rows"]) in ((200, [[None]]), (400, []))
    status, answer = await ask(site, "select printf('%20000000d', 1) from papers")
    assert status == 400
    assert "too large" in answer["error"]
    many = ", ".join(["printf('%30000000d', 1)"] * 60)
    status, _ = await ask(site, f"select {many}")
    assert status == 400


async def test_ordinary_sql_is_not_touched(site: Datasette) -> None:
    for sql in (
        "select count(*) from papers",
        "select name from pragma_table_info('papers')",
        "select highlight(papers_fts, 0, '', '') from papers_fts where papers_fts match 'model'",
        "select value from papers, json_each('[1, 2]')",
        "select group_concat(text) from sentences",
    ):
        status, answer = await ask(site, sql)
        assert status == 200, answer
        assert answer["rows"]


def test_only_the_cross_database_mode_attaches() -> None:
    assert allowed(attaching=False)(sqlite3.SQLITE_ATTACH, "x", None, None, None) == (
        sqlite3.SQLITE_DENY
    )
    assert allowed(attaching=True)(sqlite3.SQLITE_ATTACH, "x", None, None, None) == (
        sqlite3.SQLITE_OK
    )


def test_the_meter_counts_each_answer_on_its_own() -> None:
    connection = sqlite3.connect(":memory:")
    prepare_connection(connection, SimpleNamespace(crossdb=False))
    connection.row_factory = metered(largest=250_000)
    two = "select printf('%100000d', 1) as long union all select printf('%100001d', 2)"
    for _ in range(3):
        assert [len(row["long"]) for row in connection.execute(two)] == [100_000, 100_001]
    with pytest.raises(sqlite3.OperationalError, match="too large"):
        connection.execute(f"{two} union all select printf('%100002d', 3)").fetchall()
    assert connection.execute("select 1").fetchone()[0] == 1
    connection.close()
