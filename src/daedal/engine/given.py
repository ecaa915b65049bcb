"""What did the person give with a prompt beside words? Images its model can see, and what is referred to by name."""

import re
from collections.abc import Sequence

from daedal.engine.thread import LoadedThread
from daedal.engine.world import World
from daedal.protocol.catalogue import say
from daedal.protocol.content import Picture
from daedal.protocol.errors import UsageError
from daedal.protocol.items import Given, ImageInput, LocalImageInput, MentionInput, SkillInput

PICTURES_MAX = 20
"""Endpoints take about so many in one request; the ledger keeps each of them."""

MISLEADING = re.compile(r"[\n\"`]|[\s(\[{<']@")
"""A file can be called `x @/etc/hosts`: among the person's words that would be a reference of its own."""


async def pictures_of(given: Sequence[Given], thread: LoadedThread, world: World) -> list[Picture]:
    """Raises UsageError where one is none, or nobody would see it."""
    wanted = [part for part in given if isinstance(part, ImageInput | LocalImageInput)]
    if not wanted:
        return []
    if len(wanted) > PICTURES_MAX:
        raise UsageError(say("engine.too_many_images", count=len(wanted), limit=PICTURES_MAX))
    card = thread.provider.card
    if not card.sees_images:
        raise UsageError(say("engine.no_vision", model=f"{card.provider}/{card.model_id}"))
    return [await world.picture(part, thread.terms, thread.cwd) for part in wanted]


def with_references(text: str, given: Sequence[Given]) -> str:
    """The words with what was given by name among them: `/skill` before, `@path` after."""
    skills = [part.name for part in given if isinstance(part, SkillInput)]
    mentions = [_mention(part) for part in given if isinstance(part, MentionInput)]
    first = [f"/{skills[0]}"] if skills and not text.lstrip().startswith("/") else []
    others = [f"Use the skill {name}." for name in skills[len(first) :]]
    return " ".join(filter(None, [*first, text, *mentions, *others]))


def _mention(part: MentionInput) -> str:
    if MISLEADING.search(part.path):
        return f"{part.name} ({part.path})"
    return f'@"{part.path}"' if re.search(r"\s", part.path) else f"@{part.path}"
