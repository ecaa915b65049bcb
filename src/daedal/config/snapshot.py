"""When are the files read, and when does the ledger's stored copy of the settings count?

The copy (scope `effective`) is what a turn reads. It is rewritten only when a config file changed since it was
written, or what the user trusts, so that an operator's own UPDATE holds until then. A second scope keeps the books:
what the files looked like, which version wrote the copy, who said what, and what the person was warned of. Starting
with an unchanged copy costs a few `stat`s and a JSON decode: nothing here loads the TOML parser or the schema's
description unless the files have to be read.

Flags and managed settings are laid over the copy at each start and never stored: no UPDATE can lift what is managed.
"""

import os
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar, cast

import msgspec
from msgspec import Struct

from daedal import __version__
from daedal.config.home import Files
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

SCOPE = "effective"
SOURCE_SCOPE = "effective.source"
_ABSENT = "-"
T = TypeVar("T", bound=Struct)


class ModelConfig(Struct, frozen=True):
    """Which model the settings choose. Never a credential."""

    provider: str
    model_id: str


class Effective(Struct, Generic[T], frozen=True, kw_only=True):
    """The settings that a process runs with."""

    value: T
    model_config: ModelConfig | None
    """As stored, so before flags; where the stored copy has none, as the settings choose it."""
    warnings: list[str]
    is_reused: bool
    """Whether the stored copy was taken as it was."""
    managed: T | None = None
    """What is managed, by itself; None where nothing is. It is part of `value` too."""
    origins: dict[str, list[str]] = {}
    """Who added each entry of each additive list, by the list's dotted key."""
    vouched: dict[str, str] = {}
    """Files that commands of a trusted project name, and how they looked when that was found to be trusted."""

    def origin(self, key: str, index: int) -> str:
        """Who added an entry: `file:line`, or in words."""
        known = self.origins.get(key, [])
        return known[index] if index < len(known) else say("config.origin.snapshot")


class _Source(Struct, frozen=True):
    """The books about the stored copy."""

    fingerprint: str
    version: str
    digest: int
    """Of the copy as written: tells an operator's copy from ours."""
    warnings: list[str]
    origins: dict[str, list[str]] = {}
    watched: dict[str, str] = {}
    """Files that commands of a project name, and how they looked."""
    is_trusted: bool = False
    """Whether those commands count."""


class _Stored(Struct, frozen=True):
    model_config: ModelConfig | None = None


def fingerprint(files: Files) -> str:
    """What the file system says about all files that count, without opening them."""
    brought = [identity_of(path, is_others=True) for path in files.brought()]
    trust = identity_of(files.trust) if any(identity != _ABSENT for identity in brought) else _ABSENT
    return " ".join((identity_of(files.user), *brought, trust))


def effective(
    schema: type[T],
    *,
    snapshot: Callable[[str], str | None],
    put: Callable[[dict[str, str]], None],
    files: Files,
    flags: Mapping[str, Any],
    model_config: Callable[[T], ModelConfig | None],
    redact: Callable[[T, dict[str, Any]], dict[str, Any]] = lambda _, plain: plain,
) -> Effective[T]:
    """The settings in force. `snapshot` reads a scope, `put` writes scopes in one commit. Raises ConfigurationError.

    `redact` takes known credentials out of what is stored.
    """
    # Before reading: a file that changes meanwhile is then read again by the next start.
    current = fingerprint(files)
    settings = _reuse(schema, snapshot, put, current, model_config)
    if settings is None:
        settings = _rewrite(schema, put, files, current, model_config=model_config, redact=redact)
    is_managed = files.managed is not None and identity_of(files.managed) != _ABSENT
    if not is_managed and all(value is None for value in flags.values()):
        return settings
    return _overlaid(schema, settings, files, flags)


def _reuse(
    schema: type[T],
    snapshot: Callable[[str], str | None],
    put: Callable[[dict[str, str]], None],
    current: str,
    model_config: Callable[[T], ModelConfig | None],
) -> Effective[T] | None:
    """The stored copy, or None where it has to be written anew."""
    books, text = snapshot(SOURCE_SCOPE), snapshot(SCOPE)
    if text is None:
        return None
    if books is None:
        # Nobody but an operator leaves a copy without books: it holds from here on.
        source = _Source(current, __version__, 0, [])
        put({SOURCE_SCOPE: msgspec.json.encode(source).decode()})
    else:
        source = _source(books)
    if source is None or source.fingerprint != current or not _looks_the_same(source.watched):
        return None
    is_ours = _digest(text) == source.digest
    if source.version != __version__ and is_ours:
        # Another version of Daedal wrote it, and may have judged the same files otherwise.
        return None
    warnings = list(source.warnings)
    try:
        value = _decoded(schema, text, warnings)
        model = msgspec.json.decode(text, type=_Stored).model_config
    except (msgspec.DecodeError, RecursionError) as error:
        if is_ours:
            return None
        raise ConfigurationError(say("config.bad_snapshot", scope=SCOPE, reason=error)) from error
    model = model or model_config(value)
    known = source.origins if is_ours else {}
    vouched = source.watched if source.is_trusted else {}
    return Effective(value=value, model_config=model, warnings=warnings, is_reused=True, origins=known, vouched=vouched)


def _rewrite(
    schema: type[T],
    put: Callable[[dict[str, str]], None],
    files: Files,
    current: str,
    *,
    model_config: Callable[[T], ModelConfig | None],
    redact: Callable[[T, dict[str, Any]], dict[str, Any]],
) -> Effective[T]:
    from daedal.config.layers import combine
    from daedal.config.loading import load_stored
    from daedal.config.schema import describe

    loaded = load_stored(schema, files)
    model = model_config(loaded.value)
    # Defaults are left out: they are the program's, and a newer one may know better.
    plain = combine(loaded.layers, describe(schema)) | ({"model_config": msgspec.to_builtins(model)} if model else {})
    stored = redact(loaded.value, plain)
    text = msgspec.json.encode(stored).decode()
    known = loaded.entry_origins
    watched = {} if loaded.trust is None else {path: identity_of(path, is_others=True) for path in loaded.trust.watched}
    is_trusted = loaded.trust is not None and loaded.trust.is_trusted
    # A copy that had to be redacted is no use for the next start, which then reads the files again.
    books = _Source(
        current if stored == plain else "", __version__, _digest(text), loaded.warnings, known, watched, is_trusted
    )
    # A hook's command is in the books too: as the origin of a warning, or as the files that it seems to name.
    kept = redact(loaded.value, msgspec.to_builtins(books))
    put({SCOPE: text, SOURCE_SCOPE: msgspec.json.encode(kept).decode()})
    return Effective(
        value=loaded.value,
        model_config=model,
        warnings=loaded.warnings,
        is_reused=False,
        origins=known,
        vouched=watched if is_trusted else {},
    )


def _overlaid(schema: type[T], settings: Effective[T], files: Files, flags: Mapping[str, Any]) -> Effective[T]:
    """With flags on top, and on top of those what is managed."""
    from daedal.config.checking import build, check
    from daedal.config.fitting import fitted
    from daedal.config.layers import Layer, OriginKind, entry_origins, flag_layer
    from daedal.config.loading import managed_layer
    from daedal.config.schema import describe

    root = describe(schema)
    given, managed = flag_layer(flags), managed_layer(schema, files)
    check(root, given)
    # An operator may have written a list as a table; to be added to, it has to be a list.
    below = fitted(root, Layer(OriginKind.SNAPSHOT, msgspec.to_builtins(settings.value)), everywhere=False).layer
    layers = [below, given, managed]
    known = entry_origins(layers, root)
    for key, entries in settings.origins.items():
        known[key][: len(entries)] = entries
    return msgspec.structs.replace(
        settings,
        value=build(schema, layers),
        managed=build(schema, [managed]) if managed.data else None,
        origins=known,
    )


def _looks_the_same(watched: Mapping[str, str]) -> bool:
    return all(identity_of(path, is_others=True) == identity for path, identity in watched.items())


def identity_of(path: str | None, *, is_others: bool = False) -> str:
    if path is None:
        return _ABSENT
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return _ABSENT
    except OSError as error:
        # Unlike a missing file, this one must be read, so that the person learns why it cannot be.
        return f"error {error.errno}"
    # Whoever writes a file can set its time back, but not the time of that.
    changed = f":{status.st_ctime_ns}" if is_others else ""
    return f"{status.st_dev}:{status.st_ino}:{status.st_size}:{status.st_mtime_ns}{changed}"


def _decoded(schema: type[T], text: str, warnings: list[str]) -> T:
    """The settings in a stored copy. Where nothing is set, msgspec need not learn the whole schema to say so."""
    plain = msgspec.json.decode(text)
    if isinstance(plain, dict) and not cast("dict[str, Any]", plain).keys() - {"model_config"}:
        return schema()
    try:
        return msgspec.convert(plain, schema)
    except msgspec.ValidationError:
        if not isinstance(plain, dict):
            raise
        # One rule that an operator misspelt must not lift the others.
        from daedal.config.fitting import fitted
        from daedal.config.layers import Layer, OriginKind
        from daedal.config.schema import describe

        kept = fitted(describe(schema), Layer(OriginKind.SNAPSHOT, cast("dict[str, Any]", plain)), everywhere=False)
        warnings += kept.warnings
        return msgspec.convert(kept.layer.data, schema)


def _source(text: str | None) -> _Source | None:
    try:
        return msgspec.json.decode(text, type=_Source) if text is not None else None
    except msgspec.DecodeError:
        return None


def _digest(text: str) -> int:
    from zlib import crc32

    return crc32(text.encode())
