"""Which way do requests take? TLS with authorities that we trust, proxies, and nothing that leaks on the way."""

from pathlib import Path

import pytest

from daedal.protocol.errors import ConfigurationError, ProviderError
from daedal.protocol.turns import ErrorKind
from daedal.providers import NetworkSettings
from tests.providers.asking import IMPATIENT, ask, ask_at, provider_at, retries, said
from tests.toolbox.model_proxy import ForwardProxy
from tests.toolbox.model_server import ModelServer, fail, say
from tests.toolbox.model_tls import Authority


def trusting(ca_file: str | None, proxy: str | None = None) -> NetworkSettings:
    return NetworkSettings(ca_file=ca_file, proxy=proxy, backoff_base_s=0.001, attempts_max=3)


def test_an_authority_from_a_file_is_trusted(tmp_path: Path):
    authority = Authority(tmp_path)
    with ModelServer([say("Safe.")], tls=authority.server_context()) as server:
        assert ask("anthropic", server, network=trusting(authority.ca_file)) == said("Safe.")


def test_an_unknown_authority_is_refused_once_with_advice(tmp_path: Path):
    with ModelServer([say("never")], tls=Authority(tmp_path).server_context()) as server:
        with pytest.raises(ProviderError) as caught:
            ask("anthropic", server)
        assert server.requests == []
    assert caught.value.kind is ErrorKind.CONFIGURATION
    assert "is not trusted" in str(caught.value)
    assert "network.ca_file" in str(caught.value)


def test_a_certificate_for_another_name_is_refused(tmp_path: Path):
    authority = Authority(tmp_path)
    with (
        ModelServer([say("never")], tls=authority.server_context("other.example")) as server,
        pytest.raises(ProviderError, match="is not trusted"),
    ):
        ask("anthropic", server, network=trusting(authority.ca_file))


def test_plain_http_on_an_https_url_is_a_mistake_not_a_mishap():
    with ModelServer([say("never")]) as server, pytest.raises(ProviderError, match="check the base URL") as caught:
        ask_at("chat", server.url.replace("http:", "https:"))
    assert caught.value.kind is ErrorKind.CONFIGURATION


@pytest.mark.parametrize(("content", "words"), [(None, "cannot be read"), ("hello", "no PEM certificates")])
def test_a_bad_authority_file_is_named_before_any_network(tmp_path: Path, content: str | None, words: str):
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_text(content)
    with pytest.raises(ConfigurationError, match=words) as caught:
        provider_at("anthropic", "https://127.0.0.1:1", trusting(str(path)))
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", None])
def test_plain_http_is_handed_to_the_proxy(variable: str | None):
    with ModelServer([say("Far away.")]) as server, ForwardProxy() as proxy:
        url = f"http://model.example:{server.port}"
        env = {} if variable is None else {variable: proxy.url}
        network = trusting(None, proxy.url if variable is None else None)
        assert ask_at("chat", url, network=network, env=env) == said("Far away.")
        assert proxy.seen == [f"POST {url}/v1/chat/completions"]


@pytest.mark.parametrize("variable", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", None])
def test_https_goes_through_a_tunnel_that_the_proxy_cannot_look_into(tmp_path: Path, variable: str | None):
    authority = Authority(tmp_path)
    tls = authority.server_context("model.example")
    with ModelServer([say("Far away.")], tls=tls) as server, ForwardProxy() as proxy:
        env = {} if variable is None else {variable: proxy.url}
        network = trusting(authority.ca_file, proxy.url if variable is None else None)
        url = f"https://model.example:{server.port}"
        assert ask_at("anthropic", url, network=network, env=env) == said("Far away.")
        assert proxy.seen == [f"CONNECT model.example:{server.port}"]


@pytest.mark.parametrize("secure", [False, True])
def test_a_proxy_may_itself_be_reached_by_https(tmp_path: Path, secure: bool):
    authority = Authority(tmp_path)
    tls = authority.server_context("model.example") if secure else None
    with ModelServer([say("Inside.")], tls=tls) as server, ForwardProxy(tls=authority.server_context()) as proxy:
        url = f"{'https' if secure else 'http'}://model.example:{server.port}"
        assert ask_at("chat", url, network=trusting(authority.ca_file, proxy.url)) == said("Inside.")
        assert len(proxy.seen) == 1


@pytest.mark.parametrize("secure", [False, True])
def test_a_proxy_may_ask_who_we_are(tmp_path: Path, secure: bool):
    authority = Authority(tmp_path)
    tls = authority.server_context("model.example") if secure else None
    with ModelServer([say("Come in.")], tls=tls) as server, ForwardProxy(credentials="ada:p@ss") as proxy:
        url = f"{'https' if secure else 'http'}://model.example:{server.port}"
        known = proxy.url.replace("//", "//ada:p%40ss@")
        assert ask_at("chat", url, network=trusting(authority.ca_file, known)) == said("Come in.")
        with pytest.raises(ProviderError, match="user and password") as caught:
            ask_at("chat", url, network=trusting(authority.ca_file, proxy.url))
        assert caught.value.kind is ErrorKind.CONFIGURATION


def test_a_proxy_that_is_not_there_is_named_without_its_password():
    with pytest.raises(ProviderError) as caught:
        ask_at("chat", "http://model.example", network=trusting(None, "http://ada:secret@127.0.0.1:1"))
    assert "the proxy 127.0.0.1:1 refused the connection" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_loopback_never_goes_through_a_proxy_of_the_environment():
    with ModelServer([say("Near.")]) as server, ForwardProxy() as proxy:
        assert ask("chat", server, env={"HTTP_PROXY": proxy.url, "ALL_PROXY": proxy.url}) == said("Near.")
        assert proxy.seen == []


def test_no_proxy_holds_against_the_setting_too():
    with ModelServer([say("Near.")]) as server, ForwardProxy() as proxy:
        network = trusting(None, proxy.url)
        assert ask("chat", server, network=network, env={"NO_PROXY": "127.0.0.0/8"}) == said("Near.")
        assert proxy.seen == []


def test_a_socks_proxy_is_refused_before_any_network():
    with pytest.raises(ConfigurationError, match="SOCKS"):
        provider_at("chat", "https://model.example", env={"ALL_PROXY": "socks5://127.0.0.1:1080"})


def test_a_host_that_does_not_exist_is_a_network_trouble():
    network = NetworkSettings(attempts_max=2, backoff_base_s=0.001)
    with pytest.raises(ProviderError) as caught:
        ask_at("chat", "http://no-such-host.invalid", network=network)
    assert caught.value.kind is ErrorKind.NETWORK


def test_a_name_with_several_addresses_is_reached_at_the_one_that_answers():
    with ModelServer([say("Home.")]) as server:
        assert ask_at("chat", f"http://localhost:{server.port}") == said("Home.")
    with pytest.raises(ProviderError, match="refused the connection"):
        ask_at("chat", f"http://localhost:{server.port}", network=NetworkSettings(attempts_max=1))


def test_something_that_is_not_http_is_said_to_be_so():
    import socket
    import threading

    with socket.create_server(("127.0.0.1", 0)) as listener:

        def greet() -> None:
            client, _ = listener.accept()
            with client:
                client.sendall(b"220 mail.example ESMTP\r\n")
                client.recv(65536)

        greeter = threading.Thread(target=greet)
        greeter.start()
        with pytest.raises(ProviderError, match="does not speak HTTP"):
            ask_at("chat", f"http://127.0.0.1:{listener.getsockname()[1]}", network=IMPATIENT)
        greeter.join()


def test_a_connect_timeout_is_short_and_clear():
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:  # accepts by its backlog, never speaks TLS
        network = NetworkSettings(connect_timeout_s=0.2, attempts_max=1)
        with pytest.raises(ProviderError, match=r"no connection to .* within 0\.2 s"):
            ask_at("chat", f"https://127.0.0.1:{silent.getsockname()[1]}", network=network)


def test_retries_through_a_proxy_say_where_they_went():
    with ModelServer([fail(500), say("ok")]) as server, ForwardProxy() as proxy:
        chunks = ask_at("chat", f"http://model.example:{server.port}", network=trusting(None, proxy.url))
    assert retries(chunks)[0].reason == "the server answered 500: scripted status 500"
