"""Does the scripted model keep its own promises? Others build on it, so its corners are tested too."""

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.providers.asking import ask, every_wire, said
from tests.toolbox.model_server import ModelServer, Recorded, Reply, call, fail, say, scenario_json, think

PATHS = {"anthropic": "/v1/messages", "chat": "/v1/chat/completions", "responses": "/v1/responses"}


def post(url: str, body: Any = None, method: str = "POST") -> tuple[int, Any]:
    request = urllib.request.Request(url, data=json.dumps(body or {}).encode(), method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read())


@every_wire
def test_a_client_that_wants_no_stream_gets_one_object(wire: str):
    with ModelServer([think("Hm.") + say("Hello.") + call("Bash", command="ls")]) as server:
        status, answer = post(server.url + PATHS[wire], {"model": "m"})
    assert status == 200
    assert all(word in json.dumps(answer) for word in ("Hello.", "Bash", "toolu_0000_2"))


def test_replies_end_repeat_or_begin_again():
    def statuses(count: int, **options: Any) -> list[Any]:
        with ModelServer([say("one"), say("two")], **options) as server:
            answers = [post(server.url + PATHS["chat"])[1] for _ in range(count)]
        return [answer.get("error") or answer["choices"][0]["message"]["content"] for answer in answers]

    assert statuses(4, after="repeat") == ["one", "two", "two", "two"]
    assert statuses(5, after="cycle") == ["one", "two", "one", "two", "one"]
    assert statuses(3)[2]["message"] == "the scenario has only 2 replies"


def test_a_reply_may_serve_several_requests():
    with ModelServer([fail(500).but(times=2), say("Up.")]) as server:
        assert [post(server.url + PATHS["chat"])[0] for _ in range(3)] == [500, 500, 200]


@every_wire
def test_depth_finds_the_same_reply_however_often_it_is_asked(wire: str):
    first, second = {"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}
    key = "input" if wire == "responses" else "messages"
    with ModelServer([call("Bash", command="ls"), say("Done.")], pick="depth") as server:
        shallow = [post(server.url + PATHS[wire], {key: [first]}) for _ in range(2)]
        deep = post(server.url + PATHS[wire], {key: [first, second, first]})
    assert shallow[0] == shallow[1]
    assert "toolu_0000_0" in json.dumps(shallow[0])
    assert "Done." in json.dumps(deep)


def test_a_function_may_answer():
    def echo(request: Recorded) -> Reply:
        return say(f"{request.number} {request.json['messages'][-1]['content']}")

    with ModelServer(echo) as server:
        assert ask("chat", server) == said("0 Hello.")


def test_more_replies_can_be_added_and_the_script_restarted():
    with ModelServer([say("one")]) as server:
        server.add(say("two"))
        assert ask("chat", server) == said("one")
        assert ask("chat", server) == said("two")
        server.reset()
        assert ask("chat", server) == said("one")
        assert len(server.requests) == 1


def test_waiting_for_what_never_comes_fails_with_what_came():
    with ModelServer([say("one")]) as server, pytest.raises(AssertionError, match="saw 0 requests"):
        server.wait_for_requests(1, timeout_s=0.01)


@pytest.mark.parametrize("path", ["/v1/messages/count_tokens", "/v1/models"])
def test_questions_beside_the_script_are_answered(path: str):
    with ModelServer([]) as server:
        assert post(server.url + path)[0] == 200
        assert post(server.url + "/elsewhere")[0] == 404
        assert server.requests == []


def test_it_runs_as_a_process_of_its_own(tmp_path: Path):
    scenario, port_file = tmp_path / "replies.json", tmp_path / "port"
    scenario.write_bytes(scenario_json([say("Hello.", chunks=3)]))
    words = ["--scenario", str(scenario), "--port-file", str(port_file), "--after", "cycle"]
    with subprocess.Popen(
        [sys.executable, "-m", "tests.toolbox.model_server", *words, "--announce"], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            assert url == f"http://127.0.0.1:{port_file.read_text().strip()}"
            assert post(url + PATHS["chat"])[1]["choices"][0]["message"]["content"] == "Hello."
            (seen,) = post(url + "/__requests", method="GET")[1]
            assert (seen["number"], seen["path"]) == (0, PATHS["chat"])
            assert post(url + "/__reset")[0] == 200
            assert post(url + "/__requests", method="GET")[1] == []
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=30) == 0
        finally:
            process.kill()
