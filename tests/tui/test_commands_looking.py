"""Do the commands that show how things stand show it? Status, context, cost, compaction, agents, skills, doctor."""

from collections.abc import Callable

from tests.toolbox.model_replies import Tokens, call, say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.tui.screen import Screen
from tests.tui.sitting import again, ask, command, ready

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]


@requirement("RX-15", "SD-08/status")
def test_status_context_and_cost_show_how_the_session_stands(terminal: Terminal, model: Model, daedal: Daedal):
    model([say("Hello.").but(usage=Tokens(input=900, output=20, cache_read=3000))])
    screen = ready(terminal(rows=50))
    command(screen, "/cost", "Nothing has been used up yet.")
    ask(screen, "hi", "Hello.")
    command(screen, "/status", "model calls")
    for shown in (daedal.session, "ANTHROPIC_API_KEY in the environment", "approvals ask", "python 3", "daedal · in"):
        assert shown in screen.text
    assert "commands write only in the workspace" in screen.text
    assert "test-anthropic-key" not in screen.text
    command(screen, "/cost", "Usage of this session")
    assert "3,000" in screen.text
    assert "77 % of what was read came from the cache." in screen.text
    command(screen, "/context", "of 200,000 tokens")
    assert "▣" in screen.text
    assert "what you said" in screen.text


@requirement("RX-15")
def test_the_cost_of_sub_agents_is_told_apart(terminal: Terminal, model: Model):
    model(
        [
            call("Agent", description="look", prompt="Look around.", subagent_type="Explore"),
            say("Seen."),
            say("All done."),
        ]
    )
    screen = ready(terminal())
    ask(screen, "send somebody", "All done.")
    command(screen, "/cost", "Sub-agents that worked for this session: 1.")
    assert "sub-agents" in screen.text
    assert "together" in screen.text


@requirement("RX-13", "RX-15")
def test_a_session_is_folded_on_demand_minding_what_is_named(terminal: Terminal, model: Model):
    talk = "We spoke of pears at length. " * 60
    told = [say(f"Of pears, part {number}. {talk}") for number in range(6)]
    server = model([*told, say("<summary>Pears were spoken of.</summary>"), say("Yes.")])
    screen = ready(terminal())
    for number in range(6):
        ask(screen, f"tell {number}", f"part {number}")
    command(screen, "/compact the pears", "Folded:")
    assert any("the pears" in request.body.decode() for request in server.requests[6:])


def test_agents_and_skills_are_listed_and_told_about(terminal: Terminal, model: Model, daedal: Daedal):
    skill = daedal.home / ".daedal" / "skills" / "tidy"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: tidy\ndescription: Tidies up.\n---\nTidy up.\n")
    model([])
    screen = ready(terminal(rows=40))
    command(screen, "/agents", "general-purpose")
    command(screen, "/agents Explore", again("Read-only search of a codebase"))
    command(screen, "/agents nobody", "there is no agent nobody")
    command(screen, "/skills", "/tidy")
    assert "Tidies up." in screen.text
    command(screen, "/skills tidy", "called by")
    command(screen, "/skills untidy", "there is no skill untidy")


def test_the_doctor_looks_at_everything(terminal: Terminal, model: Model):
    model([])
    screen = ready(terminal(rows=50))
    command(screen, "/doctor", "ripgrep")
    for shown in ("✓", "ledger", "sandbox", "claude_sonnet_4"):
        assert shown in screen.text
