"""What text stands on the pages of a PDF? A program of its own, because nothing in a stranger's file is to be trusted.

It is started as a file, in a process without the rest of Daedal, on a descriptor that is open already. It takes away
from itself what it does not need: memory and time without end, new files, bytes in files. What it prints is one JSON
object a line: first the number of pages or what is wrong, then page after page.
"""

import json
import os
import resource
import sys

MEMORY_BYTES_MAX = 536_870_912
CPU_SECONDS_MAX = 10


def limit(what: int, most: int) -> None:
    try:
        resource.setrlimit(what, (most, most))
    except (OSError, ValueError):
        pass  # not every system knows every limit; the deadline outside holds anyway


def say(**words: object) -> None:
    print(json.dumps(words), flush=True)  # noqa: T201 - what was said counts, however this ends


def main(descriptor: int, first: int, last: int, whole_max: int, room: int) -> None:
    """`last` 0 stands for all pages, if there are no more than `whole_max`; `room` is for the text, in characters."""
    limit(resource.RLIMIT_AS, MEMORY_BYTES_MAX)
    limit(resource.RLIMIT_CPU, CPU_SECONDS_MAX)
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_FSIZE, 0)
    try:
        import pypdfium2  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:
        say(wrong="missing")
        return
    "".encode("utf-16-le")  # loads the codec that the text comes in, while files can still be opened
    limit(resource.RLIMIT_NOFILE, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    try:
        document = pypdfium2.PdfDocument(os.fdopen(descriptor, "rb"))
    except pypdfium2.PdfiumError as error:
        say(wrong="password" if "password" in str(error).lower() else "damaged")
        return
    total = len(document)
    say(pages=total)
    if not last and total > whole_max:
        return
    for number in range(first, min(last or total, total) + 1):
        try:
            text = document[number - 1].get_textpage()
            count = text.count_chars()
            content = text.get_text_range(0, min(count, room)) if count > 0 else ""
        except pypdfium2.PdfiumError:
            say(page=number, wrong="damaged")
            continue
        say(page=number, text=content, cut=count > room)
        room -= len(content)
        if room <= 0:
            return


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
    os._exit(0)  # nothing here is worth tidying up, and a damaged document may not survive it
