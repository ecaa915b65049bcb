"""Can a face list what is there for a thread? Skills, hooks, MCP servers, agents and rules, over the wire."""

from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child

CONFIG = """
[permissions]
deny = ["Bash(rm:*)"]
allow = ["Read(("]

[[hooks]]
hook_event_name = "PreToolUse"
matcher = "Bash"
command = "true"

[[hooks]]
hook_event_name = "InstructionsLoaded"
command = "true"

[[plugins]]
name = "mute"
command = "false"
"""


def skill(daedal: Daedal) -> None:
    folder = daedal.home / ".daedal" / "skills" / "greet"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: greet\ndescription: Says hello.\n---\nSay hello.\n")


@requirement("DX-10")
def test_what_is_there_for_a_thread_can_be_listed(daedal: Daedal, model):
    model([])
    skill(daedal)
    (daedal.home / ".daedal" / "config.toml").write_text(CONFIG)
    here = str(daedal.workspace)
    with Child(daedal) as client:
        client.hello()
        (skills,) = client.call("skills/list", {"cwds": [here], "forceReload": True})["data"]
        assert (skills["cwd"], skills["errors"]) == (here, [])
        assert [(one["name"], one["description"], one["scope"]) for one in skills["skills"]] == [
            ("greet", "Says hello.", "user")
        ]
        (hooks,) = client.call("hooks/list", {"cwds": [here]})["data"]
        assert [(one["eventName"], one["matcher"], one["command"]) for one in hooks["hooks"]] == [
            ("preToolUse", "Bash", "true")
        ]
        assert [one["eventName"] for one in hooks["further"]] == ["instructionsLoaded"]
        (server,) = client.call("mcpServerStatus/list", {})["data"]
        assert (server["name"], server["runtimeStatus"], server["tools"]) == ("mute", "failed", {})
        agents = client.call("agent/list", {"cwd": here})["data"]
        assert "general-purpose" in [one["name"] for one in agents]
        rules = client.call("permission/list", {})
        assert [(one["list"], one["rule"], one["invalid"] is None) for one in rules["data"]] == [
            ("deny", "Bash(rm:*)", True),
            ("allow", "Read((", False),
        ]
        assert (rules["defaultMode"], rules["managedOnly"]) == ("default", False)
        assert client.leave() == 0
