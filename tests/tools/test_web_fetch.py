"""Is a page read as text, within its caps, and is every failure an ordinary answer?"""

import asyncio
import gzip
import zlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

import daedal.tools
from daedal.protocol.seams import Outcome
from daedal.tools.way_out import WayOut
from daedal.tools.web_fetch import SHOWN_CHARACTERS_MAX, WebFetch, WebFetchInput
from daedal.tools.web_pages import BODY_BYTES_MAX
from daedal.tools.web_settings import WebSettings
from tests.toolbox.model_tls import Authority
from tests.toolbox.requirement import requirement
from tests.tools.desk import Desk
from tests.tools.web_site import Answer, Site, bomb, endless, moved, reply, run, silent, spec

pytestmark = requirement("SD-16/WebFetch")

NEAR = WebSettings(allow_private=["127.0.0.0/8"])


def fetcher(settings: WebSettings = NEAR, **way: Any) -> WebFetch:
    return WebFetch(spec("WebFetch"), settings, WayOut(**way))


def answer_to(desk: Desk, page: Answer, settings: WebSettings = NEAR, **arguments: Any) -> Outcome:
    """What the model reads when a site gives that page."""

    async def scenario() -> Outcome:
        async with Site({"/p": page}) as site:
            url = site.url("/p")
            outcome = await fetcher(settings).run({"url": url, "prompt": "What?", **arguments}, desk)
            return msgspec.structs.replace(outcome, content=outcome.content.replace(url, "URL"))

    return run(scenario())


def test_html_comes_as_markdown_below_what_was_asked_for(desk: Desk):
    page = b"<title>A &amp; B</title><h1>Hi</h1><p>See <a href='/x'>this</a>.<script>evil()</script>"
    outcome = answer_to(desk, reply(page, "text/html"))
    origin = outcome.content.partition("[this](")[2].partition("/x)")[0]
    expected = f'URL · "A & B" · HTML as Markdown, {len(origin) + 21} characters\nAsked for: What?\n\n'
    assert not outcome.is_error
    assert origin.startswith("http://127.0.0.1:")
    assert outcome.content == f"{expected}# Hi\n\nSee [this]({origin}/x)."


@pytest.mark.parametrize(
    ("body", "content_type"),
    [('{"a": [1, "<b>"]}', "application/json"), ("# Title\n\n  x <y>\n", "text/markdown"), ("<a>\n</a>", "text/xml")],
)
def test_other_text_comes_as_it_is(desk: Desk, body: str, content_type: str):
    outcome = answer_to(desk, reply(body.encode(), content_type))
    assert outcome.content == f"URL · {content_type}, {len(body)} characters\nAsked for: What?\n\n{body}"


def test_binary_data_is_noted_and_not_shown(desk: Desk):
    outcome = answer_to(desk, reply(b"\x89PNG\0\0" * 1000, "image/png"))
    assert not outcome.is_error
    assert "(image/png, 5.9 KiB: no text, so it is not shown." in outcome.content
    assert "PNG\0" not in outcome.content


def test_endless_binary_data_is_left_after_its_first_bytes(desk: Desk):
    outcome = answer_to(desk, endless(b"\0\1\2\3" * 1000, "application/octet-stream"))
    assert "(application/octet-stream, of unknown size: no text" in outcome.content


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("grün €".encode(), "text/plain", "grün €"),
        ("grün €".encode("cp1252"), "text/plain", "grün €"),
        ("grün".encode("latin-1"), "text/plain; charset=ISO-8859-1", "grün"),
        ("日本".encode("shift_jis"), "text/plain; charset=Shift_JIS", "日本"),
        ("日本".encode("utf-16-le"), "text/plain; charset=utf-16le", "日本"),
        ("日本".encode("utf-16"), "text/plain; charset=latin-1", "日本"),
        ("<meta charset='koi8-r'>мир".encode("koi8-r"), "text/html", "мир"),
        ("<?xml version='1.0' encoding='gb2312'?>中".encode("gb2312"), "application/xhtml+xml", "中"),
        ("grün".encode("latin-1"), "text/plain; charset=utf-8", "gr�n"),
        ("grün".encode(), "text/plain; charset=unheard-of", "grün"),
        (b"abc", "text/plain; charset=punycode", "abc"),
        (b"abc", "text/plain; charset=hex", "abc"),
        (b"<meta charset=utf-16>abc", "text/html", "abc"),
    ],
)
def test_characters_are_those_that_were_meant(desk: Desk, body: bytes, content_type: str, text: str):
    assert answer_to(desk, reply(body, content_type)).content.endswith(f"\n\n{text}")


@pytest.mark.parametrize(
    ("status", "said"), [("404 Not Found", "gone"), ("503 Service Unavailable", "gone"), ("499 X", "gone")]
)
def test_an_http_error_is_an_error_with_what_the_page_said(desk: Desk, status: str, said: str):
    outcome = answer_to(desk, reply(b"<p>" + said.encode(), "text/html", status=status))
    assert outcome.is_error
    assert outcome.content == f"HTTP {status.removesuffix(' X')}: URL\n\n{said}"


def test_a_long_page_is_paged_to_its_end_without_a_gap(desk: Desk):
    text = "".join(f"line {number}\n" for number in range(40_000))

    async def scenario() -> None:
        async with Site({"/p": reply(text.encode())}) as site:
            tool, offset, read = fetcher(), 0, ""
            while True:
                call = {"url": site.url("/p"), "prompt": "x", "offset": offset}
                content = (await tool.run(call, desk)).content
                shown = content.split("\n\n", 1)[1].rsplit("\n\n(characters", 1)[0]
                read += shown
                if "[SDLC_TRUNCATED]" not in content:
                    break
                assert content.endswith("[SDLC_TRUNCATED]")
                assert len(shown) <= SHOWN_CHARACTERS_MAX
                offset = int(content.partition("go on with offset ")[2].partition(")")[0])
            assert read.rstrip("\n") == text.rstrip("\n")
            assert len(site.asked) == 1
            past = await tool.run({"url": site.url("/p"), "prompt": "x", "offset": 10**9}, desk)
            assert past.content.startswith("(offset 1000000000 is past the end")
            assert not past.is_error

    run(scenario())


@pytest.mark.parametrize(
    "page",
    [
        endless(b"never ends " * 1000, "text/plain"),
        endless(b"<p>never ends</p>" * 1000, "text/html"),
        reply(b"x" * (BODY_BYTES_MAX + 1)),
        reply(bomb(500_000_000), Content_Encoding="gzip"),
    ],
)
def test_a_body_without_end_is_cut_and_says_so(desk: Desk, page: Answer):
    outcome = answer_to(desk, page, offset=1_048_000)
    assert not outcome.is_error
    assert outcome.content.endswith("only so much of it is read) [SDLC_TRUNCATED]")
    assert len(outcome.content.encode()) <= 1_048_576


def test_a_packed_bomb_is_never_held_whole(desk: Desk):
    import tracemalloc

    page = reply(bomb(300_000_000), Content_Encoding="gzip")
    tracemalloc.start()
    try:
        assert not answer_to(desk, page).is_error
        assert tracemalloc.get_traced_memory()[1] < 40_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("body", "encoding", "said"),
    [
        (gzip.compress(b"hello", mtime=0), "gzip", "hello"),
        (gzip.compress(b"hello", mtime=0), "X-GZIP", "hello"),
        (zlib.compress(b"hello"), "deflate", "hello"),
        (zlib.compress(b"hello")[2:-4], "deflate", "hello"),
        (b"hello", "identity", "hello"),
        (b"hello", "gzip", "damaged"),
        (b"hello", "br", "packed as 'br', which was not asked for"),
        (b"hello", "gzip, gzip", "which was not asked for"),
    ],
)
def test_packed_pages_are_unpacked_or_refused(desk: Desk, body: bytes, encoding: str, said: str):
    outcome = answer_to(desk, reply(body, Content_Encoding=encoding))
    assert said in outcome.content
    assert outcome.is_error == (said != "hello")


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (b"SSH-2.0-OpenSSH_9\r\n\r\n", "does not answer in HTTP/1.1"),
        (b"", "ended in the middle"),
        (b"HTTP/1.1 200 OK\r\nContent-Le", "ended in the middle"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", "ended in the middle"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "does not answer in HTTP/1.1"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000, "does not answer in HTTP/1.1"),
        (b"HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", "HTTP/1.1"),
    ],
)
def test_what_is_no_http_is_told(desk: Desk, page: bytes, said: str):
    outcome = answer_to(desk, page)
    assert outcome.is_error
    assert said in outcome.content


def test_interim_answers_and_chunks_are_understood(desk: Desk):
    page = (
        b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
        b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    )
    assert answer_to(desk, page).content.endswith("\n\nabcde")


async def stuck(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nstart")


@pytest.mark.parametrize("page", [silent, stuck])
def test_a_page_that_takes_too_long_is_an_internal_failure(desk: Desk, page: Answer):
    outcome = answer_to(desk, page, WebSettings(allow_private=["127.0.0.1"], timeout_seconds=0.05))
    assert outcome.is_error
    assert outcome.content.startswith("[SDLC_INTERNAL] URL was not fetched within 0.05 s.")


def test_a_place_where_nobody_listens_is_told(desk: Desk):
    async def scenario() -> tuple[Outcome, int]:
        async with Site({}) as site:
            port = site.port
        return await fetcher().run({"url": f"http://127.0.0.1:{port}/", "prompt": "x"}, desk), port

    outcome, port = run(scenario())
    assert outcome.is_error
    assert f"127.0.0.1:{port} cannot be reached" in outcome.content


def test_tls_is_checked_against_the_name_that_was_asked(desk: Desk, tmp_path: Path):
    import ssl

    authority = Authority(tmp_path)
    trusted = ssl.create_default_context(cafile=authority.ca_file)

    async def to_loopback(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    async def scenario() -> None:
        async with Site({"/p": reply(b"secret page")}, tls=authority.server_context("site.example")) as site:
            knows = fetcher(resolve=to_loopback, tls=lambda: trusted)
            good = await knows.run({"url": site.url("/p", "site.example"), "prompt": "x"}, desk)
            assert good.content.endswith("secret page")
            assert site.asked[0].headers["host"] == f"site.example:{site.port}"
            other = await knows.run({"url": site.url("/p", "other.example"), "prompt": "x"}, desk)
            assert other.is_error
            assert "The certificate of other.example is not trusted" in other.content
            unknown = await fetcher(resolve=to_loopback).run(
                {"url": site.url("/p", "site.example"), "prompt": "x"}, desk
            )
            assert "The certificate of site.example is not trusted" in unknown.content

    run(scenario())


def test_tls_with_one_who_does_not_speak_it_is_told(desk: Desk):
    async def scenario() -> Outcome:
        callers: list[asyncio.StreamWriter] = []

        def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            callers.append(writer)
            writer.write(b"220 mail.example ESMTP\r\n")

        async with await asyncio.start_server(greet, "127.0.0.1", 0) as server:
            url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
            outcome = await fetcher().run({"url": url, "prompt": "x"}, desk)
        for writer in callers:
            writer.transport.abort()
        return outcome

    outcome = run(scenario())
    assert outcome.is_error
    assert outcome.content.startswith("No secure connection to 127.0.0.1:")


@pytest.mark.parametrize("page", [silent, stuck])
def test_a_cancelled_fetch_closes_its_connection_at_once(desk: Desk, page: Answer):
    async def scenario() -> None:
        async with Site({"/p": page}) as site:
            call = asyncio.create_task(fetcher().run({"url": site.url("/p"), "prompt": "x"}, desk))
            await site.reached.wait()
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            async with asyncio.timeout(10):
                await site.hung_up.wait()

    run(scenario())


def test_a_page_is_kept_for_a_quarter_of_an_hour(desk: Desk):
    async def scenario() -> None:
        now = 0.0
        async with Site({"/p": reply(b"hello")}) as site:
            tool = WebFetch(spec("WebFetch"), NEAR, WayOut(), lambda: now)
            for moment, asked in ((0.0, 1), (899.0, 1), (901.0, 2)):
                now = moment
                assert (await tool.run({"url": site.url("/p#part"), "prompt": "x"}, desk)).content.endswith("hello")
                assert len(site.asked) == asked

    run(scenario())


def test_failures_and_redirects_are_not_kept(desk: Desk):
    async def scenario() -> None:
        async with Site({"/away": moved("https://elsewhere.example/")}) as site:
            tool = fetcher()
            for path in ("/missing", "/missing", "/away", "/away"):
                await tool.run({"url": site.url(path), "prompt": "x"}, desk)
            assert len(site.asked) == 4

    run(scenario())


def test_a_call_names_no_paths_and_claims_no_walls(desk: Desk):
    for arguments in ({"url": "file:///etc/passwd"}, {"url": 5}, {}):
        assert fetcher().paths(arguments, desk.cwd) == []
        assert not fetcher().is_confined(arguments, desk.cwd)


def test_the_schema_says_what_the_input_takes():
    beside = Path(daedal.tools.__file__).parent
    written = msgspec.json.decode((beside / "web_fetch.json").read_bytes())
    made = msgspec.json.schema(WebFetchInput)["$defs"]["WebFetchInput"]
    assert written["required"] == made["required"]
    assert list(written["properties"]) == list(made["properties"])
    assert len((beside / "web_fetch.md").read_bytes()) <= 350
