"""Does code on a command line obviously run programs, remove files, or reach the state folder?

A reader of names, not of languages: it stops what is written plainly or hidden lazily. The mount stops the rest.
"""

import re

from daedal.permissions.guard.places import TEMPORARY
from daedal.permissions.guard.refusal import Refused, Rule

_STATE = re.compile(r"\.daedal(?!-note)(?!\w)|[\"'`/]daedal[\"'`/]", re.IGNORECASE)
_JOINED = re.compile(r"""(["'`])\s{0,20}(?:\+|\.|,|<<)?\s{0,20}(["'`])""")
_ESCAPES = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u\{?([0-9a-fA-F]{2,6})\}?|([0-7]{3}))")
_RUNS = re.compile(
    r"\b(os\.(system|popen|exec\w*|spawn\w*|posix_spawn\w*|fork\w*|startfile)|subprocess|pty\.|commands\.getoutput|"
    r"popen\w*|Popen|check_output|check_call|pexpect|sh\.Command|plumbum|ctypes|"
    r"child_process|exec(Sync|File\w*)|spawn(Sync)?\s*\(|fork\s*\(|execa|shelljs|zx\b|Bun\.(spawn\w*|\$)|"
    r"Deno\.(Command|run)|process\.binding|worker_threads|"
    r"Open3|IO\.popen|Kernel\.(system|exec|spawn)|%x|PTY\.|Process\.(spawn|exec|daemon)|"
    r"shell_exec|passthru|proc_open|pcntl_exec|popen|dl\s*\(|"
    r"create_subprocess\w*|ProcessPoolExecutor|runpy|importlib(?!\.(metadata|resources))|__import__|getattr\s*\(\s*os)|(?<![.\w])compile\s*\(|"
    r"\.(system|execv\w*|execl\w*|spawn\w*)\s*\(|getattr\s*\(.{0,100}?(system|popen|exec|spawn)|"
    r"\b(os\.kill|process\.kill|Process\.kill|posix_kill)"
)
_CALLS_SHELL = re.compile(r"(?<![\w.>$:])(system|exec|spawn|eval|assert|passthru)\s*\(")
_BARE_SHELL = re.compile(r"(?<![\w.])(system|exec|spawn|eval)\s*[\s'\"\[%]\s*[\w'\"%:\[]|`")
_BARE_LANGUAGES = frozenset({"ruby", "irb", "php", "perl", "rails", "rake"})
"""Where a word without brackets calls, and backticks run a shell."""
_REMOVES = re.compile(
    r"\b(rmtree|rmdir\w*|removedirs|unlink\w*|rm(Sync)?\s*\(|rm_rf?|rm_f|remove_entry\w*|remove_dir\w*|"
    r"os\.(remove|rename|renames|replace|truncate)|shutil\.move|FileUtils\.(rm|mv|remove|move)\w*|"
    r"File\.(delete|unlink|rename|truncate)|Dir\.(rmdir|delete|unlink)|"
    r"rename(Sync)?\s*\(|fs\.(rm|rmdir|unlink|rename|truncate)\w*|Deno\.(remove|rename|truncate)\w*|"
    r"rimraf|emptyDir\w*|removeSync|moveSync)"
)
_WRITES = re.compile(
    r"(\bopen\s*\([^)]{0,200}?,\s*(mode\s*=\s*)?[rbu]*[\"'][^\"']*[wax+]|\.write(_text|_bytes|lines)?\s*\(|"
    r"(write|append)File|createWriteStream|File\.(write|open|binwrite)|IO\.(write|binwrite)|file_put_contents|fopen|"
    r"fwrite|copyFile|shutil\.copy|copytree|symlink|\blink(Sync)?\s*\(|mkdir|makedirs|touch\s*\(|FileUtils|"
    r"Deno\.(write|create|copy|link|symlink|mkdir)\w*|Bun\.write|chmod|chown|\bdump\s*\(|savez?\s*\(|to_csv|to_json\s*\()"
)
_HIDES = re.compile(
    r"(b64decode|base64|fromhex|unhexlify|atob\s*\(|fromCharCode|codecs\.decode|Buffer\.from\s*\([^)]{0,200}(hex|base64)|"
    r"\bpack\s*\(|unpack1?\s*\(|zlib|marshal|pickle|String\.raw|decodeURIComponent|unescape\s*\(|rot13|glob\w*\s*\(\s*[\"']\.|Dir\[|"
    r"\bchr\s*\([^)]{0,40}\)\s{0,9}[+.]|\.reverse\s*\(|\[::-1\]|join\s*\(\s*map|globals\s*\(|vars\s*\(|constructor\s*\()"
)
_SAFE_CALLS = frozenset(
    [
        "print",
        "open",
        "read",
        "readlines",
        "readline",
        "load",
        "loads",
        "len",
        "str",
        "int",
        "float",
        "list",
        "dict",
        "set",
        "sorted",
        "sum",
        "min",
        "max",
        "any",
        "all",
        "json",
        "join",
        "split",
        "strip",
        "items",
        "keys",
        "values",
        "get",
        "format",
        "enumerate",
        "range",
        "zip",
        "log",
        "parse",
        "readFileSync",
        "readFile",
        "stringify",
        "require",
        "puts",
        "pp",
        "p",
        "file_get_contents",
        "json_decode",
        "json_encode",
        "echo",
        "var_dump",
        "print_r",
        "count",
        "filter",
        "map",
        "forEach",
        "find",
        "some",
        "every",
        "reduce",
        "includes",
        "length",
        "dig",
        "select",
        "each",
        "to_s",
        "to_i",
        "read_text",
        "Path",
        "exists",
        "existsSync",
        "isfile",
        "is_file",
        "toString",
        "trim",
        "slice",
        "push",
        "append",
        "sort",
        "table",
        "error",
        "exit",
        "keys",
        "entries",
        "abs",
        "round",
    ]
)
_CALLED = re.compile(r"\b([A-Za-z_]\w{0,60})\s{0,9}\(")
_PLAIN_OPEN = re.compile(
    r"""\bopen\s*\(\s*(["'])[^"']*\1\s*(,\s*(mode\s*=\s*)?["']r[bt]?["']\s*)?(,\s*encoding\s*=\s*["'][\w-]+["']\s*)?\)"""
)
_PATHS = re.compile(r"""["'`](~?/[^"'`\s]*|(?:\.\./)+[^"'`\s]*)["'`]""")


def check_code(code: str, language: str, *, is_sync: bool, names_state: bool = False) -> None:
    """One-liners and here-documents for an interpreter. `names_state` tells that the line around it names .daedal/."""
    plain = _revealed(code)
    if _RUNS.search(plain) or _CALLS_SHELL.search(plain) or (language in _BARE_LANGUAGES and _BARE_SHELL.search(plain)):
        raise Refused(
            Rule.CODE, "the code starts another program or evaluates text. Run the program as a command of its own."
        )
    if _REMOVES.search(plain):
        raise Refused(Rule.DESTRUCTIVE, "the code removes or renames files. Leave the files, or use the file tools.")
    if (names_state or _STATE.search(plain)) and not _only_reads(plain):
        raise Refused(
            Rule.STATE,
            "the code reaches .daedal/, which only Daedal writes. Read it with cat or jq; report with the "
            "deliverable tools.",
        )
    hides, writes = _HIDES.search(plain), _WRITES.search(plain)
    if hides and (writes or re.search(r"\b(exec|eval)\b", plain)):
        raise Refused(Rule.CODE, "the code decodes what it does. Put it into a file that can be read, and run that.")
    if writes:
        _check_written(plain, is_sync=is_sync)


def _check_written(code: str, *, is_sync: bool) -> None:
    if is_sync and not re.search(r"\.daedal-note\.md|[\"']/tmp/", code):
        raise Refused(
            Rule.READ_ONLY,
            "the code writes files, and the project is read-only while verifying. Write to /tmp instead.",
        )
    for match in _PATHS.finditer(code):
        path = match[1]
        if not path.startswith((f"{TEMPORARY}/", "/dev/")) or "/../" in path:
            raise Refused(
                Rule.OUTSIDE, f"the code writes files and names {path}, outside the project. Use relative paths."
            )


def _revealed(code: str) -> str:
    """With escapes decoded and pieces of strings put together, so that a name cut into parts is seen."""
    decoded = _ESCAPES.sub(_decoded, code)
    joined = _JOINED.sub("", decoded)
    return decoded if joined == decoded else f"{decoded}\n{joined}"


def _decoded(match: re.Match[str]) -> str:
    number = int(match[1] or match[2] or "0", 16) or int(match[3] or "0", 8)
    return chr(number) if 0x20 <= number < 0x7F else match[0]


def _only_reads(code: str) -> bool:
    """Only known reading calls, and every `open` without a mode or with `r`."""
    if _WRITES.search(code) or _HIDES.search(code):
        return False
    called = set(_CALLED.findall(code))
    opens = len(re.findall(r"\bopen\s*\(", code))
    return called <= _SAFE_CALLS and opens == len(_PLAIN_OPEN.findall(code))
