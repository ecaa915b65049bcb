"""How does Codex come into the house? Which program, by which login, with what of its own switched off."""

import os
from collections.abc import Callable, Mapping

import msgspec

from daedal.guests.codex.conversation import CodexGuest
from daedal.guests.codex.server import LAST_WORDS_BYTES, CodexServer
from daedal.guests.guest import Guest, Stay
from daedal.guests.shared_login import share_login
from daedal.protocol.catalogue import say
from daedal.protocol.confinement import Confinement
from daedal.protocol.errors import ConfigurationError
from daedal.protocol.model import ModelCard, Price
from daedal.protocol.seams import Job
from daedal.sandbox import ProcessSpawner, find_program

NAME = "codex"
DEFAULT_MODEL = "default"
KEY = "OPENAI_API_KEY"
ADDRESS = "OPENAI_BASE_URL"
USUAL_ADDRESS = "https://api.openai.com/v1"

SETTINGS = (
    "check_for_update_on_startup=false",
    "analytics.enabled=false",
    "feedback.enabled=false",
    "tools.update_plan.enabled=true",
    # Instructions of the project come with ours, so that every engine reads the same.
    "project_doc_max_bytes=0",
    f'shell_environment_policy.exclude=["{KEY}"]',
    # What acts without asking, or through somebody else, stays off: nothing may pass the gate unseen.
    'web_search="disabled"',
    "features.multi_agent_v2.disable_native_tools=true",
    "features.write_stdin_approval=true",
    *(
        f"features.{name}=false"
        for name in (
            "apps",
            "browser_use",
            "computer_use",
            "goals",
            "hooks",
            "image_generation",
            "memories",
            "multi_agent",
            "plugins",
            "remote_plugin",
            "skill_mcp_dependency_install",
            "tool_suggest",
            "unified_exec_tty",  # What is typed into a running shell is not asked about.
            "view_image",
        )
    ),
)


class CodexHost:
    """The `Host` of Codex. Codex has a home of its own here: what it was taught elsewhere to allow does not count."""

    name = NAME
    takes_changes = False
    borrows = ("Agent", "AskUserQuestion", "Skill")
    keeps_tools = True

    def __init__(
        self,
        spawner: ProcessSpawner,
        *,
        home: str,
        environment: Mapping[str, str],
        price_of: Callable[[str], Price | None],
        attempts_max: int = 5,
    ) -> None:
        """`home` is Codex's folder here; `environment` has the keys that this process holds."""
        self._price_of = price_of
        self._spawner = spawner
        self._home = home
        self._environment = environment
        self._attempts_max = attempts_max
        self._server = CodexServer(spawner, self._job)

    def confines(self, walls: Confinement) -> bool:
        return walls.enabled

    def card(self, model: str | None) -> ModelCard:
        if find_program(NAME) is None:
            raise ConfigurationError(say("guests.codex.missing"))
        if not self._has_key() and _login() is None:
            raise ConfigurationError(say("guests.codex.no_login"))
        model = model or DEFAULT_MODEL
        return ModelCard(provider=NAME, model_id=model, wire_model=model, sees_images=False)

    def invite(self, stay: Stay) -> Guest:
        if stay.model == DEFAULT_MODEL:
            stay = msgspec.structs.replace(stay, model=None)
        return CodexGuest(self._server, stay, self._price_of)

    def _has_key(self) -> bool:
        return bool(self._environment.get(KEY) or self._environment.get(ADDRESS))

    def _job(self) -> Job:
        program = find_program(NAME)
        if program is None:
            raise ConfigurationError(say("guests.codex.missing"))
        os.makedirs(self._home, mode=0o700, exist_ok=True)
        settings = [*SETTINGS, *self._provider()] if self._has_key() else [*SETTINGS]
        if not self._has_key():
            share_login(_login(), self._home)
        extra = {"CODEX_HOME": self._home}
        if key := self._environment.get(KEY):
            extra[KEY] = key
        return Job(
            argv=[program, "app-server", *(word for line in settings for word in ("-c", line))],
            cwd=self._home,
            env=self._spawner.environment(extra),
            output_bytes_max=LAST_WORDS_BYTES,
        )

    def _provider(self) -> list[str]:
        """The endpoint that Daedal itself would use, in Codex's words."""
        address = self._environment.get(ADDRESS) or USUAL_ADDRESS
        said = {
            "name": '"OpenAI"',
            "base_url": msgspec.json.encode(address).decode(),
            "wire_api": '"responses"',
            "requires_openai_auth": "false",
            "request_max_retries": str(self._attempts_max - 1),
            "stream_max_retries": str(self._attempts_max - 1),
            "supports_websockets": "false",
        }
        if self._environment.get(KEY):
            said["env_key"] = f'"{KEY}"'
        table = ",".join(f"{name}={value}" for name, value in said.items())
        return ['model_provider="daedal"', f"model_providers.daedal={{{table}}}"]


def _login() -> str | None:
    """Where the user's own Codex keeps its login."""
    home = os.environ.get("CODEX_HOME") or os.path.expanduser("~/.codex")
    path = os.path.join(home, "auth.json")
    return path if os.path.isfile(path) else None
