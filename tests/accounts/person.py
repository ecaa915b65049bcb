"""How does a test log in? As a person: starts the program, opens the address that it shows, and waits for its end."""

import json
import subprocess
import threading
from pathlib import Path
from typing import Any

from tests.journeys.test_bad_input import configure
from tests.journeys.test_secrets_everywhere import spellings
from tests.toolbox.model_server import ModelServer, Recorded, Reply, fail, say
from tests.toolbox.oauth_server import OAuthServer, browse
from tests.toolbox.program import DEADLINE_S, Daedal, Finished

IMPATIENT = "[network]\nattempts_max = 2\nbackoff_base_s = 0.01\nbackoff_max_s = 0.02\n"
NO_KEYRING = {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}


def ready(daedal: Daedal, oauth: OAuthServer, model: ModelServer | None = None, more: str = "") -> None:
    """A person whose settings say where to log in, and who has no key."""
    configure(daedal, IMPATIENT + more + oauth.config())
    daedal.env.update(NO_KEYRING)
    if model is not None:
        daedal.env["ANTHROPIC_BASE_URL"] = model.url


def log_in(daedal: Daedal, *words: str, code: int = 0) -> Finished:
    """With `--json`, so that the address can be read; the browser follows it as long as the program waits."""
    process = daedal.start("auth", "login", "--json", *words)
    assert process.stdout is not None
    line = process.stdout.readline()
    shown: dict[str, Any] = json.loads(line) if line else {}
    if "authUrl" in shown:
        threading.Thread(target=browse, args=(shown["authUrl"],), daemon=True).start()
    return ended(process, code=code, before=line)


def ended(process: subprocess.Popen[bytes], *, code: int = 0, before: bytes = b"") -> Finished:
    out, err = process.communicate(timeout=DEADLINE_S)
    finished = Finished(process.returncode, (before + out).decode(), err.decode())
    assert finished.code == code, (finished.code, finished.out, finished.err)
    return finished


def guarded(oauth: OAuthServer, *replies: Reply) -> Any:
    """A model that answers only those whom the issuer knows, in the order of what it has to say."""
    left = list(replies)

    def answer(request: Recorded) -> Reply:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not oauth.is_good(token):
            return fail(401, "token expired or revoked")
        return left.pop(0) if len(left) > 1 else left[0] if left else say("Hello.")

    return answer


def leaks(daedal: Daedal, oauth: OAuthServer, *said: str, further: tuple[Path, ...] = ()) -> list[str]:
    """Every place on the disk, and in what was said, that holds anything the issuer ever gave out."""
    files = [path for path in daedal.root.rglob("*") if path.is_file() and not path.is_symlink()]
    found: list[str] = []
    for path in (*files, *further):
        content = path.read_bytes()
        found += [f"{path.name}: {secret}" for secret in oauth.secrets for form in spellings(secret) if form in content]
    return found + [f"said: {secret}" for text in said for secret in oauth.secrets if secret in text]
