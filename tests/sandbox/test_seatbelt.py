"""What is sandbox-exec told on macOS? The text only: it is not run here."""

from daedal.protocol.confinement import Confinement, Network
from daedal.sandbox.seatbelt import gaps, profile, wrapped

WALLS = Confinement(
    workspace="/ws",
    writable=["/ws", '/odd "name"\\'],
    read_only=["/ws/.daedal"],
    unreadable=["/home/.ssh"],
)


def test_the_profile_says_what_may_be_written_then_the_holes_then_what_is_closed():
    assert profile(WALLS).splitlines() == [
        "(version 1)",
        "(allow default)",
        "(deny file-write*)",
        '(allow file-write* (subpath "/ws") (subpath "/odd \\"name\\"\\\\") (literal "/dev/null") (literal "/dev/zero")'
        ' (literal "/dev/tty") (literal "/dev/ptmx") (literal "/dev/dtracehelper"))',
        '(deny file-write* (subpath "/ws/.daedal"))',
        '(deny file-write* (subpath "/ws/.claude"))',
        '(deny file-write* (subpath "/ws/.mcp.json"))',
        '(deny file-write* (subpath "/ws/daedal.toml"))',
        '(deny file-read* file-write* (subpath "/home/.ssh"))',
        "(deny network*)",
        '(allow network* (local ip "localhost:*"))',
        "(deny appleevent-send)",
        "(deny signal (target others))",
        "(allow signal (target same-sandbox))",
    ]


def test_of_a_hole_and_what_is_open_in_it_the_nearer_word_comes_last():
    walls = Confinement(
        workspace="/p/wt", writable=["/p/wt", "/p/.git/objects"], read_only=["/p", "/p/.git/objects/info"]
    )
    rules = [line for line in profile(walls).splitlines() if "/p" in line][1:]
    assert [line.partition(" ")[0] for line in rules if "/wt/" not in line] == ["(deny", "(allow", "(allow", "(deny"]
    assert rules[0] == '(deny file-write* (subpath "/p"))'


def test_an_open_network_is_not_denied():
    assert "network" not in profile(Confinement(workspace="/ws", writable=["/ws"], network=Network.ON))


def test_a_list_of_domains_is_admitted_to_be_out_of_reach():
    assert gaps(WALLS) == ""
    assert "domains" in gaps(Confinement(workspace="/ws", writable=["/ws"], network=Network.LISTED, domains=["a.org"]))


def test_the_command_follows_the_profile():
    assert wrapped(["ls", "-l"], WALLS) == ["/usr/bin/sandbox-exec", "-p", profile(WALLS), "ls", "-l"]
