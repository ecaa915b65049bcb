"""Is what is written down about the wire true? The committed schema is the one that the program writes, and holds."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from daedal.server import schemas
from tests.toolbox.model_server import call, say
from tests.toolbox.program import Daedal
from tests.toolbox.wire_client import Child

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs" / "schema"


def test_the_committed_schema_is_the_one_that_the_program_writes(daedal: Daedal, tmp_path: Path):
    assert daedal("app-server", "generate-json-schema", "--out", str(tmp_path / "schema")).code == 0
    written = {file.name: file.read_text() for file in (tmp_path / "schema").iterdir()}
    kept = {file.name: file.read_text() for file in DOCS.iterdir()}
    assert written == kept, "run: daedal app-server generate-json-schema --out docs/schema"


@pytest.mark.parametrize("name", sorted(schemas()))
def test_each_file_is_a_schema(name: str):
    Draft202012Validator.check_schema(schemas()[name])


def test_what_is_sent_and_understood_is_what_is_written_down(daedal: Daedal, model):
    model([call("Bash", command="touch made"), say("Done.")])
    files = {name: json.loads((DOCS / name).read_text()) for name in schemas()}

    def holds(name: str, method: str, value: Any) -> None:
        whole = files[name]
        Draft202012Validator({**whole["properties"][method], "$defs": whole["$defs"]}).validate(value)

    with Child(daedal) as client:
        client.hello(daedal=True)
        thread = client.thread()
        said = [{"type": "text", "text": "Go."}]
        number = client.ask("turn/start", {"threadId": thread, "input": said})
        holds("client-requests.json", "turn/start", {"threadId": thread, "input": said})
        holds("server-responses.json", "turn/start", client.answer(number)["result"])
        asked = client.asked()
        holds("server-requests.json", asked["method"], asked["params"])
        answer = {"decision": "accept"}
        holds("client-responses.json", asked["method"], answer)
        client.send(id=asked["id"], result=answer)
        client.event("turn/completed")
        told = [message for message in client.seen if "method" in message and "id" not in message]
        for message in told:
            holds("server-notifications.json", message["method"], message["params"])
            holds("envelopes.json", "notification", message)
    assert len(told) > 10


def test_the_schema_goes_to_standard_output_where_no_folder_is_named(daedal: Daedal):
    shown = daedal("app-server", "generate-json-schema")
    assert (shown.code, "turn/start" in shown.out) == (0, True)
