"""What does `daedal permissions` list, explain, add and remove?"""

from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


def config(daedal: Daedal) -> str:
    return (daedal.home / ".daedal" / "config.toml").read_text()


@requirement("RX-10")
def test_a_rule_that_is_added_counts_and_a_removed_one_does_not(daedal: Daedal):
    def why() -> tuple[str, str]:
        answer = daedal("permissions", "why", "Bash(go test ./...)", "--json").json
        return answer["decision"], answer["rule"]

    assert why() == ("ask", "fallback")
    assert daedal("permissions", "add", "allow", "Bash(go test:*)").code == 0
    assert why() == ("allow", "allow: Bash(go test:*)")
    assert daedal("permissions", "add", "deny", "Bash(go *)").code == 0
    assert why() == ("deny", "deny: Bash(go *)")
    assert daedal("permissions", "remove", "deny", "Bash(go *)").code == 0
    assert why() == ("allow", "allow: Bash(go test:*)")


def test_comments_in_the_users_file_stay(daedal: Daedal):
    file = daedal.home / ".daedal" / "config.toml"
    file.parent.mkdir()
    file.write_text('# mine\n[permissions]\nallow = [\n  "Read", # always\n]\n')
    daedal("permissions", "add", "allow", "Bash(ls:*)")
    assert "# mine" in config(daedal)
    assert "# always" in config(daedal)
    assert '"Bash(ls:*)"' in config(daedal)


def test_adding_twice_changes_nothing(daedal: Daedal):
    daedal("permissions", "add", "ask", "Edit")
    before = config(daedal)
    again = daedal("permissions", "add", "ask", "Edit", "--json")
    assert (again.json["changed"], config(daedal)) == (False, before)


def test_what_is_no_rule_is_refused_before_anything_is_written(daedal: Daedal):
    for words in [("allow", "Bash("), ("allow", "bash2"), ("maybe", "Bash"), ("allow",), ()]:
        done = daedal("permissions", "add", *words)
        assert done.code == 2
        assert done.err.startswith("error: ")
        assert " · " in done.err
    assert not (daedal.home / ".daedal" / "config.toml").exists()


@requirement("SD-15")
def test_the_list_says_who_set_each_rule_and_which_one_is_left_out(daedal: Daedal):
    daedal("permissions", "add", "allow", "Bash(ls:*)")
    project = daedal.workspace / "daedal.toml"
    project.write_text('[permissions]\ndeny = [\n  "Bash(rm:*)",\n  "Bash(",\n]\nallow = ["Bash"]\n')
    shown = daedal("permissions", "--json")
    rows = [(row["list"], row["rule"], row["origin"], bool(row["invalid"])) for row in shown.json["rules"]]
    assert rows == [
        ("deny", "Bash(rm:*)", f"{project}:3", False),
        ("deny", "Bash(", f"{project}:4", True),
        ("allow", "Bash(ls:*)", f"{daedal.home}/.daedal/config.toml:2", False),
    ]
    # A folder that nobody trusts may narrow, never widen.
    assert "permissions.allow" in shown.err
    table = daedal("permissions").out
    assert "defaultMode default" in table
    assert f"{project}:4" in table


@requirement("RX-10")
def test_why_shows_what_every_stage_would_say(daedal: Daedal):
    daedal("permissions", "add", "allow", "Bash")
    daedal("permissions", "add", "ask", "Bash(git push:*)")
    answer = daedal("permissions", "why", "Bash(git push)", "--json").json
    said = {step["stage"]: step["rule"] for step in answer["steps"] if step["decision"]}
    assert said == {"ask": "ask: Bash(git push:*)", "allow": "allow: Bash", "fallback": "fallback"}
    assert answer["rules"] == {"deny": [], "ask": ["Bash(git push:*)"], "allow": ["Bash"]}
    text = daedal("permissions", "why", "Bash(git push)").out
    assert "ask, by ask: Bash(git push:*)" in text
    assert "allow: Bash" in text


def test_why_takes_a_whole_input(daedal: Daedal):
    outside = daedal("permissions", "why", "Read", "--input", '{"file_path": "/etc/hosts"}', "--json").json
    inside = daedal("permissions", "why", "Read", "--input", '{"file_path": "a"}', "--json").json
    assert (outside["decision"], inside["rule"]) == ("ask", "baseline:read")
    for given in ["{", "[]", '"x"']:
        assert daedal("permissions", "why", "Read", "--input", given).code == 2


def test_why_follows_links_on_disk(daedal: Daedal):
    (daedal.root / "elsewhere").mkdir()
    (daedal.workspace / "docs").mkdir()
    (daedal.workspace / "docs" / "link").symlink_to(daedal.root / "elsewhere")
    daedal("permissions", "add", "allow", "Edit(docs/**)")
    assert daedal("permissions", "why", "Edit(docs/a.md)", "--json").json["decision"] == "allow"
    assert daedal("permissions", "why", "Edit(docs/link/a.md)", "--json").json["decision"] == "ask"
