"""Who issues tokens in tests? A real authorization server on the loopback interface, strict as the standards are.

PKCE with S256 only, redirects to the letter, codes that work once, refresh tokens that change with each use; whoever
uses an old one again loses the whole login, except where `grace` says that an answer may have been lost. It remembers
everything it ever gave out, so that a test can look for it where it must not be.
"""

import base64
import hashlib
import json
import secrets
import ssl
import threading
import time
import urllib.error
import urllib.request
from collections import deque
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT = "daedal-of-the-tests"
WAIT_S = 30.0
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"


@dataclass
class Family:
    """One login: what was given out for it last, and whether any of it is still good."""

    access: str = ""
    renewal: str = ""
    older: set[str] = field(default_factory=set)
    ends_at: float = 0.0
    is_revoked: bool = False


class Problem(Exception):
    def __init__(self, code: str, description: str = "", status: int = 400) -> None:
        super().__init__(code)
        self.body = {"error": code, **({"error_description": description} if description else {})}
        self.status = status


class OAuthServer:
    def __init__(
        self,
        *,
        lifetime_s: float = 3600,
        rotates: bool = True,
        grace: bool = False,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.lifetime_s = lifetime_s
        self.rotates = rotates
        self.grace = grace
        self.denies = False
        """The person at the browser says no."""
        self.bends_state = False
        self.names_as_issuer = ""
        """Claims to be somebody else in what the browser brings back."""
        self.metadata_issuer = ""
        self.device_answers: deque[str] = deque()
        """What a device is told before it gets its token."""
        self.device_interval: float = 0
        self.secrets: set[str] = set()
        self.log: list[str] = []
        self.families: list[Family] = []
        self._codes: dict[str, dict[str, str]] = {}
        self._devices: set[str] = set()
        self._changed = threading.Condition()
        self._gate = threading.Event()
        self._gate.set()
        self.half_answers = False
        """Breaks a token's answer off in the middle and waits for the gate with the rest."""
        handler = type("Handler", (_Handler,), {"owner": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> "OAuthServer":
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._gate.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    # What tests say and see.

    def config(self, provider: str = "claude_code_subscription", **more: str) -> str:
        """The entry in a person's settings."""
        told = {"provider": provider, "issuer": self.url, "client_id": CLIENT, **more}
        lines = [f"{key} = {json.dumps(value)}" for key, value in told.items()]
        return "\n".join(["[[logins]]", *lines, 'scopes = ["inference"]', ""])

    def is_good(self, access: str) -> bool:
        with self._changed:
            return any(
                family.access == access and not family.is_revoked and time.time() < family.ends_at
                for family in self.families
            )

    def end_access(self) -> None:
        """Every access token is refused from now on, long before its time; logins stay."""
        with self._changed:
            for family in self.families:
                family.ends_at = 0.0

    def revoke(self) -> None:
        with self._changed:
            for family in self.families:
                family.is_revoked = True

    def close_gate(self) -> None:
        """Renewals wait from now on."""
        self._gate.clear()

    def open_gate(self) -> None:
        self._gate.set()

    def wait_for(self, entry: str, count: int = 1) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self.log.count(entry) >= count, WAIT_S), self.log

    def note(self, entry: str) -> None:
        with self._changed:
            self.log.append(entry)
            self._changed.notify_all()

    # What clients ask.

    def metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.metadata_issuer or self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "device_authorization_endpoint": f"{self.url}/device",
            "revocation_endpoint": f"{self.url}/revoke",
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
        }

    def authorize(self, asked: dict[str, str]) -> str:
        """Where the browser is sent on. What is wrong with the client or the redirect is told to the person alone."""
        self.note("authorize")
        redirect = urlsplit(asked.get("redirect_uri", ""))
        if asked.get("client_id") != CLIENT or redirect.hostname != "127.0.0.1" or redirect.path != "/callback":
            raise Problem("invalid_request", "unknown client or redirect")
        if asked.get("code_challenge_method") != "S256" or not asked.get("code_challenge"):
            raise Problem("invalid_request", "PKCE with S256 is required")
        state = asked.get("state", "")
        told = {"state": "x" + state if self.bends_state else state, "iss": self.names_as_issuer or self.url}
        if self.denies:
            told |= {"error": "access_denied", "error_description": "the person said <no>"}
        else:
            told["code"] = self._secret("code")
            self._codes[told["code"]] = asked
        return f"{asked['redirect_uri']}?{urlencode(told)}"

    def device(self, asked: dict[str, str]) -> dict[str, Any]:
        self.note("device")
        self._check_client(asked)
        code = self._secret("device")
        self._devices.add(code)
        return {
            "device_code": code,
            "user_code": "WDJB-MJHT",
            "verification_uri": f"{self.url}/activate",
            "expires_in": 60,
            "interval": self.device_interval,
        }

    def token(self, asked: dict[str, str]) -> dict[str, Any]:
        self._check_client(asked)
        match asked.get("grant_type"):
            case "authorization_code":
                return self._exchange(asked)
            case "refresh_token":
                return self._renew(asked)
            case grant if grant == DEVICE_GRANT:
                return self._poll(asked)
            case _:
                raise Problem("unsupported_grant_type")

    def revoke_token(self, asked: dict[str, str]) -> dict[str, Any]:
        self.note("revoke")
        with self._changed:
            for family in self.families:
                if asked.get("token") in (family.renewal, family.access):
                    family.is_revoked = True
        return {}

    def _exchange(self, asked: dict[str, str]) -> dict[str, Any]:
        self.note("exchange")
        begun = self._codes.pop(asked.get("code", ""), None)
        if begun is None:
            raise Problem("invalid_grant", "the code is unknown or was used before")
        digest = hashlib.sha256(asked.get("code_verifier", "").encode()).digest()
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != begun["code_challenge"]:
            raise Problem("invalid_grant", "the verifier does not fit")
        if asked.get("redirect_uri") != begun["redirect_uri"]:
            raise Problem("invalid_grant", "another redirect")
        self.secrets.add(asked["code_verifier"])
        return self._given(Family())

    def _renew(self, asked: dict[str, str]) -> dict[str, Any]:
        self.note("renew")
        if not self.half_answers:
            assert self._gate.wait(WAIT_S)
        token = asked.get("refresh_token", "")
        with self._changed:
            family = next((one for one in self.families if token == one.renewal or token in one.older), None)
            if family is None or family.is_revoked:
                raise Problem("invalid_grant", f"the login behind {token} was revoked")
            if token in family.older and not self.grace:
                family.is_revoked = True
                raise Problem("invalid_grant", "the refresh token was used before")
            return self._given(family)

    def _poll(self, asked: dict[str, str]) -> dict[str, Any]:
        self.note("poll")
        if asked.get("device_code") not in self._devices:
            raise Problem("invalid_grant")
        if self.device_answers:
            raise Problem(self.device_answers.popleft())
        return self._given(Family())

    def _given(self, family: Family) -> dict[str, Any]:
        with self._changed:
            if family not in self.families:
                self.families.append(family)
            family.access = self._secret("access")
            if self.rotates or not family.renewal:
                family.older.add(family.renewal)
                family.renewal = self._secret("renewal")
            family.ends_at = time.time() + self.lifetime_s
            return {
                "access_token": family.access,
                "refresh_token": family.renewal,
                "token_type": "Bearer",
                "expires_in": self.lifetime_s,
                "scope": "inference",
            }

    def _check_client(self, asked: dict[str, str]) -> None:
        if asked.get("client_id") != CLIENT:
            raise Problem("invalid_client", status=401)

    def _secret(self, kind: str) -> str:
        made = f"{kind}-{secrets.token_urlsafe(24)}"
        self.secrets.add(made)
        return made

    def hold(self) -> None:
        self.note("half")
        self._gate.wait(WAIT_S)


class _Handler(BaseHTTPRequestHandler):
    owner: OAuthServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        asked = {key: values[0] for key, values in parse_qs(parts.query).items()}
        if parts.path == "/.well-known/oauth-authorization-server":
            self._json(200, self.owner.metadata())
        elif parts.path == "/authorize":
            try:
                place = self.owner.authorize(asked)
            except Problem as problem:
                self._json(problem.status, problem.body)
                return
            self.send_response(302)
            self.send_header("Location", place)
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self._json(404, {})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
        asked = {key: values[0] for key, values in parse_qs(body).items()}
        routes = {"/token": self.owner.token, "/device": self.owner.device, "/revoke": self.owner.revoke_token}
        try:
            said = routes[self.path](asked)
        except Problem as problem:
            self._json(problem.status, problem.body)
            return
        self._json(200, said, may_break=asked.get("grant_type") == "refresh_token")

    def _json(self, status: int, said: dict[str, Any], *, may_break: bool = False) -> None:
        body = json.dumps(said).encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if may_break and self.owner.half_answers:
                self.wfile.write(body[: len(body) // 2])
                self.wfile.flush()
                self.owner.hold()
            else:
                self.wfile.write(body)
        except OSError:
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


def browse(address: str) -> int:
    """What a person's browser does: follows wherever it is sent. The status of the last page."""
    try:
        with urllib.request.urlopen(address, timeout=WAIT_S) as page:
            page.read()
            return page.status
    except urllib.error.HTTPError as error:
        error.read()
        return error.code
