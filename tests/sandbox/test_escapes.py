"""Can a command get out? Everything here is an attempt that must fail."""

import os
import socket
import subprocess
import sys
import tempfile
from contextlib import chdir

import pytest

from daedal.protocol.confinement import Network
from daedal.sandbox import ConfinedSpawner
from tests.sandbox.jailhouse import Jailhouse
from tests.toolbox.requirement import requirement

OPENING = """
import os
for path in {paths}:
    try:
        os.close(os.open(path, os.O_WRONLY))
        print(path)
    except OSError:
        pass
"""


def untouched(house: Jailhouse) -> bool:
    return os.listdir(house.outside) == ["precious"] and (house.outside / "precious").read_text() == "precious\n"


@requirement("RX-16")
@pytest.mark.parametrize(
    "attempt",
    [
        "ln -s {outside} l; echo x > l/precious; echo x > l/new",
        "ln {outside}/precious hard && echo x > hard",
        "cd {outside} && echo x > precious; rm -f precious; touch new; mv precious p; chmod 600 precious",
        "echo x > /proc/1/root{outside}/precious; echo x > /proc/self/root{outside}/precious",
        "echo x > /proc/self/cwd/../outside/precious",
        "mount -o remount,rw / ; mount --bind . {outside}; umount -l {outside}; echo x > {outside}/precious",
        "unshare -Urm sh -c 'mount -o remount,rw,bind /; umount -l /; echo x > {outside}/precious'",
        "unshare -Ur true && echo x > {outside}/precious",
        "nsenter -t 1 -m sh -c 'echo x > {outside}/precious'",
        "chroot /proc/1/root sh -c 'echo x > {outside}/precious'",
        "exec 9<{outside}; cd /proc/self/fd/9 && echo x > precious",
        "exec 9<{outside}/precious; echo x > /proc/self/fd/9",
        "cd {outside}; truncate -s 0 precious; touch -d yesterday precious; setfattr -n user.a -v b precious",
        'python3 -c \'import os; f = os.memfd_create("x"); os.write(f, open("/bin/touch", "rb").read());'
        ' os.execv("/proc/self/fd/%d" % f, ["touch", "{outside}/new"])\'',
    ],
)
def test_nothing_outside_is_changed(jailhouse: Jailhouse, attempt: str):
    jailhouse.run(attempt.format(outside=jailhouse.outside))
    assert untouched(jailhouse)


def test_a_link_swapped_all_the_while_leads_nowhere(jailhouse: Jailhouse):
    jailhouse.run(
        f"mkdir d; for i in $(seq 300); do rm -rf t; ln -s {jailhouse.outside} t; rm -f t; mkdir t; done &"
        "for i in $(seq 300); do echo x > t/precious; done 2>/dev/null; wait"
    )
    assert untouched(jailhouse)


def test_no_right_of_the_machine_is_left(jailhouse: Jailhouse):
    finish = jailhouse.run(
        "grep -E 'NoNewPrivs|Cap(Eff|Prm|Bnd|Amb|Inh)' /proc/self/status; mknod dev c 1 3; echo > dev"
    )
    assert finish.stdout.split()[1::2] == [*[b"0000000000000000"] * 5, b"1"]
    assert b"Operation not permitted" in finish.stderr


def test_programs_that_change_the_user_change_nothing(jailhouse: Jailhouse):
    finish = jailhouse.run("cp /bin/sh ./s; chmod u+s s; ./s -p -c 'grep CapEff /proc/self/status'; mount | grep ' / '")
    assert b"0000000000000000" in finish.stdout
    assert b"nosuid" in finish.stdout


def test_the_kernel_cannot_be_told_anything(jailhouse: Jailhouse):
    """Opened only: where this failed, nothing would be written."""
    paths = ["sys/kernel/core_pattern", "sys/kernel/modprobe", "sysrq-trigger", "sys/vm/overcommit_memory"]
    others = ["/sys/kernel/uevent_helper", "/sys/power/state", "/dev/mem", "/dev/kmsg"]
    finish = jailhouse.python(OPENING.format(paths=[*(f"/proc/{path}" for path in paths), *others]))
    assert (finish.stdout, finish.stderr) == (b"", b"")


def test_processes_of_the_machine_are_neither_seen_nor_reached(jailhouse: Jailhouse):
    finish = jailhouse.run(
        f"kill -9 {os.getpid()}; kill -9 -{os.getpgrp()}; grep -l [p]ytest /proc/[0-9]*/cmdline; true"
    )
    assert finish.stdout == b""
    assert finish.stderr.count(b"No such process") == 2


def test_the_jailer_cannot_be_ended_or_looked_into(jailhouse: Jailhouse):
    attack = """
import ctypes, os, signal
for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGSTOP, signal.SIGSEGV, signal.SIGCHLD):
    os.kill(1, number)
libc = ctypes.CDLL(None, use_errno=True)
print(libc.ptrace(16, 1, 0, 0), libc.ptrace(0x4206, 1, 0, 0))
print(libc.syscall(438, os.pidfd_open(1), 3, 0))
for name in ("mem", "environ", "root", "cwd", "maps", "map_files", "fd/3", "ns/net", "exe"):
    try:
        path = "/proc/1/" + name
        os.listdir(path) if name == "map_files" else os.readlink(path) if "/" in name or name in (
            "root", "cwd", "exe") else open(path, "rb").read(1)
        print(name)
    except OSError:
        pass
"""
    (jailhouse.ws / "attack.py").write_text(attack)
    finish = jailhouse.run("python3 attack.py > said 2>&1; kill -9 -1", "cat said; echo alive")
    assert finish.stdout == b"-1 -1\n-1\nalive\n"


def test_a_command_has_no_descriptor_but_its_own(jailhouse: Jailhouse):
    finish = jailhouse.run("for f in /proc/$$/fd/*; do readlink $f; done | grep -v pipe: | sort -u")
    assert finish.stdout == b"/dev/null\n"


def test_there_is_no_terminal_to_type_into(jailhouse: Jailhouse):
    attack = OPENING.format(paths=["/dev/tty", "/dev/console", "/dev/tty0", "/dev/pts/0"])
    assert jailhouse.python(attack).stdout == b""


@pytest.mark.parametrize("network", [Network.OFF, Network.LISTED])
def test_no_port_of_the_machine_is_reached(jailhouse: Jailhouse, network: Network):
    jailhouse.walls_say = {"network": network, "domains": ["example.org"]}
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.bind(("127.0.0.1", 0))
        tcp.settimeout(0)
        udp.settimeout(0)
        ports = f"{tcp.getsockname()[1]}, {udp.getsockname()[1]}"
        attack = f"import socket\ntcp, udp = {ports}\n"
        attack += "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.sendto(b'x', ('127.0.0.1', udp))\n"
        attack += "print(socket.socket().connect_ex(('127.0.0.1', tcp)))\n"
        attack += "for address in ('10.0.0.1', '169.254.169.254', '1.1.1.1'):\n"
        attack += "    print(socket.socket().connect_ex((address, 80)))\n"
        finish = jailhouse.python(attack)
        assert finish.stdout == b"111\n101\n101\n101\n"
        for end in (tcp.accept, lambda: udp.recv(1)):
            with pytest.raises(BlockingIOError):
                end()


def test_no_socket_of_the_machine_is_reached(jailhouse: Jailhouse):
    attack = "import socket, sys\nfor name in sys.argv[1:]:\n"
    attack += "    name = name.replace('@', '\\0')\n"
    attack += "    print(socket.socket(socket.AF_UNIX).connect_ex(name))\n"
    (jailhouse.ws / "attack.py").write_text(attack)
    abstract = f"daedal-test-{os.getpid()}"

    async def scenario(walls: ConfinedSpawner) -> None:
        with socket.socket(socket.AF_UNIX) as early, socket.socket(socket.AF_UNIX) as hidden:
            early.bind("early")  # by a relative name, which is all that the kernel tells about it
            early.listen()
            hidden.bind(f"\0{abstract}")
            hidden.listen()
            await walls.run(jailhouse.job("true"))
            with socket.socket(socket.AF_UNIX) as late, socket.socket(socket.AF_UNIX) as inner:
                late.bind(str(jailhouse.outside / "late"))
                late.listen()
                inner.bind(str(jailhouse.ws / "inner"))
                inner.listen()
                names = f"{jailhouse.outside}/early {jailhouse.outside}/late inner @{abstract}"
                finish = await walls.run(jailhouse.job(f"python3 attack.py {names}"))
        assert [int(word) for word in finish.stdout.split()] == [111] * 4

    with chdir(jailhouse.outside):
        jailhouse.within(scenario)


def test_sockets_among_commands_work(jailhouse: Jailhouse):
    talk = "import socket, os\ns = socket.socket(socket.AF_UNIX)\ns.bind('ours')\ns.listen()\n"
    talk += "c = socket.socket(socket.AF_UNIX)\nc.connect('ours')\n"
    talk += "t = socket.create_server(('127.0.0.1', 0))\nsocket.create_connection(t.getsockname())\nprint('talked')\n"
    assert jailhouse.python(talk).stdout == b"talked\n"


def test_agents_and_buses_are_not_mentioned(jailhouse: Jailhouse):
    names = ["SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "XDG_RUNTIME_DIR", "TMUX", "DOCKER_HOST"]
    finish = jailhouse.run(
        f"env | grep -E '{'|'.join(names)}'; ls -A /run | grep -v shm", env=dict.fromkeys(names, "x")
    )
    assert finish.stdout == b""


def test_keys_of_the_login_session_are_out_of_reach(jailhouse: Jailhouse):
    program = """
import ctypes, sys
from pathlib import Path
from tests.sandbox.jailhouse import Jailhouse
libc = ctypes.CDLL(None)
libc.syscall.restype = ctypes.c_long
number = {"x86_64": (248, 250), "aarch64": (217, 219)}[__import__("os").uname().machine]
libc.syscall(number[1], 1, None)
key = libc.syscall(number[0], b"user", b"daedal-test", b"precious", 8, -3)
house = Jailhouse(Path(sys.argv[1]))
attack = f'''
import ctypes
libc = ctypes.CDLL(None)
libc.syscall.restype = ctypes.c_long
room = ctypes.create_string_buffer(64)
print(libc.syscall({number[1]}, 10, -3, b"user", b"daedal-test", 0), libc.syscall({number[1]}, 11, {key}, room, 64))
print(room.value)
'''
print(key > 0, house.python(attack).stdout)
"""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, os.getcwd()])}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", program, folder], env=env, capture_output=True, text=True, check=False
        )
    assert (done.stdout, done.stderr) == ("True b\"-1 -1\\nb''\\n\"\n", "")


def test_shared_memory_of_the_machine_is_not_seen(jailhouse: Jailhouse):
    finish = jailhouse.run("readlink /proc/self/ns/ipc; ls -A /dev/shm /dev/mqueue 2>/dev/null | grep -v :")
    assert os.readlink("/proc/self/ns/ipc").encode() not in finish.stdout
