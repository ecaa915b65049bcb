"""Which code would an interpreter be handed on the command line?"""

from typing import NamedTuple

from daedal.permissions.guard.arguments import Arg
from daedal.permissions.guard.call import Call
from daedal.permissions.guard.code import check_code
from daedal.permissions.guard.refusal import Refused, Rule


class _Syntax(NamedTuple):
    code: str
    """Letters and long names of options whose value is code."""
    values: str = ""
    """Options with a value of another kind."""


_INPUTS = ("/dev/stdin", "/dev/fd/", "/proc/")
_CLUSTERING = frozenset({"node", "bun", "tsx", "ts-node"})
_NODE = _Syntax("e p eval print", "r C require import loader conditions input-type env-file title test-name-pattern")
_PYTHON = _Syntax("c", "m W X check-hash-based-pycs")
_RUBY = _Syntax("e", "I r C E F K W x encoding")
_PHP = _Syntax("r B R E run", "c d f F S t z")
INTERPRETERS: dict[str, _Syntax] = {
    "node": _NODE,
    "bun": _Syntax("e p eval print", "r C require cwd config"),
    "deno": _Syntax("", ""),
    "python": _PYTHON,
    "python3": _PYTHON,
    "ruby": _RUBY,
    "irb": _RUBY,
    "php": _PHP,
    "tsx": _NODE,
    "ts-node": _NODE,
    "perl": _Syntax("e E", "I M"),
}


def check_interpreter(call: Call) -> None:
    """Code given as an option, on standard input, or nowhere but in a pipe."""
    if call.name == "ruby" and any(arg.text == "-run" for arg in call.args):
        raise Refused(Rule.DESTRUCTIVE, "ruby -run moves and removes files. Use the file tools.")
    texts, program = _code(call, INTERPRETERS[call.name])
    for code in texts:
        if code.text is None and (code.is_computed or not code.known.strip("\0")):
            raise Refused(
                Rule.CODE,
                f"the code {_short(code.raw)} is only known to the shell. Write it out, or put it into a file.",
            )
        check_text(call, code.text if code.text is not None else code.known)
    if program is not None and program.text is None and program.is_computed:
        raise _from_input(call)
    if program is None and not texts:
        _check_input(call)


def check_text(call: Call, code: str) -> None:
    check_code(code, call.name, is_sync=call.ground.is_sync, names_state=call.ground.names_state)


def _code(call: Call, syntax: _Syntax) -> tuple[list[Arg], Arg | None]:
    """The code in options, and the program or module; with neither, the code comes from standard input."""
    texts: list[Arg] = []
    args = iter(call.args)
    for arg in args:
        text = arg.text if arg.text is not None else arg.known
        if call.name in ("deno", "bun") and text in ("run", "repl"):
            continue
        if call.name == "deno" and text == "eval":
            return [each for each in args if not (each.text or each.known).startswith("-")], arg
        if text in ("-", "--") or not text.startswith("-"):
            program = next(args, None) if text == "--" else arg
            return texts, None if text == "-" or text.startswith(_INPUTS) else program
        name, attached = _named(text, syntax, call.name)
        if not name:
            continue
        taken = _attached(arg, attached) if attached else next(args, None)
        if taken is not None and (taken.text or taken.known).startswith("data:"):
            raise Refused(Rule.CODE, "code inside an address cannot be checked. Put it into a file.")
        if name == "m":
            return _module_code(taken, list(args)), arg
        if name in syntax.code.split() and taken is not None:
            texts.append(taken)
    return texts, None


def _named(text: str, syntax: _Syntax, program: str) -> tuple[str, str]:
    """The option of the word that takes a value, and the value where it is attached."""
    known = syntax.code.split() + syntax.values.split()
    if text.startswith("--"):
        name, _, value = text[2:].partition("=")
        return (name, value) if name in known else ("", "")
    for place, letter in enumerate(text[1:], 1):
        if letter in known:
            rest = text[place + 1 :]
            # `node -pe CODE`: further letters of the cluster, not the code itself.
            is_cluster = program in _CLUSTERING and set(rest) <= {"e", "p"}
            return letter, "" if is_cluster else rest
    return "", ""


def _module_code(module: Arg | None, args: list[Arg]) -> list[Arg]:
    """Modules of Python whose words are code."""
    is_code = module is not None and module.text in ("timeit", "pdb")
    return [arg for arg in args if not (arg.text or "").startswith("-")] if is_code else []


def _attached(arg: Arg, value: str) -> Arg:
    return Arg(arg.raw, value) if arg.text is not None else arg._replace(known=value)


def _check_input(call: Call) -> None:
    """Code from standard input: here-documents are read, whatever else feeds it is refused."""
    fed = [redirect for redirect in call.command.redirects if redirect.operator.startswith("<")]
    for redirect in fed:
        if redirect.body is not None:
            check_text(call, redirect.body)
        elif redirect.target.text is None:
            raise _from_input(call)
        elif redirect.operator == "<<<":
            check_text(call, redirect.target.text)
    asks = any(arg.text in ("-h", "--help", "-V", "-v", "--version") for arg in call.args)
    if not fed and not asks and ("pipe" in call.command.within or call.ground.feeds_groups):
        raise _from_input(call)


def _from_input(call: Call) -> Refused:
    return Refused(
        Rule.CODE, f"{call.name} would run code from its input, which cannot be checked. Put the code into a file."
    )


def _short(raw: str) -> str:
    return raw if len(raw) < 60 else f"{raw[:57]}…"
