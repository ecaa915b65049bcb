"""Is the chat Chinese where that is chosen, and does everything stay in its columns at eighty of them?"""

from collections.abc import Callable
from unicodedata import east_asian_width

from tests.toolbox.model_replies import call, say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.tui.screen import Screen

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]


def column(line: str, mark: str) -> int:
    """On the screen, where a wide letter takes two."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in line[: line.index(mark)])


def line_with(screen: Screen, text: str) -> str:
    return next(line for line in screen.lines if text in line)


@requirement("RX-22")
def test_the_composer_the_card_and_the_footer_speak_chinese(terminal: Terminal, model: Model, daedal: Daedal):
    model([call("Bash", command="echo 你好 > made.txt"), say("好了。")])
    screen = terminal("--lang", "zh", columns=80, rows=24)
    screen.until("要做什么？").until("? 查看按键")
    screen.type("写一个文件\r")
    screen.until("允许吗？")
    assert "Bash 想这样做" in screen.text
    assert "允许这一次" in screen.text
    assert "等你答复" in screen.text
    screen.press("y")
    screen.until("好了。").until("要做什么？")
    assert (daedal.workspace / "made.txt").read_text() == "你好\n"
    screen.press("ctrl+d")
    assert screen.ended() == 0
    assert "继续：daedal resume" in screen.text


@requirement("RX-22")
def test_menus_lists_and_pairs_stand_in_even_columns(terminal: Terminal, model: Model):
    model([say("好。")])
    screen = terminal(columns=80, rows=40, DAEDAL_LANG="zh")
    screen.until("? 查看按键").type("/keys")
    screen.until("列出按键").press("enter")
    screen.until("回到 shell")
    places = {
        column(line_with(screen, said), said) for said in ("停止模型", "搜索以前的提示词", "重绘屏幕", "回到 shell")
    }
    assert len(places) == 1
    screen.type("/status")
    screen.until("› /status").press("enter")
    screen.until("命令只能写入工作区")
    told = ("daedal · 在本进程中", "命令只能写入工作区")
    assert len({column(line_with(screen, said), said) for said in told}) == 1
    assert all(column(line + "\0", "\0") <= 80 for line in screen.lines)


@requirement("RX-22")
def test_a_wide_table_of_a_model_and_a_wide_prompt_stay_in_their_columns(terminal: Terminal, model: Model):
    model([say("| 名称 | 数 |\n| --- | --- |\n| 账本 | 1 |\n| gate | 22 |\n")])
    screen = terminal("--lang", "zh", columns=80, rows=24)
    screen.until("? 查看按键").type("列一个表" * 15 + "\r")
    screen.until("gate")
    assert column(line_with(screen, "账本"), "1") == column(line_with(screen, "gate"), "22")
    assert all(column(line + "\0", "\0") <= 80 for line in screen.lines)


def test_a_terminal_that_can_do_nothing_is_spoken_to_in_chinese_too(terminal: Terminal, model: Model):
    model([say("你好。")])
    screen = terminal("--lang", "zh", TERM="dumb")
    screen.until("请写提示词").type("hi\n")
    screen.until("你好。")
