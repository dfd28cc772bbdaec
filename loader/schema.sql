-- litsette's database, schema version 4.
--
-- The path of data: a source is a file; it holds entries; entries that are one work form a
-- paper; the abstract of the paper's kept entry is split into sentences, and each sentence
-- makes claims and states measurements. Table and column names are a promise to people who
-- write SQL: columns may be added, none is renamed or removed.
--
-- start_char and end_char count Unicode code points in entries.text of the paper's kept entry
-- (papers.entry_id), half open: substr(text, start_char + 1, end_char - start_char) is the
-- source's own wording.
--
-- Ids are integers. papers.id is taken from the content (see build.py), so that a paper's
-- address survives a rebuild and more files; the others count up in the order of insertion.

pragma application_id = 0x6c697473; -- "lits"
pragma user_version = 4;

-- A file that was loaded.
create table sources (
    id integer primary key,
    name text not null,                            -- file name without directories
    sha256 text not null unique,                   -- of the bytes of the file
    format text not null,                          -- seed | jsonl
    encoding text not null,
    collection text,                               -- title the file gives itself
    venue text,
    year integer,
    bytes integer not null check (bytes >= 0),
    record_count integer not null,                 -- read = loaded + rejected
    loaded_count integer not null,
    reject_count integer not null,
    ignored_fields text not null default '{}' check (json_valid(ignored_fields)),
    notes text not null default '[]' check (json_valid(notes)),
    loaded_at text not null,                       -- UTC, ISO 8601
    check (record_count = loaded_count + reject_count)
) strict;

-- One abstract as one file states it. Several entries may be one paper.
create table entries (
    id integer primary key,
    source_id integer not null references sources (id),
    position integer not null,                     -- from 1, in the order of the file
    first_line integer not null,                   -- from 1
    last_line integer not null,
    external_id text,                              -- the id the source gives it
    title text,
    text text not null,                            -- the abstract exactly as in the source
    text_hash text not null,                       -- SHA-256 of text
    plain_hash text not null,                      -- SHA-256 of the normalized plain text
    record_hash text not null,                     -- SHA-256 of the text and all fields
    paper_id integer not null references papers (id) deferrable initially deferred,
    content_id integer not null,                   -- first 48 bits of plain_hash
    removed_count integer not null default 0,      -- NUL and control characters taken out
    authors text not null default '[]' check (json_valid(authors)),
    year integer,
    venue text,
    doi text,
    url text,
    volume text,
    number text,
    pages text,
    keywords text not null default '[]' check (json_valid(keywords)),
    identifiers text not null default '[]' check (json_valid(identifiers)), -- doi:, arxiv:, openreview:
    unique (source_id, position),
    check (last_line >= first_line and first_line >= 1)
) strict;
create index entries_paper_id on entries (paper_id);
create index entries_text_hash on entries (text_hash);
create index entries_plain_hash on entries (plain_hash);
create index entries_record_hash on entries (record_hash);
create index entries_content_id on entries (content_id);
create index entries_external_id on entries (external_id);

-- Names that a work has everywhere: DOI, arXiv, OpenReview.
create table entry_identifiers (
    identifier text not null,                      -- doi:10.1/x, arxiv:2501.00001, openreview:abc
    entry_id integer not null references entries (id) on delete cascade,
    primary key (identifier, entry_id)
) strict, without rowid;
create index entry_identifiers_entry_id on entry_identifiers (entry_id);

-- One work, however many entries say it.
create table papers (
    id integer primary key,                        -- first 48 bits of the SHA-256 of its text
    label text not null check (label <> ''),       -- what a person would call it
    title text,
    abstract text not null,                        -- plain text
    entry_id integer not null references entries (id) deferrable initially deferred, -- the kept entry
    venue text,
    year integer,
    doi text,
    url text,
    volume text,
    number text,
    pages text,
    entry_count integer not null default 1,
    source_count integer not null default 1,
    sentence_count integer not null default 0,
    claim_count integer not null default 0,
    measurement_count integer not null default 0,
    name_count integer not null default 0,
    mention_count integer not null default 0,
    has_code integer not null default 0 check (has_code in (0, 1)),       -- gives an address of code
    promises_code integer not null default 0 check (promises_code in (0, 1)), -- release claimed, no address
    claims_first integer not null default 0 check (claims_first in (0, 1)),
    claims_sota integer not null default 0 check (claims_sota in (0, 1)),
    claims_theory integer not null default 0 check (claims_theory in (0, 1)),
    search_text text not null                      -- what search looks through (see search.py)
) strict;
create index papers_entry_id on papers (entry_id);
create index papers_label on papers (label);
create index papers_venue on papers (venue);
create index papers_year on papers (year);
create index papers_has_code on papers (has_code);
create index papers_promises_code on papers (promises_code);
create index papers_claims_first on papers (claims_first);
create index papers_claims_sota on papers (claims_sota);
create index papers_claims_theory on papers (claims_theory);
create index papers_source_count on papers (source_count);
create index papers_entry_count on papers (entry_count);
create index papers_claim_count on papers (claim_count);
create index papers_measurement_count on papers (measurement_count);
create index papers_doi on papers (doi);

-- Which entries gave a paper its fields, where several entries state it.
create table paper_fields (
    paper_id integer not null references papers (id) on delete cascade,
    field text not null check (field in ('title', 'authors', 'venue', 'year', 'doi', 'url', 'volume', 'number', 'pages', 'keywords')),
    entry_id integer not null references entries (id),
    primary key (paper_id, field, entry_id)
) strict, without rowid;
create index paper_fields_entry_id on paper_fields (entry_id);

-- Ids that a paper had before merging; their pages lead to the paper.
create table paper_aliases (
    old_id integer primary key,
    paper_id integer not null references papers (id) on delete cascade
) strict;
create index paper_aliases_paper_id on paper_aliases (paper_id);

-- What is known about a pair of entries. One row an unordered pair.
create table duplicates (
    id integer primary key,
    entry_id integer not null references entries (id),       -- the entry absorbed or asked about
    other_entry_id integer not null references entries (id), -- the nearest entry of the other side
    verdict text not null check (verdict in ('duplicate', 'version', 'possible', 'distinct')),
    method text not null check (method in ('exact', 'normalized', 'near', 'identifier', 'user')),
    score real not null check (score between 0 and 100),
    evidence text not null,
    group_key text not null default '',                      -- what many pairs share: text:, template: and a hash, or an identifier
    question_id integer references duplicates (id) deferrable initially deferred, -- of a possible pair: the pair that stands for it and its group
    check (entry_id <> other_entry_id)
) strict;
create unique index duplicates_pair on duplicates (min(entry_id, other_entry_id), max(entry_id, other_entry_id));
create index duplicates_entry_id on duplicates (entry_id);
create index duplicates_other_entry_id on duplicates (other_entry_id);
create index duplicates_verdict on duplicates (verdict, score);
create index duplicates_group_key on duplicates (group_key);
create index duplicates_question_id on duplicates (question_id);
create index duplicates_open on duplicates (score) where verdict = 'possible' and question_id = id;

-- What people said about two entries; keyed by content, so it survives a rebuild. By its basis
-- a key is the text_hash of entries, their record_hash (where the texts are equal, short or
-- missing), or the sha256 of a source, a colon and a position (where the records are equal too).
-- Of basis group it is about all pairs with one duplicates.group_key, and the other key is ~all.
create table decisions (
    text_hash text not null,
    other_text_hash text not null,
    verdict text not null check (verdict in ('duplicate', 'version', 'distinct')),
    note text not null default '',
    decided_by text not null default '',
    decided_at text not null default '',
    basis text not null default 'text' check (basis in ('text', 'record', 'place', 'group')),
    primary key (text_hash, other_text_hash),
    check (text_hash < other_text_hash)
) strict;

create index decisions_other_text_hash on decisions (other_text_hash);

-- Sentences of the abstract of the kept entry.
create table sentences (
    id integer primary key,
    paper_id integer not null references papers (id) on delete cascade,
    position integer not null,                     -- from 1
    role text not null check (role in ('background', 'objective', 'method', 'result', 'other')),
    text text not null,                            -- plain text
    start_char integer not null,
    end_char integer not null,
    unique (paper_id, position),
    check (0 <= start_char and start_char < end_char)
) strict;
create index sentences_role on sentences (role);

-- What a sentence claims; several claims a sentence are several rows.
create table claims (
    id integer primary key,
    paper_id integer not null references papers (id) on delete cascade,
    sentence_id integer not null references sentences (id) on delete cascade,
    kind text not null check (kind in ('problem', 'contribution', 'result', 'theory', 'sota', 'first', 'release')),
    text text not null,                            -- plain text of the clause, else the sentence
    evidence text not null,                        -- the words that weighed most
    unique (sentence_id, kind)
) strict;
create index claims_paper_id on claims (paper_id, kind);
create index claims_kind on claims (kind, paper_id);

-- Numbers worth querying.
create table measurements (
    id integer primary key,
    paper_id integer not null references papers (id) on delete cascade,
    sentence_id integer not null references sentences (id) on delete cascade,
    kind text not null check (kind in ('level', 'change', 'ratio', 'from_to', 'amount', 'bound')),
    low real,
    high real,
    spread real,                                   -- of "412.7 ± 9.3"
    unit text not null,
    metric text,
    baseline text,
    subject text,
    qualifier text check (qualifier in ('up to', 'at least', 'more than', 'less than', 'about', 'average', 'only')),
    text text not null,                            -- as written in the source
    start_char integer not null,
    end_char integer not null,
    check (0 <= start_char and start_char < end_char)
) strict;
create index measurements_paper_id on measurements (paper_id);
create index measurements_sentence_id on measurements (sentence_id);
create index measurements_kind on measurements (kind, paper_id);
create index measurements_unit on measurements (unit);
create index measurements_qualifier on measurements (qualifier);
create index measurements_metric on measurements (metric collate nocase);
create index measurements_baseline on measurements (baseline collate nocase);
create index measurements_subject on measurements (subject collate nocase);
create index measurements_high on measurements (high);

-- What a paper itself introduces.
create table names (
    id integer primary key,
    paper_id integer not null references papers (id) on delete cascade,
    name text not null,
    expansion text,
    kind text not null check (kind in ('method', 'model', 'dataset', 'benchmark', 'framework', 'concept', 'attack', 'system')),
    unique (paper_id, name)
) strict;
create index names_name on names (name collate nocase);
create index names_kind on names (kind, paper_id);

-- Short forms that an abstract defines.
create table acronyms (
    id integer primary key,
    paper_id integer not null references papers (id) on delete cascade,
    short text not null,
    long text not null,
    unique (paper_id, short, long)
) strict;
create index acronyms_short on acronyms (short);
create index acronyms_short_nocase on acronyms (short collate nocase);

-- Named data sets, models and methods that a paper uses or compares with.
create table mentions (
    id integer primary key,
    paper_id integer not null references papers (id) on delete cascade,
    name text not null,
    kind text not null check (kind in ('dataset', 'model', 'method')),
    unique (paper_id, name)
) strict;
create index mentions_name on mentions (name collate nocase, paper_id);
create index mentions_kind on mentions (kind, name, paper_id);

-- Every place where a mention stands.
create table mention_places (
    mention_id integer not null references mentions (id) on delete cascade,
    sentence_id integer not null references sentences (id) on delete cascade,
    start_char integer not null,
    end_char integer not null,
    primary key (mention_id, start_char),
    check (0 <= start_char and start_char < end_char)
) strict, without rowid;
create index mention_places_sentence_id on mention_places (sentence_id);

-- Addresses that stand in an abstract.
create table links (
    id integer primary key,
    paper_id integer not null references papers (id) on delete cascade,
    url text not null,
    kind text not null check (kind in ('code', 'data', 'project', 'other')),
    host text not null,
    anonymous integer not null default 0 check (anonymous in (0, 1)), -- hides its authors
    unique (paper_id, url)
) strict;
create index links_kind on links (kind, paper_id);
create index links_host on links (host);

-- The vocabulary of topics, from topics.yml.
create table topics (
    id integer primary key,
    term text not null unique,
    broader_id integer references topics (id)
) strict;
create index topics_broader_id on topics (broader_id);

create table paper_topics (
    paper_id integer not null references papers (id) on delete cascade,
    topic_id integer not null references topics (id),
    evidence text not null,                        -- the words that made it apply
    primary key (paper_id, topic_id)
) strict, without rowid;
create index paper_topics_topic_id on paper_topics (topic_id, paper_id);

-- Where the source names them.
create table authors (
    id integer primary key,
    name text not null unique
) strict;

create table paper_authors (
    paper_id integer not null references papers (id) on delete cascade,
    author_id integer not null references authors (id),
    position integer not null,                     -- from 1
    primary key (paper_id, author_id)
) strict, without rowid;
create index paper_authors_author_id on paper_authors (author_id, paper_id);

-- Keywords of the sources under one canonical term.
create table keywords (
    id integer primary key,
    term text not null unique
) strict;

create table paper_keywords (
    paper_id integer not null references papers (id) on delete cascade,
    keyword_id integer not null references keywords (id),
    spelling text not null,                        -- as the source writes it
    primary key (paper_id, keyword_id)
) strict, without rowid;
create index paper_keywords_keyword_id on paper_keywords (keyword_id, paper_id);

-- How often a paper makes a kind of claim: narrow, so that facets are quick.
create table paper_kinds (
    paper_id integer not null references papers (id) on delete cascade,
    kind text not null,
    n integer not null check (n > 0),
    primary key (paper_id, kind)
) strict, without rowid;
create index paper_kinds_kind on paper_kinds (kind, paper_id);

-- Which sources hold a paper.
create table paper_sources (
    paper_id integer not null references papers (id) on delete cascade,
    source_id integer not null references sources (id),
    n integer not null check (n > 0),              -- entries of this paper in this source
    primary key (paper_id, source_id)
) strict, without rowid;
create index paper_sources_source_id on paper_sources (source_id, paper_id);

-- Records that were read and could not be loaded, with the reason.
create table rejects (
    id integer primary key,
    source_id integer not null references sources (id),
    first_line integer not null,
    reason text not null,
    excerpt text not null
) strict;
create index rejects_source_id on rejects (source_id);

-- MinHash signatures and all else by which new entries meet old ones, in one narrow table, as the
-- rows of entries are long. Internal.
create table signatures (
    entry_id integer primary key references entries (id) on delete cascade,
    minhash blob not null,
    text_hash text not null,
    plain_hash text not null,
    title_key text not null default '',
    name text not null default ''                  -- the external id, and the file where it counts records
) strict;

-- Every likeness that was found, before templates and people are heard. Internal: read duplicates.
create table similarities (
    entry_id integer not null references entries (id) on delete cascade,
    other_entry_id integer not null references entries (id) on delete cascade,
    verdict text not null,
    method text not null,
    score real not null,
    evidence text not null,
    primary key (entry_id, other_entry_id),
    check (entry_id < other_entry_id)
) strict, without rowid;
create index similarities_other_entry_id on similarities (other_entry_id);

-- Search. Double quotes around the content table: Datasette does not see it otherwise.
create virtual table papers_fts using fts5 (
    search_text, content="papers", content_rowid="id", tokenize="unicode61 remove_diacritics 2"
);
-- These two hold what search.py makes of a row (Chinese characters apart): rowid is its id.
create virtual table claims_fts using fts5 (text, tokenize="unicode61 remove_diacritics 2");
create virtual table names_fts using fts5 (text, tokenize="unicode61 remove_diacritics 2");
-- Every word of the papers with the number of papers that have it (doc).
create virtual table papers_fts_words using fts5vocab (papers_fts, row);

-- A row a paper: how many entries say it, where, and how we know.
create view duplicate_groups as
select p.id as paper_id, p.label, p.entry_count, p.source_count,
       group_concat(distinct d.method) as methods, min(d.score) as lowest_score
from papers p
join entries e on e.paper_id = p.id
join duplicates d on d.entry_id = e.id and d.verdict = 'duplicate'
where p.entry_count > 1
group by p.id;

-- Pairs that a person should look at; one may stand for a group that one answer settles.
create view open_questions as
select d.id, d.score, d.method, d.evidence,
       a.paper_id as paper_id, pa.label as label, b.paper_id as other_paper_id, pb.label as other_label,
       d.entry_id, d.other_entry_id, d.group_key,
       (select count(*) from duplicates g where g.question_id = d.id) as pairs
from duplicates d
join entries a on a.id = d.entry_id
join entries b on b.id = d.other_entry_id
join papers pa on pa.id = a.paper_id
join papers pb on pb.id = b.paper_id
where d.verdict = 'possible' and d.question_id = d.id;
