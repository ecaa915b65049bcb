"""Where lives the key to the kept logins? In the system's keyring; where there is none, in a file of its own.

`DAEDAL_LOGIN_PASSWORD` takes the place of both: then the key is nowhere but in the head or the vault of whoever sets
it. A keyring that keeps its secrets as plain text, or nowhere, is no keyring.
"""

import os
import threading
from collections.abc import Callable
from typing import Any, Literal, TypeVar

from daedal.config import read_text
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

PASSWORD = "DAEDAL_LOGIN_PASSWORD"  # noqa: S105  the variable's name
SERVICE = "daedal"
KEY_FILE = "key"
ANSWER_S = 60.0
"""A locked keyring asks the person first."""
NO_KEYRINGS = ("keyrings.alt", "keyring.backends.fail", "keyring.backends.null")

Place = Literal["password", "keyring", "file"]
T = TypeVar("T")


class StoreKey:
    def __init__(self, folder: str) -> None:
        self._folder = folder
        self.path = os.path.join(folder, KEY_FILE)

    def choose(self) -> tuple[Place, str]:
        """The secret for what is sealed anew, made where there is none yet. Raises ConfigurationError."""
        if os.environ.get(PASSWORD):
            return "password", os.environ[PASSWORD]
        if (backend := keyring_backend()) is not None:
            try:
                return "keyring", self._in_keyring(backend)
            except ConfigurationError:
                pass  # One that stays locked is as good as none; where the key went is told.
        return "file", read_text(self.path) or self._made()

    def find(self, place: Place) -> str:
        """The secret with which something was sealed. Raises ConfigurationError where it is gone."""
        match place:
            case "password":
                secret = os.environ.get(PASSWORD)
            case "keyring":
                backend = keyring_backend()
                secret = None if backend is None else _answered(lambda: backend.get_password(SERVICE, self._account))
            case "file":
                secret = read_text(self.path)
        if not secret:
            raise ConfigurationError(say(f"providers.login.key_gone_{place}", path=self.path, variable=PASSWORD))
        return secret

    def forget(self) -> None:
        """Once nothing is sealed with it any more."""
        try:
            os.unlink(self.path)
        except FileNotFoundError:
            pass
        backend = keyring_backend()
        try:
            if backend is not None and _answered(lambda: backend.get_password(SERVICE, self._account)):
                _answered(lambda: backend.delete_password(SERVICE, self._account))
        except ConfigurationError:
            pass  # It opens nothing any more.

    def _in_keyring(self, backend: Any) -> str:
        secret: str | None = _answered(lambda: backend.get_password(SERVICE, self._account))
        if secret:
            return secret
        made = os.urandom(32).hex()
        _answered(lambda: backend.set_password(SERVICE, self._account, made))
        return made

    @property
    def _account(self) -> str:
        """Each home has a key of its own, though all of them share the user's keyring."""
        return os.path.realpath(self._folder)

    def _made(self) -> str:
        """Whoever comes second finds the first one's: a link is made whole or not at all."""
        secret = os.urandom(32).hex()
        draft = f"{self.path}.{os.getpid()}.{os.urandom(4).hex()}"
        try:
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secret)
                file.flush()
                os.fsync(file.fileno())
            try:
                os.link(draft, self.path)
            except FileExistsError:
                pass
            finally:
                os.unlink(draft)
        except OSError as error:
            raise ConfigurationError(say("config.unwritable", path=self.path, reason=error.strerror)) from error
        return read_text(self.path) or secret


def keyring_backend() -> Any:
    """The system's keyring; None where there is none that keeps a secret."""
    try:
        import keyring
        from keyring.backends import chainer
    except ImportError:
        return None
    found: Any = keyring.get_keyring()
    backends: list[Any] = list(found.backends) if isinstance(found, chainer.ChainerBackend) else [found]
    return next((backend for backend in backends if not type(backend).__module__.startswith(NO_KEYRINGS)), None)


def _answered(ask: Callable[[], T]) -> T:
    """What the keyring says. It may ask the person first, and the person may have left. Raises ConfigurationError."""
    answers: list[T] = []
    troubles: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(ask())
        except Exception as trouble:  # whatever a keyring's backend may raise becomes one sentence
            troubles.append(trouble)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(ANSWER_S)
    if answers:
        return answers[0]
    reason = type(troubles[0]).__name__ if troubles else say("providers.login.keyring_silent", seconds=f"{ANSWER_S:g}")
    raise ConfigurationError(say("providers.login.keyring_failed", reason=reason))
