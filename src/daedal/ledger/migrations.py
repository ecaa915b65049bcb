"""How does a file become one of the newest schema? Small numbered functions, recorded when applied.

A shipped function is never changed; the next change is the next number, and `schema.SCHEMA_VERSION` follows. Columns
that we add have defaults, so that rows which an operator writes with the columns of section 4.3 alone stay valid.
"""

import sqlite3
from collections.abc import Callable

from daedal.ledger.ddl import SECTION_4_3
from daedal.ledger.schema import SCHEMA_VERSION, version_of


def m001_initial(connection: sqlite3.Connection) -> None:
    """Section 4.3 of the transactional runtime, as it stands."""
    for statement in SECTION_4_3:
        connection.execute(statement)


def m002_turns(connection: sqlite3.Connection) -> None:
    """Turns, what model calls used, and on whose behalf things were done; sessions that can be listed quickly."""
    for statement in (
        """CREATE TABLE turns (
            turn_id      TEXT PRIMARY KEY,
            session_id   TEXT NOT NULL REFERENCES sessions(session_id),
            principal    TEXT NOT NULL,
            status       TEXT NOT NULL DEFAULT 'inProgress',
            error_json   TEXT,
            started_at   TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
            completed_at TEXT
        )""",
        "CREATE INDEX idx_turns_session ON turns(session_id)",
        """CREATE TABLE model_calls (
            id                 INTEGER PRIMARY KEY AUTOINCREMENT,
            session_id         TEXT NOT NULL REFERENCES sessions(session_id),
            turn_id            TEXT NOT NULL,
            provider           TEXT NOT NULL,
            wire_model         TEXT NOT NULL,
            input_tokens       INTEGER NOT NULL,
            output_tokens      INTEGER NOT NULL,
            cache_read_tokens  INTEGER NOT NULL,
            cache_write_tokens INTEGER NOT NULL,
            reasoning_tokens   INTEGER NOT NULL,
            cost_usd           REAL,
            duration_ms        INTEGER NOT NULL,
            attempts           INTEGER NOT NULL,
            error              TEXT,
            created_at         TEXT NOT NULL DEFAULT (datetime('now'))
        )""",
        # With the cost in the index, a session's total is summed without reading its rows.
        "CREATE INDEX idx_model_calls_session ON model_calls(session_id, cost_usd)",
        "ALTER TABLE transcript_entries ADD COLUMN turn_id TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE transcript_entries ADD COLUMN extra_json TEXT NOT NULL DEFAULT '{}'",
        "ALTER TABLE tool_permission_log ADD COLUMN turn_id TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE tool_permission_log ADD COLUMN principal TEXT NOT NULL DEFAULT ''",
        "CREATE INDEX idx_permission_session ON tool_permission_log(session_id)",
        "CREATE INDEX idx_events_session ON events(session_id)",
        "ALTER TABLE sessions ADD COLUMN provider TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE sessions ADD COLUMN model_id TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE sessions ADD COLUMN project_dir TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE sessions ADD COLUMN last_active TEXT NOT NULL DEFAULT ''",
        """UPDATE sessions SET last_active = started_at,
            project_dir = COALESCE((SELECT c.project_dir FROM conversations c WHERE c.id = conversation_id), '')""",
        # An operator's own row has neither column; the list of sessions must find it all the same.
        """CREATE TRIGGER sessions_seeded AFTER INSERT ON sessions WHEN NEW.last_active = '' BEGIN
            UPDATE sessions SET last_active = NEW.started_at,
                project_dir = COALESCE((SELECT c.project_dir FROM conversations c WHERE c.id = NEW.conversation_id), '')
            WHERE session_id = NEW.session_id;
        END""",
        "CREATE INDEX idx_sessions_recent ON sessions(last_active)",
        "CREATE INDEX idx_sessions_project ON sessions(project_dir, last_active)",
    ):
        connection.execute(statement)


def m003_receipts(connection: sqlite3.Connection) -> None:
    """The audit chain. AUTOINCREMENT remembers the highest number, so that a cut-off tail is noticed."""
    connection.execute(
        """CREATE TABLE receipts (
            id         INTEGER PRIMARY KEY AUTOINCREMENT,
            kind       TEXT NOT NULL,
            session_id TEXT NOT NULL,
            turn_id    TEXT NOT NULL,
            principal  TEXT NOT NULL,
            body_json  TEXT NOT NULL,
            prev_hash  TEXT NOT NULL,
            hash       TEXT NOT NULL,
            created_at TEXT NOT NULL
        )"""
    )
    connection.execute("CREATE INDEX idx_receipts_session ON receipts(session_id)")


def m004_memory_index(connection: sqlite3.Connection) -> None:
    """The search index of memories follows every write by itself, row by row instead of the rebuild of section 4.3.

    Row numbers of the index are remembered by memory id, not taken from `memories`: INSERT OR REPLACE fires no delete
    trigger, and the replaced memory would stay in the index for good.
    """
    index_new = """
        INSERT INTO memories_fts(title, content, keywords, anticipated_queries)
            VALUES (NEW.title, NEW.content, NEW.keywords, NEW.anticipated_queries);
        INSERT OR REPLACE INTO memories_indexed(memory_id, fts_rowid) VALUES (NEW.id, last_insert_rowid());"""
    drop = """
        DELETE FROM memories_fts WHERE rowid = (SELECT fts_rowid FROM memories_indexed WHERE memory_id = {id});
        DELETE FROM memories_indexed WHERE memory_id = {id};"""
    for statement in (
        "CREATE TABLE memories_indexed (memory_id TEXT PRIMARY KEY, fts_rowid INTEGER NOT NULL) WITHOUT ROWID",
        "DELETE FROM memories_fts",
        """INSERT INTO memories_fts(rowid, title, content, keywords, anticipated_queries)
            SELECT rowid, title, content, keywords, anticipated_queries FROM memories""",
        "INSERT INTO memories_indexed(memory_id, fts_rowid) SELECT id, rowid FROM memories",
        f"CREATE TRIGGER memories_added AFTER INSERT ON memories BEGIN {drop.format(id='NEW.id')} {index_new} END",
        f"""CREATE TRIGGER memories_changed
            AFTER UPDATE OF id, title, content, keywords, anticipated_queries ON memories
            BEGIN {drop.format(id="OLD.id")} {drop.format(id="NEW.id")} {index_new} END""",
        f"CREATE TRIGGER memories_removed AFTER DELETE ON memories BEGIN {drop.format(id='OLD.id')} END",
    ):
        connection.execute(statement)


def m005_gate(connection: sqlite3.Connection) -> None:
    """What became of a hook, and which file asked for it; plans and recorded calls that are found by index."""
    for statement in (
        "ALTER TABLE hook_invocations ADD COLUMN outcome TEXT NOT NULL DEFAULT 'ran'",
        "ALTER TABLE hook_invocations ADD COLUMN source TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE hook_invocations ADD COLUMN turn_id TEXT NOT NULL DEFAULT ''",
        "CREATE INDEX idx_plans_conversation ON plans(conversation_id, status)",
        # Only calls are in it: other entries cost what they did.
        """CREATE INDEX idx_transcript_call ON transcript_entries(session_id, tool_use_id)
            WHERE entry_type = 'tool_use'""",
        "CREATE INDEX idx_conversations_recent ON conversations(last_active)",
        "CREATE INDEX idx_conversations_project ON conversations(project_dir, last_active)",
    ):
        connection.execute(statement)


def m006_recall(connection: sqlite3.Connection) -> None:
    """Memories that were forgotten, found by index by title and rank; a search index of all transcripts.

    The index holds no text of its own, and is empty at first: whoever searches lets it catch up (`history_index`), so
    that neither this step nor any commit waits for it. What is in the file already is below `low`.
    """
    for statement in (
        "CREATE INDEX idx_memories_indexed_row ON memories_indexed(fts_rowid)",
        "CREATE INDEX idx_memories_title ON memories(title COLLATE NOCASE)",
        "CREATE INDEX idx_memories_recent ON memories(updated_at)",
        """CREATE TABLE memories_archived (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            type TEXT NOT NULL,
            title TEXT NOT NULL,
            content TEXT,
            keywords TEXT,
            anticipated_queries TEXT,
            concept_tags TEXT,
            project_scope TEXT,
            correction_count INTEGER,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            last_accessed INTEGER,
            access_count INTEGER,
            attention_score REAL,
            archived_at INTEGER NOT NULL
        )""",
        "CREATE INDEX idx_memories_archived ON memories_archived(id)",
        "CREATE VIRTUAL TABLE history_fts USING fts5(text, place, content='', tokenize='porter unicode61')",
        "CREATE TABLE history_indexed (low INTEGER NOT NULL, high INTEGER NOT NULL)",
        """INSERT INTO history_indexed(low, high)
            SELECT coalesce(MAX(id), 0) + 1, coalesce(MAX(id), 0) FROM transcript_entries""",
    ):
        connection.execute(statement)


def m007_shelf(connection: sqlite3.Connection) -> None:
    """Sessions that were put aside, named, copied from another one, or a sub-agent's."""
    for statement in (
        "ALTER TABLE sessions ADD COLUMN worked_for TEXT",
        "ALTER TABLE sessions ADD COLUMN archived_at TEXT",
        "ALTER TABLE sessions ADD COLUMN name TEXT",
        "ALTER TABLE sessions ADD COLUMN forked_from TEXT",
    ):
        connection.execute(statement)


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    m001_initial,
    m002_turns,
    m003_receipts,
    m004_memory_index,
    m005_gate,
    m006_recall,
    m007_shelf,
)


def migrate(connection: sqlite3.Connection, path: str, *, target: int = SCHEMA_VERSION) -> None:
    """Applies what is missing, in one transaction. Safe when several processes open the same new file."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Read again inside the transaction: another process may have been quicker.
        for number in range(version_of(connection, path) + 1, target + 1):
            step = MIGRATIONS[number - 1]
            step(connection)
            connection.execute(
                "INSERT OR REPLACE INTO schema_meta(key, value) VALUES ('schema_version', ?), (?, datetime('now'))",
                (str(number), f"migration:{step.__name__}"),
            )
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
