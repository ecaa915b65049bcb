"""Does the model hear what the project says? AGENTS.md and CLAUDE.md, and nested ones when their folder is touched."""

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
