"""Which variables may a command line set? Those that decide which code runs are not among them."""

import re

from daedal.permissions.guard.arguments import Arg
from daedal.permissions.guard.places import Places, Zone
from daedal.permissions.guard.refusal import Refused, Rule

_RESOLVING = frozenset(
    [
        "PATH",
        "IFS",
        "ENV",
        "BASH_ENV",
        "BASHOPTS",
        "SHELLOPTS",
        "SHELL",
        "HOME",
        "USERPROFILE",
        "CDPATH",
        "GLOBIGNORE",
        "POSIXLY_CORRECT",
        "PROMPT_COMMAND",
        "PS0",
        "PS1",
        "PS2",
        "PS3",
        "PS4",
        "BASH_XTRACEFD",
        "EXECIGNORE",
        "FIGNORE",
        "HISTFILE",
        "INPUTRC",
        "MAIL",
        "MAILPATH",
        "TIMEFORMAT",
        "HOSTFILE",
        "PYTHONSTARTUP",
        "PYTHONHOME",
        "PYTHONINSPECT",
        "PYTHONBREAKPOINT",
        "PYTHONWARNINGS",
        "PYTHONEXECUTABLE",
        "PYTHONUSERBASE",
        "PYTHONPYCACHEPREFIX",
        "PYTHONPLATLIBDIR",
        "NODE_PATH",
        "NODE_REPL_EXTERNAL_MODULE",
        "NODE_EXTRA_CA_CERTS",
        "RUBYOPT",
        "RUBYLIB",
        "RUBYSHELL",
        "GEM_HOME",
        "GEM_PATH",
        "PERL5OPT",
        "PERL5LIB",
        "PERL5DB",
        "PERLLIB",
        "PHPRC",
        "PHP_INI_SCAN_DIR",
        "JAVA_HOME",
        "CLASSPATH",
        "CC",
        "CXX",
        "CPP",
        "LD",
        "AR",
        "AS",
        "NM",
        "FC",
        "MAKEFLAGS",
        "MAKEFILES",
        "RUSTC",
        "RUSTDOC",
        "RUSTFMT",
        "RUSTC_LINKER",
        "CARGO",
        "CARGO_HOME",
        "RUSTUP_HOME",
        "RUSTUP_TOOLCHAIN",
        "GOROOT",
        "GOTOOLDIR",
        "GOENV",
        "PKG_CONFIG",
        "LESSOPEN",
        "LESSCLOSE",
        "LESS",
        "LESSKEY",
        "BROWSER",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_CONFIG_DIRS",
        "TERMINFO",
        "SSH_AUTH_SOCK",
        "PAGER",
        "EDITOR",
        "VISUAL",
        "MANPAGER",
        "FCEDIT",
        "COMPOSER_HOME",
        "COMPOSER_BIN_DIR",
        "GCONV_PATH",
        "LOCPATH",
        "NLSPATH",
        "HOSTALIASES",
        "RES_OPTIONS",
        "MALLOC_CHECK_",
        "AGENT_SDLC_DB",
        "OPENSSL_CONF",
        "OPENSSL_MODULES",
        "BUNDLE_PATH",
        "BUNDLE_BIN",
        "BUNDLE_GEMFILE",
        "PYTEST_PLUGINS",
        "ZDOTDIR",
        "FPATH",
    ]
)
_PREFIXES = (
    "LD_",
    "DYLD_",
    "BASH_",
    "GIT_",
    "DAEDAL_",
    "SDLC_",
    "AOI_",
    "_JAVA_",
    "NPM_CONFIG_",
    "YARN_",
    "PNPM_",
    "COREPACK_",
)
_SUFFIXES = re.compile(
    r"_(OPTIONS|OPTS|WRAPPER|COMMAND|CMD|SHELL|EDITOR|PAGER|ASKPASS|PRELOAD|PROGRAM|HOOKS?|LINKER|RUNNER|EXEC|CONFIG)$"
)
_IDLE = frozenset({"true", ":", "cat", "", "/bin/true", "/bin/cat"})
_NODE_FLAG = re.compile(
    r"--(max-old-space-size=[0-9]+|max_old_space_size=[0-9]+|experimental-[a-z-]+|no-warnings|trace-warnings|no-deprecation"
    r"|trace-deprecation|enable-source-maps|openssl-legacy-provider|unhandled-rejections=[a-z-]+|stack-trace-limit=[0-9]+)"
)
_EXPERIMENTAL_CODE = re.compile(r"--experimental-(loader|config-file|default-config-file)")
_GIT_HARMLESS = re.compile(
    r"GIT_((AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|TERMINAL_PROMPT|MERGE_AUTOEDIT|OPTIONAL_LOCKS|LFS_SKIP_SMUDGE|ADVICE)"
)
_SWITCH = re.compile(r"[0-9]|true|false|yes|no|on|off")
_NPM_HARMLESS = re.compile(r"NPM_CONFIG_(YES|LOGLEVEL|AUDIT|FUND|PROGRESS|UPDATE_NOTIFIER|COLOR)")


def check_assignment(name: str, value: Arg, places: Places, cwds: frozenset[str]) -> None:
    """One assignment, before a command or on its own. Kept simple: what is refused cannot be talked into by its value,
    except for the few values that people really use."""
    upper = name.upper()
    if not _decides_code(upper):
        return
    if value.text is not None and _is_harmless_value(upper, value.text, places, cwds):
        return
    raise Refused(
        Rule.ENVIRONMENT,
        f"setting {name} can change which program runs or what it loads. Run the command without it.",
    )


def _decides_code(name: str) -> bool:
    return (
        name in _RESOLVING
        or name == "PYTHONPATH"
        or name.startswith(_PREFIXES)
        or bool(_SUFFIXES.search(name))
        or (name.startswith("CARGO_TARGET_") and name != "CARGO_TARGET_DIR")
        or name in ("RUSTFLAGS", "GOFLAGS", "RUSTDOCFLAGS")
        or name.startswith(("CGO_CFLAGS", "CGO_LDFLAGS", "CARGO_BUILD_RUST"))
    )


def _is_harmless_value(name: str, value: str, places: Places, cwds: frozenset[str]) -> bool:
    match name:
        case "PAGER" | "EDITOR" | "VISUAL" | "MANPAGER" | "GIT_PAGER" | "GIT_EDITOR" | "GIT_SEQUENCE_EDITOR":
            return value in _IDLE
        case "NODE_OPTIONS":
            flags = value.split()
            return all(_NODE_FLAG.fullmatch(flag) and not _EXPERIMENTAL_CODE.match(flag) for flag in flags)
        case "PYTHONPATH" | "BUNDLE_GEMFILE":
            return all(
                places.zone(places.absolute(part, cwd)) is Zone.PROJECT for part in value.split(":") for cwd in cwds
            )
        case "RUSTFLAGS" | "RUSTDOCFLAGS" | "GOFLAGS":
            return not re.search(r"linker|exec|wrapper|-C\s*link|vettool|overlay|[/\\]", value)
        case "PYTHONWARNINGS":
            return bool(re.fullmatch(r"[a-z]+(::[A-Za-z]+)?", value))
        case _:
            if name.startswith("GIT_TRACE") or (_SUFFIXES.search(name) and not name.startswith(_PREFIXES)):
                return bool(_SWITCH.fullmatch(value))
            return bool(_GIT_HARMLESS.fullmatch(name) or _NPM_HARMLESS.fullmatch(name))
