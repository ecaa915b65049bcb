"""Does a provider really answer? One short call with the settings and keys at hand, before they are saved."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from daedal.protocol.content import Message, Role, Text
from daedal.protocol.model import Brief, Finished, TextDelta, Usage
from daedal.providers import NetworkSettings, ProviderSettings, connect, resolve

PROMPT = "Reply with the single word OK."
OUTPUT_TOKENS_MAX = 256


class TrialResult(Struct, frozen=True, kw_only=True):
    provider: str
    model: str
    answer: str
    usage: Usage


async def try_provider(
    *,
    provider: str | None,
    model: str | None,
    entries: Sequence[ProviderSettings],
    network: NetworkSettings,
    env: Mapping[str, str],
) -> TrialResult:
    """Raises ConfigurationError or ProviderError."""
    choice = resolve(provider=provider, model=model, entries=entries, env=env)
    connected = connect(choice, network, env)
    answer, usage = "", Usage()
    try:
        dialogue = connected.open(Brief(system="", tools=[]))
        dialogue.append(Message(Role.USER, [Text(PROMPT)]))
        async for chunk in dialogue.stream(output_tokens_max=OUTPUT_TOKENS_MAX):
            if isinstance(chunk, TextDelta):
                answer += chunk.text
            elif isinstance(chunk, Finished):
                usage = chunk.usage
    finally:
        await connected.close()
    return TrialResult(
        provider=connected.card.provider, model=connected.card.wire_model, answer=answer.strip(), usage=usage
    )
