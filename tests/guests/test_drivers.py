"""Can every door be opened with another engine behind it? The app-server and the editor's agent, each with both."""

import asyncio

from tests.editor.editors import Editor, connected
from tests.editor.test_asking import choose
from tests.guests.dialects import Dialect
from tests.toolbox.model_server import call, say
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child

COMMAND = "item/commandExecution/requestApproval"
QUESTION = {
    "question": "Which colour?",
    "header": "Colour",
    "multiSelect": False,
    "options": [{"label": "Blue", "description": "b"}, {"label": "Red", "description": "r"}],
}


@requirement("DX-10", "DX-11", "FA-01")
def test_a_client_of_the_app_server_answers_grants_refuses_and_stops(guest: Dialect, model):
    question = guest.lent("", "AskUserQuestion", questions=[QUESTION])
    if guest.name == "claude":  # It has a tool of that name itself.
        question = call("AskUserQuestion", questions=[QUESTION])
    tries = [guest.run(f"touch {name}") for name in ("granted", "refused", "stopped")]
    server = model([question, *tries, say("Never asked.")])
    workspace = guest.daedal.workspace
    with Child(guest.daedal, "--engine", guest.name) as client:
        thread = client.hello().thread(cwd=str(workspace), **guest.options)
        client.ask("turn/start", {"threadId": thread, "input": [{"type": "text", "text": "Go."}]})
        asked = client.asked("item/tool/requestUserInput")
        [shown] = asked["params"]["questions"]
        assert shown["question"] == "Which colour?"
        client.send(id=asked["id"], result={"answers": {shown["id"]: {"answers": ["Blue"]}}})
        for name, answer in (
            ("granted", {"decision": "accept"}),
            ("refused", {"decision": "decline", "message": "not on Mondays"}),
            ("stopped", {"decision": "cancel"}),
        ):
            asked = client.asked(COMMAND)
            assert f"touch {name}" in asked["params"]["command"]
            client.send(id=asked["id"], result=answer)
        assert client.event("turn/completed")["turn"]["status"] == "interrupted"
        assert client.leave() == 0
    assert [(workspace / name).exists() for name in ("granted", "refused", "stopped")] == [True, False, False]
    assert "Blue" in guest.told(server.requests[1]).rpartition("Which colour?")[2]
    assert "not on Mondays" in guest.told(server.requests[3])
    assert len(server.requests) == 4, "whoever stops the turn stops the guest too"


@requirement("DX-11", "DX-12")
def test_an_editor_grants_a_guests_command(guest: Dialect, model):
    model([guest.run("touch made"), say("Done.")])
    editor = Editor(choose("allow_once"))

    async def scenario() -> str:
        async with connected(guest.daedal, *guest.flags, editor=editor) as editing:
            return await editing.prompt(await editing.new(), "Go.")

    assert asyncio.run(scenario()) == "end_turn"
    assert (guest.daedal.workspace / "made").exists()
    assert len(editor.asked) == 1
