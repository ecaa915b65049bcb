"""How is the picture in the README made? `./dev screenshot`: a real run of the chat, as it stands on the screen."""

import sys
import tempfile
from pathlib import Path

from tests.toolbox.model_replies import call, say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.tui.picture import svg
from tests.tui.screen import Screen
from tests.tui.sitting import answered, ready

PICTURE = Path(__file__).parents[2] / "docs" / "chat.svg"
COLUMNS, ROWS = 96, 46
SHOP = """from dataclasses import dataclass


@dataclass
class Item:
    name: str
    cents: int
    count: int = 1


def total(items: list[Item]) -> int:
    amount = 0
    for item in items:
        amount = item.cents
    return amount
"""
TEST = """from shop import Item, total

found = total([Item("tea", 450), Item("cup", 1200, count=2)])
print(f"the total should be 28.50, and is {found / 100:.2f}")
raise SystemExit(found != 2850)
"""
OLD = "        amount = item.cents\n"
NEW = "        amount += item.cents * item.count\n"
ANSWER = """The total is wrong for **two** reasons, both in `shop.py:14`:

- each item *replaces* the amount instead of adding to it
- `count` is never used
"""


def _todos(*states: str) -> list[dict[str, str]]:
    texts = ("Add up all items, with their counts", "Run the test", "Add a case for an empty basket")
    doing = ("Adding up all items, with their counts", "Running the test", "Adding a case for an empty basket")
    return [
        {"content": text, "activeForm": active, "status": state}
        for text, active, state in zip(texts, doing, states, strict=True)
    ]


def main() -> int:
    replies = [
        say("I'll read it and run its test.") + call("Read", file_path="shop.py"),
        call("Bash", command="python3 test_shop.py"),
        say(ANSWER),
        call("TodoWrite", todos=_todos("in_progress", "pending", "pending")),
        call("Edit", file_path="shop.py", old_string=OLD, new_string=NEW),
    ]
    with tempfile.TemporaryDirectory() as folder, ModelServer(replies) as server:
        daedal = Daedal(Path(folder))
        (daedal.workspace / "shop.py").write_text(SHOP)
        (daedal.workspace / "test_shop.py").write_text(TEST)
        env = daedal.environment(**server.env(), TERM="xterm-256color", HOME=str(daedal.workspace.parent))
        env.pop("NO_COLOR")
        argv = [*daedal.program, "--allow", "Bash(python3:*)"]
        with Screen(argv, env=env, cwd=daedal.workspace, columns=COLUMNS, rows=ROWS) as screen:
            ready(screen).type("why is the total of the basket wrong?\r")
            answered(screen, "is never used").type("mend it, and think of the empty basket\r")
            screen.until("May it?")
            PICTURE.write_text(svg(screen.display, "Daedal's chat, asked to find and mend a mistake"), "utf-8")
            print(screen.text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
