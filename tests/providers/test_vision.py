"""Does a model that cannot see images get words in their place, and every other model the images?"""

from typing import Any

import pytest

from daedal.protocol.content import Image, Message, ToolResult, ToolUse
from daedal.protocol.errors import ConfigurationError
from daedal.providers import ProviderSettings, resolve
from tests.providers.asking import ask, assistant, every_wire, user
from tests.toolbox.model_server import ModelServer, say

DATA = "QUJD" * 1024
RED = Image("image/png", DATA)


def story(*images: Image) -> list[Message]:
    return [
        user("Look."),
        assistant(ToolUse("c1", "Read", {"file_path": "red.png"}), ToolUse("c2", "Glob", {"pattern": "*"})),
        user(ToolResult("c1", "image/png, 4 × 3", False, list(images)), ToolResult("c2", "red.png", False)),
    ]


def body_of(wire: str, *messages: Message, **changes: Any) -> str:
    with ModelServer([say("ok")]) as server:
        ask(wire, server, *messages, **changes)
        return server.requests[0].body.decode()


@every_wire
def test_a_model_that_sees_gets_the_image(wire: str):
    body = body_of(wire, *story(RED))
    assert DATA in body
    assert "cannot see" not in body


@every_wire
def test_a_model_that_does_not_see_is_told_which_file_it_was(wire: str):
    body = body_of(wire, *story(RED, Image("image/jpeg", "QUJD")), vision=False)
    assert "QUJD" not in body
    assert body.count("this model cannot see images") == 2
    assert "image/png, 4 × 3" in body
    assert "An image in red.png (image/png, 3 KiB)" in body
    assert "(image/jpeg, 1 KiB)" in body


@every_wire
def test_without_images_nothing_is_different(wire: str):
    assert body_of(wire, *story(), vision=False) == body_of(wire, *story())


def test_an_image_whose_call_is_not_known_is_told_without_a_name():
    body = body_of("chat", user(ToolResult("c9", "", False, [RED])), vision=False)
    assert '"[An image (image/png, 3 KiB) stands here' in body


@pytest.mark.parametrize(
    ("model", "sees"),
    [
        ("claude_sonnet_4", True),
        ("haiku", True),
        ("gpt_4o", True),
        ("o3", True),
        ("o3_mini", False),
        ("lm_studio_local", True),
    ],
)
def test_what_the_built_in_models_see_is_known(model: str, sees: bool):
    env = {
        "ANTHROPIC_API_KEY": "k",
        "OPENAI_API_KEY": "k",
        "OPENAI_BASE_URL": "https://a.example/v1",
        "LM_STUDIO_MODEL": "qwen",
    }
    assert resolve(provider=None, model=model, entries=[], env=env).sees_images is sees


@pytest.mark.parametrize(
    ("model", "vision", "sees"),
    [
        ("llama", None, True),
        ("llama", False, False),
        ("openai/o3-mini", None, False),
        ("openai/o3-mini", True, True),
        ("gpt-3.5-turbo", None, False),
    ],
)
def test_settings_outrank_what_a_name_tells(model: str, vision: bool | None, sees: bool):
    entry = ProviderSettings(name="p", kind="openai", base_url="http://a.example/v1", model=model, vision=vision)
    assert resolve(provider="p", model=None, entries=[entry], env={}).sees_images is sees


def test_vision_means_nothing_for_what_was_recorded():
    entry = ProviderSettings(name="p", kind="replay", file="tape.jsonl", vision=True)
    with pytest.raises(ConfigurationError, match="key vision"):
        resolve(provider="p", model=None, entries=[entry], env={})
