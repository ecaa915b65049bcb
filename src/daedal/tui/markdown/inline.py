"""How do emphasis, code and links look within a line?"""

from typing import TYPE_CHECKING

from daedal.tui.terminal.widths import Row, wrap

if TYPE_CHECKING:
    from markdown_it.token import Token

STYLES = {"strong_open": "bold", "em_open": "italic", "s_open": "strike", "link_open": "link"}


def inline_rows(token: "Token", columns: int, style: str = "") -> list[Row]:
    """A paragraph's text, wrapped; a break that was meant stays one."""
    return [row for line in spans(token, style) for row in wrap(line, columns)]


def spans(token: "Token", style: str = "") -> list[Row]:
    """One for each line."""
    lines: list[Row] = [[]]
    styles = [style] if style else []
    address = ""
    for child in token.children or []:
        now = " ".join(styles)
        match child.type:
            case "text":
                lines[-1].append((now, child.content))
            case "code_inline":
                lines[-1].append((f"{now} code".strip(), child.content))
            case "softbreak":
                lines[-1].append((now, " "))
            case "hardbreak":
                lines.append([])
            case "image":
                lines[-1].append((f"{now} link".strip(), child.content or str(child.attrs.get("src", ""))))
            case kind if kind in STYLES:
                styles.append(STYLES[kind])
                address = str(child.attrs.get("href", "")) if kind == "link_open" else address
            case "link_close":
                styles.pop()
                told = "".join(text for _, text in lines[-1])
                # Where it leads is part of what is said: a name alone could say anything.
                if address and address not in told:
                    lines[-1].append(("quiet", f" ({address})"))
            case kind if kind.endswith("_close"):
                styles.pop()
            case _:
                lines[-1].append((now, child.content))
    return lines
