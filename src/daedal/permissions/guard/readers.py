"""May a reading command run as written? Most only read; some have a way to write, and those ways are looked at."""

import fnmatch

from daedal.permissions.guard.call import Call, check_write
from daedal.permissions.guard.getopt import read, refuse_hidden_option, syntax, unknown_option
from daedal.permissions.guard.refusal import Refused, Rule

_SORT = syntax(
    "-k -o -S -t -T --key --output --buffer-size --field-separator --temporary-directory --compress-program --parallel "
    "--batch-size --files0-from --random-source --sort",
    "--reverse --numeric-sort --unique --check --merge --stable --zero-terminated --ignore-case --debug",
)
_UNIQ = syntax(
    "-f -s -w --skip-fields --skip-chars --check-chars",
    "--count --repeated --unique --ignore-case --zero-terminated --all-repeated --group",
)
_TREE = syntax("-L -P -I -o -H -T --filelimit --timefmt --charset --sort --gitfile --infofile --fromfile")
_DATE = syntax(
    "-d -f -r -s --date --file --reference --set",
    "-u -R -I -j -n --utc --universal --iso-8601 --rfc-3339 --rfc-email --debug",
)
_EXECUTING = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_FIND_WRITES = frozenset({"-fprint", "-fprint0", "-fprintf", "-fls"})


def check_sort(call: Call) -> None:
    reading = read(call.name, call.args, _SORT)
    if reading.has("--compress-program"):
        raise unknown_option("sort", "--compress-program")
    for name, value in reading.options:
        if name in ("-o", "--output", "-T", "--temporary-directory") and value is not None:
            check_write(call, value)


def check_uniq(call: Call) -> None:
    """`uniq IN OUT` writes its second operand."""
    for output in read(call.name, call.args, _UNIQ).operands[1:]:
        check_write(call, output)


def check_tree(call: Call) -> None:
    reading = read(call.name, call.args, _TREE)
    if reading.has("-R"):
        raise unknown_option("tree", "-R")
    if output := reading.value("-o"):
        check_write(call, output)


def check_date(call: Call) -> None:
    """Showing a date is reading; setting the clock is not."""
    reading = read(call.name, call.args, _DATE)
    if reading.has("-s", "--set") or any(not (arg.text or arg.known).startswith("+") for arg in reading.operands):
        raise Refused(Rule.OPTION, "date may show the time but not set it. Use `date` or `date +FORMAT`.")


def check_find(call: Call) -> None:
    """What `-exec` starts is checked as a command of its own."""
    _check_found(call)
    for at, arg in enumerate(call.args):
        if arg.text == "-delete":
            raise Refused(
                Rule.DESTRUCTIVE, "find -delete removes files. List them with -print, and leave them where they are."
            )
        if arg.text in _FIND_WRITES:
            if at + 1 >= len(call.args):
                raise unknown_option("find", arg.text)
            check_write(call, call.args[at + 1])
        if not _is_exec_word(call, at):
            refuse_hidden_option(arg)


def _check_found(call: Call) -> None:
    """A program that `-exec` starts on files named like the state's would get the state's as well."""
    texts = [arg.text or "" for arg in call.args]
    programs = [texts[at + 1] for at, text in enumerate(texts[:-1]) if text in _EXECUTING]
    names = [texts[at + 1] for at, text in enumerate(texts[:-1]) if text in ("-name", "-iname", "-path", "-wholename")]
    if any(name not in READERS for name in programs) and any(
        fnmatch.fnmatchcase(file, name.rpartition("/")[2]) for name in names for file in ("status.json", "agent.json")
    ):
        raise Refused(Rule.STATE, "find would also find the files in .daedal/. Start in a folder of the project.")


def _is_exec_word(call: Call, at: int) -> bool:
    return any(arg.text in _EXECUTING for arg in call.args[:at])


def check_printf(call: Call) -> None:
    first = call.args[0] if call.args else None
    if first is not None and (first.text or first.known).startswith("-v"):
        raise Refused(Rule.CONSTRUCT, "printf -v assigns a variable. Print the text instead.")


def check_nothing(call: Call) -> None:
    """A command that can only read, whatever its words say."""
    del call


READERS = {
    "sort": check_sort,
    "uniq": check_uniq,
    "tree": check_tree,
    "date": check_date,
    "find": check_find,
    "printf": check_printf,
    **dict.fromkeys(
        [
            "ls",
            "pwd",
            "cat",
            "head",
            "tail",
            "wc",
            "grep",
            "diff",
            "cut",
            "tr",
            "tac",
            "jq",
            "which",
            "ps",
            "lsof",
            "echo",
            "sleep",
            "timeout",
        ],
        check_nothing,
    ),
}
