"""Is a turn the same whoever thinks in it? Words, plans, instructions and refusals, of each guest."""

import pytest

from tests.guests.visits import STEERING, Visit
from tests.toolbox.requirement import requirement

OWN = {
    "codex": {"exec_command", "write_stdin", "apply_patch", "update_plan", "request_user_input"},
    "claude": {"Bash", "Edit", "Glob", "Grep", "NotebookEdit", "Read", "TodoWrite", "Write", "WebFetch", "WebSearch"},
}
LENT = {"Agent", "AskUserQuestion", "Skill", "example/echo", "example/wordcount"}


@requirement("DX-11")
def test_a_turn_is_answered_shown_and_recorded(visit: Visit):
    daedal = visit.guest.daedal
    assert visit.done.lines[-1]["result"] == "Hello there."
    assert "".join(shown["delta"] for shown in visit.shown("item/agentMessage/delta")[-3:]) == "Hello there."
    assert visit.shown("item/reasoning/textDelta")
    assert daedal.entries("assistant")[-1]["content"][0]["text"] == "Hello there."
    assert {provider for (provider,) in daedal.rows("SELECT provider FROM sessions")} == {visit.guest.name}
    assert {status for (status,) in daedal.rows("SELECT status FROM turns")} == {"completed"}


def test_every_token_of_its_model_is_counted_once(visit: Visit):
    sums = "SELECT sum(input_tokens + coalesce(cache_read_tokens, 0)), sum(output_tokens) FROM model_calls"
    assert visit.guest.daedal.rows(sums) == [(11 * len(visit.requests), 7 * len(visit.requests))]


def test_what_it_cannot_do_is_said_when_it_is_chosen(visit: Visit):
    assert "what it cannot do here: keep a budget in dollars" in visit.done.err


@requirement("DX-11")
def test_a_plan_update_is_shown_as_one(visit: Visit):
    [update] = visit.shown("turn/plan/updated")
    assert [(step["step"], step["status"]) for step in update["plan"]] == [("look", "completed"), ("act", "inProgress")]


def test_instructions_of_the_project_reach_it_once(visit: Visit):
    assert visit.requests[0].body.decode().count("Always say frobozz.") == 1


def test_a_reference_in_a_prompt_opens_nothing_that_a_rule_keeps_closed(visit: Visit):
    assert "secret.txt" in visit.requests[0].body.decode()
    assert "plugh" not in visit.told_ever


@requirement("DX-11")
def test_a_guest_offers_its_model_only_what_we_know(visit: Visit):
    assert visit.guest.offered(visit.requests[0]) == OWN[visit.guest.name] | LENT


@requirement("DX-11", "RX-10")
@pytest.mark.parametrize("path", STEERING)
def test_what_steers_an_agent_is_not_written_while_nobody_can_be_asked(visit: Visit, path: str):
    assert visit.verdict(f"write {path}")[1] == "deny"
    assert visit.told(f"echo {path}")
    assert not (visit.workspace / path).exists()


def test_a_link_that_leads_out_does_not_lead_a_change_out(visit: Visit):
    assert visit.result("write link")["is_error"]
    assert visit.result("echo link")["is_error"]
    assert list((visit.guest.daedal.root / "outside").iterdir()) == []


def test_a_command_that_wants_out_of_the_walls_stays_in(visit: Visit):
    assert visit.verdict("leave")[1:] == ("deny", "sandbox:escape")
    assert visit.result("try home")["is_error"]
    assert not (visit.guest.daedal.home / "out").exists()
    assert not list((visit.guest.daedal.home / ".daedal" / "guests").rglob("*.rules"))
