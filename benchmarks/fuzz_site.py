"""Does any address bring the site down? 10,000 of them, made at random from what there is.

In: a database (the seeds where none is named) and a seed of chance. Out: how many answers had
which status; exit code 1 where one was 5xx or told a path of this machine, a version or a
traceback.

    python benchmarks/fuzz_site.py [--db library.db] [--number 10000] [--seed 1]
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from loader import build  # noqa: E402
from loader.serve import datasette_for, seed_files  # noqa: E402

NAMES = """_facet _facet_many _facet_size _facet_array _facet_date _many_topics _many_claims _many_x
    _sort _sort_desc _sort_by_desc _through _next _size _timelimit _where _search
    _search_search_text _searchmode _fts_table _fts_pk _col _nocol _label _labels _shape _json _nl
    _extra _extras _nofacet _nocount _trace _stream _dl _ttl _bom _header _filter_column
    _filter_op _filter_value _filter_column_1 _filter_op_1 _hash sql year year__gt label__in
    label__arraycontains id__zz id__gte text__contains kind__not baseline dataset metric words x q
    topic paper source from list settled subject name text _hide_sql _show_sql _blob_column
    _blob_hash _view token""".split()
VALUES = [
    "", "1", "-1", "0", "x", "label", "id", "year", "kind", "max", "{", "[", "{}", "on", "off",
    '{"simple":1}', '{"column":"year"}', '["a"]', "[[[[[[[[[[", '{"table":"papers"}', "null",
    '{"table":"claims","column":"kind","value":"first"}', '{"table":1,"column":2,"value":3}',
    "'", '"', "%", "%00", "\x00", "\ud7ff", "é", "机器", "a,b", "select 1", "select :a",
    "select * from papers", "select * from sqlite_master", "select", "';--", "1 or 1=1", "1=1)",
    "select load_extension('x')", "attach 'x' as y", "pragma database_list", "explain select 1",
    "with recursive n(i) as (select 1 union all select i+1 from n) select i from n limit 9",
    "select zeroblob(999999999)", "select group_concat(abstract) from papers", "select x'ff'",
    "select cast(x'ff' as text)", "select 9e999", "select json('{')", "select abs('x')",
    "select * from papers_fts where papers_fts match '\"'", "values (1)", "select 1; select 2",
    "array", "objects", "object", "arrays", "arrayfirst", "1e400", "9" * 30, "-" * 50, "true",
    "papers_fts", "search_text", "raw", "result", "~", "..", "../../etc/passwd", "<script>",
    "a" * 3000, "(" * 500, '"' * 99, "NEAR(a b, 5)", "a AND", "claim:first", 'dataset:"', "a*",
    "rowid", "_sort", "first", "\u202e", "😀", "0x10", "1.5", " 1", "1 ", "٣",
]  # fmt: skip
PATHS = """/ /.json /library /library.json /library.csv /library.xlsx /library/-/export.json
    /library/papers /library/papers.json /library/papers.csv /library/papers.bib /library/papers.md
    /library/-/export/papers.json /library/-/export/claims.ris /library/-/export/x.csv
    /library/claims /library/measurements.json /library/duplicates /library/names.xlsx
    /library/duplicate_groups /library/open_questions.json /library/who_uses /library/who_uses.csv
    /library/about_one_paper.json /library/paper_topics /library/papers/1 /library/papers/1.json
    /library/papers/1.md /library/entries/1 /library/papers_fts.json /library/papers_fts
    /library/signatures /library/topics /library/sentences /-/search /-/search.json /-/dashboards
    /-/dashboards/library /-/dashboards/library/claims-by-kind /-/dashboards/x /library/-/x
    /library/-/duplicates /library/-/chart /library/-/beats /library/-/find /library/-/sql
    /library/-/about/DPO /library/-/about/%2F /library/-/about/ /-/quality /-/static/x
    /-/static/app.css /static/x /static/../x /library/papers.blob /library/entries/1.blob
    /library/signatures/1.blob /-/metadata.json /-/settings /-/actor.json /-/logout /-/versions.json
    /-/plugins.json /-/databases.json /-/threads /-/permissions /-/allow-debug /-/messages
    /-/patterns /-/auth-token /-/reading-list /llms.txt /robots.txt /favicon.ico // /%00
    /library/%ff /library/papers/~ /library/~2F.. /library/sources/1,2,3.json /library.db /x.db
    /%2e%2e/ /library/papers/1/2 /library/papers/ /library/papers.nope
    /library/claims/1.csv""".split()
METHODS = ["GET"] * 17 + ["HEAD", "POST", "PUT", "OPTIONS", "DELETE"]

# what no answer may hold: the place of a file, a traceback, the version of a program
TELLING = re.compile(
    r"Traceback \(most|site-packages|/(?:home|root|usr|tmp|var|opt)/\w|\.py\", line"
    r"|(?:python|datasette|uvicorn|sqlite)[/ ]v?\d+\.\d+",
    re.IGNORECASE,
)


class Asked:
    """One address, as it is asked for."""

    def __init__(self, chance: random.Random, paths: list[str]) -> None:
        path = chance.choice(paths)
        if chance.random() < 0.15:  # something else in it
            place = chance.randrange(len(path) + 1)
            path = "/" + (path[:place] + quote(chance.choice(VALUES)[:60]) + path[place:])[1:]
        pairs = [(chance.choice(NAMES), chance.choice(VALUES)) for _ in range(chance.randint(0, 4))]
        query = urlencode(pairs) if chance.random() < 0.9 else quote(chance.choice(VALUES))
        self.method = chance.choice(METHODS)
        self.address = f"{path}?{query}" if query else path
        self.body = None
        if self.method in ("POST", "PUT"):
            self.body = chance.choice([b"", b"{", b"a=1", b"\xff\xfe", urlencode(pairs).encode()])
        self.headers = {}
        if chance.random() < 0.1:
            name = chance.choice(["cookie", "authorization", "accept", "x-forwarded-host", "range"])
            value = chance.choice(["", "x", "ds_actor=x", "Bearer x", "bytes=0-1", "a=b; c", '"'])
            self.headers[name] = value


def paths_of(db: Path) -> list[str]:
    """The paths above, every table and question, and some rows of the database."""
    conn = sqlite3.connect(db)
    found = list(PATHS)
    for (table,) in conn.execute("select name from sqlite_master where type in ('table', 'view')"):
        found += [f"/library/{table}", f"/library/{table}.json", f"/library/{table}.jsonl"]
    for table in ("papers", "claims", "entries", "duplicates", "measurements"):
        rows = conn.execute(f"select id from {table} limit 5").fetchall()
        found += [f"/library/{table}/{row[0]}{end}" for row in rows for end in ("", ".json")]
    conn.close()
    return found


async def fuzz(
    db: Path, number: int, seed: int, secrets: list[str]
) -> tuple[Counter[str], list[str]]:
    """Ask for `number` addresses; the answers by status, and the faults as lines."""
    site = datasette_for(db)
    chance, paths = random.Random(seed), paths_of(db)
    statuses: Counter[str] = Counter()
    faults: list[str] = []
    for n in range(number):
        asked = Asked(chance, paths)
        options: dict[str, Any] = {"headers": asked.headers, "content": asked.body}
        try:
            response = await site.client.request(asked.method, asked.address, **options)
        except Exception as error:  # what the server would answer 500 or break off
            faults.append(f"{asked.method} {asked.address!r}: {type(error).__name__}: {error}")
            continue
        statuses[str(response.status_code)] += 1
        if response.status_code >= 500 and response.status_code != 503:
            faults.append(f"{asked.method} {asked.address!r} answers {response.status_code}")
        kind = response.headers.get("content-type", "")
        text = response.text if response.status_code >= 400 or "html" in kind else ""
        told = TELLING.search(text)
        if told and told.group() not in asked.address:
            faults.append(f"{asked.method} {asked.address!r} tells {told.group()!r}")
        faults += [
            f"{asked.method} {asked.address!r} tells a path" for s in secrets if s in response.text
        ]
        if sys.stderr.isatty() and n % 100 == 0:
            print(f"\r{n}", end="", file=sys.stderr)
    return statuses, faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--db", type=Path, help="a database; the seeds where none is named")
    parser.add_argument("--number", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fuzz-site-") as folder:
        db = options.db or Path(folder) / "seeds.db"
        if options.db is None:
            build.load(seed_files(), db)
        begin = time.monotonic()
        secrets = [str(db.resolve().parent), str(ROOT)]
        statuses, faults = asyncio.run(fuzz(db, options.number, options.seed, secrets))
    for status, n in sorted(statuses.items()):
        print(f"{n:>7,}  {status}")
    for fault in faults[:50]:
        print(fault[:400])
    print(f"{options.number:,} addresses in {time.monotonic() - begin:.0f} s, {len(faults)} faults")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
