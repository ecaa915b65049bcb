"""When are the files read, and when does the ledger's stored copy of the settings count?

The copy (scope `effective`) is what a turn reads. It is rewritten only when a config file changed since it was
written, so that an operator's own UPDATE holds until then. A second scope keeps the books: what the files looked like,
which version wrote the copy, and what the person was warned of. Starting with an unchanged copy costs two `stat`s and
a JSON decode: nothing here loads the TOML parser or the schema's description unless the files have to be read.
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


class _Source(Struct, frozen=True):
    """The books about the stored copy."""

    fingerprint: str
    version: str
    digest: int
    """Of the copy as written: tells an operator's copy from ours."""
    warnings: list[str]


class _Stored(Struct, frozen=True):
    model_config: ModelConfig | None = None


def fingerprint(files: Files) -> str:
    """What the file system says about the two files, without opening them."""
    return " ".join(_identity(path) for path in (files.user, files.project))


def effective(
    schema: type[T],
    *,
    snapshot: Callable[[str], str | None],
    put: Callable[[dict[str, str]], None],
    files: Files,
    flags: Mapping[str, Any],
    model_config: Callable[[T], ModelConfig | None],
) -> Effective[T]:
    """The settings in force. `snapshot` reads a scope, `put` writes scopes in one commit. Raises ConfigurationError.

    Flags are applied last and never stored.
    """
    # Before reading: a file that changes meanwhile is then read again by the next start.
    current = fingerprint(files)
    settings = _reuse(schema, snapshot, current, model_config) or _rewrite(schema, put, files, current, model_config)
    if all(value is None for value in flags.values()):
        return settings
    return msgspec.structs.replace(settings, value=_with_flags(schema, settings.value, flags))


def _reuse(
    schema: type[T],
    snapshot: Callable[[str], str | None],
    current: str,
    model_config: Callable[[T], ModelConfig | None],
) -> Effective[T] | None:
    """The stored copy, or None where it has to be written anew."""
    source, text = _source(snapshot(SOURCE_SCOPE)), snapshot(SCOPE)
    if source is None or text is None or source.fingerprint != current:
        return None
    if source.version != __version__ and _digest(text) == source.digest:
        # Another version of Daedal wrote it, and may have judged the same files otherwise.
        return None
    try:
        value = _decoded(schema, text)
        model = msgspec.json.decode(text, type=_Stored).model_config
    except (msgspec.DecodeError, RecursionError) as error:
        if _digest(text) == source.digest:
            return None
        raise ConfigurationError(say("config.bad_snapshot", scope=SCOPE, reason=error)) from error
    model = model or model_config(value)
    return Effective(value=value, model_config=model, warnings=source.warnings, is_reused=True)


def _rewrite(
    schema: type[T],
    put: Callable[[dict[str, str]], None],
    files: Files,
    current: str,
    model_config: Callable[[T], ModelConfig | None],
) -> Effective[T]:
    from daedal.config.layers import combine
    from daedal.config.loading import load

    loaded = load(schema, user_file=files.user, project_file=files.project, flags={})
    model = model_config(loaded.value)
    # Defaults are left out: they are the program's, and a newer one may know better.
    stored = combine(loaded.layers) | ({"model_config": msgspec.to_builtins(model)} if model else {})
    text = msgspec.json.encode(stored).decode()
    source = _Source(current, __version__, _digest(text), loaded.warnings)
    put({SCOPE: text, SOURCE_SCOPE: msgspec.json.encode(source).decode()})
    return Effective(value=loaded.value, model_config=model, warnings=loaded.warnings, is_reused=False)


def _with_flags(schema: type[T], value: T, flags: Mapping[str, Any]) -> T:
    from daedal.config.layers import Layer, OriginKind, combine, flag_layer, merge

    given = flag_layer(flags)
    below = Layer(OriginKind.SNAPSHOT, msgspec.to_builtins(value))
    try:
        changed = msgspec.convert(combine([below, given]), schema)
    except msgspec.ValidationError:
        changed = None
    if changed is not None and merge(plain := msgspec.to_builtins(changed), given.data) == plain:
        return changed
    # A flag is unknown or does not fit: only now is it worth loading what can say so.
    from daedal.config.checking import build, check
    from daedal.config.schema import describe

    check(describe(schema), given)
    return build(schema, [below, given])


def _identity(path: str | None) -> str:
    if path is None:
        return "-"
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return "-"
    except OSError as error:
        # Unlike a missing file, this one must be read, so that the person learns why it cannot be.
        return f"error {error.errno}"
    return f"{status.st_dev}:{status.st_ino}:{status.st_size}:{status.st_mtime_ns}"


def _decoded(schema: type[T], text: str) -> T:
    """The settings in a stored copy. Where nothing is set, msgspec need not learn the whole schema to say so."""
    plain = msgspec.json.decode(text)
    if isinstance(plain, dict) and not cast("dict[str, Any]", plain).keys() - {"model_config"}:
        return schema()
    return msgspec.convert(plain, schema)


def _source(text: str | None) -> _Source | None:
    try:
        return msgspec.json.decode(text, type=_Source) if text is not None else None
    except msgspec.DecodeError:
        return None


def _digest(text: str) -> int:
    from zlib import crc32

    return crc32(text.encode())
