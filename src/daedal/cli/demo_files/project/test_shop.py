"""Does every item get its place on a page?"""

import unittest

from shop import pages


class Pages(unittest.TestCase):
    def test_full_pages(self) -> None:
        self.assertEqual(pages(10, 5), 2)

    def test_the_last_page_may_be_half_empty(self) -> None:
        self.assertEqual(pages(11, 5), 3)

    def test_no_items_need_no_page(self) -> None:
        self.assertEqual(pages(0, 5), 0)
