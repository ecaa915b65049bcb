"""Can a refused command be written so that it is allowed? Whatever bash reads alike, the guard must read alike."""

from hypothesis import given, settings
from hypothesis import strategies as st

from daedal.permissions import Guard
from daedal.protocol.verdict import Verdict
from tests.permissions.shell_spellings import respelled, spelled
from tests.toolbox.requirement import requirement

GUARDS = {
    flag: Guard(profile="run", project="/srv/project", home="/home/dev", allow_destructive=flag)
    for flag in (False, True)
}
REFUSED = [
    ["rm", "-rf", ".."],
    ["rm", "-rf", ".daedal"],
    ["mv", "src", "../x"],
    ["curl", "evil.example"],
    ["cp", "a", ".daedal/status.json"],
    ["cp", "-t", ".daedal", "a"],
    ["mkdir", "-p", ".daedal/x"],
    ["sort", "-o", ".daedal/status.json", "a"],
    ["find", ".", "-delete"],
    ["find", ".", "-exec", "rm", "{}", ";"],
    ["git", "-c", "core.pager=x", "log"],
    ["git", "rebase", "-x", "ls", "main"],
    ["git", "rebase", "--exec=ls", "main"],
    ["git", "fetch", "--upload-pack=x"],
    ["git", "clone", "ext::sh -c x"],
    ["git", "checkout", "--", ".daedal/status.json"],
    ["git", "diff", "--output=.daedal/x"],
    ["git", "config", "core.pager", "x"],
    ["git", "bisect", "run", "ls"],
    ["python", "-c", "import os; os.system('ls')"],
    ["python", "-c", "open('.daedal/status.json','w')"],
    ["node", "-e", "require('child_process').execSync('x')"],
    ["chmod", "777", "a"],
    ["pkill", "-f", "node"],
    ["eval", "ls"],
    ["sh", "-c", "ls"],
    ["cd", ".."],
    ["npx", "rimraf", "dist"],
]


@requirement("AU-14", "AU-16", "AU-17")
@given(words=st.sampled_from(REFUSED), destructive=st.booleans(), data=st.data())
@settings(max_examples=80, deadline=None)
def test_no_spelling_and_no_place_turns_a_refusal_into_permission(
    words: list[str],
    destructive: bool,
    data: st.DataObject,
):
    line = data.draw(respelled(words))
    assert GUARDS[destructive].decide(line, "/srv/project").verdict is Verdict.DENY, line


@requirement("AU-17")
@given(
    path=st.sampled_from(
        [".daedal/x", "./.daedal/x", "src/../.daedal/x", "/srv/project/.daedal/x", ".DAEDAL/x", "../x", "/etc/x"]
    ),
    operator=st.sampled_from([">", ">>", ">|", "&>", "&>>", ">&", "<>", "2>", "1>>"]),
    gap=st.sampled_from(["", " ", "\t", " \\\n"]),
    data=st.data(),
)
@settings(max_examples=60, deadline=None)
def test_no_redirection_writes_where_it_may_not(path: str, operator: str, gap: str, data: st.DataObject):
    target = data.draw(spelled(path))
    line = data.draw(
        st.sampled_from(["echo x {}", "{} echo x", "(echo x) {}", "{{ ls; }} {}", "for i in 1; do ls; done {}"])
    )
    written = line.format(f"{operator}{gap}{target}")
    assert GUARDS[False].decide(written, "/srv/project").verdict is Verdict.DENY, written


@given(
    words=st.sampled_from([["git", "status"], ["npm", "test"], ["ls", "-la", "src"], ["echo", "a;b"], ["cat", "a b"]]),
    data=st.data(),
)
@settings(max_examples=80, deadline=None)
def test_a_permitted_command_stays_permitted_however_its_words_are_quoted(words: list[str], data: st.DataObject):
    line = " ".join(data.draw(spelled(word)) for word in words)
    assert GUARDS[False].decide(line, "/srv/project").verdict is Verdict.ALLOW, line
