"""Which tool is meant? The names that rules and calls use, old ones included, and the families that share rules."""

LEGACY = {
    "bash": "Bash",
    "read_file": "Read",
    "write_file": "Write",
    "edit_file": "Edit",
    "multi_edit": "MultiEdit",
    "move_file": "Move",
    "delete_file": "Delete",
    "delete_range": "Edit",
    "delete_symbol": "Edit",
    "notebook_edit": "NotebookEdit",
    "ls": "LS",
    "list_dir": "LS",
    "glob": "Glob",
    "grep": "Grep",
    "web_fetch": "WebFetch",
    "web_search": "WebSearch",
    "todo_write": "TodoWrite",
    "task": "Agent",
    "Task": "Agent",
    "skill": "Skill",
    "remember": "Remember",
    "forget": "Forget",
}
"""Other names of tools that still load."""

EDITORS = frozenset(("Edit", "MultiEdit", "Write", "NotebookEdit", "Move", "Delete"))
"""What changes files. A rule for `Edit` holds for all of them."""

READERS = frozenset(("Read", "Glob", "Grep", "LS", "NotebookRead", "Brief"))
"""What opens or lists files, or shows them to the user. A rule for `Read` holds for all of them."""

SEARCHERS = frozenset(("Glob", "Grep"))
"""Readers that are asked for a pattern; a rule of their own may name it."""

SILENT = READERS | {
    "TodoWrite",
    "TaskCreate",
    "TaskUpdate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "ToolSearch",
    "ListMcpResources",
    "ReadMcpResource",
}
"""Built-in tools that change nothing outside the thread. Fetching from the web is none: it can tell secrets."""

WEB = frozenset(("WebFetch", "WebSearch"))
"""Change nothing here, and may tell the world anything."""

INWARD = frozenset(("EnterPlanMode", "Agent", "Skill", "TaskStop"))
"""Built-in tools that change the thread itself and nothing else: what an agent or a skill then does is judged there."""

FAMILIES = {"Edit": EDITORS, "Read": READERS}


def canonical(name: str) -> str:
    return LEGACY.get(name, name)


def is_mcp(name: str) -> bool:
    return name.startswith("mcp__")


def covered_by(rule_name: str) -> frozenset[str]:
    """The tools that a rule with this name is about. An old name means one tool, not its family."""
    if rule_name in LEGACY:
        return frozenset((LEGACY[rule_name],))
    return FAMILIES.get(rule_name, frozenset((rule_name,)))
