"""How does one hook's process run? Its shell, its environment, its input; whatever happens, an ending comes back."""

import os
from collections.abc import Mapping

from daedal.hooks.hook import Hook, Shell
from daedal.hooks.outcomes import TRUNCATED, Ending
from daedal.hooks.points import POINTS
from daedal.protocol.hooks import HookEvent
from daedal.protocol.seams import Job, Spawner
from daedal.sandbox import SpawnFailed, find_program

STREAM_BYTES_MAX = 4_194_304
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
SHELLS: dict[Shell, tuple[list[str], list[str], list[str]]] = {
    Shell.BASH: (["/bin/bash", "/usr/bin/bash"], ["bash"], ["-lc"]),
    Shell.SH: (["/bin/sh", "/usr/bin/sh"], ["sh"], ["-c"]),
    Shell.POWERSHELL: ([], ["pwsh", "powershell"], ["-NoProfile", "-NonInteractive", "-Command"]),
}
"""Where it usually is, what it is called on PATH, and the words before the command."""


async def run_hook(hook: Hook, stdin: bytes, cwd: str, env: dict[str, str], spawner: Spawner) -> Ending:
    """Runs it to its end or its timeout."""
    if not os.path.isdir(cwd):
        return Ending(trouble=f"its folder {cwd} does not exist")
    argv = command_line(hook)
    if argv is None:
        return Ending(trouble=f"{hook.shell} is not installed")
    job = Job(
        argv=argv,
        cwd=cwd,
        env=env,
        timeout_s=timeout_s(hook, env),
        output_bytes_max=STREAM_BYTES_MAX,
        stdin=stdin,
    )
    try:
        finish = await spawner.run(job)
    except SpawnFailed as error:
        return Ending(trouble=str(error))
    return Ending(
        exit_code=None if finish.timed_out else finish.exit_code,
        stdout=_text(finish.stdout, truncated=finish.stdout_truncated),
        stderr=_text(finish.stderr, truncated=finish.stderr_truncated),
        timed_out=finish.timed_out,
    )


def command_line(hook: Hook) -> list[str] | None:
    """None where the shell is not on this machine."""
    places, names, words = SHELLS[hook.shell]
    usual = next((place for place in places if os.access(place, os.X_OK)), None)
    program = usual or next(filter(None, map(find_program, names)), None)
    return None if program is None else [program, *words, hook.command]


def environment(host: Mapping[str, str], *, db_path: str, project_dir: str) -> dict[str, str]:
    """The whole of the host's, as hooks are the user's own programs, and what is ours."""
    language = {} if host.get("LANG") or host.get("LC_ALL") else {"LANG": "C.UTF-8"}
    project = {"CLAUDE_PROJECT_DIR": os.path.abspath(project_dir)} if project_dir else {}
    return {**host, **language, **project, "AGENT_SDLC_DB": os.path.abspath(db_path), "SDLC_HOOK": "1"}


def timeout_s(hook: Hook, env: Mapping[str, str]) -> float:
    """The hook's own, else the operator's, else the event's."""
    if hook.timeout_s is not None:
        return hook.timeout_s
    is_last = hook.event is HookEvent.SESSION_END
    text = env.get("SDLC_SESSIONEND_HOOK_TIMEOUT_MS" if is_last else "SDLC_HOOK_TIMEOUT_MS", "").strip()
    given = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0
    return (given or POINTS[hook.event].timeout_ms) / 1000


def _text(raw: bytes, *, truncated: bool) -> str:
    """As the web decodes UTF-8: without a byte order mark, with U+FFFD for what is none."""
    text = raw.removeprefix(BYTE_ORDER_MARK).decode("utf-8", "replace")
    return text + TRUNCATED if truncated else text
