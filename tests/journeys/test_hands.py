"""Do the further tools do what they say, by the model and by hand? What counts is what has changed, or what is seen."""

import json
import struct
import zlib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.journeys.test_bad_input import configure
from tests.toolbox.model_server import call, say
from tests.toolbox.program import Daedal, Finished
from tests.toolbox.requirement import requirement


def by_hand(daedal: Daedal, tool: str, *flags: str, **given: object) -> Finished:
    return daedal("--eval", json.dumps({"tool": tool, "input": given}), *flags)


def notebook(path: Path) -> None:
    cell = {
        "cell_type": "code",
        "id": "first",
        "metadata": {},
        "source": ["x = 1\n"],
        "outputs": [],
        "execution_count": None,
    }
    path.write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n")


@requirement("SD-16/NotebookEdit")
def test_a_cell_of_a_notebook_is_replaced_and_the_rest_stays(daedal: Daedal, model):
    path = daedal.workspace / "a.ipynb"
    notebook(path)
    before = path.read_text()
    model(
        [
            call("Read", file_path="a.ipynb"),
            call("NotebookEdit", notebook_path="a.ipynb", cell_id="first", new_source="x = 2"),
            say("Done."),
        ]
    )
    assert daedal("exec", "Go.").code == 0
    assert json.loads(path.read_text())["cells"][0]["source"] in (["x = 2"], "x = 2")
    assert path.read_text().replace("x = 2", "").strip()[:20] == before.strip()[:20]
    assert len(daedal.entries("file_history_snapshot")) == 1


@requirement("SD-16/NotebookEdit")
def test_a_notebook_that_was_not_read_is_changed_by_a_person_and_not_by_a_model(daedal: Daedal, model):
    path = daedal.workspace / "a.ipynb"
    notebook(path)
    before = path.read_bytes()
    change = {"notebook_path": "a.ipynb", "cell_id": "first", "new_source": "x = 2"}
    model([call("NotebookEdit", **change), say("Read it first.")])
    assert daedal("exec", "Go.").code == 0
    assert path.read_bytes() == before
    assert by_hand(daedal, "NotebookEdit", **change).code == 0
    assert b"x = 2" in path.read_bytes()


def test_a_file_is_moved_inside_the_project_and_not_out_of_it(daedal: Daedal, model):
    (daedal.workspace / "a.txt").write_text("a\n")
    model([call("Move", source_path="a.txt", destination_path="sub/b.txt"), say("Done.")])
    assert daedal("exec", "Go.").code == 0
    assert (daedal.workspace / "sub" / "b.txt").read_text() == "a\n"
    assert not (daedal.workspace / "a.txt").exists()
    # The temporary folder may be written, and this test lives in it.
    daedal.env["TMPDIR"] = str(daedal.workspace)
    out = by_hand(daedal, "Move", source_path="sub/b.txt", destination_path=str(daedal.home / "stolen.txt"))
    assert out.code == 1
    assert (daedal.workspace / "sub" / "b.txt").exists()
    assert not (daedal.home / "stolen.txt").exists()


def png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\xff\0\0" * width for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@requirement("SD-16/Read")
@pytest.mark.parametrize("provider", ["claude_code_subscription", "openai_compatible"])
def test_an_image_is_seen_by_the_model_and_again_after_a_resume(daedal: Daedal, model, provider: str):
    (daedal.workspace / "red.png").write_bytes(png(4, 3))
    server = model([call("Read", file_path="red.png"), say("Red."), say("Still red.")])
    assert daedal("exec", "Look.", "--provider", provider).code == 0
    assert daedal("exec", "Again?", "--resume", daedal.session).code == 0
    first, second = (json.dumps(request.json["messages"]) for request in server.requests[1:3])
    assert "iVBORw0KGgo" in first
    assert "iVBORw0KGgo" in second
    assert "4 × 3" in daedal.results()[0]["content"]


class _Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "http://elsewhere.example/")
            self.end_headers()
            return
        body = b"<html><body><h1>Title</h1><p>Some <b>bold</b> words.</p></body></html>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Not on our standard error."""


@pytest.fixture
def page() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Page)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@requirement("SD-16/WebFetch")
def test_a_page_comes_back_as_markdown_where_its_host_is_allowed(daedal: Daedal, page: str):
    near = by_hand(daedal, "WebFetch", "--allow", "WebFetch", url=f"{page}/", prompt="what is it?")
    assert near.code == 1
    assert "allow_private" in near.json["content"]
    configure(daedal, '[tools.web]\nallow_private = ["127.0.0.1"]\n')
    done = by_hand(daedal, "WebFetch", "--allow", "WebFetch(domain:127.0.0.1)", url=f"{page}/", prompt="what is it?")
    assert (done.code, done.json["is_error"]) == (0, False)
    assert "# Title" in done.json["content"]
    assert "**bold**" in done.json["content"]
    away = by_hand(daedal, "WebFetch", "--allow", "WebFetch", url=f"{page}/away", prompt="x")
    assert "http://elsewhere.example/" in away.json["content"]


@requirement("SD-16/WebFetch")
def test_no_page_is_fetched_without_being_allowed(daedal: Daedal, page: str):
    configure(daedal, '[tools.web]\nallow_private = ["127.0.0.1"]\n')
    done = by_hand(daedal, "WebFetch", url=f"{page}/", prompt="x")
    assert done.code == 1
    assert "Permission denied" in done.json["content"]


@requirement("SD-16/WebSearch")
def test_a_search_without_a_backend_names_the_setting(daedal: Daedal):
    done = by_hand(daedal, "WebSearch", "--allow", "WebSearch", query="daedal")
    assert done.code == 1
    assert "tools.web.search" in done.json["content"]
