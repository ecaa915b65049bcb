"""What is a provider's login called in the folder of logins? A file whose name cannot lead anywhere else.

Apart from the store, so that a start can look whether there is a login without loading what opens it.
"""

import os


def login_path(provider: str, folder: str) -> str:
    safe = "".join(
        letter if letter.isascii() and (letter.isalnum() or letter in "_-") else f"%{ord(letter):x}"
        for letter in provider
    )
    return os.path.join(folder, f"{safe}.login")


def has_login(provider: str, folder: str) -> bool:
    return os.path.isfile(login_path(provider, folder))
