"""What could be meant by what is being typed? Commands after `/`, their arguments, files and resources after `@`."""

import re
from collections.abc import Callable
from importlib import import_module

from daedal.client import CallFailed
from daedal.protocol.prompts import CommandInfo, CommandListParams, ReferenceCompleteParams
from daedal.tui.commands import COMMANDS, find
from daedal.tui.face import Face
from daedal.tui.live.menu import Menu, Offer, fuzzy

_SEEN = tuple(slash for slash in COMMANDS if not slash.is_hidden)
REFERENCE = re.compile(r"(?:^|\s)@(\S*)$")


class Completing:
    """The newest question counts: an answer that comes later than the next letter is dropped."""

    def __init__(self, face: Face) -> None:
        self._face = face
        self._custom: list[CommandInfo] | None = None
        self._asked = 0

    @property
    def custom(self) -> list[str]:
        """Names of the person's and the project's own commands, and of MCP prompts."""
        return [info.name for info in self._custom or []]

    async def names(self) -> list[str]:
        """The same, as they are now: a file may have been written, a server may have come up."""
        self.forget()
        await self._load()
        return self.custom

    def forget(self) -> None:
        """They may have changed."""
        self._custom = None

    async def offer(self, put: Callable[[Menu | None], None]) -> None:
        """Puts up what fits now, or nothing. What comes after a later question touches nothing."""
        self._asked += 1
        asked = self._asked
        menu = await self._menu()
        if asked == self._asked:
            put(menu)

    async def _menu(self) -> Menu | None:
        """For the text up to the cursor; None where nothing is offered, or where it is too late."""
        buffer = self._face.composer.buffer
        text, at = buffer.text, buffer.at
        before = text[:at]
        try:
            found = await self._offers(before)
        except (CallFailed, ConnectionError):
            return None
        if found is None or (buffer.text, buffer.at) != (text, at):
            return None
        start, offers = found
        return Menu(offers, start, at) if offers else None

    async def _offers(self, before: str) -> tuple[int, list[Offer]] | None:
        if before.startswith("/") and "\n" not in before:
            name, space, arguments = before[1:].partition(" ")
            if not space:
                return 0, await self._commands(name)
            return len(before) - len(arguments), await self._arguments(name, arguments)
        if (match := REFERENCE.search(before)) is not None:
            return match.start(1), await self._references(match[1])
        return None

    async def _commands(self, typed: str) -> list[Offer]:
        if not typed:
            self.forget()
        await self._load()
        offers = {slash.name: Offer(f"/{slash.name} ", slash.about, f"/{slash.name}") for slash in _SEEN}
        for info in self._custom or []:
            label = f"/{info.name} {info.argument_hint}".rstrip()
            offers.setdefault(info.name, Offer(f"/{info.name} ", info.description, label))
        named = {alias: slash.name for slash in COMMANDS for alias in slash.aliases}
        names = [*offers, *named]
        chosen = dict.fromkeys(named.get(names[number], names[number]) for number in fuzzy(typed, names))
        return [offers[name] for name in chosen]

    async def _load(self) -> None:
        if self._custom is None and self._face.view.thread_id:
            params = CommandListParams(cwd=self._face.view.folder or None)
            self._custom = (await self._face.call("command/list", params)).data

    async def _arguments(self, name: str, typed: str) -> list[Offer]:
        slash = find(name)
        if slash is None or not slash.completes:
            return []
        offers: list[Offer] = await import_module(f"daedal.tui.commands.{slash.file}").complete(self._face, typed)
        found = [offers[number] for number in fuzzy(typed, [offer.text for offer in offers])]
        return [] if [offer.text for offer in found] == [typed] else found

    async def _references(self, typed: str) -> list[Offer]:
        view = self._face.view
        if not view.thread_id:
            return []
        params = ReferenceCompleteParams(prefix=typed, cwd=view.folder or None)
        answer = await self._face.call("reference/complete", params)
        return [
            Offer(found.text if found.kind == "folder" else f"{found.text} ", goes_on=found.kind == "folder")
            for found in answer.data
        ]
