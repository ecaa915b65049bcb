"""Who writes? One writer per process: what several sessions hand over in one round of the event loop shares a COMMIT.

A commit is made on the event loop itself, because that takes a fraction of a millisecond and a hop to a thread and back
costs half as much again. As soon as it would have to wait, it is made in a thread: when another process is writing, or
when the disk has turned out to be slow. The loop never blocks on a lock. (Measured in docs/decisions/0001.)

Used from one event loop at a time. The queue is bounded: who comes when it is full waits.
"""

import asyncio
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Sequence

from daedal.ledger.errors import translated
from daedal.ledger.groups import Contended, Groups, Work
from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerError

QUEUE_MAX = 1024
GROUP_MAX = 256
_SLOW_S = 0.02
"""A commit longer than this is felt by whoever types or streams on the same loop."""
_SLOW_IN_A_ROW = 2
"""One slow commit is a checkpoint; two are a slow disk."""
_THREADED_GROUPS = 32
"""So many groups go to a thread before the short way is tried again."""


class _Promise(asyncio.Future[None]):
    """The outcome of a commit. Cancelling the task that waits for it does not take the outcome away."""

    def cancel(self, msg: object = None) -> bool:  # noqa: ARG002
        return False


_Queued = tuple[Work, _Promise]


class Writer:
    """Owns the write connection."""

    def __init__(self, connection: sqlite3.Connection, path: str, busy_timeout_ms: int) -> None:
        self._connection = connection
        self._groups = Groups(connection, path, busy_timeout_ms)
        self._path = path
        # The connection has one user at a time: the loop, a thread of `_hand_over`, or a caller of `now`.
        self._lock = threading.Lock()
        self._queue: deque[_Queued] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._last_session = ""
        self._is_scheduled = False
        self._is_closed = False
        self._slow_in_a_row = 0
        self._threaded_groups = 0

    async def commit(self, session_id: str, work: Work) -> None:
        """Returns when the work is durable, raises when nothing of it was kept.

        Cancelled meanwhile, it still waits for the end, which is near: after the CancelledError the work is durable,
        unless the error's `__cause__` says why not.
        """
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._adopt(loop)
        while len(self._queue) >= QUEUE_MAX:
            await self._room()
        if self._is_closed:
            raise LedgerError(say("ledger.closed", path=self._path))
        promise = _Promise(loop=loop)
        self._queue.append((work, promise))
        if session_id == self._last_session:
            # Nobody else has been writing: there is no company to wait a round for.
            self._flush(loop)
        else:
            self._schedule(loop)
        self._last_session = session_id
        try:
            await promise
        except asyncio.CancelledError as cancelled:
            raise cancelled from promise.exception()

    async def _room(self) -> None:
        try:
            await asyncio.wait([self._queue[0][1]])
        except asyncio.CancelledError as cancelled:
            raise cancelled from LedgerError(say("ledger.interrupted", path=self._path))

    def now(self, work: Work) -> None:
        """The same for callers without an event loop, at start."""
        with self._lock:
            if self._is_closed:
                raise LedgerError(say("ledger.closed", path=self._path))
            outcome = self._groups.commit([work], patient=True)[0]
        if outcome is not None:
            raise outcome

    def look(self, question: str, values: tuple[str, ...]) -> list[tuple[str, ...]]:
        """Reads at start, while nothing is being written; opening a second connection would take longer."""
        with self._lock:
            if self._is_closed:
                raise LedgerError(say("ledger.closed", path=self._path))
            try:
                return self._connection.execute(question, values).fetchall()
            except sqlite3.Error as error:
                raise translated(error, self._path) from error

    def close(self) -> None:
        """Waits for a commit that is under way; whatever is still queued was never promised and fails."""
        if self._is_closed:
            return
        if self._thread is not None:
            self._thread.join()
        with self._lock:
            self._is_closed = True
            self._connection.close()
        while self._queue:
            _resolve(self._queue.popleft()[1], LedgerError(say("ledger.closed", path=self._path)))

    def _adopt(self, loop: asyncio.AbstractEventLoop) -> None:
        """A loop that ended in the middle left its queue behind; nobody waits for that any more."""
        if self._thread is not None:
            self._thread.join()
        self._thread = None
        self._queue.clear()
        self._is_scheduled = False
        self._loop = loop

    def _schedule(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._is_scheduled and self._thread is None and self._queue:
            self._is_scheduled = True
            loop.call_soon(self._flush, loop)

    def _flush(self, loop: asyncio.AbstractEventLoop) -> None:
        """One group, on the loop if that is quick."""
        self._is_scheduled = False
        if self._thread is not None:
            return  # Groups keep their order; the next one goes when the thread is back.
        group = [self._queue.popleft() for _ in range(min(GROUP_MAX, len(self._queue)))]
        if not group:
            return
        if self._threaded_groups > 0 or not self._lock.acquire(blocking=False):
            self._hand_over(loop, group)
            return
        started = time.perf_counter()
        try:
            outcomes = self._groups.commit([work for work, _ in group], patient=False)
        except Contended:
            outcomes = None
        except BaseException:
            # Ctrl-C pressed twice ends up here. Whoever waits must not wait for ever.
            self._settle(loop, group, self._interrupted(group))
            raise
        finally:
            self._lock.release()
        if outcomes is None:
            self._hand_over(loop, group)
            return
        self._judge(time.perf_counter() - started)
        self._settle(loop, group, outcomes)

    def _judge(self, took_s: float) -> None:
        self._slow_in_a_row = self._slow_in_a_row + 1 if took_s > _SLOW_S else 0
        if self._slow_in_a_row >= _SLOW_IN_A_ROW:
            self._threaded_groups = _THREADED_GROUPS
            self._slow_in_a_row = 0

    def _hand_over(self, loop: asyncio.AbstractEventLoop, group: list[_Queued]) -> None:
        """The same group in a thread of its own. The thread only works; all state stays with the loop."""
        self._threaded_groups = max(0, self._threaded_groups - 1)

        def work() -> None:
            outcomes: Sequence[Exception | None] = self._interrupted(group)
            try:
                with self._lock:
                    outcomes = self._groups.commit([work for work, _ in group], patient=True)
            finally:
                try:
                    loop.call_soon_threadsafe(self._return, loop, group, outcomes)
                except RuntimeError:
                    pass  # The loop has been closed, and nobody is left to be told.

        self._thread = threading.Thread(target=work, name="daedal-ledger", daemon=True)
        self._thread.start()

    def _return(
        self, loop: asyncio.AbstractEventLoop, group: list[_Queued], outcomes: Sequence[Exception | None]
    ) -> None:
        self._thread = None
        self._settle(loop, group, outcomes)

    def _interrupted(self, group: list[_Queued]) -> list[LedgerError]:
        return [LedgerError(say("ledger.interrupted", path=self._path)) for _ in group]

    def _settle(
        self, loop: asyncio.AbstractEventLoop, group: list[_Queued], outcomes: Sequence[Exception | None]
    ) -> None:
        for (_, promise), outcome in zip(group, outcomes, strict=True):
            _resolve(promise, outcome)
        self._schedule(loop)


def _resolve(promise: _Promise, outcome: Exception | None) -> None:
    if promise.done() or promise.get_loop().is_closed():
        return
    if outcome is None:
        promise.set_result(None)
    else:
        promise.set_exception(outcome)
        # Looked at once, so that asyncio does not complain where nobody is left to hear it.
        promise.exception()
