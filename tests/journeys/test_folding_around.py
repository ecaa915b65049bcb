"""Who has a say in a fold, who pays for it, what does a crash do to it, and how does a person look at it?"""

import json
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

import daedal as package
from tests.crash.story import KILLER
from tests.journeys.test_folding import LONG, PROMPT, WINDOW, YOLO, failures, folds
from tests.journeys.test_hooks import heard, listening
from tests.toolbox.model_server import ModelServer, Reply, call, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.small_model import SmallModel, is_summary, point_at, steps
from tests.toolbox.wire_client import Child

FULL = 12
"""Steps of which the last ones come after a fold."""


def hooked(daedal: Daedal, **commands: str) -> None:
    """Adds hooks to the settings that are there."""
    file = daedal.home / ".daedal" / "config.toml"
    tables = [f"[[hooks.{event}]]\ncommand = {json.dumps(commands[event])}\nshell = 'sh'\n" for event in commands]
    file.write_text("\n".join([file.read_text(), *tables]))


@requirement("RX-08")
def test_hooks_hear_of_a_fold_before_and_after_it_and_which_kind_it_is(daedal: Daedal):
    small = SmallModel(steps(FULL, characters=LONG))
    with ModelServer(small) as server:
        point_at(daedal, server, window=WINDOW)
        hooked(daedal, PreCompact=listening(daedal), PostCompact=listening(daedal), SessionStart=listening(daedal))
        assert daedal("exec", PROMPT, *YOLO).code == 0
        done = daedal("sessions", "compact", daedal.session, "--focus", "the colours")
    assert done.code == 0, done.err
    kinds = ("hook_event_name", "trigger", "custom_instructions", "compact_summary", "source")
    told = [{key: one[key] for key in kinds if key in one} for one in heard(daedal)]
    assert told == [
        {"hook_event_name": "SessionStart", "source": "startup"},
        {"hook_event_name": "PreCompact", "trigger": "auto", "custom_instructions": None},
        {
            "hook_event_name": "PostCompact",
            "trigger": "auto",
            "compact_summary": "Digest 1: the work went well.",
        },
        {"hook_event_name": "SessionStart", "source": "compact"},
        {"hook_event_name": "SessionStart", "source": "resume"},
        {"hook_event_name": "PreCompact", "trigger": "manual", "custom_instructions": "the colours"},
        {
            "hook_event_name": "PostCompact",
            "trigger": "manual",
            "compact_summary": "Digest 2: the work went well.",
        },
        {"hook_event_name": "SessionStart", "source": "compact"},
    ]


def test_the_focus_reaches_the_summariser(daedal: Daedal):
    small = SmallModel(steps(3))
    with ModelServer(small) as server:
        point_at(daedal, server, window=WINDOW)
        assert daedal("exec", PROMPT, *YOLO).code == 0
        assert daedal("sessions", "compact", daedal.session, "--focus", "the colours").code == 0
        asked = next(request for request in server.requests if is_summary(request))
    assert "above all: the colours" in asked.json["messages"][-1]["content"]
    assert "tools" not in asked.json
    assert folds(daedal)[0]["focus"] == "the colours"


@requirement("RX-08")
def test_a_hook_that_blocks_a_fold_is_not_asked_at_every_step_and_the_turn_goes_on(daedal: Daedal):
    small = SmallModel(steps(FULL, characters=LONG))
    with ModelServer(small) as server:
        point_at(daedal, server, window=WINDOW)
        hooked(daedal, PreCompact=listening(daedal, then="echo not now >&2; exit 2"))
        assert daedal("exec", PROMPT, *YOLO).code == 0
        assert small.folds == 0
        assert 1 <= len(heard(daedal)) <= 3
        assert "not now" in failures(daedal)[0]["why"]
        done = daedal("sessions", "compact", daedal.session)
    assert done.code == 1
    assert "not now" in done.err
    assert folds(daedal) == []


@requirement("RX-08", "SD-07")
def test_a_fold_is_paid_for_like_any_call(daedal: Daedal):
    small = SmallModel(steps(FULL, characters=LONG))
    with ModelServer(small) as server:
        point_at(daedal, server, window=WINDOW)
        file = daedal.home / ".daedal" / "config.toml"
        file.write_text(file.read_text() + "price = { input = 1000.0, output = 1000.0 }\n")
        assert daedal("exec", PROMPT, *YOLO).code == 0
        used = [request.size // 4 for request in server.requests]
        first = [is_summary(request) for request in server.requests].index(True)
        rows = daedal.rows("SELECT input_tokens, cost_usd FROM model_calls ORDER BY id")
        assert sorted(tokens for tokens, _ in rows) == sorted(used)
        assert all(cost == pytest.approx((tokens + 20) / 1_000) for tokens, cost in rows)
        session = json.loads(daedal("sessions", "show", daedal.session, "--json").out)["session"]
        assert session["cost_usd"] == pytest.approx(sum(used) / 1_000 + 20 * len(used) / 1_000)
        # What is left after the steps is too little for a summary, which reads more than a step adds.
        poor = daedal("exec", PROMPT, *YOLO, "--max-budget-usd", str(sum(used[:first]) / 1_000))
    assert poor.code == 53
    assert "budget" in poor.err


@requirement("RX-08", "DX-04")
def test_killed_while_it_is_summed_up_a_thread_goes_on_where_it_was(daedal: Daedal):
    stalling = [True]

    def summary(number: int) -> Reply:
        return stall(after=1, reply=say("Digest", chunks=3)) if stalling[0] else say(f"Digest {number}.")

    small = SmallModel(steps(FULL, characters=LONG), summary)
    with ModelServer(small) as server:
        point_at(daedal, server, window=WINDOW)
        process = daedal.start("exec", PROMPT, *YOLO)
        server.wait_for_stall()
        process.send_signal(signal.SIGKILL)
        process.communicate()
        before = len(daedal.entries())
        stalling[0] = False
        again = daedal("exec", "--resume", daedal.session, *YOLO)
    assert again.code == 0, again.err
    kinds = [kind for (kind,) in daedal.rows("SELECT entry_type FROM transcript_entries ORDER BY id")]
    assert kinds[:before].count("collapse_commit") == 0
    assert kinds.count("collapse_commit") == 1
    assert PROMPT.encode() in small.asked[-1].body
    assert daedal.rows("SELECT status FROM turns") == [("completed",)]


@requirement("RX-08", "DX-04")
def test_killed_at_the_commit_of_a_fold_a_thread_is_folded_or_it_is_not(daedal: Daedal):
    small = SmallModel(steps(FULL, characters=LONG))
    with ModelServer(small) as server:

        def killed(where: str, number: int) -> int:
            shutil.rmtree(daedal.home / ".daedal", ignore_errors=True)
            point_at(daedal, server, window=WINDOW)
            small.steps = small.folds = 0
            done = daedal("exec", PROMPT, *YOLO, PYTHONPATH=str(KILLER), KILL_AT=f"{where}:{number}")
            assert done.code == -signal.SIGKILL
            return len(folds(daedal))

        def goes_on() -> None:
            small.asked.clear()
            again = daedal("exec", "--resume", daedal.session, *YOLO)
            assert again.code == 0, again.err
            assert len(folds(daedal)) >= 1
            assert PROMPT.encode() in small.asked[-1].body
            assert small.asked[0].size // 4 < 0.8 * WINDOW

        point_at(daedal, server, window=WINDOW)
        assert daedal("exec", PROMPT, *YOLO).code == 0
        first = next(at for at, request in enumerate(server.requests) if is_summary(request))
        fold = 1 + 2 * first  # A prompt takes one commit, a step two; the fold's own is one of the next.
        own = next((number for number in range(fold, fold + 4) if killed("after", number)), None)
        assert own is not None, "no kill hit the fold's commit"
        assert small.folds == 1
        goes_on()
        assert killed("before", own) == 0
        assert small.folds == 1
        goes_on()


@requirement("DX-08")
def test_a_fold_that_would_lose_a_user_turn_is_taken_back_and_the_turn_goes_on(daedal: Daedal, tmp_path: Path):
    """With a build whose fold forgets what the user said: the check is what notices."""
    build = tmp_path / "build"
    source = Path(str(package.__file__)).parent
    shutil.copytree(source, build / "daedal", ignore=shutil.ignore_patterns("__pycache__"))
    view = build / "daedal" / "engine" / "fold_view.py"
    kept = 'kept.append(trimmed(piece, payload["block_bytes_max"]))'
    assert view.read_text().count(kept) == 1
    view.write_text(view.read_text().replace(kept, "pass"))
    small = SmallModel(steps(FULL, characters=LONG))
    with ModelServer(small) as server:
        point_at(daedal, server, window=WINDOW)
        done = daedal("exec", PROMPT, *YOLO, PYTHONPATH=str(build))
    assert done.code == 0, done.err
    assert "pinned facts would have got lost, a user_turn among them" in done.err
    assert folds(daedal) == []
    assert small.steps == FULL + 1
    assert 1 <= small.folds <= 2
    assert PROMPT.encode() in small.asked[-1].body


def test_a_sub_agent_is_folded_as_well(daedal: Daedal):
    def work(number: int) -> Reply:
        if number == 1:
            task = {
                "description": "Count",
                "prompt": "Count to fifty, and mind the hyacinth.",
                "subagent_type": "general-purpose",
            }
            return call("Agent", **task)
        return say("Done.") if number > 51 else steps(100)(number)

    small = SmallModel(work)
    with ModelServer(small) as server:
        point_at(daedal, server, window=WINDOW)
        done = daedal("exec", PROMPT, *YOLO)
    assert done.code == 0, done.err
    assert small.folds >= 1
    assert b"mind the hyacinth" in small.asked[-2].body
    worked = daedal.rows("SELECT DISTINCT session_id FROM transcript_entries WHERE entry_type = 'collapse_commit'")
    assert worked == daedal.rows("SELECT session_id FROM sessions WHERE worked_for IS NOT NULL")


def parts(context: dict[str, Any]) -> dict[str, int]:
    return {part["kind"]: part["tokens"] for part in context["parts"]}


@requirement("RX-08")
def test_what_fills_the_window_is_shown_by_part(daedal: Daedal):
    (daedal.workspace / "AGENTS.md").write_text("Be brief.\n" * 40)
    small = SmallModel(steps(FULL, characters=LONG))
    with ModelServer(small) as server:
        point_at(daedal, server, window=WINDOW)
        with Child(daedal) as client:
            thread = client.hello().thread(approvalPolicy="yolo")
            fresh = client.call("thread/context/read", {"threadId": thread})
            assert set(parts(fresh)) == {"systemPrompt", "tools", "instructions", "free"}
            assert fresh["isEstimate"]
            client.turn(thread, PROMPT)
            live = client.call("thread/context/read", {"threadId": thread})
            client.leave()
        counted = small.asked[-1].size // 4
        stored = json.loads(daedal("sessions", "context", thread[:13], "--json").out)
        drawn = daedal("sessions", "context", thread)
    assert (live["contextWindow"], live["thresholdTokens"], live["folds"]) == (WINDOW, int(0.8 * WINDOW), 1)
    assert counted <= live["usedTokens"] < counted + 50
    named = {"systemPrompt", "tools", "instructions", "userTurns", "digests", "replies", "toolCalls", "toolResults"}
    assert set(parts(live)) == {*named, "free"}
    assert sum(parts(live).values()) == WINDOW
    assert parts(stored) == parts(live)
    assert "tool results" in drawn.out
    assert "█" in drawn.out
    assert f"{WINDOW:,}" in drawn.out


def test_a_session_of_an_unknown_window_says_so_and_is_folded_by_hand(daedal: Daedal):
    small = SmallModel(steps(3))
    with ModelServer(small) as server:
        point_at(daedal, server, window=0)
        assert daedal("exec", PROMPT, *YOLO).code == 0
        assert "never folded by itself" in daedal("sessions", "context", daedal.session).out
        done = daedal("sessions", "compact", daedal.session, "--json")
    assert done.code == 0, done.err
    assert done.json["after"]["usedTokens"] < done.json["before"]["usedTokens"]


def test_bad_words_about_context_are_answered_with_a_sentence(daedal: Daedal, model):
    model([say("Hello.")])
    assert daedal("sessions", "context").code == 2
    assert daedal("sessions", "compact", "nonsense").code == 2
    assert daedal("exec", PROMPT).code == 0
    assert daedal("sessions", "context", "nonsense").code == 2
    assert "--focus goes with compact" in daedal("sessions", "show", daedal.session, "--focus", "x").err
    with Child(daedal) as client:
        client.hello()
        assert client.fails("thread/context/read", {"threadId": "nonsense"})
        assert client.fails("thread/compact/start", {"threadId": "nonsense"})
        assert client.fails("thread/compact/start", {})


@requirement("SD-07")
def test_a_summary_that_names_a_credential_is_kept_without_it(daedal: Daedal):
    secret = "sk-test-very-secret-0123456789"
    small = SmallModel(steps(FULL, characters=LONG), lambda _: say(f"The key is {secret}, remember it."))
    with ModelServer(small) as server:
        point_at(daedal, server, window=WINDOW, api_key_env="SMALL_KEY")
        daedal.env["SMALL_KEY"] = secret
        assert daedal("exec", PROMPT, *YOLO).code == 0
    assert small.folds == 1
    assert "The key is" in folds(daedal)[0]["summary"]
    for file in (daedal.home / ".daedal").rglob("*"):
        assert not file.is_file() or secret.encode() not in file.read_bytes(), file
    assert secret.encode() not in small.asked[-1].body


def said_in(request: Any) -> list[str]:
    return [str(message["content"]) for message in request.json["messages"]]


@requirement("RX-08")
def test_a_copy_of_a_folded_thread_and_one_that_went_back_before_the_fold_say_what_they_should(daedal: Daedal):
    small = SmallModel(steps(20))
    with ModelServer(small) as server:
        point_at(daedal, server, window=WINDOW)
        with Child(daedal) as client:
            thread = client.hello().thread(approvalPolicy="yolo")
            first = client.turn(thread, "Part one.")["turn"]["id"]
            second = client.turn(thread, "Part two.")["turn"]["id"]
            assert small.folds == 1
            yolo = {"threadId": thread, "approvalPolicy": "yolo"}
            whole = client.call("thread/fork", yolo)["thread"]["id"]
            early = client.call("thread/fork", {**yolo, "lastTurnId": first})["thread"]["id"]
            starts: list[int] = []
            for copy in (thread, whole, early):
                starts.append(len(small.asked))
                small.steps = 0
                client.turn(copy, "Next.")
            client.call("thread/rewind", {"threadId": thread, "beforeTurnId": second, "files": False})
            starts.append(len(small.asked))
            client.turn(thread, "Otherwise.")
            client.leave()
    original, copied, before, back = (small.asked[at] for at in starts)
    assert said_in(original) == said_in(copied)
    assert "<digest>" in "".join(said_in(copied))
    assert said_in(before)[1:3] == ["Part one.", "None"]
    assert "Part two." not in said_in(back)
    assert "Otherwise." in said_in(back)
    assert "<digest>" not in "".join(said_in(back))


def test_a_recorded_session_folds_again_when_it_is_replayed(daedal: Daedal):
    cassette = str(daedal.root / "cassette.jsonl")
    small = SmallModel(steps(FULL, characters=LONG))
    with ModelServer(small) as server:
        point_at(daedal, server, window=WINDOW)
        assert daedal("exec", PROMPT, *YOLO, "--record", cassette).code == 0
    other = Daedal(daedal.root / "other")
    replayed = other("exec", PROMPT, *YOLO, "--replay", cassette)
    assert replayed.code == 0, replayed.err
    assert [fold["summary"] for fold in folds(other)] == [fold["summary"] for fold in folds(daedal)]
    assert other.results() == daedal.results()
    assert "rows were folded: Digest 1" in other("sessions", "show", other.session).out


def test_a_fold_that_is_interrupted_changes_nothing(daedal: Daedal):
    small = SmallModel(steps(FULL, characters=LONG), lambda _: stall(after=1, reply=say("Digest", chunks=3)))
    with ModelServer(small) as server:
        point_at(daedal, server, window=WINDOW)
        process = daedal.start("exec", PROMPT, *YOLO)
        server.wait_for_stall()
        process.send_signal(signal.SIGINT)
        process.communicate()
    assert process.returncode == 130
    assert folds(daedal) == []
    assert daedal.rows("SELECT status FROM turns") == [("interrupted",)]


def test_what_folds_a_thread_is_not_even_loaded_before_one_is_full(daedal: Daedal):
    small = SmallModel(steps(3))
    daedal.program = [sys.executable, "-X", "importtime", "-m", "daedal"]
    with ModelServer(small) as server:
        point_at(daedal, server, window=WINDOW)
        done = daedal("exec", PROMPT, *YOLO)
    assert done.code == 0
    assert "daedal.engine.turn" in done.err
    assert "daedal.engine.fold" not in done.err
