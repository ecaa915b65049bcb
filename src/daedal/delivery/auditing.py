"""Who judges a claim that something passed? Whoever saw which commands ran, on which content, and how they ended."""

import asyncio
import time
from collections.abc import Iterable

from msgspec.structs import replace

from daedal.delivery.deliverables import Board, Deliverable, Refused, Status
from daedal.delivery.evidence import Claim, Proof, Ran, changed, is_green, missing, receipts
from daedal.delivery.hollow import ran_no_test
from daedal.delivery.journal import Journal
from daedal.delivery.recorder import Recorder
from daedal.delivery.toolkit import Auditor
from daedal.delivery.tree import Content, Tree
from daedal.protocol.items import CommandExecution

RAN_MAX = 2_000
"""The newest so many commands of a session can prove something."""


class ReceiptAuditor(Auditor):
    needs_evidence = True

    def __init__(self, tree: Tree, journal: Journal, recorder: Recorder) -> None:
        self._tree = tree
        self._journal = journal
        self._recorder = recorder
        self._ran: list[Ran] = []
        self._looks: set[asyncio.Task[None]] = set()
        self._baseline: Content | None = None
        """The content when something last passed: what differs from it was changed for what passes next."""

    async def begin(self) -> None:
        """A session starts: what ran in an earlier one proves nothing in this one."""
        await self._settled()
        self._ran.clear()
        if self._baseline is None:
            self._baseline = await self.look()

    def saw(self, item: CommandExecution, thread_id: str, completed_at_ms: int) -> None:
        """A command has ended. The content is looked at right away, while nothing else happens yet."""
        if item.exit_code is None:
            return
        ran = Ran(
            command=item.command,
            exit_code=item.exit_code,
            tree="",
            is_hollow=ran_no_test(item.aggregated_output or ""),
            item_id=item.id,
            thread_id=thread_id,
        )
        self._ran = [*self._ran[1 - RAN_MAX :], ran]
        task = asyncio.create_task(self._seal(ran, completed_at_ms))
        self._looks.add(task)
        task.add_done_callback(self._looks.discard)

    async def _seal(self, ran: Ran, completed_at_ms: int) -> None:
        content = await self.look()
        if content.newest_ms > completed_at_ms + 1:
            return  # Something was changed before we could look: on which content it ran cannot be said.
        self._ran = [replace(ran, tree=content.digest) if one is ran else one for one in self._ran]

    async def accept(self, deliverable: Deliverable, claims: list[Claim]) -> None:
        await self._settled()
        content = await self.look()
        lacking = missing(deliverable, claims, self._ran, content.digest)
        if lacking:
            raise Refused(
                f"{deliverable.id} is not passed yet. What is missing:\n"
                + "\n".join(lacking)
                + "\nRun what is missing as plain Bash commands, change nothing afterwards, then claim again."
            )
        before = self._journal.now.proofs.get(deliverable.id)
        own = changed(self._baseline.files if self._baseline else {}, content.files)
        files = {path: content.files.get(path, "") for path in (before.files if before else {})} | own
        await self._prove(deliverable.id, receipts(claims, self._ran), files, content)
        self._baseline = content
        await self._refresh(content)

    def forget(self, deliverable_id: str) -> None:
        self._journal.unproved(deliverable_id)

    async def look(self) -> Content:
        return await asyncio.to_thread(self._tree.look)

    async def stale(self, board: Board) -> list[Deliverable]:
        """What has passed, and was changed since."""
        proofs = self._journal.now.proofs
        if not proofs:
            return []
        files = (await self.look()).files
        return [one for one in passed(board) if one.id in proofs and proofs[one.id].is_stale(files)]

    async def confirmed(self, deliverable: Deliverable, ran: Iterable[Ran]) -> None:
        """Its commands succeeded once more on the content as it is now."""
        content = await self.look()
        proof = self._journal.now.proofs[deliverable.id]
        files = {path: content.files.get(path, "") for path in proof.files}
        await self._prove(deliverable.id, [replace(one, tree=content.digest) for one in ran], files, content)

    async def _refresh(self, content: Content) -> None:
        """What passed earlier by commands that have just succeeded again has been verified again."""
        fresh = {one.command.strip(): one for one in self._ran if is_green(one, content.digest)}
        for key, proof in self._journal.now.proofs.items():
            if proof.is_stale(content.files) and all(command.strip() in fresh for command in proof.commands):
                files = {path: content.files.get(path, "") for path in proof.files}
                await self._prove(key, [fresh[command.strip()] for command in proof.commands], files, content)

    async def _prove(self, key: str, ran: list[Ran], files: dict[str, str], content: Content) -> None:
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        hashes = self._recorder.receipts_of(ran)
        bound = [replace(one, receipt=hashes.get(one.item_id, "")) for one in ran]
        proof = Proof(tree=content.digest, receipts=bound, files=files, at=at)
        await self._recorder.proved(key, proof)
        self._journal.proved(key, proof)

    async def _settled(self) -> None:
        while self._looks:
            await asyncio.wait(self._looks)


def passed(board: Board) -> list[Deliverable]:
    return [one for one in board.active() if one.status is Status.PASSED]
