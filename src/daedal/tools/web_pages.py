"""What does a page on the web say? Its text, where it stays on its host; where it sends us elsewhere, only that.

Redirects are followed within the host that was allowed. Another host is another question, for the model to ask and for
the gate to judge.
"""

import asyncio

from msgspec import Struct

from daedal.tools.addresses import Neighbours
from daedal.tools.charsets import charset_in, decoded
from daedal.tools.encodings import HEAD_BYTES, is_binary
from daedal.tools.errors import Refused
from daedal.tools.html_tokens import tokens
from daedal.tools.http import Request, Response, exchange
from daedal.tools.markdown import MarkdownWriter
from daedal.tools.sizes import size
from daedal.tools.urls import Url, joined
from daedal.tools.way_out import WayOut, find_route

BODY_BYTES_MAX = 4_194_304
"""Of a page, unpacked."""
TEXT_CHARACTERS_MAX = 1_048_576
"""Of what a page says."""
REDIRECTS_MAX = 10
REDIRECTIONS = frozenset((301, 302, 303, 307, 308))
MEDIA_CHARACTERS_MAX = 100
TOKENS_AT_ONCE = 1000
"""After so many others get their turn."""

HTML = frozenset(("text/html", "application/xhtml+xml"))
ACCEPT = "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5"


class Page(Struct, frozen=True, kw_only=True):
    url: str
    """Where it was in the end."""
    status: int
    kind: str
    """In few words what it is."""
    text: str
    title: str = ""
    is_cut: bool = False


class Redirect(Struct, frozen=True):
    url: str
    status: int
    target: str


async def fetch(url: Url, way: WayOut, neighbours: Neighbours) -> Page | Redirect:
    """Raises Refused. The caller sets the deadline."""
    for _ in range(REDIRECTS_MAX + 1):
        route = await find_route(url, way, neighbours)
        if route.is_public and url.secured() != url:
            url = url.secured()
            route = await find_route(url, way, neighbours)
        async with exchange(route, Request(headers=[("Accept", ACCEPT)]), way) as response:
            location = response.header("location")
            if response.status not in REDIRECTIONS or not location:
                return await _page(url, response)
        target = joined(url, _as_utf_8(location))
        if not _is_same_place(url, target):
            neighbours.check_literal(target.host)
            return Redirect(str(url), response.status, str(target))
        url = target
    raise Refused(f"{url.host} redirected more than {REDIRECTS_MAX} times, the last time to {url}.")


def _as_utf_8(header: str) -> str:
    """Headers come as Latin-1; where somebody wrote UTF-8 into one, that was meant."""
    try:
        return header.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return header


def _is_same_place(one: Url, other: Url) -> bool:
    is_downgraded = one.is_secure and not other.is_secure and other.secured() == other
    is_same_port = one.port == other.port or (one.has_usual_port and other.has_usual_port)
    return one.host == other.host and is_same_port and not is_downgraded


async def _page(url: Url, response: Response) -> Page:
    content_type = response.header("content-type")
    media = content_type.partition(";")[0].strip().lower()[:MEDIA_CHARACTERS_MAX]
    charset = charset_in(content_type)
    body = bytearray()
    async for piece in response.pieces(BODY_BYTES_MAX):
        was_known = len(body) >= HEAD_BYTES
        body += piece
        if not was_known and len(body) >= HEAD_BYTES and _is_data(bytes(body[:HEAD_BYTES]), charset):
            break  # nothing of it will be shown, so nothing more of it is needed
    if _is_data(bytes(body[:HEAD_BYTES]), charset):
        return _data(url, response, media)
    is_cut = len(body) > BODY_BYTES_MAX
    is_html = media in HTML or (
        not media and body[:HEAD_BYTES].lstrip().lower().startswith((b"<!doctype html", b"<html"))
    )
    text = decoded(bytes(body[:BODY_BYTES_MAX]), charset, is_markup=is_html or media.endswith("xml"))
    del body
    if is_html:
        return await _from_html(url, response.status, text, is_cut=is_cut)
    return Page(
        url=str(url),
        status=response.status,
        kind=media or "text",
        text=text[:TEXT_CHARACTERS_MAX],
        is_cut=is_cut or len(text) > TEXT_CHARACTERS_MAX,
    )


async def _from_html(url: Url, status: int, html: str, *, is_cut: bool) -> Page:
    writer = MarkdownWriter(str(url), TEXT_CHARACTERS_MAX)
    for count, token in enumerate(tokens(html)):
        writer.take(token)
        if writer.is_full:
            break
        if count % TOKENS_AT_ONCE == 0:
            await asyncio.sleep(0)
    page = writer.finish()
    return Page(
        url=str(url),
        status=status,
        kind="HTML as Markdown",
        text=page.text,
        title=page.title,
        is_cut=is_cut or page.is_cut,
    )


def _is_data(head: bytes, charset: str | None) -> bool:
    """Whether it is no text. What says that it is in wide characters has NUL bytes, and is believed."""
    return is_binary(head) and not (charset or "").startswith(("utf-16", "utf-32"))


def _data(url: Url, response: Response, media: str) -> Page:
    length = response.header("content-length")
    is_known = length.isascii() and length.isdigit() and len(length) < 16 and not response.header("content-encoding")
    told = f"{media or 'binary data'}, {size(int(length)) if is_known else 'of unknown size'}"
    note = f"({told}: no text, so it is not shown. To work with it, download it with a command and then Read it.)"
    return Page(url=str(url), status=response.status, kind=media or "binary data", text=note)
