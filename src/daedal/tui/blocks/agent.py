"""How does a model's message look? As Markdown."""

from daedal.protocol.items import AgentMessage
from daedal.tui.markdown.rendering import render
from daedal.tui.terminal.widths import Row


def rows(body: AgentMessage, columns: int) -> list[Row]:
    return render(body.text, columns)
