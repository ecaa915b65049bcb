"""What does the file of a custom command say? Frontmatter, then the body.

Only a description and a hint are taken from the frontmatter: other keys, such as `allowed-tools`, grant nothing here.
"""

from msgspec import Struct

from daedal.config.frontmatter import Malformed, Matter
from daedal.config.markdown_file import read_markdown
from daedal.config.one_line import one_line
from daedal.protocol.catalogue import say

LINE_CHARS_MAX = 200
"""Of a description or a hint; menus show one line."""


class CommandFile(Struct, frozen=True):
    description: str
    argument_hint: str
    body: str


def read_command(path: str, fence: str | None) -> CommandFile:
    """`fence` is the folder, without links in its path, that the file must lie in. Raises Malformed."""
    file = read_markdown(path, fence)
    if not file.body:
        raise Malformed(say("config.command.empty"))
    matter = file.matter or Matter()
    first = file.body.partition("\n")[0].lstrip("#")
    description = matter.text("description") or first
    return CommandFile(
        one_line(description, LINE_CHARS_MAX), one_line(matter.text("argument-hint"), LINE_CHARS_MAX), file.body
    )
