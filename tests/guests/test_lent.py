"""Do guests reach the tools that we lend them? Those of servers and some of ours, by our gate and ledger."""

from tests.guests.visits import Visit
from tests.toolbox.requirement import requirement


@requirement("DX-11", "RX-05")
def test_a_servers_tool_is_offered_judged_run_and_recorded(visit: Visit):
    assert "example/echo" in visit.guest.offered(visit.requests[0])
    result = visit.result("lent")
    assert (result["is_error"], result["content"]) == (False, "two words")
    assert visit.verdict("lent") == ("mcp__example__echo", "allow", "allow: mcp__example__echo")
    assert "mcp__example__echo" in [shown["item"].get("tool") for shown in visit.shown("item/completed")]
    assert "two words" in visit.told("lent")


@requirement("DX-11", "RX-05")
def test_a_servers_tool_that_a_rule_refuses_does_not_run_and_the_model_hears_why(visit: Visit):
    assert visit.verdict("lent and refused")[:2] == ("mcp__example__wordcount", "deny")
    assert "Permission denied by deny: mcp__example__wordcount" in visit.told("lent and refused")
    assert "characters" not in visit.told("lent and refused")


def test_a_hook_that_changes_a_lent_call_changes_what_runs(visit: Visit):
    assert visit.result("lent and changed")["content"] == "another"
    assert "another" in visit.told("lent and changed")


def test_a_tool_that_is_not_lent_is_refused_whatever_a_rule_says(visit: Visit):
    assert visit.told("not lent")
    assert visit.verdicts("not lent") == []


@requirement("DX-11", "RX-19")
def test_a_sub_agent_of_ours_works_as_a_guest_too_and_its_calls_are_judged(visit: Visit):
    assert visit.verdict("agent's") == ("Bash", "deny", "deny: Bash(touch forbidden)")
    assert not (visit.workspace / "forbidden").exists()
    assert visit.guest.daedal.rows("SELECT provider FROM sessions") == [(visit.guest.name,)] * 2
    assert "It is empty." in visit.result("agent")["content"]
