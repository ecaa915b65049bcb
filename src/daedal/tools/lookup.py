"""At which addresses is a host? Asked of the system, in a thread that nobody has to wait for."""

import asyncio
import socket
import threading


async def look_up(host: str, port: int) -> list[str]:
    """The addresses, in the system's order. Raises OSError.

    A lookup cannot be called off, so it has a daemon thread of its own: a cancelled call, and the end of the program,
    do not wait for a name server that is silent.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[str]] = loop.create_future()

    def settle(found: list[str] | OSError) -> None:
        if answer.done():
            return
        if isinstance(found, OSError):
            answer.set_exception(found)
        else:
            answer.set_result(found)

    def ask() -> None:
        found: list[str] | OSError
        try:
            infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found = list(dict.fromkeys(str(info[4][0]) for info in infos))
        except OSError as error:
            found = error
        except UnicodeError as error:
            found = OSError(str(error))
        try:
            loop.call_soon_threadsafe(settle, found)
        except RuntimeError:
            return  # the loop has closed: nobody waits any more

    threading.Thread(target=ask, name="daedal-lookup", daemon=True).start()
    return await answer
