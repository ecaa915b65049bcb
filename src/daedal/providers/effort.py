"""How hard shall a model think, in the words of its vendor? One of five words becomes a budget, an effort, or nothing.

What a model thinks is part of its answer: it is paid for as such, and the longest answer must have room for it. So the
card says the longest answer with its thinking, and whoever reserves money for a call reserves for both.
"""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from daedal.protocol.model import EFFORTS
from daedal.providers.choice import Choice
from daedal.providers.endpoints import Endpoint, Model
from daedal.providers.entries import endpoints
from daedal.providers.settings import ProviderSettings

THINKING_TOKENS = {"low": 4_096, "medium": 8_192, "high": 16_384, "xhigh": 20_480, "max": 23_808}
"""With an answer of 8,192 tokens the highest fits what the smallest of the models that think can say at once."""
ANSWER_TOKENS = 8_192
ADAPTIVE_SINCE = (4, 6)
"""From this version on Claude decides by itself how long it thinks, and is told an effort instead of a budget."""
XHIGH_SINCE = (4, 7)

_CLAUDE = re.compile(r"claude-(?:[a-z]+-)?(\d+)(?:-(\d{1,2}))?(?:-|$)")
_CLAUDE_WITHOUT = ("claude-2", "claude-instant", "claude-3-5", "claude-3-opus", "claude-3-sonnet", "claude-3-haiku")
_OPENAI_WITHOUT = ("gpt-3", "gpt-4", "chatgpt", "o1-mini", "o1-preview", "gpt-5-chat")
_OPENAI_WITH = ("o1", "o3", "o4", "gpt-5", "gpt-6", "gpt-oss", "codex")
"""Chat Completions is what most servers speak, and few of them take the word; so these must be known to."""
_XHIGH = re.compile(r"gpt-5\.[2-9]|gpt-5\.1-codex-max|gpt-[6-9]")


def thinks(endpoint: Endpoint, model: Model) -> bool:
    """As settings say, or as far as the model's name tells."""
    if endpoint.kind not in ("anthropic", "openai"):
        return False
    if model.thinks is not None:
        return model.thinks
    name = _plain(model.wire_model or model.id)
    if endpoint.kind == "anthropic":
        return not name.startswith(_CLAUDE_WITHOUT)
    if name.startswith(_OPENAI_WITHOUT):
        return False
    return endpoint.wire == "responses" or endpoint.reasoning_effort is not None or name.startswith(_OPENAI_WITH)


def with_effort(choice: Choice, effort: str | None) -> Choice:
    """The choice as it thinks so hard. One that cannot think stays as it is; None is what its settings say."""
    if effort is None:
        return _with_room(choice, choice.endpoint.thinking_tokens)
    if not thinks(choice.endpoint, choice.model):
        return choice
    name, endpoint = _plain(choice.card.wire_model), choice.endpoint
    if endpoint.kind == "openai":
        endpoint = replace(endpoint, reasoning_effort=_openai(name, effort))
    elif _version(name) >= ADAPTIVE_SINCE:
        endpoint = replace(endpoint, thinking_effort=_claude(name, effort), thinking_tokens=None, temperature=None)
    else:  # (While it thinks, the API takes no temperature.)
        endpoint = replace(endpoint, thinking_tokens=THINKING_TOKENS[effort], temperature=None)
    card = replace(choice.card, effort=effort)
    is_limited = endpoint.kind == "openai" and choice.model.output_tokens_max is not None
    # The person, or what is published about the model, says how long its answers can be: thinking has to fit in.
    thought = replace(choice, endpoint=endpoint, card=card)
    return thought if is_limited else _with_room(thought, THINKING_TOKENS[effort])


def known_efforts(entries: Sequence[ProviderSettings]) -> dict[tuple[str, str], tuple[str, ...]]:
    """How hard each model can be told to think, by provider and model id."""
    return {
        (endpoint.name, model.id): EFFORTS if thinks(endpoint, model) else ()
        for endpoint in endpoints(entries)
        for model in endpoint.models
    }


def _with_room(choice: Choice, thinking: int | None) -> Choice:
    """The longest answer, with room for the thinking before it."""
    if thinking is None or choice.card.output_tokens_max >= thinking + ANSWER_TOKENS:
        return choice
    return replace(choice, card=replace(choice.card, output_tokens_max=thinking + ANSWER_TOKENS))


def _openai(name: str, effort: str) -> str:
    if effort not in ("xhigh", "max"):
        return effort
    return "xhigh" if _XHIGH.match(name) else "high"


def _claude(name: str, effort: str) -> str:
    return "high" if effort == "xhigh" and _version(name) < XHIGH_SINCE else effort


def _version(name: str) -> tuple[int, int]:
    """`claude-opus-4-6` is 4.6, `claude-sonnet-4-20250514` is 4.0; nothing that is not known is new."""
    found = _CLAUDE.search(name)
    return (0, 0) if found is None else (int(found[1]), int(found[2] or 0))


def _plain(name: str) -> str:
    """Without the names of those who pass it on."""
    return name.lower().rpartition("/")[2].removeprefix("anthropic.")
