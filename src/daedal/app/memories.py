"""What is remembered beyond a session, and how is it mended? For `daedal memory` and every face."""

from collections.abc import Mapping

import msgspec

from daedal.app.credentials import secret_names
from daedal.app.startup import Startup
from daedal.ledger import ArchivedMemory, MemoryDraft, MemoryRefused, StoredMemory
from daedal.protocol.catalogue import say
from daedal.protocol.housekeeping import KeptMemory
from daedal.protocol.redaction import Redactor


async def corrected(startup: Startup, memory_id: str, given: Mapping[str, str | None]) -> StoredMemory:
    """Known credentials never reach the ledger, by whatever way they come. Raises MemoryRefused."""
    redact = Redactor(startup.credentials.secrets(secret_names(startup.settings)))
    draft = msgspec.convert(redact.value(dict(given)), MemoryDraft)
    return await startup.ledger.memories.correct(memory_id, draft)


def living(memory: StoredMemory) -> StoredMemory:
    """Raises MemoryRefused for one that was forgotten."""
    if isinstance(memory, ArchivedMemory):
        raise MemoryRefused(say("app.memory_archived", id=memory.id))
    return memory


def kept(memory: StoredMemory) -> KeptMemory:
    return KeptMemory(
        id=memory.id,
        title=memory.title,
        type=memory.type,
        content=memory.content or "",
        keywords=memory.keywords or "",
        project_scope=memory.project_scope,
        updated_at=memory.updated_at,
    )
