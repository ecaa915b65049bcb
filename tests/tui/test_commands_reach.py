"""Do the commands that reach out work? Logins, MCP servers, and goals that the thread works at by itself."""

import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from tests.accounts.person import NO_KEYRING, guarded
from tests.accounts.person import ready as with_issuer
from tests.toolbox.model_replies import say, stall
from tests.toolbox.model_server import ModelServer
from tests.toolbox.oauth_server import OAuthServer, browse
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.tui.screen import Screen
from tests.tui.sitting import again, command, ready

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]
ODD = [sys.executable, str(Path(__file__).parents[1] / "mcp" / "odd_server.py")]
MORE = say("Some of it.\n\n[goal:continue]")
DONE = say("All of it.\n\n[goal:complete]")


@requirement("RX-15", "SD-06/A3", "SD-08/login", "SD-08/logout")
def test_one_logs_in_by_the_browser_and_out_again(terminal: Terminal, daedal: Daedal):
    with OAuthServer() as oauth, ModelServer(guarded(oauth, say("Known now."))) as server:
        with_issuer(daedal, oauth, server)
        daedal.env["ANTHROPIC_API_KEY"] = "sk-not-this-one"
        screen = ready(terminal(columns=200, rows=45, **NO_KEYRING))
        command(screen, "/login", "Waiting until you have logged in").press("escape")
        screen.until("Nobody logged in.")
        command(screen, "/login", "Waiting until you have logged in")
        address = re.findall(r"https?://\S+(?:\n +\S+)*", screen.text.rpartition("open:")[2])[0]
        threading.Thread(target=browse, args=(re.sub(r"\s", "", address),), daemon=True).start()
        screen.until("Logged in.")
        assert (daedal.home / ".daedal" / "auth" / "claude_code_subscription.login").exists()
        assert not any(secret in screen.scrollback for secret in oauth.secrets)
        command(screen, "/logout", "Logged out at claude_code_subscription.")
        command(screen, "/logout", "Nobody was logged in")
    assert not (daedal.home / ".daedal" / "auth" / "claude_code_subscription.login").exists()


@requirement("RX-05", "RX-15")
def test_servers_are_listed_what_changed_is_accepted_and_one_is_started_again(
    terminal: Terminal, model: Model, daedal: Daedal
):
    model([])
    assert daedal("mcp", "add", "odd", "--env", "LATER=${LATER:-}", "--", *ODD, "plain").code == 0
    assert daedal("mcp", "test", "odd").code == 0
    screen = ready(terminal(columns=120, rows=50, LATER="Acts differently."))
    command(screen, "/mcp reconnect odd", "odd is ready.")
    assert "accept them with /mcp accept odd" in screen.text
    command(screen, "/mcp", "/mcp accept odd shows them and asks")
    command(screen, "/mcp accept odd", "Shall the model see these tools")
    assert "+Acts differently." in screen.text
    screen.press("y")
    screen.until("2 tools of odd are accepted.")
    command(screen, "/mcp odd", again("mcp__odd__extra"))
    command(screen, "/mcp accept odd", "Nothing of odd is held back.")
    command(screen, "/mcp login odd", "odd is started on this machine and knows no login")
    command(screen, "/mcp even", "there is no MCP server even")


@requirement("RX-12", "RX-15", "FA-01")
def test_a_goal_is_worked_at_by_itself_and_shown(terminal: Terminal, model: Model):
    model([MORE, DONE])
    screen = ready(terminal(rows=45))
    command(screen, "/goal", "There is no goal")
    command(screen, "/goal --simple Tidy the shed.", "goal: Tidy the shed.")
    screen.until("goal reached: Tidy the shed.")
    command(screen, "/goal", "complete · simple")
    command(screen, "/goal clear", "The goal is forgotten.")


@requirement("RX-12", "RX-15")
def test_a_goal_is_paused_by_esc_and_goes_on_when_told_to(terminal: Terminal, model: Model):
    server = model([stall(after=3), DONE])
    screen = ready(terminal(rows=45))
    command(screen, "/goal --simple Paint the fence.", "Esc stops")
    server.wait_for_stall()
    screen.press("escape")
    screen.until("goal paused: Paint the fence.")
    command(screen, "/goal resume", "goal reached: Paint the fence.")


def test_commands_are_helped_with_completed_and_guessed(terminal: Terminal, model: Model):
    model([])
    screen = ready(terminal(rows=50))
    screen.type("/permissions ")
    screen.until("add deny").type("add d")
    screen.gone("add allow").press("tab")
    screen.until("› /permissions add deny").press("ctrl+u")
    command(screen, "/help cost", "tokens, cache hits, dollars")
    command(screen, "/permisions", "did you mean /permissions?")
