"""Does the model hear what the project says? AGENTS.md and CLAUDE.md, and nested ones when their folder is touched."""

import pytest

from tests.toolbox.model_server import call, say
from tests.toolbox.program import Daedal


def test_project_instructions_are_in_the_first_request_and_nested_ones_follow_when_touched(daedal: Daedal, model):
    (daedal.workspace / "AGENTS.md").write_text("Use tabs.")
    (daedal.workspace / "CLAUDE.md").write_text("Be brief.")
    deep = daedal.workspace / "api" / "v1"
    deep.mkdir(parents=True)
    (daedal.workspace / "api" / "AGENTS.md").write_text("The API is frozen.")
    (deep / "x.py").write_text("pass\n")
    server = model([call("Read", file_path="api/v1/x.py")] * 2 + [say("Done."), say("Again.")])
    daedal("exec", "Look.")
    first, second, third = (request.json for request in server.requests)
    assert "Use tabs." in first["system"][0]["text"]
    assert "Be brief." in first["system"][0]["text"]
    assert "frozen" not in str(first)
    assert "The API is frozen." in second["messages"][-1]["content"][-1]["text"]
    assert str(third).count("The API is frozen.") == 1
    daedal("exec", "--continue", "Go on.")
    assert str(server.requests[-1].json).count("The API is frozen.") == 1
    assert server.requests[-1].json["system"][0]["text"] == first["system"][0]["text"]


@pytest.mark.parametrize(
    "touching",
    [
        call("Read", file_path="api/x.py"),
        call("Write", file_path="api/new.py", content="x"),
        call("Edit", file_path="api/x.py", old_string="pass", new_string="..."),
        call("Glob", pattern="*", path="api"),
        call("Glob", pattern="api/*.py"),
        call("Grep", pattern="pass", path="api"),
        call("Bash", command="cd api"),
    ],
)
def test_every_way_to_touch_a_folder_brings_its_instructions(daedal: Daedal, model, touching):
    (daedal.workspace / "api").mkdir()
    (daedal.workspace / "api" / "AGENTS.md").write_text("The API is frozen.")
    (daedal.workspace / "api" / "x.py").write_text("pass\n")
    server = model([touching, say("Done.")])
    assert daedal("exec", "Go.", "--approval", "yolo").code == 0
    assert "The API is frozen." in server.requests[1].body.decode()
