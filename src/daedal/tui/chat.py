"""How does the chat work? Keys and events come in, the view changes, and soon after a frame is drawn.

Everything runs in one event loop. This is the `Face` of commands, cards and overlays, and does what keys ask for.
"""

import asyncio
import os
import signal
import threading
from collections.abc import Coroutine
from typing import Any

from daedal.client import CallFailed
from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError
from daedal.protocol.events import FollowEnded, TurnCompleted
from daedal.protocol.wire import Notification
from daedal.tui.completing import Completing
from daedal.tui.editing.history import History
from daedal.tui.frame import Frame
from daedal.tui.keyboard import Keyboard
from daedal.tui.link import Link
from daedal.tui.live.composer import Composer
from daedal.tui.live.menu import Menu
from daedal.tui.opening import Opening
from daedal.tui.outside import Outside
from daedal.tui.overlay import Overlay
from daedal.tui.pacing import Pacing
from daedal.tui.remembered import Remembered
from daedal.tui.stage import Stage
from daedal.tui.submitting import Submitting
from daedal.tui.talk import Talk
from daedal.tui.terminal.keys import ESCAPE_WAIT_S, Key, Keys
from daedal.tui.terminal.styles import Palette, depth_of
from daedal.tui.themes import theme
from daedal.tui.view import Entry, Notice, View
from daedal.tui.wanting import Wanted


class Chat:
    """The face, from the first key to the last. Made inside the event loop."""

    def __init__(self, opening: Opening, outside: Outside, *, home: str, wanted: Wanted, prompt: str) -> None:
        self.outside = outside
        self.remembered = Remembered(os.path.join(home, "chat.json"))
        self.view = View()
        self.composer = Composer(History(os.path.join(home, "history.jsonl")))
        self._loop = asyncio.get_running_loop()
        self._terminal = opening.terminal
        self._pacing = Pacing(
            self._draw,
            draw_typed=self._draw_typed,
            is_ticking=lambda: self.view.is_working and not self._stage.is_asking,
            is_streaming=lambda: self.view.message is not None and self._stage.overlay is None,
        )
        self._stage = Stage(self.redraw)
        self._talk = Talk(self.view, outside.thread)
        self._talk.on_thread = self._opened
        self._frame = Frame(
            opening.terminal,
            opening.painter,
            view=self.view,
            talk=self._talk,
            stage=self._stage,
            composer=self.composer,
        )
        self._completing = Completing(self)
        self._submitting = Submitting(self, self._talk, self._completing)
        self._keyboard = Keyboard(self, self, self._frame, self._stage, self._talk)
        self._keys = Keys()
        self._early = opening.early
        self._prompt = prompt
        self._over = asyncio.Event()
        self._link = Link(self, self._talk, self._stage, on_event=self._see, wanted=wanted)
        self._one_look = asyncio.Lock()
        """What was seen last is shown."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._escaping: asyncio.TimerHandle | None = None
        self._is_away = False
        """Another program has the terminal."""
        self.failure = ""
        """Why there is no chat at all."""
        self.wear(self.remembered.choices.theme)

    async def run(self) -> None:
        if self.remembered.choices.vi:
            from daedal.tui.commands.vim import take_up

            take_up(self, is_vi=True)
        self._loop.add_reader(self._terminal.source, self._readable)
        self._terminal.on_blocked = self._blocked
        before = signal.signal(signal.SIGWINCH, self._told_of_size)
        try:
            if self._prompt:
                self._submitting.submit(self._prompt)
            self._press(self._keys.feed(self._early))
            self.redraw()
            self.work(self._begin())
            await self._over.wait()
        finally:
            signal.signal(signal.SIGWINCH, before)
            self._loop.remove_reader(self._terminal.source)
            self._farewell()
            await self._close()

    # What the engine says

    async def _begin(self) -> None:
        try:
            await self._link.connect()
        except (CallFailed, DaedalError, OSError) as trouble:
            self.failure = str(trouble)
            self.leave()
            return
        self.look_around()
        self._go_on()
        # A thread of its own, for which nobody waits who leaves at once.
        threading.Thread(target=_warm_up, daemon=True).start()

    def look_around(self) -> None:
        self.work(self._look_around())

    async def _look_around(self) -> None:
        async with self._one_look:
            self._frame.branch = await self.outside.branch(self.view.folder)
        self.redraw()

    def _opened(self) -> None:
        """Other entries are shown from now on."""
        self._frame.scroll.reset()
        if self.view.earlier:
            self.view.entries.insert(0, Entry(Notice(say("tui.earlier", count=self.view.earlier))))
        self._completing.forget()
        self.redraw()

    def _see(self, notification: Notification) -> None:
        self.view.see(notification)
        event = notification.params
        if isinstance(event, FollowEnded) and event.thread_id == self.view.thread_id:
            self.work(self._take_over())
        if isinstance(event, TurnCompleted) and event.thread_id == self.view.thread_id:
            self._talk.turn_ended()
            self.look_around()
            self._go_on()
        self._pacing.soon()

    async def _take_over(self) -> None:
        await self._talk.take_over()
        if self.view.following is None:
            self.tell(Notice(say("tui.taken_over")))
            self._go_on()

    def _go_on(self) -> None:
        if self._talk.is_free:
            self.work(self._say_next())

    async def _say_next(self) -> None:
        if self._talk.is_free:
            await self._talk.say_next()

    # What the person does

    def _readable(self) -> None:
        raw = self._terminal.read()
        if self._terminal.is_gone:
            self._loop.remove_reader(self._terminal.source)
            self.leave()
            return
        if self._escaping is not None:
            self._escaping.cancel()
            self._escaping = None
        self._press(self._keys.feed(raw))
        if self._keys.is_waiting:
            self._escaping = self._loop.call_later(ESCAPE_WAIT_S, lambda: self._press(self._keys.flush()))

    def _press(self, keys: list[Key]) -> None:
        for key in keys:
            self._keyboard.press(key)

    def submit(self) -> None:
        text = self.composer.text
        self._stage.sent()
        if text.strip():
            self._submitting.submit(self.composer.take(self.view.folder or os.getcwd()))
        else:
            self._talk.is_held = False
        self._go_on()

    def interrupt(self) -> None:
        if self.view.following is not None:
            self.tell(Notice(say("tui.following_stop", pid=self.view.following.pid or "?"), "warn"))
        self.work(self._talk.interrupt())

    def next_mode(self) -> None:
        if self.view.thread_id:
            self.work(self._talk.next_mode())

    def command(self, name: str) -> None:
        self.work(self.run_command(name))

    def complete(self) -> None:
        text = self.composer.text
        if self._frame.menu is None and not text.startswith("/") and "@" not in text:
            return
        self.work(self._offer())

    async def _offer(self) -> None:
        await self._completing.offer(self._put_menu)

    def _put_menu(self, menu: Menu | None) -> None:
        self._frame.menu = menu
        self.redraw()

    def open_editor(self) -> None:
        self.work(self._edit())

    async def _edit(self) -> None:
        edited = await self.edit(self.composer.pastes.unfold(self.composer.text))
        if edited is not None:
            self.composer.text = edited.rstrip("\n")

    def search_history(self) -> None:
        self.work(self._search())

    async def _search(self) -> None:
        from daedal.tui.overlays.past import Past

        found = await self.show(Past(self.composer.history.entries, self.composer.text))
        if found is not None:
            self.composer.text = found

    def suspend(self) -> None:
        self._give_up_terminal()
        # The whole group, as a terminal would: whoever started us shall have it back.
        os.kill(0, signal.SIGTSTP)
        self._take_terminal()

    def _give_up_terminal(self) -> None:
        self._is_away = True
        self._loop.remove_reader(self._terminal.source)
        self._frame.painter.erase()
        self._terminal.leave()

    def _take_terminal(self) -> None:
        self._is_away = False
        early = self._terminal.enter()
        self._frame.painter.forget()
        self._loop.add_reader(self._terminal.source, self._readable)
        self._press(self._keys.feed(early))
        self.redraw()

    def repaint(self) -> None:
        self._terminal.write("\x1b[H\x1b[2J")
        self._frame.painter.forget()

    # What others may ask of the chat: see `face`

    async def call(self, method: str, params: Any) -> Any:
        return await self._talk.call(method, params)

    def tell(self, body: Any) -> None:
        self.view.put(body)
        self.redraw()

    async def show(self, overlay: Overlay) -> Any:
        return await self._stage.show(overlay)

    def send(self, text: str) -> None:
        self._submitting.submit(text)
        self._go_on()

    async def run_command(self, name: str, arguments: str = "") -> None:
        try:
            await self._submitting.run(name, arguments)
        finally:
            self._go_on()
            self.redraw()

    async def open_thread(self, thread_id: str | None) -> None:
        await self._talk.open(thread_id)
        self._go_on()
        self.redraw()

    async def edit(self, text: str) -> str | None:
        self._give_up_terminal()
        try:
            edited = await self.outside.edit(text)
        finally:
            self._take_terminal()
        if edited is None:
            self.tell(Notice(say("tui.no_editor"), "warn"))
        return edited

    async def set_up(self) -> None:
        self._give_up_terminal()
        try:
            await self.outside.set_up()
        finally:
            self._take_terminal()

    def wear(self, theme: str) -> None:
        self._frame.palette = _palette(theme)
        self.redraw()

    def clear_screen(self) -> None:
        self._frame.painter.clear()
        self.redraw()

    def signal(self, sequence: str) -> None:
        self._terminal.write(sequence)

    def leave(self) -> None:
        self._over.set()

    def work(self, task: Coroutine[Any, Any, None]) -> None:
        running = self._loop.create_task(task)
        self._tasks.add(running)
        running.add_done_callback(self._worked)

    def _worked(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or (trouble := task.exception()) is None:
            return
        if isinstance(trouble, CallFailed | DaedalError | ConnectionError):
            self.tell(Notice(str(trouble), "bad"))
        else:
            self.tell(Notice(say("tui.bug", kind=type(trouble).__name__, message=trouble), "bad"))

    def redraw(self) -> None:
        self._pacing.now()

    # The terminal

    def _draw(self) -> None:
        if not self._is_away and not self._terminal.is_blocked:
            self._frame.draw()

    def _draw_typed(self) -> None:
        if not self._is_away and not self._terminal.is_blocked:
            self._frame.draw(is_whole=False)

    def _blocked(self) -> None:
        """The terminal takes nothing more for now: what happens meanwhile is drawn at once when it does again."""
        self._loop.add_writer(self._terminal.output, self._writable)

    def _writable(self) -> None:
        self._terminal.flush()
        if not self._terminal.is_blocked:
            self._loop.remove_writer(self._terminal.output)
            self.redraw()

    def _told_of_size(self, number: int, frame: object) -> None:
        del number, frame
        self._loop.call_soon_threadsafe(self._resized)

    def _resized(self) -> None:
        self._frame.painter.resized()
        self.redraw()

    # The end

    def stop(self) -> None:
        """From outside: the window was closed, or somebody wants us gone."""
        self.leave()

    def _farewell(self) -> None:
        """The scrollback stays, with what was said last and how to come back."""
        self._pacing.stop()
        self._frame.farewell(self._bye())
        self._terminal.leave()

    def _bye(self) -> str:
        has_said = any(entry.turn_id for entry in self.view.entries)
        return say("tui.bye", id=self.view.thread_id) if has_said and not self.failure else ""

    async def _close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await self._link.close()


def _warm_up() -> None:
    """What the first answer will need, while nobody waits for it."""
    from daedal.tui.markdown.rendering import warm_up

    warm_up()


def _palette(name: str) -> Palette:
    return Palette(theme(name), depth_of())
