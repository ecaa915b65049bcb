"""How is a program of the person's own given a text? On its standard input; what it leaves running is left alone.

A clipboard program goes on in the background for as long as its text is the one on the clipboard.
"""

import asyncio


async def fed(argv: list[str], text: bytes) -> bool:
    """Whether it took it. Whoever gives up waiting ends it."""
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return False
    try:
        await process.communicate(text)
        return process.returncode == 0
    except (BrokenPipeError, ConnectionResetError):
        return False
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
