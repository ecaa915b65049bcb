"""What the tools say to people."""

WORDS = {
    "tools.unknown": "unknown tool {name} in tools.enabled · known tools: {known}",
    "tools.shell_path": "tools.shell.path is {path}, which is not a program · correct it, or leave it out",
    "tools.shell_missing": "no shell to run commands with: {names} not found on PATH"
    " · install one, or set tools.shell.path",
    "tools.restore_outside": "it lies outside the workspace {workspace}",
    "tools.restore_protected": "it may not be written here",
    "tools.restore_link": "a link leads there now, and links are not followed",
    "tools.restore_kind": "something else than a file has its name now",
}
