"""How is a stranger's text told on one line? Without anything that a terminal obeys, or that a person does not see.

The same goes to the model: what no person can see in a list must not be an instruction in it.
"""


def one_line(text: str, chars_max: int) -> str:
    flat = " ".join(text[: chars_max * 4].split())
    shown = " ".join("".join(letter for letter in flat if letter.isprintable()).split())
    return shown if len(shown) <= chars_max else shown[: chars_max - 1] + "…"
