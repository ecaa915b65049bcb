"""Does the agent remember between sessions, only with the user's leave, and find again what was said and done?"""

import sqlite3

import pytest

from daedal.protocol.approvals import ApprovalDecision, ApprovalRequest
from tests.journeys.test_approvals import answering, drive
from tests.journeys.test_hands import by_hand
from tests.toolbox.model_server import call, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

KEEP = call("remember", title="Deploy key", content="It lives in the vault.", keywords=["ssh"])


def remembered(daedal: Daedal) -> list[tuple[str, str]]:
    return daedal.rows("SELECT title, content FROM memories ORDER BY rowid")


def seeded(daedal: Daedal, *titles: str) -> None:
    """Memories as an operator imports them: by SQL alone."""
    by_hand(daedal, "Glob", pattern="*")
    connection = sqlite3.connect(daedal.database)
    for title in titles:
        connection.execute(
            "INSERT INTO memories(id, type, title, content, created_at, updated_at) VALUES (?, 'habit', ?, ?, 1, 1)",
            (f"m-{title.lower()}", title, f"About {title}."),
        )
    connection.commit()
    connection.close()


@requirement("RX-09", "SD-26")
def test_what_the_user_lets_it_remember_is_there_in_the_next_session(daedal: Daedal, model, monkeypatch):
    model([KEEP, say("Kept."), call("memory", query="where is the ssh key"), say("In the vault.")])
    asked: list[ApprovalRequest] = []
    drive(daedal, monkeypatch, answering(ApprovalDecision.ACCEPT_ALWAYS, asked))
    assert remembered(daedal) == [("Deploy key", "It lives in the vault.")]
    # The request is the preview, and no rule could be granted instead of an answer.
    (request,) = asked
    assert (request.tool, request.rule) == ("remember", "person:Remember")
    assert request.arguments["content"] == "It lives in the vault."
    assert request.offers.always == request.offers.for_session == []
    assert daedal("exec", "Where is the key?").code == 0
    assert "Deploy key (project, this project, " in daedal.results()[-1]["content"]


@requirement("RX-09")
@pytest.mark.parametrize("flags", [[], ["--approval", "yolo"], ["--allow", "remember"], ["--allow", "Remember"]])
def test_without_a_person_nothing_is_remembered_whatever_the_flags(daedal: Daedal, model, flags: list[str]):
    model([KEEP, say("Then not.")])
    assert daedal("exec", "Remember it.", *flags).code == 0
    assert remembered(daedal) == []
    (result,) = daedal.results()
    assert result["is_error"]
    assert "nobody was there to be asked" in result["content"]


@requirement("RX-09")
def test_a_declined_forget_forgets_nothing_and_an_accepted_one_archives(daedal: Daedal, model, monkeypatch):
    seeded(daedal, "Port")
    forget = call("forget", id="m-port", title="Port")
    model([forget, say("Then not."), forget, say("Gone.")])
    drive(daedal, monkeypatch, answering(ApprovalDecision.DECLINE, []))
    assert remembered(daedal) == [("Port", "About Port.")]
    drive(daedal, monkeypatch, answering(ApprovalDecision.ACCEPT, []))
    assert remembered(daedal) == []
    assert [memory["title"] for memory in daedal("memory", "list", "--archived", "--json").json] == ["Port"]


@requirement("RX-09")
def test_what_another_session_said_and_did_is_found_and_read_around(daedal: Daedal, model):
    (daedal.workspace / "zebra.txt").write_text("stripes\n")
    model(
        [
            call("Read", file_path="zebra.txt"),
            say("It says stripes."),
            call("history", query="zebra"),
            call("history", operation="around", entry=4, before=2, after=2),
            say("Found."),
        ]
    )
    assert daedal("exec", "What does the zebra file say?").code == 0
    first = daedal.session
    assert daedal("exec", "What did we see?").code == 0
    hits, window = (result["content"] for result in daedal.results()[1:])
    assert f"user · session {first}\n  What does the zebra file say?" in hits
    assert f"call · session {first}" in hits
    assert "stripes" in window
    assert "It says stripes." in window
    assert by_hand(daedal, "history", query="zebra").json["is_error"] is False


def test_secrets_stay_redacted_in_what_is_found_again(daedal: Daedal, model):
    secret = "sk-ant-" + "s3cr3t" * 5
    model([say("Noted."), call("history", query="quagga"), say("Found.")])
    daedal.env["ANTHROPIC_API_KEY"] = secret
    assert daedal("exec", f"The quagga key is {secret}.").code == 0
    assert daedal("exec", "What was the key?").code == 0
    (result,) = daedal.results()
    assert "The quagga key is [REDACTED:ANTHROPIC_API_KEY]." in result["content"]
    assert secret.encode() not in daedal.database.read_bytes()


@requirement("SD-26")
def test_memories_can_be_listed_searched_shown_edited_forgotten_and_exported(daedal: Daedal):
    assert "nothing is remembered yet" in daedal("memory", "list").out
    assert daedal("memory", "list", "--json").json == []
    seeded(daedal, "Tabs", "Port")
    assert [memory["title"] for memory in daedal("memory", "list", "--json").json] == ["Port", "Tabs"]
    assert "m-tabs" in daedal("memory", "list").out
    assert [memory["id"] for memory in daedal("memory", "search", "tabs AND", "--json").json] == ["m-tabs"]
    assert "no memory speaks of this" in daedal("memory", "search", "nothing").out
    assert daedal("memory", "show", "m-t").out.endswith("\n\nAbout Tabs.\n")
    assert daedal("memory", "edit", "m-t", "--content", "Four spaces.", "--keywords", "indent", "--json").json[
        "content"
    ]
    assert daedal("memory", "edit", "m-p", stdin="9090\n").code == 0
    assert remembered(daedal) == [("Tabs", "Four spaces."), ("Port", "9090")]
    assert [memory["id"] for memory in daedal("memory", "search", "indent", "--json").json] == ["m-tabs"]
    assert daedal("memory", "forget", "m-t").code == 0
    assert [line["title"] for line in daedal("memory", "export").lines] == ["Port"]
    assert [line["title"] for line in daedal("memory", "export", "--archived").lines] == ["Tabs"]
    assert "forgotten: " in daedal("memory", "show", "m-tabs").out


@pytest.mark.parametrize(
    ("words", "stdin", "said"),
    [
        (["show", "m-none"], "", "there is no memory m-none"),
        (["edit", "m-none", "--title", "x"], "", "there is no memory m-none"),
        (["forget", ""], "", "there is no memory"),
        (["edit", "m-tabs", "--title", " "], "", "needs a title"),
        (["edit", "m-tabs"], " \n", "the new content is empty"),
        (["edit", "m-tabs"], "x" * 8001, "8000 are the most"),
        (["edit", "m-tabs", "--title", "port"], "", "is called “port” already"),
        (["search"], "", "WORD"),
        ([], "", "ACTION"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(daedal: Daedal, words: list[str], stdin: str, said: str):
    seeded(daedal, "Tabs", "Port")
    run = daedal("memory", *words, stdin=stdin)
    assert run.code == 2
    assert said in run.err
    assert "Traceback" not in run.err
    assert remembered(daedal) == [("Tabs", "About Tabs."), ("Port", "About Port.")]


def test_an_edit_keeps_known_credentials_out_and_an_export_what_looks_like_one(daedal: Daedal):
    seeded(daedal, "Tabs")
    secret = "ghp_" + "a1b2c3d4e5" * 3
    known = "sk-ant-" + "s3cr3t" * 5
    daedal.env["ANTHROPIC_API_KEY"] = known
    assert daedal("memory", "edit", "m-tabs", "--content", f"{secret} and {known}").code == 0
    assert remembered(daedal) == [("Tabs", f"{secret} and [REDACTED:ANTHROPIC_API_KEY]")]
    assert secret not in daedal("memory", "export").out


def test_what_a_memory_holds_is_shown_and_never_obeyed_by_a_terminal(daedal: Daedal):
    seeded(daedal, "Tabs")
    assert daedal("memory", "edit", "m-tabs", "--title", "a\x1b]0;x\x07b", "--content", "c\x1b[2Jd").code == 0
    for words in (["list"], ["show", "m-tabs"]):
        assert "\x1b" not in daedal("memory", *words).out
