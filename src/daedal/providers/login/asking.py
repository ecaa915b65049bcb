"""What can be asked of a token endpoint, and what does a refusal mean? Tokens for a code, or for a refresh token."""

from collections.abc import Mapping
from typing import Any

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ProviderError
from daedal.protocol.turns import ErrorKind
from daedal.providers.login.fetching import Net

DESCRIPTION_LENGTH_MAX = 300


class Refused(Exception):
    """The issuer said no, in one of OAuth's words."""

    def __init__(self, code: str, description: str) -> None:
        super().__init__(description or code)
        self.code = code
        self.description = (description or code)[:DESCRIPTION_LENGTH_MAX]


async def ask(net: Net, url: str, form: Mapping[str, str], *, issuer: str) -> dict[str, Any]:
    """Raises Refused, or ProviderError where there was no proper answer."""
    answer = await net.post(url, form, source=issuer)
    said = answer.json()
    if answer.status == 200 and said:
        return said
    code = said.get("error")
    if isinstance(code, str) and code and 400 <= answer.status < 500:
        description = said.get("error_description")
        raise Refused(code, _printable(description if isinstance(description, str) else ""))
    kind = ErrorKind.SERVER if answer.status >= 500 or answer.status == 429 else ErrorKind.CONFIGURATION
    raise ProviderError(say("providers.login.odd_answer", issuer=issuer, status=answer.status), kind)


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
