"""How is an amount said to the model?"""


def size(count: int) -> str:
    """For instance `12 bytes`, `256 KiB`, `1.4 GiB`."""
    if count < 1024:
        return amount(count, "byte")
    units = ("KiB", "MiB", "GiB", "TiB")
    power = min((count.bit_length() - 1) // 10, len(units))
    return f"{count / 1024**power:.1f}".removesuffix(".0") + f" {units[power - 1]}"


def amount(count: int, noun: str) -> str:
    """For instance `1 line`, `3 lines`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def line_count(content: bytes) -> int:
    """How many lines there are; one without a newline at the end is one too."""
    return content.count(b"\n") + (not content.endswith(b"\n") and content != b"")
