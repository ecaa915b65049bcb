"""Does a scripted model say what its file says, and does a wrong file say where it is wrong?"""

import json
from pathlib import Path
from typing import Any

import pytest

from daedal.protocol.errors import ConfigurationError, ProviderError
from daedal.protocol.model import CallRequested, Chunk, Finished, ReasoningDelta, StopReason, TextDelta, Usage
from daedal.protocol.seams import Provider
from daedal.providers import ProviderSettings, connect, resolve, script
from tests.providers.asking import IMPATIENT, chunks_of, opened, run, user


def provider_of(path: Path) -> Provider:
    entry = ProviderSettings(name="scripted", kind="script", file=str(path), model="hero")
    return connect(resolve(provider=None, model="scripted/hero", entries=[entry], env={}), IMPATIENT, {})


def told(path: Path, replies: Any, count: int) -> list[list[Chunk]]:
    path.write_text(replies if isinstance(replies, str) else json.dumps(replies))

    async def scenario() -> list[list[Chunk]]:
        dialogue = opened(provider_of(path), user("Hi."))
        return [await chunks_of(dialogue.stream()) for _ in range(count)]

    return run(scenario())


def test_replies_come_in_order(tmp_path: Path):
    replies = [
        {"think": "Hm.", "say": "Looking.", "call": "Read", "input": {"file_path": "a"}},
        {"calls": [{"call": "Bash", "input": {"command": "ls"}}, {"call": "Bash", "arguments": "{oops"}]},
        {"say": "Done.", "usage": {"input_tokens": 5, "output_tokens": 6}, "stop": "max_tokens"},
        {},
    ]
    assert told(tmp_path / "s.json", replies, 4) == [
        [
            ReasoningDelta("Hm."),
            TextDelta("Looking."),
            CallRequested("", "Read", '{"file_path":"a"}'),
            Finished(StopReason.TOOL_USE, Usage()),
        ],
        [
            CallRequested("", "Bash", '{"command":"ls"}'),
            CallRequested("", "Bash", "{oops"),
            Finished(StopReason.TOOL_USE, Usage()),
        ],
        [TextDelta("Done."), Finished(StopReason.MAX_TOKENS, Usage(input_tokens=5, output_tokens=6))],
        [Finished(StopReason.END_TURN, Usage())],
    ]


def test_the_example_in_the_documentation_works(tmp_path: Path):
    documented = script.__doc__ or ""
    example = documented[documented.index("[\n") : documented.index("\n]") + 2]
    assert len(told(tmp_path / "s.json", example, 5)) == 5


def test_a_used_up_script_says_so(tmp_path: Path):
    with pytest.raises(ProviderError, match=r"all 1 replies of .*s\.json are used up"):
        told(tmp_path / "s.json", [{"say": "One."}], 2)


WRONG = [
    ('[\n {"say": "a"},\n {"say" "b"}\n]', "line 3"),
    ("", "line 1"),
    ('[{"say": "a"}, {"say": 5}]', "reply 2: Expected `str`, got `int` (say)"),
    ('[{"sya": "a"}]', "reply 1: Object contains unknown field `sya`"),
    ('{"say": "a"}', "the whole file: Expected `array`, got `object`"),
    ('[{"input": {}}]', "reply 1: `input` and `arguments` belong to a `call`"),
    ('[{"calls": [{"input": {}}]}]', "reply 1: Object missing required field `call` (calls[0])"),
    ('[{"call": "X", "input": {}, "arguments": "{}"}]', "reply 1: a call has either"),
    ('[{"say": "a", "stop": "soon"}]', "reply 1: Invalid enum value 'soon' (stop)"),
]


@pytest.mark.parametrize(("text", "words"), WRONG)
def test_a_wrong_script_names_file_and_place(tmp_path: Path, text: str, words: str):
    path = tmp_path / "s.json"
    path.write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        provider_of(path)
    assert str(caught.value).startswith(f"{path}, {words}")


def test_a_missing_or_unreadable_script_is_named(tmp_path: Path):
    with pytest.raises(ConfigurationError, match="cannot be read"):
        provider_of(tmp_path / "none.json")
    (tmp_path / "bytes.json").write_bytes(b'[{"say": "\xff"}]')
    with pytest.raises(ConfigurationError, match=r"bytes\.json"):
        provider_of(tmp_path / "bytes.json")
