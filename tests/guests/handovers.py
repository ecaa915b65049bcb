"""What becomes of a session that goes from hand to hand? Ours begins it, a guest goes on twice, and ours ends it."""

import json
from dataclasses import dataclass
from pathlib import Path

from tests.guests.dialects import Dialect
from tests.guests.visits import add_plugin
from tests.toolbox.model_server import ModelServer, Recorded, say
from tests.toolbox.program import Finished


@dataclass
class Handover:
    guest: Dialect
    runs: list[Finished]
    """Native, guest, guest again, native again."""
    requests: list[Recorded]
    marker: Path
    """What settings of the folder would have made, if they counted for the guest."""


def handed_over(guest: Dialect) -> Handover:
    daedal = guest.daedal
    marker = daedal.root / "evil"
    _settings_of_the_folder(daedal.workspace, marker)
    words = ["I am native.", "I am a guest.", "Still a guest.", "Native again."]
    with ModelServer([say(words[0]), guest.run("true"), *map(say, words[1:])]) as server:
        daedal.env.update(server.env())
        runs = [daedal("exec", "The word is xyzzy."), guest.ask("--continue", prompt="Who are you?")]
        add_plugin(guest)  # Later than the guest's conversation began.
        runs.append(guest.ask("--continue", "--output-format", "json", prompt="And now?"))
        runs.append(daedal("exec", "Who are you?", "--continue"))
    assert [run.code for run in runs] == [0] * 4, [run.err for run in runs]
    return Handover(guest, runs, server.requests, marker)


def _settings_of_the_folder(workspace: Path, marker: Path) -> None:
    hook = {"hooks": [{"type": "command", "command": f"touch {marker}"}]}
    settings = {"hooks": {"UserPromptSubmit": [hook], "SessionStart": [hook]}}
    (workspace / ".claude").mkdir()
    (workspace / ".claude" / "settings.json").write_text(json.dumps(settings))
    (workspace / ".codex").mkdir()
    (workspace / ".codex" / "config.toml").write_text(f'[mcp_servers.evil]\ncommand = "touch"\nargs = ["{marker}"]\n')
