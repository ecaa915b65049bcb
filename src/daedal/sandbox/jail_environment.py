"""What is a command told that runs in a jail? Nothing about doors that are closed, and where the one way out is."""

from collections.abc import Mapping, Sequence

DOORS = frozenset(
    {
        "DBUS_SESSION_BUS_ADDRESS",
        "DBUS_SYSTEM_BUS_ADDRESS",
        "DISPLAY",
        "DOCKER_HOST",
        "GPG_AGENT_INFO",
        "SSH_AGENT_PID",
        "SSH_AUTH_SOCK",
        "STY",
        "TMUX",
        "WAYLAND_DISPLAY",
        "XAUTHORITY",
        "XDG_RUNTIME_DIR",
    }
)
"""Where sockets are that a jail hides. Told about them, programs would wait or complain."""

NO_PLANTED_REPOSITORIES = {
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "safe.bareRepository",
    "GIT_CONFIG_VALUE_0": "explicit",
}
"""A folder that merely looks like a repository must not choose what git runs."""

THROUGH = ("http_proxy", "https_proxy", "all_proxy", "ftp_proxy")
THROUGH_AS = ("npm_config_proxy", "npm_config_https_proxy", "PIP_PROXY", "CARGO_HTTP_PROXY", "YARN_HTTP_PROXY")
AROUND = ("no_proxy", "npm_config_noproxy")
HERE = ("localhost", "127.0.0.1", "::1")


def confined_environment(environment: Mapping[str, str], port: int, domains: Sequence[str]) -> dict[str, str]:
    """`port` is where the filtering proxy listens inside; 0 where there is none."""
    kept = {name: value for name, value in environment.items() if name not in DOORS}
    own = {} if "GIT_CONFIG_COUNT" in kept else NO_PLANTED_REPOSITORIES
    return {**kept, **own, **(_proxied(port, domains) if port else {})}


def _proxied(port: int, domains: Sequence[str]) -> dict[str, str]:
    way_out = f"http://127.0.0.1:{port}"
    here = ",".join(name for name in HERE if name not in domains)
    both_cases = {case(name): way_out for name in THROUGH for case in (str.lower, str.upper)}
    around = {"NO_PROXY": here, **dict.fromkeys(AROUND, here)}
    return {**both_cases, **dict.fromkeys(THROUGH_AS, way_out), **around, "NODE_USE_ENV_PROXY": "1"}
