"""Which names and addresses may be reached?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.sandbox.domains import Domains

LABEL = st.text("abcxyz019-", min_size=1, max_size=8).filter(lambda label: not label.isdigit())


@pytest.mark.parametrize(
    ("listed", "host", "port", "allowed"),
    [
        ("example.org", "example.org", 443, True),
        ("example.org", "EXAMPLE.org.", 443, True),
        ("example.org", "www.example.org", 443, False),
        ("example.org", "notexample.org", 443, False),
        ("example.org", "example.org.evil.net", 443, False),
        ("*.example.org", "a.b.example.org", 80, True),
        ("*.example.org", "example.org", 80, False),
        ("*.example.org", "evilexample.org", 80, False),
        ("example.org:8443", "example.org", 8443, True),
        ("example.org:8443", "example.org", 443, False),
        ("*.example.org:80", "a.example.org", 80, True),
        ("bücher.example", "xn--bcher-kva.example", 443, True),
        ("*", "example.org", 443, False),
        ("*.", "example.org", 443, False),
        ("example.org", "1.2.3.4", 443, False),
        ("*.4", "1.2.3.4", 443, False),
        ("1.2.3.4", "1.2.3.4", 443, True),
        ("10.0.0.0/8", "10.1.2.3", 443, True),
        ("10.0.0.0/8", "11.1.2.3", 443, False),
        ("example.org", "::1", 443, False),
        ("::1", "::1", 443, True),
    ],
)
def test_only_listed_hosts_may_be_spoken_to(listed: str, host: str, port: int, allowed: bool):
    assert Domains([listed]).has(host, port) is allowed


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "127.9.9.9", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
     "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
     "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2002:a00:1::", "nonsense"],
)  # fmt: skip
def test_a_public_name_may_not_lead_to_this_machine_or_its_neighbours(address: str):
    assert not Domains(["example.org", "*.example.org"]).may_lead_to("example.org", 443, address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1"])
def test_a_public_name_may_lead_out(address: str):
    assert Domains(["example.org"]).may_lead_to("example.org", 443, address)


def test_a_near_place_is_reached_where_its_name_or_its_address_is_listed():
    assert Domains(["localhost"]).may_lead_to("localhost", 80, "127.0.0.1")
    assert Domains(["registry.internal"]).may_lead_to("registry.internal", 80, "10.0.0.1")
    assert not Domains(["*.internal"]).may_lead_to("registry.internal", 80, "10.0.0.1")
    assert Domains(["npm.example.org", "10.0.0.0/8"]).may_lead_to("npm.example.org", 443, "10.0.0.1")
    assert not Domains(["npm.example.org", "10.0.0.0/8"]).may_lead_to("npm.example.org", 443, "127.0.0.1")


@given(st.lists(LABEL, min_size=1, max_size=4), st.lists(LABEL, min_size=1, max_size=4))
def test_a_star_covers_exactly_what_is_below(host: list[str], above: list[str]):
    is_below = len(host) > len(above) and host[-len(above) :] == above
    assert Domains(["*." + ".".join(above)]).has(".".join(host), 443) is is_below
