"""How does the chat look? As it did, at two sizes; pictures are in `snapshots`."""

from collections.abc import Callable

import pytest

from tests.toolbox.model_replies import call, say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.tui.screen import Screen
from tests.tui.sitting import IDLE, answered, ready
from tests.tui.snapshots import matches

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]

ANSWER = """Two things were wrong:

1. The **total** was taken before the loop.
2. `settle` forgot calls without a name.

```python
def settle(calls):
    return sum(call.taken for call in calls)
```

| file | lines |
|---|---|
| ledger.py | 12 |
"""


@requirement("RX-15")
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (200, 60)])
def test_a_conversation_a_menu_a_card_and_the_keys(
    terminal: Terminal, model: Model, daedal: Daedal, columns: int, rows: int
):
    size = f"{columns}x{rows}"
    (daedal.workspace / "ledger.py").write_text("total = 0\n")
    edit = call("Edit", file_path="ledger.py", old_string="total = 0", new_string="total = 1\nrest = 0")
    model([call("Read", file_path="ledger.py"), edit, say(ANSWER)])
    hiding = {str(daedal.workspace): "/project"}
    screen = ready(terminal(columns=columns, rows=rows, HOME=str(daedal.workspace)))
    matches(screen, f"opening-{size}", hiding=hiding)
    screen.type("/")
    screen.until("❯ /help").until("? for keys").until("› /")
    assert screen.text.index("› /") < screen.text.index("❯ /help") < screen.text.index("? for keys")
    screen.press("backspace")
    screen.gone("❯ /help").type("what is wrong with the total?\r")
    screen.until("May it?").press("down")
    screen.gone("❯ y").press("up")
    screen.until("❯ y")
    assert "+ rest = 0" in screen.text
    assert IDLE not in screen.text
    screen.press("y")
    ready(answered(screen, "ledger.py  12"))
    matches(screen, f"conversation-{size}", hiding=hiding)
