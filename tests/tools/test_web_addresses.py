"""Does WebFetch speak only to places that it may, whatever the URL, the name server or a redirect says?"""

import asyncio
from ipaddress import ip_address
from typing import Any

import pytest

from daedal.protocol.seams import Outcome
from daedal.tools.addresses import Neighbours, is_public
from daedal.tools.errors import Refused
from daedal.tools.urls import read_url
from daedal.tools.way_out import Proxy, WayOut
from daedal.tools.web_fetch import WebFetch
from daedal.tools.web_settings import WebSettings
from tests.toolbox.requirement import requirement
from tests.tools.desk import Desk
from tests.tools.web_site import Asked, Site, moved, reply, run, spec

pytestmark = requirement("SD-16/WebFetch")

NEAR_BY = [
    "127.0.0.1", "127.8.9.1", "0.0.0.0", "10.0.0.1", "172.16.3.4", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "::", "::1", "fe80::1",
    "fc00::1", "fd12::1", "fec0::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe", "64:ff9b:1::a00:1", "2002:7f00:1::", "2001:0:7f00:1::", "::7f00:1", "2001:db8::1",
]  # fmt: skip
FAR = ["93.184.216.34", "1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"]


async def fetch(desk: Desk, url: str, allowed: list[str], **way: Any) -> Outcome:
    return await WebFetch(spec("WebFetch"), WebSettings(allow_private=allowed), WayOut(**way)).run(
        {"url": url, "prompt": "x"}, desk
    )


def resolver(*answers: list[str]):
    """Gives one answer after the other, and the last one for ever; counts what it was asked."""
    asked: list[str] = []

    async def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return answers[min(len(asked), len(answers)) - 1]

    return resolve, asked


@pytest.mark.parametrize("address", NEAR_BY)
def test_an_address_near_by_is_refused_as_a_literal_and_as_an_answer(desk: Desk, address: str):
    assert not is_public(ip_address(address))
    literal = f"[{address}]" if ":" in address else address
    resolve, _ = resolver(["93.184.216.34", address])
    for url in (f"http://{literal}/", "https://inviting.example/"):
        outcome = run(fetch(desk, url, [], resolve=resolve))
        assert outcome.is_error
        assert "not out on the Internet" in outcome.content
        assert "tools.web.allow_private" in outcome.content


@pytest.mark.parametrize("address", FAR)
def test_an_address_on_the_internet_is_fine(address: str):
    assert is_public(ip_address(address))
    assert Neighbours([]).check_address("host.example", address)


@pytest.mark.parametrize(
    "listed", ["127.0.0.1", "127.0.0.0/8", "site.example", "*.example", "SITE.example.", "::ffff:7f00:1"]
)
def test_what_is_listed_may_be_asked(desk: Desk, listed: str):
    resolve, _ = resolver(["::ffff:127.0.0.1" if ":" in listed else "127.0.0.1"])

    async def scenario() -> None:
        async with Site({"/": reply(b"hello")}) as site:
            outcome = await fetch(desk, site.url("/", "site.example"), [listed], resolve=resolve)
            assert outcome.content.endswith("hello")

    run(scenario())


@pytest.mark.parametrize("listed", ["10.0.0.0/8", "other.example", "*.site.example", "example"])
def test_what_is_not_listed_may_not(desk: Desk, listed: str):
    resolve, _ = resolver(["127.0.0.1"])
    assert "leads to 127.0.0.1" in run(fetch(desk, "http://site.example/", [listed], resolve=resolve)).content


def test_a_name_is_looked_up_once_and_the_checked_address_is_asked(desk: Desk):
    """The second answer leads elsewhere: it is never sought, so it is of no use to whoever gives it."""
    resolve, asked = resolver(["127.0.0.1"], ["127.0.0.2"])

    async def scenario() -> None:
        async with Site({"/": reply(b"hello")}) as site:
            outcome = await fetch(desk, site.url("/", "rebinding.example"), ["127.0.0.1"], resolve=resolve)
            assert outcome.content.endswith("hello")
            assert site.asked[0].headers["host"] == f"rebinding.example:{site.port}"

    run(scenario())
    assert asked == ["rebinding.example"]


def test_every_redirect_is_looked_up_and_checked_again(desk: Desk):
    resolve, asked = resolver(["127.0.0.1"], ["127.0.0.2"])

    async def scenario() -> None:
        async with Site({"/": moved("/next"), "/next": reply(b"hello")}) as site:
            outcome = await fetch(desk, site.url("/", "rebinding.example"), ["127.0.0.1"], resolve=resolve)
            assert "leads to 127.0.0.2" in outcome.content
            assert len(site.asked) == 1

    run(scenario())
    assert len(asked) == 2


def test_the_next_address_is_tried_where_one_does_not_answer(desk: Desk):
    async def scenario() -> None:
        async with Site({"/": reply(b"hello")}) as site:
            resolve, _ = resolver(["127.0.0.3", "127.0.0.1"])
            outcome = await fetch(desk, site.url("/", "site.example"), ["127.0.0.0/8"], resolve=resolve)
            assert outcome.content.endswith("hello")

    run(scenario())


def test_a_name_that_is_not_there_is_told(desk: Desk):
    async def unknown(host: str, port: int) -> list[str]:
        raise OSError(-2, "Name or service not known")

    assert run(fetch(desk, "https://nowhere.example/", [], resolve=unknown)).content == (
        "The host nowhere.example cannot be found: Name or service not known."
    )


def test_the_system_is_asked_for_names(desk: Desk):
    async def scenario() -> None:
        async with Site({"/": reply(b"hello")}) as site:
            url = site.url("/", "localhost")
            assert "not out on the Internet" in (await fetch(desk, url, [])).content
            assert (await fetch(desk, url, ["127.0.0.0/8", "::1"])).content.endswith("hello")

    run(scenario())


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
def test_a_redirect_on_the_same_host_is_followed(desk: Desk, status: str):
    async def scenario() -> None:
        pages = {"/a/b": moved("../c?d=e f", status), "/c": reply(b"hello")}
        async with Site(pages) as site:
            outcome = await fetch(desk, site.url("/a/b"), ["127.0.0.1"])
            assert outcome.content.startswith(site.url("/c?d=e%20f"))
            assert outcome.content.endswith("hello")

    run(scenario())


def test_a_redirect_in_foreign_letters_is_followed(desk: Desk):
    async def scenario() -> None:
        async with Site({"/": moved("/ä".encode().decode("latin-1")), "/%C3%A4": reply(b"hello")}) as site:
            assert (await fetch(desk, site.url("/"), ["127.0.0.1"])).content.endswith("hello")

    run(scenario())


def test_a_redirect_to_another_host_is_reported_and_not_followed(desk: Desk):
    async def scenario() -> None:
        async with Site({"/": reply(b"other")}) as other:
            targets = [
                other.url("/"),
                other.url("/x", "localhost"),
                f"//elsewhere.example:{other.port}/y",
                "http://127.0.0.1/",
            ]
            for target in targets:
                async with Site({"/": moved(target)}) as site:
                    outcome = await fetch(desk, site.url("/"), ["127.0.0.1"])
                    assert not outcome.is_error
                    assert "which was not followed" in outcome.content
                    assert target.removeprefix("//") in outcome.content
            assert other.asked == []

    run(scenario())


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("http://169.254.169.254/latest/meta-data", "169.254.169.254 is not out on the Internet"),
        ("https://[::1]/", "not out on the Internet"),
        ("file:///etc/passwd", "cannot be fetched"),
        ("javascript:alert(1)", "cannot be fetched"),
        ("https://user:pw@elsewhere.example/", "Credentials are never sent"),
        ("http://2130706433/", "no valid name or address"),
        ("http://[", "cannot be fetched"),
    ],
)
def test_a_redirect_to_where_nobody_may_go_is_an_error(desk: Desk, target: str, said: str):
    async def scenario() -> None:
        async with Site({"/": moved(target)}) as site:
            outcome = await fetch(desk, site.url("/"), ["127.0.0.1"])
            assert outcome.is_error
            assert said in outcome.content

    run(scenario())


def test_redirects_in_a_circle_come_to_an_end(desk: Desk):
    async def scenario() -> None:
        async with Site({"/": moved("/")}) as site:
            outcome = await fetch(desk, site.url("/"), ["127.0.0.1"])
            assert outcome.is_error
            assert "redirected more than 10 times" in outcome.content
            assert len(site.asked) == 11

    run(scenario())


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "no absolute URL"),
        ("example.com/x", "no absolute URL"),
        ("ftp://example.com/", "Only http:// and https://"),
        ("file:///etc/passwd", "Only http:// and https://"),
        ("https:example.com", "Only http:// and https://"),
        ("https://user@example.com/", "Credentials are never sent"),
        ("https://example.com@evil.example/", "Credentials are never sent"),
        ("https://exa mple.com/", "a blank, a control character or a backslash"),
        ("https://example.com\\@evil.example/", "a blank, a control character or a backslash"),
        ("https://example.com/\r\nHost: evil", "a blank, a control character or a backslash"),
        ("https:///x", "host cannot be read"),
        ("https://example.com:99999/", "port 99999 does not exist"),
        ("https://exa%6dple.com/", "host cannot be read"),
        ("https://[fe80::1%25eth0]/", "host cannot be read"),
        ("https://127.1/", "no valid name or address"),
        ("https://0x7f000001/", "no valid name or address"),
        ("https://0177.0.0.1.0/", "no valid name or address"),
        ("https://-.-/" + "x" * 5000, "longer than 4096"),
    ],
)
def test_a_url_that_could_mean_something_else_is_refused(desk: Desk, url: str, said: str):
    outcome = run(fetch(desk, url, ["*"]))
    assert outcome.is_error
    assert said in outcome.content


@pytest.mark.parametrize(
    ("url", "read"),
    [
        (" HTTPS://Example.COM ", "https://example.com/"),
        ("https://example.com.:443/a?b#c", "https://example.com/a?b"),
        ("http://bücher.example/ä?ö", "http://xn--bcher-kva.example/%C3%A4?%C3%B6"),
        ("https://[2606:4700::1111]:8443/%20", "https://[2606:4700::1111]:8443/%20"),
        ("https://example.com?q", "https://example.com/?q"),
    ],
)
def test_other_urls_are_read_as_a_browser_does(url: str, read: str):
    assert str(read_url(url)) == read


def through_a_proxy(desk: Desk, url: str, allowed: list[str]) -> tuple[Outcome, list[Asked]]:
    """What comes of it when the proxy refuses everything, and what the proxy was asked."""

    async def scenario() -> tuple[Outcome, list[Asked]]:
        async with Site({}) as site:
            proxy = Proxy(host="127.0.0.1", port=site.port, authorization="Basic eDp5")
            return await fetch(desk, url, allowed, proxy_for=lambda _: proxy), site.asked

    return run(scenario())


def test_http_becomes_https_on_the_internet(desk: Desk):
    outcome, [asked] = through_a_proxy(desk, "http://example.com/x", [])
    assert (asked.method, asked.target) == ("CONNECT", "example.com:443")
    assert asked.headers["proxy-authorization"] == "Basic eDp5"
    assert outcome.is_error
    assert "refused to reach example.com:443: it answered 404" in outcome.content
    assert "eDp5" not in outcome.content


def test_http_stays_http_near_by_and_on_a_port_of_its_own(desk: Desk):
    for url, allowed in (("http://intranet/x", ["intranet"]), ("http://example.com:81/x", [])):
        _, [asked] = through_a_proxy(desk, url, allowed)
        assert (asked.method, asked.target) == ("GET", url)
        assert asked.headers["proxy-authorization"] == "Basic eDp5"


@pytest.mark.parametrize(
    "url", ["http://169.254.169.254/", "https://[::1]/", "https://localhost/", "https://a.internal/"]
)
def test_a_proxy_is_not_asked_for_places_near_by(desk: Desk, url: str):
    outcome, asked = through_a_proxy(desk, url, [])
    assert asked == []
    assert "not out on the Internet" in outcome.content


def test_a_tunnel_leads_to_the_page(desk: Desk, tmp_path: Any):
    import ssl

    from tests.toolbox.model_tls import Authority

    authority = Authority(tmp_path)
    trusted = ssl.create_default_context(cafile=authority.ca_file)

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(4096):
            writer.write(data)
        writer.transport.abort()

    async def scenario() -> None:
        async with Site({"/p": reply(b"secret page")}, tls=authority.server_context("site.example")) as site:

            async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                inner = await asyncio.open_connection("127.0.0.1", site.port)
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await asyncio.gather(pump(reader, inner[1]), pump(inner[0], writer))

            async with Site({f"site.example:{site.port}": tunnel}) as middle:
                proxy = Proxy(host="127.0.0.1", port=middle.port)
                url = site.url("/p", "site.example")
                outcome = await fetch(desk, url, [], proxy_for=lambda _: proxy, tls=lambda: trusted)
                assert outcome.content.endswith("secret page")

    run(scenario())


def test_a_refusal_is_an_error_for_the_caller_too():
    with pytest.raises(Refused):
        Neighbours([]).check_address("x.example", "not an address")
