"""On which branch are we, and how much is changed? As the footer of the chat shows it."""

import os

HEAD_BYTES_MAX = 4096
TIMEOUT_S = 5.0


async def branch_of(folder: str) -> str:
    """`main`, or `main +12 −3`; empty where there is no repository."""
    from daedal.config import project_root

    root = project_root(folder or os.getcwd())
    head = _read(os.path.join(_git_folder(root), "HEAD"))
    if not head:
        return ""
    name = head.removeprefix("ref: refs/heads/").strip() if head.startswith("ref: ") else head[:8]
    return f"{name}{await _delta(root)}"


async def _delta(root: str) -> str:
    """Lines added and removed since the last commit. A repository has no say in what is started for that."""
    import asyncio

    from daedal.app import NeutralGit
    from daedal.sandbox import ProcessSpawner, SpawnFailed

    spawner = ProcessSpawner([])
    try:
        async with asyncio.timeout(TIMEOUT_S), NeutralGit(spawner, root) as git:
            told = await git.run("diff", "HEAD", "--shortstat", "--no-ext-diff", "--no-textconv")
    except (SpawnFailed, TimeoutError):
        return ""
    finally:
        await spawner.close()
    words = told.stdout.decode("utf-8", "replace").replace(",", "").split()
    counts = {words[at + 1][:6]: words[at] for at in range(len(words) - 1) if words[at].isdecimal()}
    added, removed = counts.get("insert", "0"), counts.get("deleti", "0")
    return f" +{added} −{removed}" if told.exit_code == 0 and words else ""


def _git_folder(root: str) -> str:
    """A worktree has a file that says where its folder is."""
    pointer = os.path.join(root, ".git")
    told = _read(pointer) if os.path.isfile(pointer) else ""
    return os.path.join(root, told.removeprefix("gitdir:").strip()) if told.startswith("gitdir:") else pointer


def _read(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(HEAD_BYTES_MAX).decode("utf-8", "replace")
    except OSError:
        return ""
