"""What if an editor does not keep to the protocol, or leaves in the middle? It hears of it; the record holds."""

import json
import os
import signal
import subprocess
import sys
from typing import Any

import pytest

from daedal.editor.lines import LINE_BYTES_MAX
from tests.editor.editors import DEADLINE_S, RawEditor
from tests.journeys.test_bad_input import configure
from tests.toolbox.model_server import call, huge, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


@pytest.fixture
def editor(daedal: Daedal):
    made: list[RawEditor] = []

    def start(*words: str) -> RawEditor:
        made.append(RawEditor(daedal, *words))
        return made[-1]

    yield start
    for each in made:
        if each.process.poll() is None:
            each.process.kill()
        each.process.communicate()


def opened(editor: RawEditor, daedal: Daedal) -> str:
    editor.introduce()
    return editor.ask(1, "session/new", {"cwd": str(daedal.workspace), "mcpServers": []})["result"]["sessionId"]


def prompt(session: str, text: str = "Go.") -> dict[str, Any]:
    return {"sessionId": session, "prompt": [{"type": "text", "text": text}]}


@requirement("DX-12")
def test_lines_that_make_no_sense_are_answered_and_the_next_one_works(editor, daedal: Daedal):
    rude = editor()
    wrong = [
        (b'{"jsonrpc": "2.0", "id": 1, "method"', -32700, None),
        (b"\xff\xfe not json", -32700, None),
        (b"[" * 100_000, -32700, None),
        (b"[]", -32600, None),
        (b"42", -32600, None),
        (b'{"jsonrpc": "2.0", "id": [1], "method": "initialize"}', -32600, None),
        (b'{"jsonrpc": "2.0", "id": 5, "method": ["initialize"]}', -32600, 5),
        (b'{"jsonrpc": "2.0", "id": 6}', -32600, 6),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "no/such", "params": {}}', -32601, 7),
        (b'{"jsonrpc": "2.0", "id": 8, "method": "initialize", "params": []}', -32602, 8),
        (b'{"jsonrpc": "2.0", "id": 9, "method": "session/new", "params": {"cwd": "/", "mcpServers": []}}', -32600, 9),
    ]
    for line, code, number in wrong:
        rude.line(line)
        answer = rude.hear()
        assert (answer["error"]["code"], answer["id"]) == (code, number), line[:80]
    for ignored in (b"", b'{"jsonrpc": "2.0", "id": 99, "result": {}}', b'{"id": 98, "error": "what?"}'):
        rude.line(ignored)
    rude.introduce()
    assert rude.leave()[0] == 0


def test_a_line_of_a_hundred_megabytes_is_left_out_and_the_next_one_works(editor):
    rude = editor()
    for _ in range(7):
        rude._in.write(b"x" * LINE_BYTES_MAX)
    rude.line(b"")
    assert rude.hear()["error"]["code"] == -32600
    rude.introduce()


WRONG = [
    ("session/prompt", {"sessionId": "nobody", "prompt": []}, -32002),
    ("session/set_mode", {"sessionId": "nobody", "modeId": "plan"}, -32002),
    ("session/prompt", {"sessionId": 5, "prompt": "text"}, -32602),
    ("session/prompt", {}, -32602),
    ("session/new", {"cwd": "relative", "mcpServers": []}, -32602),
    ("session/new", {"cwd": "/no/such/folder", "mcpServers": []}, -32602),
    ("session/new", {"cwd": "/tmp\u0000x", "mcpServers": []}, -32602),
    ("session/load", {"cwd": "/", "sessionId": "\ud800", "mcpServers": []}, -32002),
    ("authenticate", {"methodId": "magic"}, -32602),
    ("session/fork", {"cwd": "/", "sessionId": "x"}, -32601),
    ("_vendor/thing", {}, -32601),
]


def test_a_wrong_request_is_refused_with_a_code_of_its_own(editor, model):
    model([])
    rude = editor()
    rude.introduce()
    for number, (method, params, code) in enumerate(WRONG, 1):
        answer = rude.ask(number, method, params)
        assert answer["error"]["code"] == code, (method, params, answer)
        assert answer["error"]["message"]


def test_an_empty_prompt_and_half_a_character_do_no_harm(editor, daedal: Daedal, model):
    model([say("Fine.")])
    rude = editor()
    session = opened(rude, daedal)
    assert rude.ask(2, "session/prompt", {"sessionId": session, "prompt": []})["error"]["code"] == -32602
    assert rude.ask(3, "session/prompt", prompt(session, "Half: \ud83d"))["result"]["stopReason"] == "end_turn"
    rude.send(method="session/cancel", params={"sessionId": session})
    rude.send(method="session/cancel", params={"sessionId": "nobody"})
    rude.send(method="session/cancel", params=5)
    rude.introduce()


@requirement("DX-12")
def test_an_editor_that_leaves_in_the_middle_leaves_an_interrupted_turn_on_the_record(editor, daedal: Daedal, model):
    server = model([call("Read", file_path="nothing.txt"), stall()])
    rude = editor()
    session = opened(rude, daedal)
    rude.send(id=2, method="session/prompt", params=prompt(session))
    server.wait_for_stall()
    code, out, err = rude.leave()
    assert (code, err) == (0, "")
    assert all(json.loads(line) for line in out.splitlines())
    assert daedal.rows("SELECT status FROM turns") == [("interrupted",)]
    assert daedal.session == session


def test_an_editor_that_leaves_while_a_person_is_asked_has_allowed_nothing(editor, daedal: Daedal, model):
    configure(daedal, '[permissions]\nask = ["Bash"]\n')
    model([call("Bash", command="touch made")])
    rude = editor()
    session = opened(rude, daedal)
    rude.send(id=2, method="session/prompt", params=prompt(session))
    while rude.hear().get("method") != "session/request_permission":
        pass
    code, _, err = rude.leave()
    assert (code, err) == (0, "")
    assert not (daedal.workspace / "made").exists()
    assert daedal.rows("SELECT status FROM turns") == [("interrupted",)]


def test_an_answer_that_is_none_is_no_permission(editor, daedal: Daedal, model):
    configure(daedal, '[permissions]\nask = ["Bash"]\n')
    model([call("Bash", command="touch made"), say("Then not.")])
    rude = editor()
    session = opened(rude, daedal)
    rude.send(id=2, method="session/prompt", params=prompt(session))
    while (asked := rude.hear()).get("method") != "session/request_permission":
        pass
    rude.send(id=asked["id"], result={"outcome": {"outcome": "selected"}})
    assert rude.answer(2)["result"]["stopReason"] == "end_turn"
    assert not (daedal.workspace / "made").exists()


def test_a_signal_ends_it_like_an_editor_that_leaves(editor, daedal: Daedal, model):
    server = model([stall()])
    rude = editor()
    session = opened(rude, daedal)
    rude.send(id=2, method="session/prompt", params=prompt(session))
    server.wait_for_stall()
    rude.process.send_signal(signal.SIGTERM)
    assert rude.process.wait(DEADLINE_S) == 0
    assert daedal.rows("SELECT status FROM turns") == [("interrupted",)]


def test_an_editor_that_stops_reading_gets_everything_once_it_reads_again(editor, daedal: Daedal, model):
    server = model([huge(4 * 1024 * 1024, chunks=5_000)])
    rude = editor()
    session = opened(rude, daedal)
    rude.send(id=2, method="session/prompt", params=prompt(session))
    server.wait_for_requests(1)
    said = 0
    while "result" not in (message := rude.hear()):
        update = message.get("params", {}).get("update", {})
        said += len(update["content"]["text"]) if update.get("sessionUpdate") == "agent_message_chunk" else 0
    assert said == 16 * (4 * 1024 * 1024 // 16 + 1)


def test_an_editor_that_reads_nothing_is_given_up_in_the_end(editor, daedal: Daedal, model):
    model([huge(24 * 1024 * 1024, chunks=2_000)])
    rude = editor()
    session = opened(rude, daedal)
    rude.send(id=2, method="session/prompt", params=prompt(session))
    assert rude.process.wait(DEADLINE_S) == 0
    assert b"the editor reads nothing" in rude.process.stderr.read()
    assert daedal.rows("SELECT status FROM turns") in ([("interrupted",)], [("completed",)])


def test_nothing_but_the_protocol_comes_out_and_warnings_go_to_the_other_stream(daedal: Daedal, model):
    model([say("Hello.")])
    (daedal.workspace / "daedal.toml").write_text("nonsense = true\n")
    rude = RawEditor(daedal, "--no-sandbox")
    session = opened(rude, daedal)
    rude.send(id=2, method="session/prompt", params=prompt(session))
    code, out, err = 0, [rude.hear()], ""
    while out[-1].get("id") != 2:
        out.append(rude.hear())
    code, rest, err = rude.leave()
    assert code == 0
    assert rest == ""
    assert all(message["jsonrpc"] == "2.0" for message in out)
    assert "sandbox" in err


@pytest.mark.parametrize("where", ["a file", os.devnull, "nothing"])
def test_where_nobody_can_be_at_the_other_end_it_says_so(daedal: Daedal, tmp_path, where: str):
    path = tmp_path / "input"
    path.write_bytes(b"")
    closed = "exec 0<&-; " if where == "nothing" else ""
    with open(os.devnull if where == os.devnull else path, "rb") as given:
        done = subprocess.run(
            ["/bin/sh", "-c", f'{closed}exec "$0" -m daedal acp', sys.executable],
            stdin=given,
            capture_output=True,
            cwd=daedal.workspace,
            env=daedal.environment(),
            timeout=DEADLINE_S,
        )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == (
        "error: this speaks to an editor over pipes · configure the editor to start daedal acp\n"
    )
