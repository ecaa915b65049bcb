"""Does every argument mean what it says, and does a program learn of a mistake as a person does?"""

import json

import pytest

from tests.journeys.test_bad_input import complained, configure
from tests.toolbox.model_server import say
from tests.toolbox.program import Daedal


@pytest.mark.parametrize("words", [["-p", "Hi."], ["-pHi."], ["--print", "Hi."], ["--print=Hi."]])
def test_every_spelling_of_print_is_a_prompt(daedal: Daedal, model, words: list[str]):
    server = model([say("Hello.")])
    assert daedal(*words).out == "Hello.\n"
    assert server.requests[0].json["messages"][-1]["content"][-1]["text"] == "Hi."


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["exec", "x", "--max-turns", "abc"], ["--max-turns", '"abc" is no whole number']),
        (["exec", "x", "--max-turns", "1.5"], ['"1.5" is no whole number']),
        (["exec", "x", "--max-turns", "0"], ['"0" is no whole number from 1 on']),
        (["exec", "x", "--max-budget-usd", "lots"], ['"lots" is no amount']),
        (["exec", "x", "--max-budget-usd", "nan"], ['"nan" is no amount']),
        (["sessions", "--limit", "few"], ['"few" is no whole number']),
        (["exec", "x", "-p", "y"], ["two prompts"]),
        (["exec", "x", "--record", "a", "--replay", "b"], ["--record and --replay exclude each other"]),
    ],
)
def test_a_wrong_value_is_named_with_what_would_be_right(daedal: Daedal, words: list[str], parts: list[str]):
    complained(daedal(*words), 2, *parts)


@pytest.mark.parametrize("output_format", ["json", "stream-json"])
def test_a_program_gets_a_result_also_where_nothing_could_begin(daedal: Daedal, model, output_format: str, tmp_path):
    model([say("never")])
    junk = tmp_path / "junk.db"
    junk.write_bytes(b"not a database, but long enough to be looked at\n" * 100)

    def result(*words: str, **extra: str) -> tuple[int, str]:
        run = daedal("exec", *words, "--output-format", output_format, **extra)
        last = json.loads(run.out.splitlines()[-1])
        assert (last["type"], last["is_error"], last["status"]) == ("result", True, "failed")
        assert last["exit_code"] == run.code
        assert run.err == ""
        return run.code, last["error"]["message"]

    assert result("x", AGENT_SDLC_DB=str(junk))[0] == 1
    assert result("x", "--provider", "nobody")[0] == 2
    assert result("x", "--resume", "nope")[0] == 2
    assert "prompt is empty" in result("")[1]
    assert "--continue" in result("x", "--continue", "--resume", "y")[1]
    configure(daedal, "default_model = 3\n")
    code, message = result("x")
    assert code == 2
    assert "config.toml:1" in message


def test_without_the_sandbox_a_call_by_hand_is_warned_of_too(daedal: Daedal):
    wanted = json.dumps({"tool": "Glob", "input": {"pattern": "*"}})
    assert daedal("--eval", wanted).err == ""
    assert "--no-sandbox" in daedal("--eval", wanted, "--no-sandbox").err
