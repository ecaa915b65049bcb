"""How is a running `codex app-server` spoken to? One JSON object per line, requests in both directions.

One process serves all threads. It is started with the first, ended with the last, and started again when it has died.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Protocol, cast

import msgspec

from daedal import __version__
from daedal.guests.codex.usage import exhausted_until
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ProviderError
from daedal.protocol.seams import Finish, Job
from daedal.protocol.turns import ErrorKind
from daedal.sandbox import Piped, ProcessSpawner, SpawnFailed

LINE_BYTES_MAX = 64 * 1_048_576
LAST_WORDS_BYTES = 65_536
CALL_S = 60.0
GRACE_S = 1.0
REFUSED = -32601
UNHEARD = (
    "item/commandExecution/outputDelta",
    "remoteControl/status/changed",
    "thread/status/changed",
    "turn/diff/updated",
)
"""Notifications that we need not be sent."""

Message = dict[str, Any]


class Listener(Protocol):
    """Whoever looks after one thread of it."""

    def take(self, message: Message) -> None: ...

    def gone(self, why: str) -> None: ...


class CodexServer:
    def __init__(self, spawner: ProcessSpawner, job: Callable[[], Job]) -> None:
        """`job` says how it is started."""
        self._spawner = spawner
        self._job = job
        self._process: Piped | None = None
        self._starting = asyncio.Lock()
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._last_id = 0
        self._rest = b""
        self._listeners: dict[str, Listener] = {}
        self._answering: set[asyncio.Task[None]] = set()
        self._guests = 0
        self.exhausted_until: int | None = None
        """When the account's quota is there again, in seconds since 1970, where it has run out."""
        self.life = 0
        """How often it has been started: a thread of an earlier life has to be resumed."""

    def enter(self) -> None:
        self._guests += 1

    async def leave(self) -> None:
        """The last to leave ends it."""
        self._guests -= 1
        if self._guests == 0 and self._process is not None:
            process, self._process = self._process, None
            await process.end(grace_s=GRACE_S)

    def listen(self, thread_id: str, listener: Listener) -> None:
        self._listeners[thread_id] = listener

    def forget(self, thread_id: str) -> None:
        self._listeners.pop(thread_id, None)

    async def start(self) -> None:
        """Does nothing where it runs. Raises ProviderError."""
        async with self._starting:
            if self._process is not None and not self._process.running.done():
                return
            self.life += 1
            self._rest = b""
            self._process = await Piped.start(self._spawner, self._job(), self._take)
            self._process.running.add_done_callback(self._ended)
            client = {"name": "daedal", "title": "Daedal", "version": __version__}
            await self.call(
                "initialize",
                {
                    "clientInfo": client,
                    "capabilities": {"experimentalApi": True, "optOutNotificationMethods": list(UNHEARD)},
                },
            )
            await self._send({"method": "initialized"})

    async def call(self, method: str, params: Message, *, timeout_s: float = CALL_S) -> Any:
        """Raises ProviderError where it refuses, does not answer in time, or is gone."""
        self._last_id += 1
        number = self._last_id
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            await self._send({"id": number, "method": method, "params": params})
            async with asyncio.timeout(timeout_s):
                return await answer
        except TimeoutError as error:
            message = say("guests.silent", engine="Codex", what=method, seconds=f"{timeout_s:g}")
            raise ProviderError(message, ErrorKind.SERVER) from error
        finally:
            del self._waiting[number]

    async def answer(self, request_id: Any, result: Message) -> None:
        await self._send({"id": request_id, "result": result})

    async def _send(self, message: Message) -> None:
        if self._process is None:
            raise gone("")
        try:
            await self._process.send(msgspec.json.encode(message) + b"\n")
        except ConnectionError as error:
            raise gone("") from error

    def _take(self, chunk: bytes) -> bool:
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            try:
                message = msgspec.json.decode(line)
            except (msgspec.DecodeError, RecursionError):
                continue  # No line of the protocol: programs print all kinds of things.
            if isinstance(message, dict):
                self._dispatch(cast("Message", message))
        return len(self._rest) <= LINE_BYTES_MAX

    def _dispatch(self, message: Message) -> None:
        if "method" not in message:
            self._settle(message)
            return
        params = cast("Message", message.get("params") or {})
        if message["method"] == "account/rateLimits/updated":
            self.exhausted_until = exhausted_until(params.get("rateLimits"))
        listener = self._listeners.get(str(params.get("threadId")))
        if listener is not None:
            listener.take(message)
        elif "id" in message:
            # Somebody whom we did not start wants to act, or a thing we know nothing about: it may not.
            self.later(self.refuse(message["id"]))

    def later(self, answer: Coroutine[Any, Any, None]) -> None:
        """Gives an answer that nobody waits for; where it cannot be given any more, nobody needs it."""
        task = asyncio.ensure_future(answer)
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)
        task.add_done_callback(lambda done: done.exception())

    async def refuse(self, request_id: Any) -> None:
        await self._send({"id": request_id, "error": {"code": REFUSED, "message": "not available here"}})

    def _settle(self, message: Message) -> None:
        answer = self._waiting.get(cast("int", message.get("id")))
        if answer is None or answer.done():
            return
        if "error" in message:
            error = cast("Message", message["error"] or {})
            why = str(error.get("message", ""))[:1000]
            answer.set_exception(ProviderError(say("guests.refused", engine="Codex", why=why), ErrorKind.INTERNAL))
        else:
            answer.set_result(message.get("result"))

    def _ended(self, running: "asyncio.Task[Finish]") -> None:
        if self._process is not None and self._process.running is not running:
            return
        why = _last_words(running)
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(gone(why))
        for listener in list(self._listeners.values()):
            listener.gone(why)


def gone(why: str) -> ProviderError:
    return ProviderError(say("guests.gone", engine="Codex", why=why or say("guests.no_reason")), ErrorKind.SERVER)


def _last_words(running: "asyncio.Task[Finish]") -> str:
    if running.cancelled():
        return ""
    error = running.exception()
    if isinstance(error, SpawnFailed):
        return str(error)
    if error is not None:
        return f"{type(error).__name__}: {error}"
    finish = running.result()
    said = finish.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
    return f"exit code {finish.exit_code}{''.join(f': {line.strip()[-500:]}' for line in said)}"
