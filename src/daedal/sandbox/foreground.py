"""How does a program of the person's own get the terminal? It has it until it ends: an editor, above all."""

import asyncio
import subprocess


async def run_in_foreground(argv: list[str]) -> bool:
    """Whether it could be started and ended well. Nothing confines it: the person chose it."""

    def run() -> bool:
        try:
            return subprocess.run(argv, check=False).returncode == 0
        except OSError:
            return False

    return await asyncio.to_thread(run)
