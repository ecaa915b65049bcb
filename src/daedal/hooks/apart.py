"""How is a pattern tried that may take for ever? In a process of its own, which a deadline ends."""

import sys

import msgspec

from daedal.hooks.matching import LookApart, Undecided
from daedal.protocol.seams import Job, Spawner
from daedal.sandbox import SpawnFailed

DEADLINE_S = 2.0
SCRIPT = """
import sys
import msgspec, regress
pattern, query = msgspec.json.decode(sys.stdin.buffer.read())
print("yes" if regress.Regex(pattern).find(query) else "no")
"""


def looking_apart(spawner: Spawner) -> LookApart:
    async def look(pattern: str, query: str) -> bool:
        job = Job(
            # Isolated: nothing that lies in the current folder is imported.
            argv=[sys.executable, "-I", "-c", SCRIPT],
            cwd="/",
            env=spawner.environment(),
            timeout_s=DEADLINE_S,
            output_bytes_max=100,
            stdin=msgspec.json.encode([pattern, query.encode("utf-8", "replace").decode()]),
        )
        try:
            finish = await spawner.run(job)
        except SpawnFailed as error:
            raise Undecided(f"the matcher could not be tried: {error}") from error
        if finish.timed_out:
            raise Undecided(f"the matcher found no answer within {DEADLINE_S:g} s")
        if finish.exit_code != 0:
            raise Undecided("the matcher could not be tried")
        return finish.stdout.strip() == b"yes"

    return look
