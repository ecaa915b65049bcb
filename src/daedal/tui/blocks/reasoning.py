"""How do a model's thoughts look? One line of them in the chat; the viewer has them all."""

from daedal.protocol.catalogue import say
from daedal.protocol.items import Reasoning
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row, cut


def rows(body: Reasoning, columns: int) -> list[Row]:
    text = flat("".join(body.content or body.summary))
    return [[("quiet", cut(say("tui.thought", text=text), columns))]] if text else []
