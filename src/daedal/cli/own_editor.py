"""How does a person write in their own editor? It gets the text in a file of theirs, and the terminal meanwhile."""

import os
import shlex
import tempfile

from daedal.config import drafts_path


async def edited(text: str) -> str | None:
    """None where there is no editor, or where it failed."""
    from daedal.sandbox import run_in_foreground

    words = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    # Not in the temporary folder: commands may write there, and what comes back is taken for the person's own words.
    os.makedirs(drafts_path(), mode=0o700, exist_ok=True)
    descriptor, path = tempfile.mkstemp(prefix="prompt-", suffix=".md", dir=drafts_path())
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        if not await run_in_foreground([*words, path]):
            return None
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    finally:
        os.unlink(path)
