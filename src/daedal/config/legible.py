"""How is a file's name shown? It may hold anything: bytes that are no text, and characters that would start a line."""

_CONTROL = dict.fromkeys([*range(32), *range(127, 160), 0x2028, 0x2029, *range(0xD800, 0xE000)], "\ufffd")


def legible(name: str) -> str:
    return name.translate(_CONTROL)
