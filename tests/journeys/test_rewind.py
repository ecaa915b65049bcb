"""Can a person go back? Conversation, files or both, to any turn, with what cannot be undone named, and back again."""

from typing import Any

from tests.toolbox.model_server import call, calls, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child, WireClient


def turns_of(client: WireClient, thread: str) -> list[str]:
    read = client.call("thread/read", {"threadId": thread, "includeTurns": True})
    return [turn["id"] for turn in read["thread"]["turns"]]


def points_of(client: WireClient, thread: str) -> list[dict[str, Any]]:
    return client.call("thread/rewind/list", {"threadId": thread})["data"]


def said_to(request: Any) -> str:
    return str(request.json["messages"])


WORK = [
    call("Write", file_path="a.txt", content="one\n"),
    say("Written."),
    calls(
        ("Edit", {"file_path": "a.txt", "old_string": "one", "new_string": "two"}),
        ("Write", {"file_path": "new/deep/b.txt", "content": "b"}),
        ("Bash", {"command": "touch made; echo gone > a2.txt"}),
    ),
    say("Edited."),
]


@requirement("DX-07", "RX-13")
def test_files_and_conversation_go_back_together_and_what_cannot_is_named(daedal: Daedal, model):
    server = model([*WORK, say("Fresh.")])
    with Child(daedal) as client:
        client.hello(daedal=True)
        thread = client.thread(approvalPolicy="yolo")
        client.turn(thread, "First.")
        client.turn(thread, "Second.")
        first, second = turns_of(client, thread)
        [_, point] = points_of(client, thread)
        assert point["turnId"] == second
        assert point["text"] == "Second."
        assert point["files"] == [
            {"path": str(daedal.workspace / "a.txt"), "change": "changed"},
            {"path": str(daedal.workspace / "new/deep/b.txt"), "change": "added"},
        ]
        assert [effect["text"] for effect in point["effects"]] == ["touch made; echo gone > a2.txt"]
        wanted = {"threadId": thread, "beforeTurnId": second}
        tried = client.call("thread/rewind", {**wanted, "dryRun": True})
        assert (daedal.workspace / "a.txt").read_text() == "two\n"
        done = client.call("thread/rewind", wanted)
        assert tried["restored"] == done["restored"]
        assert [(file["path"].rpartition("/")[2], file["action"]) for file in done["restored"]] == [
            ("a.txt", "restored"),
            ("b.txt", "removed"),
        ]
        assert done["turns"] == [second]
        assert done["text"] == "Second."
        assert done["kept"] == []
        assert [effect["kind"] for effect in done["effects"]] == ["command"]
        assert [turn["id"] for turn in done["thread"]["turns"]] == [first]
        assert turns_of(client, thread) == [first]
        assert (daedal.workspace / "a.txt").read_text() == "one\n"
        assert not (daedal.workspace / "new").exists()
        assert (daedal.workspace / "made").exists()
        client.turn(thread, "Third.")
        assert client.methods().count("thread/rewound") == 1
    last = said_to(server.requests[-1])
    assert "First." in last
    assert "Third." in last
    assert "Second." not in last
    assert "Second." in str(daedal.entries("user"))
    assert "Second." not in daedal("export", thread).out


@requirement("DX-07")
def test_a_resumed_and_a_copied_thread_know_what_was_taken_out(daedal: Daedal, model):
    server = model([say("One."), say("Two."), say("Three."), say("Four.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        client.turn(thread, "First.")
        client.turn(thread, "Second.")
        [_, second] = turns_of(client, thread)
        reverted = client.call("thread/revert", {"threadId": thread, "beforeTurnId": second})
        assert len(reverted["thread"]["turns"]) == 1
        client.leave()
    with Child(daedal) as client:
        client.hello()
        assert len(client.call("thread/resume", {"threadId": thread})["thread"]["turns"]) == 1
        client.turn(thread, "Third.")
        fork = client.call("thread/fork", {"threadId": thread})["thread"]
        assert len(fork["turns"]) == 2
        client.turn(fork["id"], "Fourth.")
    for request in server.requests[2:]:
        assert "Second." not in said_to(request)
        assert "First." in said_to(request)
    found = daedal("memory", "search", "Second.")
    assert found is not None


@requirement("DX-07")
def test_a_rewind_can_be_undone(daedal: Daedal, model):
    server = model([*WORK, say("Still here.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(approvalPolicy="yolo")
        client.turn(thread, "First.")
        client.turn(thread, "Second.")
        before = turns_of(client, thread)
        done = client.call("thread/rewind", {"threadId": thread, "beforeTurnId": before[0]})
        assert not (daedal.workspace / "a.txt").exists()
        assert turns_of(client, thread) == []
        assert [point["inContext"] for point in points_of(client, thread)] == [False, False, False]
        client.call("thread/rewind", {"threadId": thread, "beforeTurnId": done["turnId"]})
        assert turns_of(client, thread) == before
        assert (daedal.workspace / "a.txt").read_text() == "two\n"
        assert (daedal.workspace / "new/deep/b.txt").read_text() == "b"
        client.turn(thread, "Third.")
    assert "Second." in said_to(server.requests[-1])


@requirement("DX-07")
def test_what_somebody_else_has_changed_is_named_and_overwritten_only_by_force(daedal: Daedal, model):
    model(WORK)
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(approvalPolicy="yolo")
        client.turn(thread, "First.")
        client.turn(thread, "Second.")
        (daedal.workspace / "a.txt").write_text("mine\n")
        wanted = {"threadId": thread, "beforeTurnId": turns_of(client, thread)[0], "conversation": False}
        done = client.call("thread/rewind", wanted)
        assert [(file["path"].rpartition("/")[2], file["why"]) for file in done["kept"]] == [("a.txt", "changedSince")]
        assert (daedal.workspace / "a.txt").read_text() == "mine\n"
        assert not (daedal.workspace / "new").exists()
        forced = client.call("thread/rewind", {**wanted, "force": True})
        assert not (daedal.workspace / "a.txt").exists()
        client.call("thread/rewind", {**wanted, "beforeTurnId": forced["turnId"]})
        assert (daedal.workspace / "a.txt").read_text() == "mine\n"


@requirement("DX-07", "RX-16")
def test_a_link_in_the_way_is_never_followed(daedal: Daedal, model):
    model(WORK)
    outside = daedal.root / "outside"
    (outside / "deep").mkdir(parents=True)
    (outside / "deep" / "b.txt").write_text("theirs")
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(approvalPolicy="yolo")
        client.turn(thread, "First.")
        client.turn(thread, "Second.")
        (daedal.workspace / "new/deep/b.txt").unlink()
        (daedal.workspace / "new/deep").rmdir()
        (daedal.workspace / "new").rmdir()
        (daedal.workspace / "new").symlink_to(outside)
        (daedal.workspace / "a.txt").unlink()
        (daedal.workspace / "a.txt").symlink_to(outside / "deep" / "b.txt")
        wanted = {"threadId": thread, "beforeTurnId": turns_of(client, thread)[1], "force": True}
        done = client.call("thread/rewind", wanted)
        assert [file["path"].rpartition("/")[2] for file in done["kept"]] == ["b.txt"]
    assert (outside / "deep" / "b.txt").read_text() == "theirs"
    assert (daedal.workspace / "a.txt").read_text() == "one\n"
    assert not (daedal.workspace / "a.txt").is_symlink()


def test_a_rewind_of_nothing_is_refused_in_words(daedal: Daedal, model):
    model([say("One.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        assert points_of(client, thread) == []
        wrong = {"threadId": thread, "beforeTurnId": "x"}
        assert "x" in client.fails("thread/rewind", wrong)["message"]
        client.turn(thread)
        assert "x" in client.fails("thread/rewind", wrong)["message"]
        neither = {**wrong, "conversation": False, "files": False}
        assert "nothing to rewind" in client.fails("thread/rewind", neither)["message"]


@requirement("DX-07")
def test_a_session_goes_back_from_the_command_line(daedal: Daedal, model):
    model(WORK)
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(approvalPolicy="yolo")
        client.turn(thread, "First.")
        client.turn(thread, "Second.")
        busy = daedal("sessions", "rewind", thread, "--before", "last")
        assert busy.code == 75
        client.leave()
    listed = daedal("sessions", "rewind", thread)
    assert "Second." in listed.out
    assert "touch made" in listed.out
    tried = daedal("sessions", "rewind", thread, "--before", "2", "--dry-run")
    assert "would go back" in tried.out
    assert (daedal.workspace / "a.txt").read_text() == "two\n"
    done = daedal("sessions", "rewind", thread, "--before", "last", "--json").json
    assert [file["action"] for file in done["restored"]] == ["restored", "removed"]
    assert (daedal.workspace / "a.txt").read_text() == "one\n"
    undone = daedal("sessions", "rewind", thread, "--before", done["turnId"])
    assert undone.code == 0
    assert (daedal.workspace / "a.txt").read_text() == "two\n"
    (daedal.workspace / "a.txt").write_text("mine\n")
    left = daedal("sessions", "rewind", thread, "--before", "1", "--files")
    assert left.code == 1
    assert "somebody else has changed it" in left.out
    assert daedal("sessions", "rewind", thread, "--before", "99").code == 2
    assert daedal("sessions", "list", "--before", "1").code == 2
