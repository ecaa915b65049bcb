"""What the ledger says to people."""

WORDS: dict[str, str] = {
    "ledger.locked": "the ledger {path} is locked by another program · wait until it has finished, or close it",
    "ledger.read_only": "the ledger {path} can be read but not written · make the file and its folder writable, "
    "or set AGENT_SDLC_DB to another file; sessions, export and doctor work without writing",
    "ledger.opened_read_only": "the ledger {path} was opened for reading only, so nothing can be recorded in it",
    "ledger.full": "the disk is full: {path} could not be written ({detail}) · free some space and run it again; "
    "everything recorded so far is safe",
    "ledger.cannot_open": "the ledger {path} cannot be opened ({detail}) · check that the file and its folder can be "
    "read and written, and that nothing else is called {path}-wal or {path}-shm",
    "ledger.unreadable": "the ledger {path} cannot be read (permission denied) · give yourself the right to read it",
    "ledger.corrupt": "the ledger {path} is damaged ({detail}) · run daedal doctor, and restore a copy or move the "
    "file away to start a new one",
    "ledger.not_a_database": "{path} is not a ledger: it is no SQLite database · set AGENT_SDLC_DB to another file, or "
    "move this one away",
    "ledger.foreign": "{path} is a database, but not a ledger · set AGENT_SDLC_DB to another file",
    "ledger.directory": "{path} is a folder, and the ledger must be a file · set AGENT_SDLC_DB to a file inside it",
    "ledger.missing": "there is no ledger at {path} yet · it is made by the first session",
    "ledger.io": "reading or writing the ledger {path} failed ({detail}) · check the disk",
    "ledger.file": "{path} could not be used: {detail} · check that you may write there",
    "ledger.refused": "the ledger {path} refused a record ({detail}) · nothing of that step was kept",
    "ledger.failed": "the ledger {path} could not be used ({detail}) · run daedal doctor",
    "ledger.closed": "the ledger {path} is closed, so nothing can be recorded in it any more",
    "ledger.interrupted": "recording in {path} was interrupted · resume the session to see what was kept",
    "ledger.no_wal": "the ledger {path} cannot keep a write-ahead log here (journal mode is {mode}) · put it on a "
    "local disk, or set AGENT_SDLC_DB to a file on one",
    "ledger.wal_unread": "the ledger {path} has changes in {path}-wal that cannot be read from a read-only folder · "
    "copy both files to a folder that you can write to and set AGENT_SDLC_DB to the copy",
    "ledger.newer": "the ledger {path} has schema version {found}, and this daedal knows versions up to {known} · "
    "update daedal, or set AGENT_SDLC_DB to another file",
    "ledger.older_read_only": "the ledger {path} has schema version {found} and must be brought to {known} first, but "
    "it can only be read · make it writable once, or copy it",
    "ledger.version_unreadable": "the ledger {path} names its schema version {value!r}, which is no version · restore "
    "a copy, or set AGENT_SDLC_DB to another file",
    "ledger.unknown_session": "session {session} is not in the ledger {path}",
    "ledger.session_exists": "session {session} is in the ledger {path} already",
    "ledger.other_session": "a record for session {record} was given to session {session}",
    "ledger.unknown_turn": "turn {turn} of session {session} is not in the ledger",
    "ledger.entry_type": "{entry_type!r} is no kind of transcript entry",
    "ledger.payload": "a {entry_type} entry of session {session} does not have its shape: {detail}",
    "ledger.not_json": "a record of session {session} cannot be written as JSON: {detail}",
    "ledger.damaged_entry": "entry {sequence} of session {session} in {path} is damaged: {detail} · restore a copy of "
    "the ledger, or start a new session",
    "ledger.damaged_row": "a row of {table} of session {session} in {path} is damaged: {detail} · restore a copy of "
    "the ledger, or start a new session",
    "ledger.session_unknown": "no session is called {prefix!r} · the latest are: {candidates}",
    "ledger.session_unknown_empty": "no session is called {prefix!r}, and the ledger holds none yet",
    "ledger.session_ambiguous": "{prefix!r} could be any of these sessions: {candidates} · give more of the id",
    "ledger.conversation_unknown": "no conversation is called {prefix!r} · the latest are: {candidates}",
    "ledger.conversation_unknown_empty": "no conversation is called {prefix!r}, and the ledger holds none yet",
    "ledger.conversation_ambiguous": "{prefix!r} could be any of these conversations: {candidates} · give more of the "
    "id",
    "ledger.phase_moved": "conversation {conversation} cannot go from {before} to {after}: it is in phase {phase} now "
    "· look at it with daedal phase, and try again",
    "ledger.phase_of_nothing": "conversation {conversation} is not in the ledger, so it has no phase",
    "ledger.session_driven": "session {session} is in use by process {pid} · wait until it has finished, or start a "
    "new session",
    "ledger.session_driven_unnamed": "session {session} is in use by another process · wait until it has finished, "
    "or start a new session",
    "ledger.session_driven_here": "session {session} is in use in this process already · wait until it has finished, "
    "or start a new session",
    "ledger.preimage_damaged": "the kept copy {name} in {path} is damaged, so that file cannot be brought back",
    "ledger.export_format": "{format!r} is no export format · use {known}",
    "ledger.health_integrity": "every page of the file is whole",
    "ledger.health_damaged": "damaged: {detail} · restore a copy, or move the file away to start a new one",
    "ledger.health_version": "schema version {version}",
    "ledger.health_journal": "journal mode {mode}",
    "ledger.health_no_wal": "journal mode is {mode}, not wal · open it once for writing on a local disk",
    "ledger.health_receipts": "the chain of receipts is whole (receipts: {count})",
    "ledger.health_receipts_broken": "the chain of receipts is broken at number {broken_at} (receipts: "
    "{count}): it or its neighbour was changed or removed after it was written · ask who had access to the file",
    "ledger.health_memory_index": "the search index agrees with the memories (memories: {count})",
    "ledger.health_memory_index_wrong": "the search index differs from the memories (rows: {count}), because "
    "another program changed it · write those memories again",
    "ledger.health_size": "{size} in {path}",
    "ledger.health_private": "only you can read it",
    "ledger.health_not_private": "others on this machine can read it (mode {mode}) · chmod 600 {path}",
    "ledger.export_title": "Session {session}",
    "ledger.export_project": "Project",
    "ledger.export_model": "Model",
    "ledger.export_started": "Started",
    "ledger.export_last_active": "Last active",
    "ledger.export_cost": "Cost",
    "ledger.export_turn": "Turn {number}",
    "ledger.export_prompt": "Prompt",
    "ledger.export_answer": "Answer",
    "ledger.export_call": "Tool call {name}",
    "ledger.export_result": "Result",
    "ledger.export_failure": "Result: failed",
    "ledger.export_system": "System: {subtype}",
    "ledger.export_other": "Entry {sequence}: {kind}",
    "ledger.export_empty": "(empty)",
    "ledger.memory_unknown": "there is no memory {id} · daedal memory list shows them",
    "ledger.memory_ambiguous": "several memories begin with {prefix}: {candidates} · write more of the id",
    "ledger.memory_untitled": "a memory needs a title · say in a few words what it is about",
    "ledger.memory_unchanged": "nothing to change was given · say what the memory shall hold",
    "ledger.memory_long": "{part} has {length} characters, and {limit} are the most · shorten it, or keep two memories",
    "ledger.memory_twin": "{id} is called “{title}” already, for the same place · correct that one, or choose a title of its own",
    "ledger.entry_unknown": "there is no entry {id} in any session · take the number of a search hit",
}
