"""Does a prompt go in and an answer come out, with every step on the record?"""

from pathlib import Path

from tests.journeys.test_bad_input import configure
from tests.toolbox.model_server import Tokens, call, calls, say, think
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


@requirement("SD-04", "SD-03")
def test_the_model_and_the_tools_take_turns_until_the_answer(daedal: Daedal, model):
    (daedal.workspace / "greeting.txt").write_text("hello\n")
    server = model([say("I will look.") + call("Read", file_path="greeting.txt"), say("It says hello.")])
    run = daedal("exec", "What does greeting.txt say?")
    assert (run.code, run.out) == (0, "I will look.\nIt says hello.\n")
    assert "✓ Read greeting.txt" in run.err
    kinds = [kind for (kind,) in daedal.rows("SELECT entry_type FROM transcript_entries ORDER BY sequence")]
    assert kinds == ["system", "user", "assistant", "tool_use", "tool_result", "assistant"]
    asked, followed_up = (request.json for request in server.requests)
    assert asked["messages"][-1]["content"][-1]["text"] == "What does greeting.txt say?"
    result = followed_up["messages"][-1]["content"][0]
    assert result["tool_use_id"] == daedal.results()[0]["tool_use_id"]
    assert result["content"] == daedal.results()[0]["content"]


@requirement("SD-03")
def test_payloads_are_compact_json_with_their_type_and_the_specified_keys(daedal: Daedal, model):
    model([call("Bash", command="echo hi"), say("Done.")])
    assert daedal("exec", "Say hi.", "--approval", "yolo").code == 0
    raw = dict(daedal.rows("SELECT entry_type, payload_json FROM transcript_entries ORDER BY sequence"))
    assert raw["tool_result"].startswith('{"_t":"tool_result","tool_use_id":"')
    assert raw["tool_result"].endswith('"content":"hi\\n","is_error":false}')
    user = daedal.entries("user")[0]
    assert list(user) == ["_t", "uuid", "content"]
    assert user["content"] == [{"type": "text", "text": "Say hi."}]
    assert daedal.entries("tool_use")[0]["input"] == {"command": "echo hi"}


def test_the_prompt_may_come_by_flag_or_on_standard_input(daedal: Daedal, model):
    server = model([say("One."), say("Two."), say("Three.")])
    assert daedal("-p", "by flag").out == "One.\n"
    assert daedal("exec", stdin="by pipe").out == "Two.\n"
    assert daedal("exec", "-", stdin="by dash").out == "Three.\n"
    prompts = [request.json["messages"][-1]["content"][-1]["text"] for request in server.requests]
    assert prompts == ["by flag", "by pipe", "by dash"]


@requirement("RX-20")
def test_json_output_is_one_object_with_usage_and_cost(daedal: Daedal, model):
    model([say("Fine.").but(usage=Tokens(input=1_000_000, output=1_000_000))])
    result = daedal("exec", "How are you?", "--output-format", "json", "--model", "sonnet").json
    assert result["result"] == "Fine."
    assert (result["exit_code"], result["is_error"], result["status"]) == (0, False, "completed")
    assert result["total_cost_usd"] == 18.0
    assert result["usage"]["output_tokens"] == 1_000_000
    assert daedal.rows("SELECT cost_usd, output_tokens FROM model_calls") == [(18.0, 1_000_000)]


def test_stream_json_shows_every_event_with_a_gap_free_sequence_and_then_the_result(daedal: Daedal, model):
    model([call("Glob", pattern="*"), say("Nothing there.", chunks=3)])
    *events, result = daedal("exec", "Look around.", "--output-format", "stream-json").lines
    assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
    methods = [event["method"] for event in events]
    assert methods[0] == "thread/started"
    assert methods[-1] == "turn/completed"
    assert methods.index("turn/started") < methods.index("item/started") < methods.index("item/completed")
    text = "".join(event["params"]["delta"] for event in events if event["method"] == "item/agentMessage/delta")
    assert text == result["result"] == "Nothing there."


def test_continue_and_resume_go_on_with_the_same_conversation(daedal: Daedal, model):
    server = model([say("One."), say("Two."), say("Three.")])
    daedal("exec", "first")
    assert daedal("exec", "--continue", "second").code == 0
    assert daedal("exec", "--resume", daedal.session[:13], "third").code == 0
    last = server.requests[-1].json["messages"]
    assert [message["role"] for message in last] == ["user", "assistant"] * 2 + ["user"]
    assert daedal.rows("SELECT COUNT(*) FROM sessions") == [(1,)]
    assert daedal.rows("SELECT status FROM turns") == [("completed",)] * 3


def test_a_resumed_thread_sends_the_same_bytes_as_one_that_never_stopped(daedal: Daedal, model, tmp_path: Path):
    replies = [
        think("Hm.") + calls(("Read", {"file_path": "a"}), ("Glob", {"pattern": "*"})),
        say("One."),
        think("Well.") + say("Two."),
    ]
    server = model(replies, after="repeat")
    daedal("exec", "first")
    daedal("exec", "--continue", "second")
    before, after = server.requests[-2].json, server.requests[-1].json
    for body in (before, after):
        for message in body["messages"]:
            for block in message["content"]:
                block.pop("cache_control", None)
    assert after["system"] == before["system"]
    assert after["tools"] == before["tools"]
    assert after["messages"][: len(before["messages"])] == before["messages"]
    assert after["messages"][1]["content"][0]["type"] == "thinking"


def test_replies_can_be_recorded_and_replayed_without_a_model(daedal: Daedal, model, tmp_path: Path):
    model([call("Bash", command="echo made > made.txt"), say("Made it.")])
    cassette = str(tmp_path / "cassette.jsonl")
    assert daedal("exec", "Make it.", "--approval", "yolo", "--record", cassette).code == 0
    (daedal.workspace / "made.txt").unlink()
    daedal.env.clear()
    again = daedal("exec", "Make it.", "--approval", "yolo", "--replay", cassette)
    assert (again.code, again.out) == (0, "Made it.\n")
    assert (daedal.workspace / "made.txt").read_text() == "made\n"


def test_another_folder_and_another_system_prompt_are_used_when_given(daedal: Daedal, model, tmp_path: Path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "there.txt").write_text("here\n")
    (tmp_path / "prompt.md").write_text("You are terse.")
    server = model([call("Glob", pattern="*.txt"), say("Ok.")])
    run = daedal("exec", "Look.", "-C", str(elsewhere), "--system-prompt-file", str(tmp_path / "prompt.md"))
    assert run.code == 0
    assert "there.txt" in daedal.results()[0]["content"]
    system = server.requests[0].json["system"][0]["text"]
    assert system.startswith("You are terse.")
    assert str(elsewhere) in system


def test_the_first_request_with_six_tools_is_at_most_8_kilobytes(daedal: Daedal, model):
    six = ["Read", "Write", "Edit", "Bash", "Glob", "Grep"]
    server = model([say("Hi.")], after="repeat")
    daedal("exec", "Hello.")
    configure(daedal, f"[tools]\nenabled = {six}\n")
    daedal("exec", "Hello.")
    every, few = server.requests
    assert [tool["name"] for tool in few.json["tools"]] == six
    assert len(few.body) <= 8192
    assert len(every.body) <= 14 * 1024


def test_adjacent_readers_overlap_and_results_keep_their_declared_order(daedal: Daedal, model):
    for name in ("a", "b", "c"):
        (daedal.workspace / name).write_text(name)
    server = model(
        [
            calls(
                ("Read", {"file_path": "a"}),
                ("Read", {"file_path": "b"}),
                ("Bash", {"command": "echo x > c"}),
                ("Read", {"file_path": "c"}),
            ),
            say("Done."),
        ]
    )
    daedal("exec", "Go.", "--approval", "yolo")
    blocks = server.requests[1].json["messages"][-1]["content"]
    uses = server.requests[1].json["messages"][-2]["content"]
    assert [block["tool_use_id"] for block in blocks] == [use["id"] for use in uses]
    assert "x" in blocks[3]["content"]


@requirement("RX-01", "RX-02")
def test_a_further_vendor_is_a_config_edit(daedal: Daedal, model):
    server = model([say("From chat."), say("From responses.")])
    config = daedal.home / ".daedal" / "config.toml"
    config.parent.mkdir()
    config.write_text(
        f"""
default_model = "acme"
[[providers]]
name = "acme"
kind = "openai"
base_url = "{server.url}/v1"
models = ["acme-small", "acme-large"]
default = "acme-large"
api_key_env = "ACME_KEY"
[[providers]]
name = "acme-next"
kind = "openai"
wire = "responses"
base_url = "{server.url}/v1"
model = "next-1"
api_key_env = "ACME_KEY"
"""
    )
    assert daedal("exec", "Hello.", ACME_KEY="acme-secret-key").out == "From chat.\n"
    assert (
        daedal("exec", "Hello.", "--model", "acme-next/next-1", ACME_KEY="acme-secret-key").out == "From responses.\n"
    )
    assert [request.json["model"] for request in server.requests] == ["acme-large", "next-1"]
    assert [request.wire for request in server.requests] == ["chat", "responses"]
    assert server.requests[0].headers["authorization"] == "Bearer acme-secret-key"
