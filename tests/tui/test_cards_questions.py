"""Can the questions of a model, and the forms of an MCP server, be answered in the terminal?"""

import sys
from collections.abc import Callable
from typing import Any

from tests.toolbox.model_replies import call, say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.tui.screen import Screen
from tests.tui.sitting import IDLE, answered, ready

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]


def question(text: str, *labels: str, header: str = "Q", many: bool = False, **previews: str) -> dict[str, Any]:
    options = [{"label": label, "description": f"about {label}"} for label in labels]
    for option in options:
        if option["label"] in previews:
            option["preview"] = previews[option["label"]]
    return {"question": text, "header": header, "options": options, "multiSelect": many}


def opened(terminal: Terminal, first: str, **size: int) -> Screen:
    screen = ready(terminal(**size))
    screen.type("go\r")
    return screen.until(first)


def heard(server: ModelServer) -> str:
    return server.requests[-1].body.decode().replace('\\"', '"')


def test_one_question_is_answered_by_its_number(terminal: Terminal, model: Model):
    server = model([call("AskUserQuestion", questions=[question("Which colour?", "red", "blue")]), say("Painted.")])
    screen = opened(terminal, "Which colour?", columns=80, rows=24)
    assert "about blue" in screen.text
    assert IDLE not in screen.text
    screen.press("2")
    answered(screen, "Painted.")
    assert '"Which colour?"="blue"' in heard(server)


def test_an_answer_can_be_in_ones_own_words(terminal: Terminal, model: Model):
    server = model([call("AskUserQuestion", questions=[question("Which colour?", "red", "blue")]), say("Painted.")])
    screen = opened(terminal, "Which colour?")
    screen.press("3")
    screen.type("a dark green")
    screen.until("a dark green").press("enter")
    answered(screen, "Painted.")
    assert '"Which colour?"="a dark green"' in heard(server)


def test_several_questions_have_tabs_and_are_looked_over_before_they_are_sent(terminal: Terminal, model: Model):
    questions = [
        question("Which colour?", "red", "blue", header="Colour"),
        question("Which rooms?", "hall", "attic", "cellar", header="Rooms", many=True),
    ]
    server = model([call("AskUserQuestion", questions=questions), say("All painted.")])
    screen = opened(terminal, "Which colour?", columns=80, rows=24)
    assert "☐ Colour" in screen.text
    assert "☐ Rooms" in screen.text
    screen.press("1")
    screen.until("Which rooms?").type(" ")
    screen.until("[x] hall").press("down", "down", " ")
    screen.until("[x] cellar").press("enter")
    screen.until("Shall this be sent?").until("→ hall, cellar")
    screen.press("shift+tab", "shift+tab")
    screen.until("about blue").press("2")
    screen.until("Which rooms?").press("tab")
    screen.until("→ blue").press("enter")
    answered(screen, "All painted.")
    assert '"Which colour?"="blue"' in heard(server)
    assert '"Which rooms?"="hall, cellar"' in heard(server)


def test_a_preview_is_shown_for_the_choice_that_one_stands_on(terminal: Terminal, model: Model):
    asked = question("Which layout?", "wide", "narrow", wide="|----WIDE----|", narrow="|N|")
    server = model([call("AskUserQuestion", questions=[asked]), say("Laid out.")])
    screen = opened(terminal, "Which layout?", columns=140)
    screen.until("|----WIDE----|").press("down")
    screen.until("|N|").gone("|----WIDE----|").press("enter")
    answered(screen, "Laid out.")
    assert '"Which layout?"="narrow"' in heard(server)


def test_esc_leaves_a_question_without_an_answer(terminal: Terminal, model: Model):
    server = model([call("AskUserQuestion", questions=[question("Which colour?", "red", "blue")]), say("I chose.")])
    screen = opened(terminal, "Which colour?")
    screen.press("escape")
    answered(screen, "I chose.")
    assert "did not answer" in heard(server)


SERVER = """
import json, sys

FORM = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Name", "minLength": 2},
        "age": {"type": "integer", "title": "Age", "minimum": 18, "maximum": 120},
        "size": {"type": "string", "enum": ["s", "m"], "enumNames": ["small", "middling"]},
        "mail": {"type": "boolean"},
    },
    "required": ["name", "age"],
}
PAGE = "https://sign.example/" + "x" * 90 + "/end"
ASKED = {
    "register": {"mode": "form", "message": "Who are you?", "requestedSchema": FORM},
    "visit": {"mode": "url", "message": "Please sign.", "url": PAGE, "elicitationId": "e1"},
}

def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

def call(name):
    send(id="asked", method="elicitation/create", params=ASKED[name])
    heard = next(told for told in map(json.loads, sys.stdin) if told.get("id") == "asked")["result"]
    said = f"{heard['action']} {sorted((heard.get('content') or {}).items())}"
    return {"content": [{"type": "text", "text": said}]}

for line in sys.stdin:
    asked = json.loads(line)
    params = asked.get("params") or {}
    match asked["method"]:
        case "initialize":
            result = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}},
                      "serverInfo": {"name": "census", "version": "1"}}
        case "tools/list":
            result = {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in ASKED]}
        case "tools/call":
            result = call(params["name"])
        case _:
            result = {}
    if "id" in asked:
        send(id=asked["id"], result=result)
"""
"""An MCP server that asks the person something, and starts at once."""


def with_server(daedal: Daedal) -> None:
    script = daedal.root / "census.py"
    script.write_text(SERVER)
    folder = daedal.home / ".daedal"
    folder.mkdir(exist_ok=True)
    entry = f"[[plugins]]\nname = 'census'\ncommand = '{sys.executable}'\nargs = ['{script}']\n"
    (folder / "config.toml").write_text(f"{entry}\n[permissions]\nallow = ['mcp__census__*']\n")


def test_a_form_of_a_server_is_filled_in_and_checked_before_it_is_sent(
    terminal: Terminal, model: Model, daedal: Daedal
):
    with_server(daedal)
    server = model([call("mcp__census__register"), say("Registered.")])
    screen = opened(terminal, "census asks: Who are you?", columns=80, rows=24)
    screen.type("A\r")
    screen.until("at least 2 characters").type("da\r")
    screen.until("\n  Age").type("twelve\r")
    screen.until("a whole number is wanted").press("ctrl+u")
    screen.type("12\r")
    screen.until("18 is the least").press("ctrl+u")
    screen.type("36\r")
    screen.until("middling").press("2")
    screen.until("yes").press("1")
    screen.until("Shall this be sent?").press("enter")
    answered(screen, "Registered.")
    assert "accept [('age', 36), ('mail', True), ('name', 'Ada'), ('size', 'm')]" in heard(server)


def test_an_address_is_shown_whole_and_never_opened(terminal: Terminal, model: Model, daedal: Daedal):
    with_server(daedal)
    server = model([call("mcp__census__visit"), say("As you wish.")])
    screen = opened(terminal, "Please sign.", columns=80, rows=24)
    assert "https://sign.example/" + "x" * 90 + "/end" in "".join(line.strip() for line in screen.lines)
    screen.press("2")
    answered(screen, "As you wish.")
    assert "decline []" in heard(server)
