"""Where are logins kept between two runs? In a sealed file per provider, which is replaced as a whole or not at all.

AES-256-GCM; its key is made with scrypt from a secret that lives elsewhere (`store_key`). The provider's name is sealed
in, so that one file cannot stand for another. A refresh token is the only thing here that cannot be had again, so
nothing is ever removed before its successor is safely on the disk.
"""

import os

import msgspec
from msgspec import Struct

from daedal.config import logins_path, read_text, replace_file
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError
from daedal.providers.login.names import login_path
from daedal.providers.login.store_key import Place, StoreKey
from daedal.providers.login.tokens import Tokens

SCRYPT_N: dict[Place, int] = {"password": 2**15, "keyring": 2**10, "file": 2**10}
"""Slow where a person chose the secret; 256 random bits cannot be guessed at any speed."""
SCRYPT_R, SCRYPT_P = 8, 1
SCRYPT_BYTES_MAX = 128 * 2**20
ENDING = ".login"


class Sealed(Struct, frozen=True, kw_only=True):
    version: int
    key: Place
    """Where the secret is that opens it."""
    n: int
    salt: bytes
    nonce: bytes
    sealed: bytes


class LoginStore:
    def __init__(self, folder: str | None = None) -> None:
        self.folder = folder or logins_path()
        self._secret = StoreKey(self.folder)
        self._derived: dict[tuple[str, bytes, int], bytes] = {}
        """Made once: it may be slow on purpose."""
        self._opened: dict[str, tuple[Place, str, bytes]] = {}
        """By provider: what seals its login, so that a renewed token never waits for a keyring that is locked."""

    def path(self, provider: str) -> str:
        return login_path(provider, self.folder)

    def place(self, provider: str) -> Place | None:
        """Where the key is that opens the login; None where there is none."""
        sealed = self._sealed(provider)
        return None if sealed is None else sealed.key

    def read(self, provider: str) -> Tokens | None:
        """Raises ConfigurationError where there is something that cannot be opened."""
        sealed = self._sealed(provider)
        if sealed is None:
            return None
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        secret = self._secret.find(sealed.key)
        key = self._key(secret, sealed.salt, sealed.n)
        try:
            plain = AESGCM(key).decrypt(sealed.nonce, sealed.sealed, _label(provider))
            tokens = msgspec.json.decode(plain, type=Tokens)
        except (InvalidTag, ValueError) as error:
            raise ConfigurationError(say("providers.login.unopenable", path=self.path(provider))) from error
        self._opened[provider] = sealed.key, secret, sealed.salt
        return tokens

    def prepare(self, provider: str) -> Place:
        """Finds or makes what a new login will be sealed with, before anybody is sent to log in. Says where it is."""
        place, secret = self._secret.choose()
        self._opened[provider] = place, secret, os.urandom(16)
        return place

    def write(self, provider: str, tokens: Tokens) -> None:
        """After `read` or `prepare`. Raises ConfigurationError; what was there is there still."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        if provider not in self._opened:
            self.prepare(provider)
        place, secret, salt = self._opened[provider]
        nonce, n = os.urandom(12), SCRYPT_N[place]
        key = self._key(secret, salt, n)
        sealed = AESGCM(key).encrypt(nonce, msgspec.json.encode(tokens), _label(provider))
        contents = Sealed(version=1, key=place, n=n, salt=salt, nonce=nonce, sealed=sealed)
        replace_file(self.path(provider), msgspec.json.encode(contents) + b"\n")

    def delete(self, provider: str) -> bool:
        """Whether there was one. The key goes with the last of them."""
        try:
            os.unlink(self.path(provider))
        except FileNotFoundError:
            return False
        except OSError as error:
            reason = error.strerror
            raise ConfigurationError(say("config.unwritable", path=self.path(provider), reason=reason)) from error
        if not any(name.endswith(ENDING) for name in os.listdir(self.folder)):
            self._secret.forget()
        return True

    def _sealed(self, provider: str) -> Sealed | None:
        path = self.path(provider)
        text = read_text(path)
        if text is None:
            return None
        try:
            found = msgspec.json.decode(text, type=Sealed)
        except (msgspec.DecodeError, RecursionError) as error:
            raise ConfigurationError(say("providers.login.unopenable", path=path)) from error
        if found.version != 1 or found.n != SCRYPT_N[found.key]:
            raise ConfigurationError(say("providers.login.unopenable", path=path))
        return found

    def _key(self, secret: str, salt: bytes, n: int) -> bytes:
        from hashlib import scrypt

        known = (secret, salt, n)
        if known not in self._derived:
            self._derived[known] = scrypt(
                secret.encode(), salt=salt, n=n, r=SCRYPT_R, p=SCRYPT_P, maxmem=SCRYPT_BYTES_MAX, dklen=32
            )
        return self._derived[known]


def _label(provider: str) -> bytes:
    return b"daedal login 1 " + provider.encode()
