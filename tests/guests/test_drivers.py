"""Can every door be opened with another engine behind it? The app-server and the editor's agent, each with both."""

import asyncio

from tests.editor.editors import Editor, connected
from tests.editor.test_asking import choose
from tests.guests.dialects import Dialect
from tests.toolbox.model_server import say
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child


def options(guest: Dialect) -> dict[str, str]:
    return {"model": "gpt-5.5"} if guest.name == "codex" else {}


@requirement("DX-10", "DX-11", "FA-01")
def test_a_client_of_the_app_server_grants_a_guests_command(guest: Dialect, model):
    model([guest.run("touch made"), say("Done.")])
    with Child(guest.daedal, "--engine", guest.name) as client:
        client.hello()
        thread = client.thread(cwd=str(guest.daedal.workspace), **options(guest))
        client.ask("turn/start", {"threadId": thread, "input": [{"type": "text", "text": "Go."}]})
        request = client.asked("item/commandExecution/requestApproval")
        assert "touch made" in request["params"]["command"]
        client.send(id=request["id"], result={"decision": "accept"})
        assert client.event("turn/completed")["turn"]["status"] == "completed"
        assert client.leave() == 0
    assert (guest.daedal.workspace / "made").exists()


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
