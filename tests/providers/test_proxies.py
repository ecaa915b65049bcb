"""Which requests go through a proxy? A table, because everybody remembers these rules differently."""

import pytest

from daedal.providers.address import parse
from daedal.providers.proxies import authorization, proxy_for

FAR = "https://api.example.com/v1"
PROXY = {"HTTPS_PROXY": "http://proxy:3128", "HTTP_PROXY": "http://plain:3128"}

CASES = [
    (FAR, {}, None),
    (FAR, PROXY, "proxy:3128"),
    ("http://api.example.com", PROXY, "plain:3128"),
    (FAR, {"ALL_PROXY": "all:1"}, "all:1"),
    (FAR, {"HTTP_PROXY": "http://plain:3128"}, None),
    (FAR, {"HTTPS_PROXY": "https://proxy"}, "proxy:443"),
    (FAR, {"HTTPS_PROXY": "  "}, None),
    ("http://localhost:1234", PROXY, None),
    ("http://127.0.0.1:1234", PROXY, None),
    ("http://[::1]:1234", PROXY, None),
    (FAR, PROXY | {"NO_PROXY": "*"}, None),
    (FAR, PROXY | {"NO_PROXY": "example.com"}, None),
    (FAR, PROXY | {"NO_PROXY": ".example.com"}, None),
    (FAR, PROXY | {"NO_PROXY": "*.example.com"}, None),
    (FAR, PROXY | {"no_proxy": "other.com, API.example.com"}, None),
    (FAR, PROXY | {"NO_PROXY": "ample.com"}, "proxy:3128"),
    (FAR, PROXY | {"NO_PROXY": "api.example.com:443"}, None),
    (FAR, PROXY | {"NO_PROXY": "api.example.com:8443"}, "proxy:3128"),
    (FAR, PROXY | {"NO_PROXY": ",,"}, "proxy:3128"),
    ("https://10.1.2.3", PROXY | {"NO_PROXY": "10.0.0.0/8"}, None),
    ("https://11.1.2.3", PROXY | {"NO_PROXY": "10.0.0.0/8"}, "proxy:3128"),
    (FAR, PROXY | {"NO_PROXY": "10.0.0.0/8,nonsense/9"}, "proxy:3128"),
    ("https://[fd00::1]", PROXY | {"NO_PROXY": "[fd00::1]:443"}, None),
    ("https://[fd00::1]", PROXY | {"NO_PROXY": "fd00::1"}, None),
]


@pytest.mark.parametrize(("url", "env", "expected"), CASES)
def test_the_environment_says_the_way(url: str, env: dict[str, str], expected: str | None):
    proxy = proxy_for(parse(url, source="test"), None, env)
    assert (proxy and proxy.authority) == expected


def test_the_setting_outranks_the_environment_even_for_loopback():
    target = parse("http://127.0.0.1:1", source="test")
    proxy = proxy_for(target, "http://set:8080", PROXY)
    assert proxy is not None
    assert proxy.authority == "set:8080"


@pytest.mark.parametrize(
    ("url", "header"),
    [
        ("http://p:1", None),
        ("http://ada:secret@p:1", "Basic YWRhOnNlY3JldA=="),
        ("http://ada@p:1", "Basic YWRhOg=="),
        ("http://a%40b:c%3Ad@p:1", "Basic YUBiOmM6ZA=="),
    ],
)
def test_a_login_in_the_url_becomes_a_header(url: str, header: str | None):
    assert authorization(parse(url, source="test")) == header


def test_an_address_shows_itself_without_its_login():
    assert str(parse("HTTPS://ada:secret@Example.COM:443/v1/", source="test")) == "https://example.com/v1"
    assert str(parse("http://bücher.example/", source="test")) == "http://xn--bcher-kva.example"
    assert parse("http://[::1]:8080/x", source="test").authority == "[::1]:8080"
