"""Can policy be tested like code? Cases are decided offline, the past is decided again, and bad input is answered."""

import json
import resource

import pytest

from tests.toolbox.model_server import calls, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

CASE = {"profile": "run", "cwd": "/srv/project", "home": "/home/dev"}
COMMANDS = [
    "ls -la src",
    "git commit -m 'it''s done' && npm test",
    "cat a.txt | grep -n x | sort | uniq -c > out.txt",
    'for f in *.py; do python3 -m pytest "$f"; done',
    "echo $(curl x) > .daedal/status.json",
    "bash -c 'rm -rf /'",
    "find . -name '*.py' -exec rm {} +",
    "cat <<'E' > x\nhello\nE",
]


@requirement("DX-02")
@pytest.mark.parametrize("count", [2_000, pytest.param(10_000, marks=pytest.mark.long)])
def test_thousands_of_commands_are_decided_in_time(daedal: Daedal, count: int):
    cases = "".join(
        json.dumps({**CASE, "id": str(number), "command": f"{COMMANDS[number % len(COMMANDS)]} # {number}"}) + "\n"
        for number in range(count)
    )
    began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    run = daedal("policy", "check", "bash", stdin=cases)
    took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - began
    assert run.code == 0, run.err[:500]
    assert len(run.lines) == count
    assert took < count * 0.002  # of the processor's time, which does not depend on how busy this computer is


@requirement("DX-02")
@pytest.mark.parametrize("kind", ["bash", "tool", "path", "hooks"])
def test_what_is_no_case_is_answered_on_its_line_and_the_others_are_decided(daedal: Daedal, kind: str):
    strange = ["{", "[]", "7", "null", '"x"', "{}", '{"id": 1}', '{"id": "a", "command": 7}', '{"command": null}']
    strange += ['{"id": "b", "tool": 7, "input": [], "path": {}, "outcomes": 3}', "[" * 3_000, '{"id": "\\ud800"}']
    raw = "\n".join(strange).encode() + b"\n\xff\xfe\n\n   \n"
    run = daedal("policy", "check", kind, stdin=raw)
    assert run.code == 2, run
    assert "Traceback" not in run.err
    assert len(run.lines) == len(strange) + 1
    assert all({"id", "decision", "reason", "rule"} <= answer.keys() for answer in run.lines)
    assert all(answer["decision"] != "allow" for answer in run.lines), run.out


@requirement("DX-02")
def test_nothing_in_is_nothing_out(daedal: Daedal):
    for kind in ("bash", "tool", "path", "hooks"):
        run = daedal("policy", "check", kind)
        assert (run.code, run.out) == (0, "")
    missing = daedal("policy", "check", "bash", "nowhere.jsonl")
    assert (missing.code, "nowhere.jsonl" in missing.err) == (2, True)
    assert daedal("policy", "check", "tea").code == 2


@requirement("DX-02")
def test_deciding_runs_nothing_and_opens_nothing(daedal: Daedal):
    cases = [{**CASE, "id": "1", "command": "touch made; echo $(touch made)"}]
    daedal("policy", "check", "bash", stdin="".join(map(json.dumps, cases)))
    assert list(daedal.workspace.iterdir()) == []
    assert not daedal.database.exists()


@requirement("DX-03")
def test_the_past_is_decided_again_under_other_rules_without_running_it(daedal: Daedal, model):
    server = model(
        [calls(("Bash", {"command": "touch one"}), ("Write", {"file_path": "two", "content": "x"})), say("Done.")]
    )
    daedal("exec", "Go.")
    (daedal.workspace / "one").unlink()
    rules = daedal.root / "rules.toml"
    rules.write_text('[permissions]\ndeny = ["Bash(touch:*)"]\nallow = ["Write"]\n')
    asked = len(server.requests)
    changed = daedal("policy", "replay", "--rules", str(rules), "--json").lines
    assert [(one["tool"], one["after"]["decision"]) for one in changed] == [("Bash", "deny"), ("Write", "allow")]
    assert len(server.requests) == asked
    assert not (daedal.workspace / "one").exists()
    assert daedal("policy", "replay", "--rules", str(rules), "--since", "1s", "--json").code == 0


@requirement("DX-03")
@pytest.mark.parametrize("text", ["not toml", '[permissions]\ndeny = ["Bash("]\n', "[permissions]\ndeny = 7\n", "\0"])
def test_rules_that_are_none_are_refused_before_anything_is_shown(daedal: Daedal, text: str):
    rules = daedal.root / "rules.toml"
    rules.write_text(text)
    run = daedal("policy", "replay", "--rules", str(rules))
    assert "Traceback" not in run.err
    assert run.code == 2, run


@requirement("DX-03")
def test_nothing_recorded_and_odd_times_are_answered(daedal: Daedal):
    rules = daedal.root / "rules.json"
    rules.write_text("{}")
    assert daedal("policy", "replay", "--rules", str(rules)).code == 0
    assert daedal("policy", "replay", "--rules", str(rules), "--since", "soon").code == 2
    assert daedal("policy", "replay", "--rules", "nowhere").code == 2
