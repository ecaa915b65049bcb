"""Who pulls the plug? This process itself, with SIGKILL, right before or right after its Nth COMMIT.

Python loads a `sitecustomize` that it finds on its path, so the program under test needs no switch for this.
KILL_AT is `before:N` or `after:N`; COMMIT_COUNT names a file that gets one byte for each commit.
"""

import os
import signal
import sqlite3
from typing import Any

WHERE, _, NUMBER = os.environ.get("KILL_AT", "").partition(":")
COUNT_FILE = os.environ.get("COMMIT_COUNT")
commits = 0
connect = sqlite3.connect


class Killing(sqlite3.Connection):
    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if sql != "COMMIT":
            return super().execute(sql, *values)
        global commits
        commits += 1
        self.kill("before")
        done = super().execute(sql)
        if COUNT_FILE:
            with open(COUNT_FILE, "ab") as file:
                file.write(b".")
        self.kill("after")
        return done

    def kill(self, where: str) -> None:
        if where == WHERE and commits == int(NUMBER):
            os.kill(os.getpid(), signal.SIGKILL)


def killing_connect(*values: Any, **options: Any) -> sqlite3.Connection:
    return connect(*values, **{"factory": Killing, **options})


sqlite3.connect = killing_connect
