"""How does a table join an array such as `[[providers]]`? At the end of the file; what is there stays as it is."""

from collections.abc import Mapping

from msgspec import Struct

from daedal.config.checking import check
from daedal.config.keys import quoted, quoted_key
from daedal.config.layers import Layer, OriginKind
from daedal.config.reading import read_text
from daedal.config.schema import describe
from daedal.config.toml_file import parse_toml
from daedal.config.writing import replace_file
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError


def add_table(file: str, array: str, fields: Mapping[str, str], schema: type[Struct]) -> None:
    """Adds a table that has a `name`. Adding the same one again changes nothing. Raises ConfigurationError."""
    before = read_text(file) or ""
    data = parse_toml(before, file)
    root = describe(schema)
    check(root, Layer(OriginKind.USER, data, file, before))
    for known in data.get(array, []):
        if known == fields:
            return
        if known.get("name") == fields["name"]:
            raise ConfigurationError(say("config.table_exists", array=array, name=fields["name"], path=file))
    lines = [f"[[{array}]]", *(f"{quoted_key(key)} = {quoted(value)}" for key, value in fields.items())]
    after = (before.rstrip() + "\n\n" if before.strip() else "") + "\n".join(lines) + "\n"
    check(root, Layer(OriginKind.USER, parse_toml(after, file), file, after))
    replace_file(file, after.encode())
