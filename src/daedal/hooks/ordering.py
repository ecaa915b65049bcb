"""In which order do hooks run? Settings first, then plugins by their id, then the session's own; numbered from 0."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from daedal.hooks.hook import Hook

NONE: Mapping[str, Sequence[Hook]] = {}


def total_order(
    settings: Iterable[Hook], plugins: Mapping[str, Sequence[Hook]] = NONE, session: Iterable[Hook] = ()
) -> list[Hook]:
    """All hooks with their ordinals. Of neighbours that are the same hook the first is kept."""
    kept: list[Hook] = []
    by_plugin = [hook for name in sorted(plugins) for hook in plugins[name]]
    for hook in [*settings, *by_plugin, *session]:
        if kept and kept[-1].identity == hook.identity:
            # Whoever wrote it twice and required it once wanted it required.
            kept[-1] = replace(kept[-1], required=kept[-1].required or hook.required)
        else:
            kept.append(replace(hook, ordinal=len(kept)))
    return kept
