"""What becomes of what was typed? A command, a line for the shell, something to remember, or a prompt."""

import re
from contextlib import nullcontext
from importlib import import_module

from daedal.client import CallFailed
from daedal.protocol.by_hand import ShellCommandParams
from daedal.protocol.catalogue import say
from daedal.protocol.threads import ToolCallParams
from daedal.tui.commands import find, nearest
from daedal.tui.completing import Completing
from daedal.tui.face import Face
from daedal.tui.talk import Draft, Talk
from daedal.tui.view import Notice

COMMAND = re.compile(r"/([A-Za-z?][\w:.-]*)(?:\s+(.*))?$", re.DOTALL)
TITLE_MAX = 60


class Submitting:
    def __init__(self, face: Face, talk: Talk, completing: Completing) -> None:
        self._face = face
        self._talk = talk
        self._completing = completing

    def submit(self, text: str) -> None:
        """`text` has left the composer; where nothing can be done with it, it is put back."""
        said = text.strip()
        if match := COMMAND.match(said):
            self._face.work(self._command(match[1], match[2] or "", text))
        elif said.startswith("!") and said[1:].strip():
            self._face.work(self._shell(said[1:].strip(), text))
        elif said.startswith("#") and said[1:].strip():
            self._face.work(self._remember(said.lstrip("#").strip()))
        elif said:
            self._prompt(text)

    def _prompt(self, text: str) -> None:
        pastes = self._face.composer.pastes
        draft = Draft(text, pastes.unfold(text), pastes.images_in(text))
        if not self._talk.put(draft):
            self._back(text, say("tui.queue_full"))

    async def _command(self, name: str, arguments: str, text: str) -> None:
        slash = find(name)
        if slash is not None:
            if self._face.view.is_working and self._face.view.following is None and not slash.when_busy:
                self._back(text, say("tui.command_when_idle", name=slash.name))
                return
            await self._face.run_command(slash.name, arguments)
            return
        if name in await self._completing.names():
            self._prompt(text)
            if self._talk.is_free:
                await self._talk.say_next()
            return
        near = nearest(name, self._completing.custom)
        key = "tui.unknown_command_near" if near else "tui.unknown_command"
        self._back(text, say(key, name=name, near=near))

    async def _shell(self, command: str, text: str) -> None:
        params = ShellCommandParams(thread_id=self._face.view.thread_id, command=command)
        try:
            await self._face.call("thread/shellCommand", params)
        except (CallFailed, ConnectionError) as failure:
            self._back(text, str(failure))

    async def _remember(self, text: str) -> None:
        title = text.partition("\n")[0][:TITLE_MAX]
        given = {"title": title, "content": text}
        params = ToolCallParams(thread_id=self._face.view.thread_id, tool="remember", input=given)
        answer = await self._face.call("thread/toolCall", params)
        self._face.tell(Notice(answer.content, "bad" if answer.is_error else "quiet"))

    async def run(self, name: str, arguments: str) -> None:
        """A command. What needs the model to be still keeps it so."""
        slash = find(name)
        if slash is None:
            return
        command = import_module(f"daedal.tui.commands.{slash.file}")
        with nullcontext() if slash.when_busy else self._talk.engaged():
            await command.run(self._face, arguments)

    def _back(self, text: str, why: str) -> None:
        """What was typed is not lost, unless something else was begun meanwhile."""
        if not self._face.composer.text:
            self._face.composer.text = text
        self._face.tell(Notice(why, "warn"))
