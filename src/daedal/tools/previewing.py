"""What would a call change? A tool that changes files can say so before anybody is asked."""

from collections.abc import Mapping
from typing import Any

from daedal.protocol.items import Change
from daedal.protocol.seams import Bench
from daedal.tools.file_tool import FileTool
from daedal.tools.looking import Looking, is_small
from daedal.tools.tool import Input


class ChangingTool(FileTool[Input]):
    async def preview(self, arguments: Mapping[str, Any], bench: Bench) -> list[Change]:
        """Of a call that was judged. Nothing where it would be refused, or is too large to be shown."""
        paths = [self._judged.last(name, bench.cwd) or "" for name in self.names(arguments)]
        if not is_small(paths, arguments):
            return []
        return (await self.run(arguments, Looking(bench))).changes
