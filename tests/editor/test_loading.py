"""Does the protocol's library load at no more cost than is needed? Its models wait until they are used, no others."""

import gc

import pytest
from pydantic import BaseModel, ConfigDict

from daedal.protocol.loading import models_when_used


def test_models_that_are_loaded_so_are_made_when_first_used_and_all_others_as_ever():
    with models_when_used():

        class Base(BaseModel):
            model_config = ConfigDict(use_attribute_docstrings=True)

        class Message(Base):
            text: str
            """What nobody needs to read here."""

    class Usual(Base):
        model_config = ConfigDict(use_attribute_docstrings=True)

        text: str
        """What somebody reads."""

    class Other(BaseModel):
        text: str

    assert (Message.__pydantic_complete__, Other.__pydantic_complete__) == (False, True)
    assert Message.model_fields["text"].description is None
    assert Usual.model_fields["text"].description == "What somebody reads."
    assert Message.model_validate({"text": "Hello."}).model_dump() == {"text": "Hello."}
    assert Message.__pydantic_complete__


def test_a_library_that_cannot_be_loaded_leaves_everything_as_it_was():
    before = (BaseModel.model_config, BaseModel.__dict__["__pydantic_init_subclass__"], gc.isenabled())
    with pytest.raises(ImportError), models_when_used():
        raise ImportError("no such library")
    assert (BaseModel.model_config, BaseModel.__dict__["__pydantic_init_subclass__"], gc.isenabled()) == before
