"""How is a library with hundreds of pydantic's models loaded without a second's wait? Models are made when first used.

As they come, such libraries make every model ready while they load, although few of them are ever used, and some read
their own source again for each, to learn descriptions that only a JSON schema would show. Both are settings that a
model inherits. They are changed while the library loads, and hold for no model that is made later.
"""

import gc
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel


@contextmanager
def models_when_used() -> Generator[None]:
    """Around the first import of such a library."""
    from pydantic import BaseModel

    usual, hook = BaseModel.model_config, BaseModel.__dict__["__pydantic_init_subclass__"]
    is_collecting = gc.isenabled()
    gc.disable()  # While modules load there is no garbage, only objects that stay.
    BaseModel.model_config = {**usual, "defer_build": True}
    BaseModel.__pydantic_init_subclass__ = classmethod(_leave_undescribed)  # type: ignore[assignment]
    try:
        yield
    finally:
        BaseModel.model_config = usual
        BaseModel.__pydantic_init_subclass__ = hook
        if is_collecting:
            gc.enable()


def _leave_undescribed(model: "type[BaseModel]", **_: Any) -> None:
    """Called for a library's own base too, and what is set there holds for all the models that are made of it."""
    model.model_config["use_attribute_docstrings"] = False
