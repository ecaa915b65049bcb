"""What does every command that works need first? The ledger, the settings in force, and the credentials."""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

from daedal.app.credentials import Credentials, secret_names
from daedal.app.settings import Settings
from daedal.config import Effective, Files, ModelConfig, database_path, effective, settings_files
from daedal.ledger import Ledger
from daedal.protocol.errors import ConfigurationError
from daedal.protocol.redaction import Redactor
from daedal.providers import resolve

if TYPE_CHECKING:
    from daedal.providers import Access, Choice, Endpoint

KEY_WORDS = ("auth", "key", "token", "secret", "password", "cookie", "credential")


class Startup(Struct, frozen=True, kw_only=True):
    ledger: Ledger
    settings: Settings
    model: ModelConfig | None
    """The settings' choice, as it stands in the ledger; None where it could not be made (a key is missing)."""
    credentials: Credentials
    warnings: list[str]
    effective: Effective[Settings]
    files: Files

    def access(self, choice: "Choice") -> "Access | None":
        """What grants the model's requests their credential; None where a variable of the process holds it."""
        if choice.key is not None and self.credentials.environment_has(choice.key.variable):
            return None
        from daedal.app.access import access_to

        vouched, root = self.effective.vouched, self.files.root
        return access_to(choice, self.settings, self.credentials, vouched=vouched, root=root)

    def is_supplied(self, endpoint: "Endpoint") -> bool:
        return supplied(self.settings, self.credentials)(endpoint)

    def folder(self, cwd: str | None) -> str:
        """Where a face means that names a folder, or none."""
        return os.path.realpath(os.path.join(self.files.root or os.getcwd(), cwd or "."))

    @property
    def managed(self) -> Settings | None:
        """What the administrator decided, by itself."""
        return self.effective.managed

    def origin(self, key: str, index: int) -> str:
        """Which file and line an entry of an additive list came from."""
        return self.effective.origin(key, index)


def start_up(cwd: str | None, flags: Mapping[str, Any] | None = None, *, is_bare: bool = False) -> Startup:
    """Opens the ledger and reads the settings once. Raises LedgerError or ConfigurationError."""
    ledger = Ledger.open(database_path())
    try:
        credentials = Credentials(is_bare=is_bare)
        files = settings_files(os.path.realpath(cwd or os.getcwd()))
        found = effective(
            Settings,
            snapshot=ledger.snapshot,
            put=ledger.put_snapshots,
            files=files,
            flags=flags or {},
            model_config=lambda settings: chosen_model(settings, credentials),
            redact=lambda settings, plain: _without_secrets(settings, plain, credentials),
        )
        settings = _stripped(found, files) if is_bare else found.value
    except BaseException:
        ledger.close()
        raise
    return Startup(
        ledger=ledger,
        settings=settings,
        model=found.model_config,
        credentials=credentials,
        warnings=[*found.warnings, *credentials.warnings],
        effective=found,
        files=files,
    )


def _stripped(found: Effective[Settings], files: Files) -> Settings:
    from daedal.app.bare import stripped

    return stripped(found, files)


def _without_secrets(settings: Settings, plain: dict[str, Any], credentials: Credentials) -> dict[str, Any]:
    """What of the settings goes into the ledger: somebody may have written a key into a hook's command."""
    known = Redactor(credentials.secrets(secret_names(settings))).value(plain)
    written: dict[str, Any] = {}
    if "plugins" in known:
        written["plugins"] = [without_values(plugin) for plugin in known["plugins"]]
    if "providers" in known:
        written["providers"] = [_without_keys(provider) for provider in known["providers"]]
    if "@" in str(known.get("network", {}).get("proxy", "")):
        host = known["network"]["proxy"].rpartition("@")[2]
        written["network"] = {**known["network"], "proxy": f"[REDACTED:proxy]@{host}"}
    return {**known, **written}


def _without_keys(provider: Any) -> Any:
    """Further headers are for names and the like; but some of them are called as only a key is."""
    if not isinstance(provider, dict):
        return provider
    kept = cast("dict[str, Any]", provider)
    if not isinstance(kept.get("headers"), dict):
        return kept
    headers = {
        name: value for name, value in kept["headers"].items() if any(word in name.lower() for word in KEY_WORDS)
    }
    return {**kept, "headers": {**kept["headers"], **_named(headers)}}


def without_values(plugin: Any) -> Any:
    """A server as it is configured, without what was written out for environment, headers or query: keys, mostly."""
    if not isinstance(plugin, dict):
        return plugin
    kept = cast("dict[str, Any]", plugin)
    named: dict[str, Any] = {
        table: _named(kept[table]) for table in ("env", "headers") if isinstance(kept.get(table), dict)
    }
    address, mark, query = str(kept.get("url", "")).partition("?")
    if mark and "${" not in query:
        named["url"] = f"{address}?[REDACTED:query]"
    return {**kept, **named}


def _named(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value if "${" in str(value) else f"[REDACTED:{name}]" for name, value in values.items()}


def supplied(settings: Settings, credentials: Credentials) -> "Callable[[Endpoint], bool]":
    """Tells of an endpoint without a key in a variable whether there is another credential. Only then this loads."""

    def is_supplied(endpoint: "Endpoint") -> bool:
        from daedal.app.access import is_supplied

        return is_supplied(endpoint, settings, credentials)

    return is_supplied


def chosen_model(settings: Settings, credentials: Credentials) -> ModelConfig | None:
    """Which model the settings choose. Its names depend on them alone; a missing key is said when it is used."""
    try:
        card = resolve(
            provider=None,
            model=settings.default_model or None,
            entries=settings.providers,
            env=credentials.environment(),
            is_supplied=supplied(settings, credentials),
        ).card
    except ConfigurationError:
        return None  # Other commands work without a model.
    return ModelConfig(provider=card.provider, model_id=card.model_id)
