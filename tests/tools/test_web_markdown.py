"""Does HTML become Markdown that a model can read, whatever the HTML is, and within its bounds?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.tools.html_tokens import tokens
from daedal.tools.markdown import Markdown, MarkdownWriter
from tests.toolbox.requirement import requirement

pytestmark = requirement("SD-16/WebFetch")


def converted(page: str, characters_max: int = 1_000_000) -> Markdown:
    writer = MarkdownWriter("https://site.example/docs/page", characters_max)
    for token in tokens(page):
        writer.take(token)
    return writer.finish()


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<h2>A\n <em>b</em></h2>text", "## A *b*\n\ntext"),
        ("<h1>Top <a href='#top'>¶</a></h1>", "# Top"),
        ("one<br>two<p>three", "one\ntwo\n\nthree"),
        ("a <b> bold </b> c <i></i>d", "a **bold** c d"),
        ("<b>open<p>next", "**open**\n\nnext"),
        ("<code>a</code> <kbd>x`y</kbd>", "`a` `` x`y ``"),
        ("<a href='../x?a=1&amp;b=2'>link\n text</a>", "[link text](https://site.example/x?a=1&b=2)"),
        ("<a href='javascript:x()'>go</a> <a href='data:,x'>to</a> <a name=x>it</a>", "go to it"),
        ("<a href=/card><h3>Card</h3><p>more</p></a>", "### [Card](https://site.example/card)\n\nmore"),
        ("<img src=a.png alt='a cat'><img src=b.png><img src='data:image/png;base64,AA' alt=dot>",
         "![a cat](https://site.example/docs/a.png)![dot]"),
        ("<p>x</p><ul><li>one<li>two<ul><li>deep</ul><li>three</ul>after",
         "x\n\n- one\n- two\n  - deep\n- three\n\nafter"),
        ("<ol start=9><li><p>a</p><p>b</p></li><li>c</li></ol>", "9. a\n\n   b\n10. c"),
        ("<ol start=-1><li>a</ol><li>stray", "1. a\n\n- stray"),
        ("x<blockquote>a<p>b</blockquote>c", "x\n\n> a\n>\n> b\n\nc"),
        ("<pre><code class='hljs language-c++'>a &lt; b\n\n  c</code></pre>", "```c++\na < b\n\n  c\n```"),
        ("<pre>has\n``` in it</pre>", "````\nhas\n``` in it\n````"),
        ("<ul><li>x<pre>a\nb</pre></ul>", "- x\n\n  ```\n  a\n  b\n  ```"),
        ("<table><caption>C</caption><tr><th>A<th>B|C<tr><td>1<td><p>2</p><p>3</p></table>",
         "C\n\n| A | B\\|C |\n| --- | --- |\n| 1 | 2 3 |"),
        ("<table><tr><td>just<tr><td>layout</table>", "just\n\nlayout"),
        ("<table><tr><td>menu<td><table><tr><td>a<td>b</table></table>",
         "menu\n\n| a | b |\n| --- | --- |"),
        ("<dl><dt>term<dd>meaning</dl>", "term\n\n: meaning"),
        ("a<hr>b", "a\n\n---\n\nb"),
        ("<style>p{}</style><SCRIPT>if (a</b) '</p>'</Script >x<svg><text>no</text></svg><nav>no</nav>", "x"),
        ("<nav>never closed<p>text", "never closed\n\ntext"),
        ("<script>never closed<p>text", ""),
        ("a<!-- <p>no --><!doctype x><?php no ?>b</ >c", "abc"),
        ("1 < 2 &amp;&amp; 3 > 2 &#x1F600; &#99999999999; &unknown;", "1 < 2 && 3 > 2 😀 � &unknown;"),
        ("a<b c=\"d>e</b>", "a"),
        ("a<p title='1>2' class=x>b", "a\n\nb"),
        ("nul\0l &#0; &#xD800;", "null � �"),
        ("", ""),
    ],
)  # fmt: skip
def test_html_reads_as_it_looks(page: str, text: str):
    assert converted(page).text == text


def test_the_title_is_told_apart():
    found = converted("<head><title> The\n&quot;Page&quot;</title></head><body>x<title>other</title>")
    assert found == Markdown('The "Page"', "x", is_cut=False)


def test_what_goes_beyond_the_room_is_cut_and_said():
    found = converted("<p>12345</p><p>67890</p>", 8)
    assert found.is_cut
    assert found.text == "12345\n\n6"


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * 60_000 + "x",
        "<ul><li>" * 20_000 + "x",
        "<blockquote>x" * 15_000,
        "<b><a href=x>y" * 10_000,
        "<table><tr><td>" * 15_000 + "x",
        "<table>" + ("<td colspan=1000 rowspan=1000>x" * 50 + "</tr>") * 500,
        "<a href=x><div>" * 15_000 + "x",
        "<!--" * 200_000,
        "<a foo=" * 200_000,
        "<a foo='" * 200_000,
        "<a " * 200_000,
        "<a" + " " * 1_000_000,
        "<svg>" * 100_000,
        "<![CDATA[" * 200_000,
        "< " * 100_000,
        "</" * 200_000,
        "&" * 500_000,
        "&#" + "9" * 500_000,
        "<pre>" + "`" * 500_000,
    ],
    ids=lambda page: page[:12],
)
def test_a_hostile_page_takes_time_and_room_by_its_length_only(page: str):
    assert len(converted(page, 10_000).text) <= 10_000


MARKUP = [
    "<p>", "</p>", "<b>", "</b>", "<a href=x>", "<a\thref='http://[' >", "</a>", "<table>", "<tr>", "<td>", "</td>",
    "</table>", "<ul>", "<ol start=5>", "<li>", "</li>", "</ul>", "<pre>", "</pre>", "<code>", "</code>",
    "<blockquote>", "</blockquote>", "<h1>", "</h1>", "<br>", "<hr>", "<img alt=x src='//['>", "<script>", "</script>",
    "<svg>", "</svg>", "<title>", "</title>", "<!--", "-->", "<!", "</", "<", ">", "&", "&#", "&#x", "&amp;",
    '"', "'", "=", "/", "`", " ",
]  # fmt: skip
PIECES = st.one_of(st.sampled_from(MARKUP), st.text(max_size=20))


@given(st.lists(PIECES, max_size=60).map("".join), st.integers(0, 300))
def test_any_text_becomes_markdown_within_its_bounds(page: str, characters_max: int):
    assert len(converted(page, characters_max).text) <= characters_max
