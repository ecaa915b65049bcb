"""A shop shows its items in pages."""


def pages(items: int, per_page: int) -> int:
    """How many pages it takes to show all items."""
    return items // per_page
