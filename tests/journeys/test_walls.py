"""Do the walls hold from the front door? Links, dots, neighbours by name, closed files, the network, sudden death."""

import json
import os
import signal
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.journeys.test_bad_input import configure
from tests.toolbox.model_server import call, calls, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


@pytest.fixture
def walled(daedal: Daedal) -> Daedal:
    """With a temporary folder of its own: tests live in the usual one, where everything may be written."""
    temp = daedal.root / "tmp"
    temp.mkdir()
    daedal.env["TMPDIR"] = str(temp)
    return daedal


def results(daedal: Daedal) -> list[str]:
    return [result["content"] for result in daedal.results()]


@requirement("RX-16")
@pytest.mark.parametrize("posture", ["ask", "yolo"])
def test_no_name_leads_a_writer_out_of_the_workspace(walled: Daedal, model, posture: str):
    outside = walled.root / "outside"
    outside.mkdir()
    (outside / "file.txt").write_text("old\n")
    neighbour = walled.root / "project2"
    neighbour.mkdir()
    folder = walled.workspace
    (folder / "link.txt").symlink_to(outside / "file.txt")
    (folder / "dangling.txt").symlink_to(outside / "new.txt")
    (folder / "away").symlink_to(outside)
    (folder / "chain").symlink_to("away")
    (folder / "relative").symlink_to("../outside")
    names = ["link.txt", "dangling.txt", "away/new.txt", "chain/new.txt", "relative/new.txt", "../outside/new.txt"]
    names += [
        "away/../outside/new.txt",
        str(neighbour / "new.txt"),
        "../project2/new.txt",
        f"{outside}/deep/er/new.txt",
    ]
    wanted = [("Write", {"file_path": name, "content": "x"}) for name in names]
    wanted.append(("Edit", {"file_path": "link.txt", "old_string": "old", "new_string": "x"}))
    wanted += [("Bash", {"command": f"echo x > {name}"}) for name in names]
    model([calls(*wanted), say("Done.")])
    assert walled("exec", "Go.", "--approval", posture).code == 0
    assert sorted(path.name for path in outside.rglob("*")) == ["file.txt"]
    assert (outside / "file.txt").read_text() == "old\n"
    assert list(neighbour.iterdir()) == []


@requirement("RX-16")
def test_a_link_that_a_command_makes_in_the_same_turn_opens_nothing(walled: Daedal, model):
    outside = walled.root / "outside"
    outside.mkdir()
    model(
        [
            calls(
                ("Bash", {"command": f"ln -s {outside} door; ln -s {walled.home}/.daedal keys"}),
                ("Write", {"file_path": "door/new.txt", "content": "x"}),
                ("Bash", {"command": "echo x > door/other.txt"}),
                ("Read", {"file_path": "keys/daedal.db"}),
                ("Bash", {"command": "cat keys/daedal.db | head -c 15"}),
                ("Grep", {"pattern": "SQLite", "path": "keys"}),
            ),
            say("Done."),
        ]
    )
    assert walled("exec", "Go.", "--approval", "yolo").code == 0
    assert list(outside.iterdir()) == []
    assert all("SQLite format" not in content for content in results(walled))


@requirement("RX-16")
def test_what_may_not_be_read_is_closed_to_every_tool_however_it_is_written(walled: Daedal, model):
    vault, *others = (walled.home / f"vault{number}" for number in range(4))
    for each in (vault, *others):
        each.mkdir()
        (each / "key.txt").write_text("buried-words\n")
    (walled.workspace / "link").symlink_to(vault / "key.txt")
    (walled.workspace / "folder").symlink_to(vault)
    written = ["~/vault0", str(others[0]), "${HOME}/vault2", "../home/vault3"]
    configure(walled, f"[sandbox]\nforbid_read = {json.dumps(written)}\n")
    model(
        [
            calls(
                ("Read", {"file_path": str(vault / "key.txt")}),
                ("Read", {"file_path": "link"}),
                ("Grep", {"pattern": "buried", "path": str(walled.home), "output_mode": "content"}),
                ("Grep", {"pattern": "buried", "path": "folder", "output_mode": "content"}),
                ("Glob", {"pattern": "**/key.txt", "path": str(walled.home)}),
                ("Bash", {"command": f"cat {vault}/key.txt link folder/key.txt; ls {vault}"}),
                ("Bash", {"command": f"cp -r {vault} copy; cat copy/*; ln {vault}/key.txt hard; cat hard"}),
                ("Edit", {"file_path": "link", "old_string": "x", "new_string": "y"}),
                *(("Read", {"file_path": str(other / "key.txt")}) for other in others),
                *(("Bash", {"command": f"cat {other}/key.txt"}) for other in others),
            ),
            say("Done."),
        ]
    )
    assert walled("exec", "Go.", "--approval", "yolo").code == 0
    assert len(results(walled)) == 14
    assert all("buried-words" not in content for content in results(walled))
    assert "key.txt" not in results(walled)[4]


@requirement("RX-16")
def test_a_project_may_close_files_and_odd_closures_do_not_break_the_walls(walled: Daedal, model):
    (walled.workspace / ".env").write_text("TOKEN=buried-words\n")
    closed = ["./.env", "./missing/x", "", "${NOT_SET}/x", "../outside"]
    (walled.workspace / "daedal.toml").write_text(f"[sandbox]\nforbid_read = {closed}\n".replace("'", '"'))
    model([calls(("Bash", {"command": "cat .env; touch made"}), ("Read", {"file_path": ".env"})), say("Done.")])
    assert walled("exec", "Go.").code == 0
    assert all("buried-words" not in content for content in results(walled))
    assert (walled.workspace / "made").exists()


@requirement("RX-16")
@pytest.mark.parametrize("closed", ["/", "/usr", "/proc", "/dev", "."])
def test_a_project_that_closes_the_machine_stops_its_own_commands_and_nothing_else(walled: Daedal, model, closed: str):
    (walled.workspace / "daedal.toml").write_text(f'[sandbox]\nforbid_read = ["{closed}"]\n')
    outside = walled.root / "outside"
    outside.mkdir()
    model([call("Bash", command=f"touch {outside}/made"), say("Done.")])
    run = walled("exec", "Go.")
    assert run.code == 0, run.err
    assert "Traceback" not in run.err
    assert not (outside / "made").exists()


@requirement("RX-16")
def test_more_folders_may_be_written_where_the_user_says_so(walled: Daedal, model):
    cache = walled.home / "cache"
    cache.mkdir()
    (walled.home / "cache2").mkdir()
    configure(walled, '[sandbox]\nallow_write = ["~/cache"]\n')
    model(
        [
            calls(
                ("Bash", {"command": f"touch {cache}/by-command {walled.home}/cache2/not"}),
                ("Write", {"file_path": str(cache / "by-tool"), "content": "x"}),
                ("Write", {"file_path": str(walled.home / "cache2" / "not"), "content": "x"}),
            ),
            say("Done."),
        ]
    )
    walled("exec", "Go.", "--approval", "yolo")
    assert sorted(path.name for path in cache.iterdir()) == ["by-command", "by-tool"]
    assert list((walled.home / "cache2").iterdir()) == []


@requirement("RX-16")
def test_the_temporary_folder_is_shared_between_commands_and_tools(walled: Daedal, model):
    temp = walled.root / "tmp"
    model(
        [
            calls(
                ("Bash", {"command": f"echo hello > {temp}/note; echo $TMPDIR"}),
                ("Read", {"file_path": str(temp / "note")}),
                ("Bash", {"command": f"cat {temp}/note"}),
            ),
            say("Done."),
        ]
    )
    walled("exec", "Go.")
    assert all("hello" in content for content in results(walled)[1:])
    assert (temp / "note").read_text() == "hello\n"


class _Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"page-of-mine")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is given
        return


@pytest.fixture
def page() -> Iterator[int]:
    """The port of a server on loopback."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Page)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


def fetching(port: int) -> list[tuple[str, dict[str, str]]]:
    script = (
        "import socket; s = socket.create_connection(('127.0.0.1', %d), 3);"
        " s.sendall(b'GET / HTTP/1.0\\r\\n\\r\\n'); print(b''.join(iter(lambda: s.recv(9999), b'')))"
    )
    return [
        ("Bash", {"command": f"curl -sS -m 5 http://localhost:{port}/"}),
        ("Bash", {"command": f"curl -sS -m 5 http://127.0.0.1:{port}/"}),
        ("Bash", {"command": f"curl -sS -m 5 --noproxy '*' http://127.0.0.1:{port}/"}),
        ("Bash", {"command": f'python3 -c "{script % port}"'}),
    ]


@requirement("RX-16")
@pytest.mark.parametrize(
    ("network", "reached"),
    [
        ("false", [False, False, False, False]),
        ("true", [True, True, True, True]),
        ('["localhost"]', [True, False, False, False]),
        ('["example.org"]', [False, False, False, False]),
        ("[]", [False, False, False, False]),
    ],
)
def test_the_network_is_off_on_or_a_list(walled: Daedal, model, page: int, network: str, reached: list[bool]):
    configure(walled, f"[sandbox]\nnetwork = {network}\n")
    model([calls(*fetching(page)), say("Done.")])
    assert walled("exec", "Go.").code == 0
    assert ["page-of-mine" in content for content in results(walled)] == reached


@requirement("RX-16")
def test_killed_in_the_middle_daedal_leaves_no_command_behind(walled: Daedal, model):
    """The command holds one end of a socket: its end is the end of the command."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(60)
    configure(walled, "[sandbox]\nnetwork = true\n")
    script = (
        "import os, signal, socket, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        f"s = socket.create_connection(('127.0.0.1', {listener.getsockname()[1]}))\n"
        "if os.fork() == 0: os.setsid()\n"
        "s.sendall(b'here')\n"
        "time.sleep(600)\n"
    )
    (walled.workspace / "stay.py").write_text(script)
    model([call("Bash", command="python3 stay.py"), say("Done.")])
    process = walled.start("exec", "Go.")
    connection, _ = listener.accept()
    connection.settimeout(60)
    heard = b""
    while heard.count(b"here") < 2:
        heard += connection.recv(100)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert connection.recv(100) == b""
    connection.close()
    listener.close()


@requirement("RX-16")
def test_a_command_sees_no_keys_in_other_processes(walled: Daedal, model):
    key = "sk-ant-only-in-the-process-1234"
    model(
        [
            calls(
                ("Bash", {"command": "cat /proc/*/environ | tr '\\0' '\\n'"}),
                ("Bash", {"command": f"cat /proc/{os.getpid()}/environ"}),
                ("Read", {"file_path": f"/proc/{os.getpid()}/environ"}),
                ("Read", {"file_path": "/proc/self/environ"}),
                ("Grep", {"pattern": "only-in", "path": "/proc/self"}),
            ),
            say("Done."),
        ]
    )
    walled("exec", "Go.", "--approval", "yolo", ANTHROPIC_API_KEY=key)
    assert all("only-in-the-process" not in content for content in results(walled))
    assert all("REDACTED" not in content for content in results(walled))


@requirement("RX-16")
def test_daedals_home_is_read_only_to_commands_and_its_secrets_are_closed(walled: Daedal, model):
    home: Path = walled.home / ".daedal"
    home.mkdir()
    (home / ".env").write_text("ACME_TOKEN=never-to-be-seen\n")
    (home / ".env").chmod(0o600)
    script = f"""
import os
for name in ("config.toml", "trust.json", ".env", "daedal.db", "AGENTS.md"):
    for mode in ("a", "r"):
        try: print(name, mode, open("{home}/" + name, mode).read() if mode == "r" else open("{home}/" + name, mode))
        except Exception as error: print(name, mode, "refused")
try: os.rename("{home}", "{walled.workspace}/taken"); print("MOVED")
except OSError: pass
"""
    (walled.workspace / "try.py").write_text(script)
    model([call("Bash", command="python3 try.py"), say("Done.")])
    walled("exec", "Go.", "--approval", "yolo")
    (content,) = results(walled)
    assert "never-to-be-seen" not in content
    assert "SQLite format" not in content
    assert "MOVED" not in content
    assert content.count("a refused") == 5
    assert not (home / "config.toml").exists()


@requirement("RX-16")
def test_what_steers_and_was_made_by_a_command_is_moved_aside_and_told(walled: Daedal, model):
    (walled.workspace / "a.txt").write_text("a\n")
    made = "x=$(echo .); echo evil > $x/daedal.toml; mkdir -p $x/.claude; echo evil > $x/.claude/settings.json; true"
    server = model([call("Bash", command=made), call("Bash", command="ls -A"), say("Done.")])
    done = walled("exec", "Go.", "--approval", "yolo")
    assert done.code == 0, done.err
    told = f"{walled.workspace}/daedal.toml was moved to {walled.workspace}/daedal.toml.quarantined-"
    assert told in results(walled)[0]
    assert "[sandbox] A command made what steers an agent or git" in done.err
    (aside,) = walled.workspace.glob("daedal.toml*")
    assert aside.read_text() == "evil\n"
    assert sorted(path.name for path in walled.workspace.iterdir()) == ["a.txt", aside.name]
    assert len(server.requests) == 3
