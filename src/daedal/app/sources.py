"""Where can a provider's credential come from, and what does each source say about itself? Never the secret."""

import os
from collections.abc import Callable, Mapping
from typing import Literal, Protocol

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ProviderError
from daedal.protocol.turns import ErrorKind
from daedal.providers import Grant

HANDED_OVER = "CLAUDE_CODE_OAUTH_TOKEN"
DESCRIPTOR = "CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR"
TOKEN_BYTES_MAX = 65_536
TOKEN_S_MAX = 5.0

Travels = Literal["bearer", "key", "both"]
_read: dict[int, str] = {}
"""What came through descriptors of this process: most of them can be read only once."""


class Source(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str:
        """For a person."""
        ...

    def is_present(self) -> bool: ...

    def detail(self) -> str:
        """What can be told about it."""
        ...

    async def grant(self) -> Grant | None:
        """None where it has nothing. Raises DaedalError."""
        ...

    async def renew(self, refused: Grant) -> bool:
        """Whether it has something else after a refusal. Raises DaedalError."""
        ...

    async def close(self) -> None: ...


class Variable:
    """A variable, in the environment or among the saved keys."""

    def __init__(
        self, variable: str, values: Mapping[str, str], *, source_id: str, name: str, travels: Travels, advice: str
    ) -> None:
        self.id = source_id
        self.name = name
        self._variable = variable
        self._values = values
        self._travels: Travels = travels
        self._advice = advice

    def is_present(self) -> bool:
        return bool(self._values.get(self._variable, "").strip())

    def detail(self) -> str:
        is_set = self.is_present()
        return say("app.source.is_set" if is_set else "app.source.is_not_set")

    async def grant(self) -> Grant | None:
        secret = self._values.get(self._variable, "").strip()
        if not secret:
            return None
        return Grant(secret=checked(secret, self._variable), travels=self._travels, source=self.id, advice=self._advice)

    async def renew(self, refused: Grant) -> bool:
        del refused
        return False

    async def close(self) -> None:
        pass


class HandedOver:
    """A token from whoever started this process: in a variable, or to be read from a descriptor that it left open."""

    id = "handed_over"

    def __init__(self, learn: Callable[[str, str], None]) -> None:
        self.name = say("app.source.handed_over", variable=HANDED_OVER, descriptor=DESCRIPTOR)
        self._learn = learn

    def is_present(self) -> bool:
        return any(os.environ.get(name, "").strip() for name in (HANDED_OVER, DESCRIPTOR))

    def detail(self) -> str:
        for name in (HANDED_OVER, DESCRIPTOR):
            if os.environ.get(name, "").strip():
                return say("app.source.set_by", variable=name)
        return say("app.source.is_not_set")

    async def grant(self) -> Grant | None:
        secret = os.environ.get(HANDED_OVER, "").strip()
        if not secret and (number := os.environ.get(DESCRIPTOR, "").strip()):
            secret = from_descriptor(number)
        if not secret:
            return None
        self._learn(HANDED_OVER, checked(secret, HANDED_OVER))
        return Grant(secret=secret, travels="bearer", source=self.id, advice=say("app.source.ask_again"))

    async def renew(self, refused: Grant) -> bool:
        del refused
        return False

    async def close(self) -> None:
        pass


def from_descriptor(number: str) -> str:
    """What can be read there, once. Raises ProviderError."""
    import select

    descriptor = int(number) if number.isascii() and number.isdigit() and len(number) < 8 else -1
    if descriptor in _read:
        return _read[descriptor]
    data = b""
    try:
        while len(data) <= TOKEN_BYTES_MAX and select.select([descriptor], [], [], TOKEN_S_MAX)[0]:
            piece = os.read(descriptor, TOKEN_BYTES_MAX)
            if not piece:
                break
            data += piece
        os.close(descriptor)
    except (OSError, ValueError, OverflowError) as error:
        raise _unusable(DESCRIPTOR) from error
    secret = data.decode("utf-8", "replace").strip()
    if not secret or len(data) > TOKEN_BYTES_MAX:
        raise _unusable(DESCRIPTOR)
    _read[descriptor] = secret
    return secret


def checked(secret: str, source: str) -> str:
    """Raises ProviderError where no header could carry it. Never repeats it."""
    if not (secret.isascii() and secret.isprintable()):
        raise _unusable(source)
    return secret


def _unusable(source: str) -> ProviderError:
    return ProviderError(say("app.source.unusable", source=source), ErrorKind.AUTHENTICATION)
