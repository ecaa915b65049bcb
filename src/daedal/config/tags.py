"""How does something that a prompt refers to stand before it? In a tag of its own, which its content cannot end.

A file can say `</file>` and go on in the voice of the person. That is written differently then, and said so.
"""

import re

from daedal.config.legible import legible

TRUNCATED = "[SDLC_TRUNCATED]"
"""Stands where something was cut off."""

_ENDING = re.compile(r"<(?=\s*/\s*(?:file|folder|resource)\b)", re.IGNORECASE)
_ATTRIBUTE = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def tagged(tag: str, path: str, content: str, *, note: str = "", lines: str = "") -> str:
    """`note` is ours and follows the content."""
    inner, changed = _ENDING.subn("&lt;", content)
    notes = [note] if note else []
    if changed:
        notes.append("[In this content, the `<` of ending tags like this one's is written `&lt;`.]")
    separator = "" if not inner or inner.endswith("\n") else "\n"
    which = f' lines="{lines}"' if lines else ""
    after = "".join(f"{line}\n" for line in notes)
    named = "ref" if tag == "resource" else "path"
    return f'<{tag} {named}="{legible(path).translate(_ATTRIBUTE)}"{which}>\n{inner}{separator}{after}</{tag}>'
