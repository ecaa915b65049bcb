"""Which settings hold, who set them, what do they mean? Browsed, and set for the user."""

from typing import Any

import msgspec

from daedal.client import CallFailed
from daedal.protocol.catalogue import say
from daedal.protocol.housekeeping import SettingWriteParams
from daedal.protocol.lookups import ConfigReadParams
from daedal.tui.face import Face
from daedal.tui.live.menu import Offer
from daedal.tui.near_home import near_home
from daedal.tui.overlays.asking import Asking
from daedal.tui.overlays.searching import Found, Searching
from daedal.tui.panel import pairs
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row, wrap
from daedal.tui.view import Notice

UNSET = "unset"
VALUE_MAX = 200


async def run(face: Face, arguments: str) -> None:
    key, _, value = arguments.strip().partition(" ")
    if not key:
        await _browse(face)
    elif key == UNSET and value.strip():
        await _write(face, value.strip(), None)
    elif value.strip():
        await _write(face, key, value.strip())
    else:
        await _show(face, key)


async def complete(face: Face, arguments: str) -> list[Offer]:
    if arguments.startswith(f"{UNSET} "):
        return [
            Offer(f"{UNSET} {row['key']}", _now(row)) for row in await _settings(face) if "next" in row or _is_set(row)
        ]
    return [Offer(row["key"], f"{_now(row)} · {row['description']}") for row in await _settings(face)]


async def _settings(face: Face) -> list[dict[str, Any]]:
    return (await face.call("config/read", ConfigReadParams(cwd=face.view.folder or None))).settings


async def _browse(face: Face) -> None:
    query = ""
    while True:
        browser = Settings(await _settings(face), query)
        row = await face.show(browser)
        if row is None:
            return
        query = browser.query
        title = say("tui.config.value", key=row["key"], meaning=row["description"])
        value = await face.show(Asking(title, text=_text(row.get("next", row["value"]))))
        if value is None:
            continue
        try:
            await _write(face, row["key"], value.strip() or None)
        except CallFailed as failure:
            face.tell(Notice(str(failure), "bad"))


async def _show(face: Face, key: str) -> None:
    found = [row for row in await _settings(face) if row["key"] == key or row["key"].startswith(f"{key}.")]
    if not found:
        face.tell(Notice(say("tui.config.unknown", key=key), "warn"))
        return
    for row in found:
        told = [
            (say("tui.config.now"), _text(row["value"]) or '""'),
            (say("tui.config.origin"), near_home(row["origin"])),
            *([(say("tui.config.next"), f"{_text(row['next'])} ({row['nextOrigin']})")] if "next" in row else []),
            (say("tui.config.meaning"), row["description"]),
        ]
        face.tell(pairs(row["key"], told))


async def _write(face: Face, key: str, value: str | None) -> None:
    params = SettingWriteParams(key=key, value=value, cwd=face.view.folder or None)
    done = await face.call("setting/write", params)
    if value is None:
        face.tell(Notice(say("tui.config.removed", key=key, file=near_home(done.file))))
    else:
        face.tell(Notice(say("tui.config.written", key=key, value=_text(done.value), file=near_home(done.file))))


class Settings(Searching):
    """Finishes with the row to change."""

    keys = "tui.config.keys"

    def __init__(self, rows: list[dict[str, Any]], query: str) -> None:
        ordered = sorted(rows, key=lambda row: "." in row["key"])
        found = [
            Found(
                label=row["key"],
                about=f"{_now(row)} · {row['description']}",
                value=row,
                mark=say("tui.config.changed") if "next" in row else "",
                group=str(row["key"]).partition(".")[0] if "." in str(row["key"]) else say("tui.config.general"),
            )
            for row in ordered
        ]
        super().__init__(say("tui.config.title"), found, query=query)

    @property
    def query(self) -> str:
        return self._buffer.text

    def preview(self, columns: int) -> list[Row]:
        if self.chosen is None:
            return []
        row: Any = self.chosen.value
        rows = wrap([("", flat(str(row["description"])))], columns)
        rows += wrap([("quiet", f"{say('tui.config.origin')}: {near_home(flat(str(row['origin'])))}")], columns)
        if "next" in row:
            rows += wrap([("warn", f"{say('tui.config.next')}: {flat(_text(row['next']))}")], columns)
        return rows


def _is_set(row: dict[str, Any]) -> bool:
    return ":" in str(row["origin"]) or "/" in str(row["origin"])


def _now(row: dict[str, Any]) -> str:
    now = flat(_text(row["value"]), 60) or '""'
    return f"{now} → {flat(_text(row['next']), 60)}" if "next" in row else now


def _text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
