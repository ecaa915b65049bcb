"""What do journeys look at together? Work that was done once, and is copied by whoever changes it."""

import pytest

from tests.journeys.delivering import Proved, delivered_once


@pytest.fixture(scope="session")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Proved:
    """A delivery at its end, after many a claim that was refused. Only to be looked at: `copy` is for the rest."""
    return delivered_once(tmp_path_factory.mktemp("proved"))
