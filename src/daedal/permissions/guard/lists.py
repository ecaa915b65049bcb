"""Which commands may run unattended, by profile? The lists that no configuration can shorten."""

BASE = frozenset(
    [
        "ls",
        "pwd",
        "cat",
        "head",
        "tail",
        "wc",
        "find",
        "grep",
        "tree",
        "sort",
        "diff",
        "date",
        "printf",
        "uniq",
        "cut",
        "tr",
        "tac",
        "jq",
        "git",
        "which",
        "ps",
        "lsof",
        "echo",
        "sleep",
        "timeout",
    ]
)
"""Reading only; shared by `run` and `sync`."""

RUN_ONLY = frozenset({"mkdir", "cp", "chmod"})
DESTRUCTIVE = frozenset({"rm", "mv"})
"""Never listed: they need `--allow-destructive`, and `sync` never has them."""

NEVER = frozenset({"eval", "source", ".", "exec", "builtin", "alias", "enable", "shopt", "trap", "coproc", "hash"})
"""Words that change what other words mean. No list of the user's brings them back."""

PROFILES: dict[str, frozenset[str]] = {
    "node": frozenset(
        [
            "node",
            "deno",
            "npm",
            "npx",
            "yarn",
            "pnpm",
            "vitest",
            "jest",
            "mocha",
            "tsc",
            "eslint",
            "prettier",
            "biome",
            "esbuild",
            "vite",
            "webpack",
            "rollup",
            "next",
            "nuxt",
            "astro",
            "remix",
        ]
    ),
    "bun": frozenset({"bun", "bunx"}),
    "python": frozenset(
        [
            "python",
            "python3",
            "pip",
            "pip3",
            "pipx",
            "uv",
            "venv",
            "virtualenv",
            "conda",
            "poetry",
            "pdm",
            "hatch",
            "flit",
            "pytest",
            "tox",
            "nox",
            "mypy",
            "pyright",
            "ruff",
            "flake8",
            "pylint",
            "black",
            "django-admin",
            "flask",
            "uvicorn",
            "gunicorn",
        ]
    ),
    "ruby": frozenset(
        [
            "ruby",
            "irb",
            "gem",
            "bundle",
            "bundler",
            "rake",
            "thor",
            "rspec",
            "minitest",
            "cucumber",
            "rubocop",
            "standard",
            "rails",
            "hanami",
            "puma",
            "unicorn",
        ]
    ),
    "go": frozenset(
        ["go", "gofmt", "goimports", "golangci-lint", "staticcheck", "golint", "gopls", "dlv", "goreleaser"]
    ),
    "rust": frozenset(
        ["rustc", "rustup", "cargo", "rustfmt", "cargo-fmt", "clippy", "cargo-clippy", "rust-analyzer", "cargo-watch"]
    ),
    "php": frozenset(
        [
            "php",
            "composer",
            "phpunit",
            "pest",
            "codeception",
            "phpcs",
            "phpcbf",
            "phpstan",
            "psalm",
            "php-cs-fixer",
            "artisan",
            "symfony",
            "laminas",
        ]
    ),
}

PKILL_TARGETS: dict[str, frozenset[str]] = {
    "node": frozenset({"node", "npm", "npx", "vite", "next"}),
    "bun": frozenset({"bun"}),
    "python": frozenset({"python", "python3", "uvicorn", "gunicorn"}),
    "ruby": frozenset({"ruby", "puma", "unicorn", "rails"}),
    "go": frozenset({"go"}),
    "rust": frozenset({"cargo"}),
    "php": frozenset({"php", "artisan"}),
}

DEV_SCRIPT = "bin/dev.sh"
"""The project's own start script, which may run without any argument."""

SYSTEM_FOLDERS = frozenset({"/bin", "/usr/bin", "/usr/local/bin"})
TOOL_FOLDERS = ("node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin")
"""Where package managers of the profiles put a project's tools, below the project."""
