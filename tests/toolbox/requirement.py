"""Which obligation does a test show? The ids of docs/ACCEPTANCE_MATRIX.md, compared with it both ways."""

import pytest

requirement = pytest.mark.requirement
