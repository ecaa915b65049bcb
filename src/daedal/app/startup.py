"""What does every command that works need first? The ledger, the settings in force, and the credentials."""

import os
from collections.abc import Mapping
from typing import Any, cast

from msgspec import Struct

from daedal.app.credentials import Credentials, secret_names
from daedal.app.settings import Settings
from daedal.config import Effective, Files, ModelConfig, database_path, effective, settings_files
from daedal.ledger import Ledger
from daedal.protocol.errors import ConfigurationError
from daedal.protocol.redaction import Redactor
from daedal.providers import resolve


class Startup(Struct, frozen=True, kw_only=True):
    ledger: Ledger
    settings: Settings
    model: ModelConfig | None
    """The settings' choice, as it stands in the ledger; None where it could not be made (a key is missing)."""
    credentials: Credentials
    warnings: list[str]
    effective: Effective[Settings]
    files: Files

    @property
    def managed(self) -> Settings | None:
        """What the administrator decided, by itself."""
        return self.effective.managed

    def origin(self, key: str, index: int) -> str:
        """Which file and line an entry of an additive list came from."""
        return self.effective.origin(key, index)


def start_up(cwd: str | None, flags: Mapping[str, Any] | None = None) -> Startup:
    """Opens the ledger and reads the settings once. Raises LedgerError or ConfigurationError."""
    ledger = Ledger.open(database_path())
    try:
        credentials = Credentials()
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
    except BaseException:
        ledger.close()
        raise
    return Startup(
        ledger=ledger,
        settings=found.value,
        model=found.model_config,
        credentials=credentials,
        warnings=[*found.warnings, *credentials.warnings],
        effective=found,
        files=files,
    )


def _without_secrets(settings: Settings, plain: dict[str, Any], credentials: Credentials) -> dict[str, Any]:
    """What of the settings goes into the ledger: somebody may have written a key into a hook's command."""
    known = Redactor(credentials.secrets(secret_names(settings))).value(plain)
    return (
        {**known, "plugins": [_without_values(plugin) for plugin in known["plugins"]]} if "plugins" in known else known
    )


def _without_values(plugin: Any) -> Any:
    """A server as it is configured, without what was written out for its environment and headers: keys, mostly."""
    if not isinstance(plugin, dict):
        return plugin
    kept = cast("dict[str, Any]", plugin)
    return {**kept, **{table: _named(kept[table]) for table in ("env", "headers") if isinstance(kept.get(table), dict)}}


def _named(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value if "${" in str(value) else f"[REDACTED:{name}]" for name, value in values.items()}


def chosen_model(settings: Settings, credentials: Credentials) -> ModelConfig | None:
    """Which model the settings choose. Its names depend on them alone; a missing key is said when it is used."""
    try:
        card = resolve(
            provider=None,
            model=settings.default_model or None,
            entries=settings.providers,
            env=credentials.environment(),
        ).card
    except ConfigurationError:
        return None  # Other commands work without a model.
    return ModelConfig(provider=card.provider, model_id=card.model_id)
