"""Can a person show a model something? Images with a prompt: by path or in the message, on the record, or refused."""

from base64 import b64encode
from typing import Any

import pytest

from tests.toolbox.model_server import say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child, WireClient
from tests.tools.test_read_images import png

PICTURE = png(4, 3)
URL = f"data:image/png;base64,{b64encode(PICTURE).decode()}"
WORDS = {"type": "text", "text": "What is this?"}


def begin(client: WireClient, thread: str, *given: dict[str, Any]) -> None:
    client.call("turn/start", {"threadId": thread, "input": list(given)})
    client.event("turn/completed")


@requirement("DX-10")
def test_an_image_reaches_the_model_the_faces_and_the_record(daedal: Daedal, model):
    server = model([say("A cat."), say("Still a cat."), say("And so on.")])
    (daedal.workspace / "shot.png").write_bytes(PICTURE)
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        begin(client, thread, WORDS, {"type": "localImage", "path": "shot.png"}, {"type": "image", "url": URL})
        shown = client.seen[[one.get("method") for one in client.seen].index("item/started")]["params"]["item"]
        assert [part["type"] for part in shown["content"]] == ["text", "image", "image"]
        assert shown["content"][1] == {"type": "image", "url": URL, "name": "shot.png", "detail": None}
        [turn] = client.call("thread/read", {"threadId": thread, "includeTurns": True})["thread"]["turns"]
        assert turn["items"][0] == shown
        client.leave()
    (daedal.workspace / "shot.png").unlink()
    with Child(daedal) as client:
        client.hello()
        client.call("thread/resume", {"threadId": thread})
        begin(client, thread, {"type": "text", "text": "Again?"})
        fork = client.call("thread/fork", {"threadId": thread})["thread"]["id"]
        begin(client, fork, {"type": "text", "text": "And?"})
    first, second, third = (request.json["messages"] for request in server.requests)
    assert [block["type"] for block in first[0]["content"]] == ["image", "image", "text"]
    assert first[0]["content"][0]["source"] == {
        "type": "base64",
        "media_type": "image/png",
        "data": b64encode(PICTURE).decode(),
    }
    assert [block["type"] for block in second[0]["content"]] == ["image", "image", "text"]
    assert third[0]["content"] == second[0]["content"]


def test_an_image_may_come_without_words(daedal: Daedal, model):
    server = model([say("A cat.")])
    with Child(daedal) as client:
        client.hello()
        begin(client, client.thread(), {"type": "image", "url": URL, "name": "cat.png"})
    [message] = server.requests[0].json["messages"]
    assert [block["type"] for block in message["content"]] == ["image"]
    assert daedal("sessions", "list", "--json").json[0]["preview"] == "[cat.png]"


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"type": "image", "url": "https://example.com/a.png"}, "cannot be fetched"),
        ({"type": "image", "url": "data:image/png,abc"}, "must be base64"),
        ({"type": "image", "url": "data:image/png;base64,%%%"}, "must be base64"),
        ({"type": "image", "url": "data:image/png;base64,aGVsbG8="}, "no whole PNG"),
        ({"type": "image", "fileId": "f"}, "give its url"),
        ({"type": "localImage", "path": "absent.png"}, "No such file"),
        ({"type": "localImage", "path": "."}, "Is a directory"),
        ({"type": "localImage", "path": "notes.txt"}, "no whole PNG"),
        ({"type": "localImage", "path": "denied/a.png"}, "closed to prompts"),
        ({"type": "audio", "url": URL}, "audio"),
        ({"type": "localAudio", "path": "a.wav"}, "localAudio"),
    ],
)
def test_what_is_no_image_is_refused_before_anything_is_recorded(
    daedal: Daedal, model, given: dict[str, Any], complaint: str
):
    server = model([])
    (daedal.workspace / "notes.txt").write_text("hello")
    (daedal.workspace / "denied").mkdir()
    (daedal.workspace / "denied" / "a.png").write_bytes(PICTURE)
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(deny=["Read(denied/**)"])
        failure = client.fails("turn/start", {"threadId": thread, "input": [WORDS, given]})
        assert complaint in failure["message"], failure
        assert "Traceback" not in failure["message"]
    assert not server.requests
    assert not daedal.entries("user")


def test_a_model_that_sees_nothing_is_not_shown_anything(daedal: Daedal, model):
    model([])
    config = daedal.home / ".daedal" / "config.toml"
    config.parent.mkdir(exist_ok=True)
    config.write_text(
        '[[providers]]\nname = "local"\nkind = "openai"\nbase_url = "http://127.0.0.1:9"\n'
        'models = ["blind"]\nvision = false\n'
    )
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(modelProvider="local", model="blind")
        failure = client.fails("turn/start", {"threadId": thread, "input": [WORDS, {"type": "image", "url": URL}]})
        assert "does not take images" in failure["message"]


def test_a_mention_is_a_reference_and_a_skill_is_its_command(daedal: Daedal, model):
    server = model([say("Read."), say("Done.")])
    (daedal.workspace / "two words.txt").write_text("the content")
    skill = daedal.workspace / ".claude" / "skills" / "greet"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: greet\ndescription: Greets.\n---\nGreet warmly.\n")
    daedal("trust", "add", str(daedal.workspace))
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        begin(client, thread, WORDS, {"type": "mention", "name": "two words.txt", "path": "two words.txt"})
        begin(client, thread, {"type": "text", "text": "Ann"}, {"type": "skill", "name": "greet", "path": "x"})
    assert "the content" in str(server.requests[0].json["messages"])
    assert "Greet warmly." in str(server.requests[1].json["messages"])
