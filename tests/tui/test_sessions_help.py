"""Is every command found: in the help, in the menu, the person's own and those of servers, each with its arguments?"""

import sys
from collections.abc import Callable

from tests.toolbox.model_replies import call, say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.tui.screen import Screen
from tests.tui.sitting import IDLE, answered, ready

SERVER = """
import json, sys
PROMPT = {"name": "review", "description": "Looks at a file",
          "arguments": [{"name": "path", "required": True}, {"name": "focus"}]}
for line in sys.stdin:
    asked = json.loads(line)
    params = asked.get("params") or {}
    told = params.get("arguments") or {}
    text = {"type": "text", "text": "Look at " + " for ".join(told.values())}
    answers = {
        "initialize": {"protocolVersion": params.get("protocolVersion"), "capabilities": {"prompts": {}},
                       "serverInfo": {"name": "small", "version": "1"}},
        "prompts/list": {"prompts": [PROMPT]},
        "prompts/get": {"messages": [{"role": "user", "content": text}]},
    }
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": answers.get(asked["method"], {})}), flush=True)
"""
"""An MCP server that offers one prompt, and starts at once."""
Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]


@requirement("SD-08", "SD-08/help")
def test_help_is_searched_and_own_commands_stand_in_the_same_menu(terminal: Terminal, model: Model, daedal: Daedal):
    folder = daedal.workspace / ".daedal" / "commands"
    folder.mkdir(parents=True)
    (folder / "shout.md").write_text(
        "---\ndescription: Says it loudly\nargument-hint: <words>\n---\nSay $ARGUMENTS loudly.\n"
    )
    server = model([say("HELLO!")])
    screen = ready(terminal())
    screen.type("/help\r")
    screen.until("Commands:").until("Sessions").until("/clear, /reset, /new").press("up")
    screen.until("Yours and this project").until("/shout <words>")
    screen.type("undone")
    screen.until("nothing fits").press("escape")
    screen.until(IDLE).type("/help\r")
    screen.until("Commands:").type("exp")
    screen.until("❯ /export").press("enter")
    screen.until("› /export").press("ctrl+u")
    screen.until(IDLE).type("/help export\r")
    screen.until("/export [format] [file]").until(IDLE)
    screen.type("/help qqqq\r")
    screen.until("there is no command /qqqq")

    screen.until(IDLE).type("/sho")
    screen.until("❯ /shout <words>").until("Says it loudly").press("tab")
    screen.type("good morning\r")
    answered(screen, "HELLO!")
    assert "Say good morning loudly." in server.requests[-1].body.decode()
    screen.type("/clera\r")
    screen.until("did you mean /clear?")


def test_a_prompt_of_a_server_stands_in_the_menu_and_takes_arguments(terminal: Terminal, model: Model, daedal: Daedal):
    script = daedal.root / "server.py"
    script.write_text(SERVER)
    assert daedal("mcp", "add", "small", "--", sys.executable, str(script)).code == 0
    server = model([say("Looked at.")])
    screen = ready(terminal())
    screen.type("/help\r")
    screen.until("Commands:").press("up")
    screen.until("Of MCP servers").until("❯ /mcp__small__review <path> [focus]").press("enter")
    screen.until("› /mcp__small__review").type("a.py speed\r")
    answered(screen, "Looked at.")
    told = server.requests[-1].body.decode()
    assert "Look at a.py for speed" in told


def test_init_has_the_model_write_the_projects_instructions(terminal: Terminal, model: Model, daedal: Daedal):
    path = daedal.workspace / "AGENTS.md"
    server = model([call("Write", file_path=str(path), content="# Orders\n\nRun `make test`.\n"), say("Written.")])
    screen = ready(terminal("--permission-mode", "acceptEdits"), "edits accepted")
    screen.type("/init mention the linter\r")
    screen.until("Looking at the project").until("Written.").until(IDLE)
    assert path.read_text().startswith("# Orders")
    told = server.requests[0].body.decode()
    assert "AGENTS.md" in told
    assert "mention the linter" in told
    assert "how to run one single test" in told
