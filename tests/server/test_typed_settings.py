"""Does our own client change a thread's settings in structs, and does everybody else who listens hear of it?"""

import asyncio
from pathlib import Path

from daedal.client import connect
from daedal.protocol.events import ThreadSettingsUpdated
from daedal.protocol.thread_settings import ThreadSettings, ThreadSettingsUpdateParams
from daedal.protocol.threads import ThreadResumeParams, ThreadStartParams
from daedal.protocol.wire import Notification
from tests.toolbox.model_server import say
from tests.toolbox.program import Daedal
from tests.toolbox.wire_client import Server

DEADLINE_S = 60


async def changed_by_one_and_heard_by_another(address: str) -> tuple[ThreadSettings, ThreadSettings]:
    heard: asyncio.Future[ThreadSettings] = asyncio.get_running_loop().create_future()

    def see(notification: Notification) -> None:
        if isinstance(notification.params, ThreadSettingsUpdated) and not heard.done():
            heard.set_result(notification.params.thread_settings)

    one = await connect(address, name="one", on_event=lambda _: None)
    other = await connect(address, name="other", on_event=see)
    try:
        thread = (await one.call("thread/start", ThreadStartParams())).thread.id
        await other.call("thread/resume", ThreadResumeParams(thread_id=thread))
        wish = ThreadSettingsUpdateParams(thread_id=thread, permission_mode="plan", model="o3", effort="max")
        answer = (await one.call("thread/settings/update", wish)).thread_settings
        return answer, await asyncio.wait_for(heard, DEADLINE_S)
    finally:
        await one.close()
        await other.close()


def test_one_client_changes_the_settings_and_another_hears_what_holds(daedal: Daedal, model, tmp_path: Path):
    model([say("never")])
    with Server(daedal, f"unix://{tmp_path}/s") as server:
        answer, heard = asyncio.run(changed_by_one_and_heard_by_another(server.address))
    assert answer == heard
    assert (heard.permission_mode, heard.phase, heard.model, heard.effort) == ("plan", "planning", "o3", "max")
