"""How far does Landlock confine a command, and does it admit what it leaves open?"""

import asyncio
import os
import socket

from daedal.protocol.confinement import Confinement, Network
from daedal.protocol.seams import Finish, Job
from daedal.sandbox import ProcessSpawner
from daedal.sandbox.landlock import gaps, version, wrapped
from tests.sandbox.jailhouse import Jailhouse


def locked(house: Jailhouse, script: str, **walls: object) -> Finish:
    house.walls_say = walls

    async def scenario() -> Finish:
        spawner = ProcessSpawner([])
        argv = wrapped(["bash", "-c", script], house.confinement())
        job = Job(argv=argv, cwd=str(house.ws), env=spawner.environment(), timeout_s=30)
        try:
            return await spawner.run(job)
        finally:
            await spawner.close()

    return asyncio.run(scenario())


def test_only_writable_places_can_be_written(jailhouse: Jailhouse):
    assert version() >= 1
    out = jailhouse.outside
    finish = locked(
        jailhouse,
        f"echo a > in; mkdir d; mv in d/; echo x > {out}/new; echo x > {out}/precious; rm -f {out}/precious;"
        f"ln {out}/precious hard; mv {out}/precious .; ln -s {out} l; echo x > l/precious;"
        f"truncate -s 0 {out}/precious;"
        "echo x > /dev/null && cat d/in; exit 5",
    )
    assert (finish.stdout, finish.exit_code) == (b"a\n", 5)
    assert os.listdir(out) == ["precious"]
    assert (out / "precious").read_text() == "precious\n"


def test_tcp_is_closed_and_opened_with_the_network(jailhouse: Jailhouse):
    with socket.create_server(("127.0.0.1", 0)) as server:
        script = f"exec 3<>/dev/tcp/127.0.0.1/{server.getsockname()[1]} && echo reached"
        assert locked(jailhouse, script).stdout == b""
        assert locked(jailhouse, script, network=Network.ON).stdout == b"reached\n"


def test_a_missing_program_is_told_as_shells_do(jailhouse: Jailhouse):
    async def scenario() -> Finish:
        spawner = ProcessSpawner([])
        argv = wrapped(["no-such-program"], jailhouse.confinement())
        return await spawner.run(Job(argv=argv, cwd="/", env=spawner.environment()))

    assert asyncio.run(scenario()) == Finish(
        exit_code=127, stdout=b"", stderr=b"no-such-program: No such file or directory\n"
    )


def test_what_it_cannot_enforce_is_admitted():
    def left_open(**walls: object) -> str:
        return gaps(Confinement(workspace="/ws", writable=["/ws"], **walls))  # type: ignore[arg-type]

    assert left_open(network=Network.ON) == ""
    assert "UDP" in left_open()
    assert "UDP" in left_open(network=Network.LISTED)
    assert "holes" in left_open(network=Network.ON, read_only=["/ws/.daedal"])
    assert "unreadable" in left_open(network=Network.ON, unreadable=["/home/x"])
