"""Is a list of domains the only way out of a jail?"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from daedal.protocol.confinement import Network
from daedal.protocol.seams import Finish
from daedal.sandbox import ConfinedSpawner
from tests.sandbox.jailhouse import Jailhouse
from tests.toolbox.requirement import requirement

RAW = "exec 3<>/dev/tcp/127.0.0.1/${HTTP_PROXY##*:}; printf 'WORDS' >&3; cat <&3"


@asynccontextmanager
async def web_server() -> AsyncIterator[tuple[int, list[bytes]]]:
    """Answers every request with `hello` and keeps what it was asked."""
    asked: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            (int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0
        )
        asked.append(head + await reader.readexactly(length))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nhello\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], asked


def listed(house: Jailhouse, *domains: str) -> None:
    house.walls_say = {"network": Network.LISTED, "domains": list(domains)}


def through(house: Jailhouse, script: str) -> tuple[Finish, list[bytes], list[str]]:
    """The script with PORT filled in, what the server was asked, and whom the proxy turned away."""

    async def scenario(walls: ConfinedSpawner) -> tuple[Finish, list[bytes], list[str]]:
        async with web_server() as (port, asked):
            before = walls.refusals
            finish = await walls.run(house.job(script.replace("PORT", str(port))))
            return finish, asked, walls.refused_since(before)

    return house.within(scenario)


@requirement("RX-16")
def test_a_listed_name_is_reached_over_http_and_through_a_tunnel(jailhouse: Jailhouse):
    listed(jailhouse, "localhost")
    script = "curl -sS http://localhost:PORT/a?b; curl -sS --proxytunnel -d body http://localhost:PORT/c"
    finish, asked, refused = through(jailhouse, script)
    assert (finish.stdout, finish.stderr, refused) == (b"hello\nhello\n", b"", [])
    assert [request.split(b"\r\n")[0] for request in asked] == [b"GET /a?b HTTP/1.1", b"POST /c HTTP/1.1"]
    assert asked[1].endswith(b"body")


def test_programs_find_the_way_by_themselves(jailhouse: Jailhouse):
    listed(jailhouse, "localhost")
    code = "import urllib.request as r; print(r.urlopen('http://localhost:PORT/').read())"
    assert through(jailhouse, f'python3 -c "{code}"')[0].stdout == b"b'hello\\n'\n"


@requirement("RX-16")
@pytest.mark.parametrize(
    "script",
    [
        "curl -sS http://localhost:PORT/",
        "curl -sS --proxytunnel http://localhost:PORT/",
        "curl -sS --noproxy '*' http://127.0.0.1:PORT/",
        "curl -sS http://127.0.0.1:PORT/",
        "curl -sS http://[::ffff:127.0.0.1]:PORT/",
        "curl -sS http://2130706433:PORT/",
        "curl -sS http://0x7f.1:PORT/",
        "curl -sS http://example.org@localhost:PORT/",
        "curl -sS -H 'Host: example.org' http://localhost:PORT/",
        "curl -sS --path-as-is 'http://localhost:PORT#example.org/'",
        RAW.replace("WORDS", "GET / HTTP/1.1\\r\\nHost: example.org\\r\\n\\r\\n"),
        RAW.replace("WORDS", "CONNECT localhost:PORT:443 HTTP/1.1\\r\\n\\r\\n"),
        RAW.replace("WORDS", "nonsense\\r\\n\\r\\n"),
        RAW.replace("printf 'WORDS'", "head -c 100000 /dev/zero"),
    ],
)
def test_nothing_else_is_reached(jailhouse: Jailhouse, script: str):
    listed(jailhouse, "example.org", "*.example.org")
    finish, asked, _ = through(jailhouse, "unset NO_PROXY no_proxy; " + script)
    assert asked == []
    assert b"hello" not in finish.stdout


def test_a_refusal_says_why_and_is_remembered(jailhouse: Jailhouse):
    listed(jailhouse, "example.org")
    finish, _, refused = through(jailhouse, "curl -sS http://api.other.net/; curl -sS -f https://more.other.net/; true")
    assert b"api.other.net is not among the domains" in finish.stdout
    assert refused == ["api.other.net", "more.other.net"]


def test_what_one_hop_says_to_the_next_does_not_go_on(jailhouse: Jailhouse):
    listed(jailhouse, "localhost")
    request = "GET http://localhost:PORT/x HTTP/1.1\\r\\nHost: evil.net\\r\\nTE: x\\r\\nA: b\\r\\n\\r\\n"
    _, asked, _ = through(jailhouse, RAW.replace("WORDS", request))
    (head,) = [request.decode().split("\r\n") for request in asked]
    assert head[0] == "GET /x HTTP/1.1"
    assert head[1].startswith("Host: localhost:")
    assert head[2:] == ["Connection: close", "A: b", "", ""]


def test_a_name_without_an_address_is_told(jailhouse: Jailhouse):
    listed(jailhouse, "no-such-name.test")
    finish, _, refused = through(jailhouse, "curl -sS http://no-such-name.test/")
    assert b"cannot be resolved" in finish.stdout
    assert refused == []


def test_much_goes_through_both_ways_at_once(jailhouse: Jailhouse):
    listed(jailhouse, "localhost")

    async def scenario(walls: ConfinedSpawner) -> Finish:
        async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while chunk := await reader.read(65536):
                writer.write(chunk)
                await writer.drain()
            writer.close()

        async with await asyncio.start_server(echo, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            code = (
                "import os, socket, threading\n"
                "s = socket.create_connection(('127.0.0.1', int(os.environ['HTTP_PROXY'].rpartition(':')[2])))\n"
                f"s.sendall(b'CONNECT localhost:{port} HTTP/1.1\\r\\n\\r\\n')\n"
                "assert b' 200 ' in s.recv(4096)\n"
                "def send():\n    s.sendall(b'x' * 3000000)\n    s.shutdown(socket.SHUT_WR)\n"
                "threading.Thread(target=send).start()\n"
                "got = 0\nwhile chunk := s.recv(65536):\n    got += len(chunk)\nprint(got)\n"
            )
            (jailhouse.ws / "talk.py").write_text(code)
            return await walls.run(jailhouse.job("python3 talk.py"))

    assert jailhouse.within(scenario) == Finish(exit_code=0, stdout=b"3000000\n", stderr=b"")


def test_nothing_of_the_proxy_is_left_when_the_session_ends(jailhouse: Jailhouse):
    listed(jailhouse, "localhost")
    before = len(os.listdir("/proc/self/fd"))
    through(jailhouse, "curl -sS http://localhost:PORT/; sleep 100 < /dev/tcp/127.0.0.1/${HTTP_PROXY##*:} & true")
    assert len(os.listdir("/proc/self/fd")) == before
