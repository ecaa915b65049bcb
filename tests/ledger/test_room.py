"""What does the room show, and what does it load?"""

import daedal.ledger
from tests.ledger.sample import output, python


def test_everything_that_is_promised_can_be_imported():
    assert [name for name in daedal.ledger.__all__ if not hasattr(daedal.ledger, name)] == []


def test_what_is_not_there_is_not_made_up():
    assert not hasattr(daedal.ledger, "Database")


def test_opening_a_ledger_loads_nothing_that_a_turn_does_not_need(path):
    script = "import sys; from daedal.ledger import Ledger; Ledger.open(sys.argv[1]).close(); print(*sys.modules)"
    output(python(script, path))
    loaded = set(output(python(script, path)).split())
    unwanted = {"migrations", "ddl", "exports", "markdown", "lookalikes", "health", "preimages"}
    assert not loaded & {f"daedal.ledger.{name}" for name in unwanted}
    assert "hashlib" not in loaded
