"""What is taken for a secret, and what is not?"""

import time

import pytest

from daedal.ledger import without_lookalikes

KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc==\n-----END RSA PRIVATE KEY-----"
SECRETS = {
    "sk-ant-" + "api03-a1b2" * 4: "api-key",
    "sk-proj-abcdefghijklmnop1234": "api-key",
    "sk_live_" + "abcd1234" * 3: "api-key",
    "hf_" + "abcd1234" * 4: "api-key",
    "pypi-" + "abcd1234" * 7: "api-key",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789": "github-token",
    "github_pat_11ABCDEFG0abcdefghijkl_mnop": "github-token",
    "glpat-abcdefghij0123456789": "gitlab-token",
    "AKIAIOSFODNN7EXAMPLE": "aws-key",
    "AIzaSyA-1234567890abcdefghijklmnopqrstu": "google-key",
    "xoxb-123456789012-abcdefghij": "slack-token",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN": "jwt",
    KEY: "private-key",
    "Bearer abcdef0123456789abcdef": "bearer",
    "Authorization: Basic dXNlcjpwYXNz": "authorization",
}
ORDINARY = [
    "task-management-system-for-everyone",
    "sk-short",
    "sk-toggleable__label-arrow",
    "disk-abcdefghijklmnopqrstuvwxyz",
    "a bearer of good news, and internationalisation",
    "AKIA",
    "the ghp_ prefix",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "authorization is needed",
    "0190f2a4-7d3c-7b1e-8a4f-3c2b1a0f9e8d",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_what_looks_like_a_secret_is_replaced(secret: str):
    kind = SECRETS[secret]
    assert without_lookalikes(f"key={secret}\nend") == f"key=[REDACTED:{kind}]\nend"


@pytest.mark.parametrize("words", ORDINARY)
def test_ordinary_words_stay(words: str):
    assert without_lookalikes(words) == words


def test_every_text_in_a_value_is_searched():
    secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    mark = "[REDACTED:github-token]"
    value = {"a": [secret, 1, None, {secret: f"x {secret} y"}], "b": True}
    assert without_lookalikes(value) == {"a": [mark, 1, None, {mark: f"x {mark} y"}], "b": True}


def test_a_key_that_is_cut_off_is_replaced_to_its_end():
    assert without_lookalikes("see -----BEGIN PRIVATE KEY-----\nMIIE…") == "see [REDACTED:private-key]"


@pytest.mark.parametrize(
    "piece",
    [
        "-----BEGIN PRIVATE KEY-----",
        "sk-",
        "Bearer ",
        "eyJ",
        "authorization: ",
        "bearer a",
        "authorization",
        "sk-a",
        " ",
    ],
)
def test_a_long_text_is_searched_in_no_time(piece: str):
    text = piece * 20_000
    started = time.process_time()
    without_lookalikes(text)
    assert time.process_time() - started < 5
