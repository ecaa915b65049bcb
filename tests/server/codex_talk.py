"""What does the scripted model say to Codex's own terminal? To the person what was planned, to its errands a title."""

import json
from collections.abc import Callable

from tests.toolbox.model_server import Recorded, Reply, say


def talk(*replies: Reply) -> Callable[[Recorded], Reply]:
    """In this order; the terminal also has its own errands, such as a title for the conversation."""
    rest = iter(replies)

    def reply(request: Recorded) -> Reply:
        is_errand = "title" in json.dumps(request.json["messages"][0])
        return say('{"title": "A conversation"}') if is_errand else next(rest)

    return reply
