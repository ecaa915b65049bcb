"""What is the model told before the first prompt? Short, and the same for the whole thread, so that it is cached."""

import os
import sys

from daedal.protocol.seams import InstructionFile


def own_prompt() -> str:
    with open(os.path.join(os.path.dirname(__file__), "prompt.md"), encoding="utf-8") as file:
        return file.read().strip()


REASONING = {
    "zh": "Write visible reasoning (thinking, summaries of it) in Simplified Chinese. Code and files keep theirs.",
    "en": "Write visible reasoning (thinking, summaries of it) in English. Code and files keep theirs.",
}
"""What `agent.reasoning_language` adds."""


def system_prompt(
    base: str, *, workspace: str, today: str, instructions: list[InstructionFile], reasoning: str = "auto"
) -> str:
    """The base text, where we are, in which language to reason, and what the project says."""
    parts = [base, f"Working directory: {workspace}\nPlatform: {sys.platform}\nDate: {today}"]
    parts += [REASONING[reasoning]] if reasoning in REASONING else []
    parts += [render(file) for file in instructions]
    return "\n\n".join(parts)


def render(file: InstructionFile) -> str:
    return f'<instructions path="{file.path}">\n{file.text.strip()}\n</instructions>'
