"""May a tool of a language profile, or one that the user added, run as written?"""

import re

from daedal.permissions.guard.arguments import Arg
from daedal.permissions.guard.call import Call, refuse_write
from daedal.permissions.guard.interpreters import INTERPRETERS, check_interpreter, check_text
from daedal.permissions.guard.launchers import REMOVERS, is_system_program, launched
from daedal.permissions.guard.places import Zone
from daedal.permissions.guard.refusal import Refused, Rule

_STATE_PART = re.compile(r"(^|[/=:,])\.daedal($|[/:,\0])", re.IGNORECASE)
_LEAVES_OUT = re.compile(
    r"--(?:[a-zA-Z-]*ignore-?patterns?|ignore-?glob|ignore|[a-z-]*exclude[a-z-]*|testPathIgnorePatterns)(=|$)"
)
"""Options that name what a tool is not to touch."""
_PROGRAM_OPTIONS: dict[str, re.Pattern[str]] = {
    "go": re.compile(r"--?(exec|toolexec|vettool|overlay)(=|$)|extld"),
    "npm": re.compile(r"--(script-shell|node-options|shell|globalconfig|userconfig)(=|$)|^(script-shell|node-options)"),
    "pnpm": re.compile(r"--(script-shell|shell-emulator|shell-mode)(=|$)|^-c$|^script-shell"),
    "npx": re.compile(r"--(script-shell|shell|node-options)(=|$)"),
    "yarn": re.compile(r"--script-shell(=|$)|^(script-shell|yarnPath)"),
    "cargo": re.compile(r"--config(=|$)|^-s$|^--shell(=|$)"),
    "cargo-watch": re.compile(r"^-s$|^--shell(=|$)"),
    "rustc": re.compile(r"linker"),
    "php": re.compile(r"auto_(prepend|append)_file"),
}
"""Options that hand the tool another program to run."""
_SETTING: dict[str, frozenset[tuple[str, ...]]] = {
    "go": frozenset({("env", "-w"), ("env", "-u")}),
    "npm": frozenset({("explore",), ("config", "edit"), ("edit",)}),
}
"""Words that change which programs later commands run, or start any program."""
_CONSOLES = frozenset(
    {
        ("rails", "console"),
        ("rails", "c"),
        ("rails", "runner"),
        ("rails", "r"),
        ("django-admin", "shell"),
        ("flask", "shell"),
        ("artisan", "tinker"),
        ("php", "artisan"),
        ("python", "manage.py"),
        ("python3", "manage.py"),
        ("rake", "-e"),
        ("rake", "-E"),
        ("rake", "-p"),
    }
)
"""Tools whose words, and whose input, may be code."""


def check_tool(call: Call) -> list[Arg] | None:
    """Refuses what reaches the state folder or starts something unlisted; returns a listed command that it starts."""
    _check_state(call)
    _check_programs(call)
    if call.name in INTERPRETERS:
        check_interpreter(call)
    inner = launched(call.name, call.args)
    if not inner:
        return None
    head = (inner[0].text or "").split()
    if inner[0].text is None or inner[0].is_pattern or not head:
        raise Refused(Rule.CONSTRUCT, f"what {call.name} would start, {inner[0].raw}, is only known to the shell.")
    if inner[0].text == "-":
        check_interpreter(call._replace(name="python", args=inner))
        return None
    name = head[0].partition("@")[0] or head[0]
    if name in call.ground.listed or name in ("rm", "mv", "git", "find", "sort"):
        return [Arg(inner[0].raw, name), *inner[1:]]
    if is_system_program(name):
        raise Refused(Rule.UNLISTED, f"{name} is not on the list of commands, and {call.name} may not start it either.")
    if name in REMOVERS:
        raise Refused(Rule.DESTRUCTIVE, f"{name} removes or moves files. Leave the files, or use the file tools.")
    if name in INTERPRETERS:
        check_interpreter(call._replace(name=name, args=inner[1:]))
    return None


def _check_state(call: Call) -> None:
    places = call.ground.places
    if any(places.in_state(cwd) for cwd in call.cwds):
        refuse_write(Zone.STATE, f"the folder in which {call.name} would run", is_sync=call.ground.is_sync)
    if _is_json_reader(call):
        return
    before = ""
    for arg in call.args:
        text = arg.text if arg.text is not None else arg.known
        is_left_out = _LEAVES_OUT.match(text) or (_LEAVES_OUT.fullmatch(before) and not text.startswith("-"))
        before = text
        if is_left_out:
            continue
        if arg.text is None and (_STATE_PART.search(text) or (arg.is_computed and call.ground.names_state)):
            refuse_write(Zone.STATE, arg.raw, is_sync=call.ground.is_sync)
        if "\0" not in text and any(places.names_state(text, cwd) for cwd in call.cwds):
            refuse_write(Zone.STATE, arg.raw, is_sync=call.ground.is_sync)


def _is_json_reader(call: Call) -> bool:
    """`python -m json.tool FILE` prints; a second file would be written."""
    texts = [arg.text for arg in call.args if not (arg.text or "--").startswith("--")]
    return call.name in ("python", "python3") and texts[:2] == ["-m", "json.tool"] and len(texts) == 3


def _check_programs(call: Call) -> None:
    texts = [arg.text if arg.text is not None else arg.known for arg in call.args]
    pattern = _PROGRAM_OPTIONS.get(call.name)
    found = next((text for text in _own_options(call.name, texts) if pattern and pattern.search(text)), None)
    if call.name == "cargo" and any("linker=" in text for text in texts):
        found = "linker="
    words = tuple(texts)
    if found is not None or any(words[: len(setting)] == setting for setting in _SETTING.get(call.name, ())):
        raise Refused(Rule.OPTION, f"{call.name} {found or texts[0]} would make it run another program. Leave it out.")
    if (call.name, texts[0] if texts else "") in _CONSOLES:
        for text in texts[1:]:
            check_text(call, text.partition("=")[2] if text.startswith("--") else text)
    if call.name not in INTERPRETERS:
        for redirect in call.command.redirects:
            is_text = redirect.operator == "<<<" and redirect.target.text is not None
            check_text(call, redirect.target.text or "" if is_text else redirect.body or "")


def _own_options(name: str, texts: list[str]) -> list[str]:
    """What follows `--` belongs to the script that a package manager runs."""
    return texts[: texts.index("--")] if name in ("npm", "npx", "pnpm", "yarn", "cargo") and "--" in texts else texts
