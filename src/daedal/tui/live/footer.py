"""What stands at the bottom? The mode, the model, how full the context is, the branch, the folder."""

from daedal.protocol.catalogue import say
from daedal.tui.near_home import near_home
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row, cut_row
from daedal.tui.view import View

NEARLY_FULL = 0.8


def footer_row(view: View, columns: int, branch: str, hint: str = "") -> Row:
    if hint:
        return cut_row([("warn", hint)], columns)
    if view.is_loading:
        return cut_row([("quiet", say("tui.loading"))], columns)
    mode = _mode(view)
    if view.following is not None:
        watched = say("tui.watching", pid=view.following.pid or "?")
        return cut_row(
            [("warn", watched), ("quiet", f" · {flat(view.model, 40)} · {flat(near_home(view.folder))}")], columns
        )
    row: Row = [
        (f"mode-{view.mode}" if mode else "quiet", say("tui.mode_hint", mode=mode) if mode else say("tui.keys_hint"))
    ]
    effort = f" ({view.effort})" if view.effort else ""
    row.append(("quiet", f" · {flat(view.model, 40)}{effort}"))
    share = view.context_share
    if share is not None:
        row.append(
            ("warn" if share >= NEARLY_FULL else "quiet", f" · {say('tui.context', percent=round(share * 100))}")
        )
    if branch:
        row.append(("quiet", f" · {flat(branch, 40)}"))
    row.append(("quiet", f" · {flat(near_home(view.folder))}"))
    return cut_row(row, columns)


def _mode(view: View) -> str:
    """Empty where it is the usual one."""
    if view.mode != "default":
        return say(f"tui.mode_{view.mode}")
    return say("tui.posture", posture=view.posture) if view.posture not in ("", "ask") else ""
