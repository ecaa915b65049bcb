"""Can a client of the app-server look after the house? Settings, rules, trust, memories; never more than was seen."""

from typing import Any

from tests.toolbox.model_server import say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child


@requirement("RX-15")
def test_what_changed_after_somebody_looked_is_not_trusted(daedal: Daedal, model):
    project = daedal.workspace / "daedal.toml"
    project.write_text('[permissions]\nallow = ["Bash(make:*)"]\n')
    model([])
    with Child(daedal) as client:
        client.hello()
        seen = client.call("trust/read", {})
        assert (seen["state"], len(seen["items"])) == ("untrusted", 1)
        project.write_text('[permissions]\nallow = ["Bash(*)"]\n')
        refused = client.fails("trust/write", {"trusted": True, "seen": seen["files"]})
        assert "changed since they were shown" in refused["message"]
        assert client.call("trust/read", {})["state"] == "untrusted"
        fresh = client.call("trust/read", {})
        assert client.call("trust/write", {"trusted": True, "seen": fresh["files"]})["state"] == "trusted"
        assert client.call("trust/write", {"trusted": False})["state"] == "untrusted"


@requirement("RX-15", "SD-12")
def test_rules_and_settings_are_written_checked_and_explained(daedal: Daedal, model):
    model([say("Hello.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        rule = {"list": "deny", "rule": "Bash(curl:*)", "threadId": thread}
        assert client.call("permission/write", {**rule, "scope": "session"})["file"] is None
        told = client.call("permission/why", {"call": "Bash(curl x)", "threadId": thread})
        assert (told["decision"], told["rules"]["deny"]) == ("deny", ["Bash(curl:*)"])
        assert client.call("permission/why", {"call": "Bash(curl x)"})["decision"] == "ask"
        assert "is no rule" in client.fails("permission/write", {**rule, "rule": "Bash("})["message"]
        assert client.call("setting/write", {"key": "agent.max_steps", "value": "9"})["value"] == 9
        assert client.fails("setting/write", {"key": "agent.max_steps", "value": "nine"})
        rows: list[dict[str, Any]] = client.call("config/read", {})["settings"]
        (changed,) = [row for row in rows if "next" in row]
        assert (changed["key"], changed["next"]) == ("agent.max_steps", 9)
        assert client.call("thread/usage/read", {"threadId": thread})["data"] == []


REFUSED: list[tuple[str, dict[str, str]]] = [
    ("mcpServer/accept", {"name": "x", "digest": ""}),
    ("mcpServer/reconnect", {"name": "x"}),
    ("mcpServer/oauth/login", {"name": "x"}),
    ("memory/read", {"id": "nothing"}),
    ("memory/forget", {"id": ""}),
    ("setting/write", {"key": "", "value": "x"}),
    ("permission/write", {"list": "maybe", "rule": "Bash"}),
]


def test_what_is_not_there_is_refused_in_a_sentence(daedal: Daedal, model):
    model([])
    with Child(daedal) as client:
        client.hello()
        answers = [client.fails(method, params)["message"] for method, params in REFUSED]
        assert all(answers)
        assert not any("internal" in answer.lower() or "Error" in answer for answer in answers), answers
