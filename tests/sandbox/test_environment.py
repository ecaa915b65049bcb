"""Which variables does a command see?"""

import pytest

from daedal.sandbox import ProcessSpawner


def test_credentials_stay_with_the_agent(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("VENDOR_API_KEY", "hush")
    monkeypatch.setenv("HARMLESS", "yes")
    environment = ProcessSpawner(["VENDOR_API_KEY"]).environment()
    assert "VENDOR_API_KEY" not in environment
    assert environment["HARMLESS"] == "yes"


@pytest.mark.parametrize("name", ["DAEDAL_TOKEN", "DAEDAL_API_KEY", "DAEDAL_DB_PASSWORD", "DAEDAL_CLIENT_SECRET"])
def test_our_own_control_variables_that_hold_secrets_stay_too(monkeypatch: pytest.MonkeyPatch, name: str):
    monkeypatch.setenv(name, "hush")
    monkeypatch.setenv("DAEDAL_HOME", "somewhere")
    environment = ProcessSpawner([]).environment()
    assert name not in environment
    assert environment["DAEDAL_HOME"] == "somewhere"


def test_extra_variables_are_added_and_win(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("EDITOR", "vi")
    assert ProcessSpawner([]).environment({"EDITOR": "true", "NEW": "1"}).items() >= {("EDITOR", "true"), ("NEW", "1")}
