"""In which language is something said, who chooses it, and what stays the same in every language?"""

import json
from pathlib import Path
from unicodedata import east_asian_width

import pytest

from daedal.cli.printing import one_line, table
from daedal.cli.wrapping import wrapped
from tests.toolbox.model_server import call, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


def columns(text: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def settings(daedal: Daedal, text: str) -> None:
    folder = daedal.home / ".daedal"
    folder.mkdir(exist_ok=True)
    (folder / "config.toml").write_text(text)


def is_chinese(text: str) -> bool:
    return "退出码" in text


@requirement("RX-22")
@pytest.mark.parametrize("words", [["--lang", "zh", "--help"], ["--help", "--lang", "zh"], ["--lang=zh", "--help"]])
def test_a_flag_chooses_the_language_wherever_it_stands(daedal: Daedal, words: list[str]):
    done = daedal(*words)
    assert done.code == 0
    assert is_chinese(done.out)
    assert "在聊天中继续以前的会话" in done.out


@requirement("RX-22")
@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"LANG": "zh_CN.UTF-8"}, True),
        ({"LANG": "zh"}, True),
        ({"LANG": "de_DE.UTF-8"}, False),
        ({"LC_MESSAGES": "zh_CN.UTF-8", "LANG": "en_GB.UTF-8"}, True),
        ({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, False),
        ({"DAEDAL_LANG": "zh-Hans", "LC_ALL": "en_US.UTF-8"}, True),
        ({"DAEDAL_LANG": "en", "LANG": "zh_CN.UTF-8"}, False),
    ],
)
def test_the_environment_chooses_where_nobody_else_does(daedal: Daedal, variables: dict[str, str], expected: bool):
    told = {"DAEDAL_LANG": "", "LC_ALL": "", "LC_MESSAGES": "", "LANG": "", **variables}
    assert is_chinese(daedal("--help", **told).out) is expected


@requirement("RX-22")
def test_the_users_setting_outranks_the_environment_and_the_flag_outranks_both(daedal: Daedal):
    assert daedal("config", "set", "language", "zh").code == 0
    assert is_chinese(daedal("--help", LANG="en_US.UTF-8").out)
    assert not is_chinese(daedal("--help", "--lang", "en").out)
    shown = daedal("config", "get", "language")
    assert "zh" in shown.out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('language = "zh"  # mine\n', True),
        ("default_model = 'x/y'\nlanguage='zh'\n[agent]\n", True),
        ('[agent]\nlanguage = "zh"\n', False),
        ('agent.system_prompt = """\nlanguage = "zh"\n"""\n', False),
        ('# language = "zh"\n', False),
        ('language = "fr"\n', False),
        ("\0\0language", False),
    ],
)
def test_only_the_setting_itself_counts(daedal: Daedal, text: str, expected: bool):
    settings(daedal, text)
    assert is_chinese(daedal("--help").out) is expected


def test_a_settings_file_that_is_a_pipe_or_a_folder_is_not_waited_for(daedal: Daedal):
    import os

    (daedal.home / ".daedal").mkdir()
    path = daedal.home / ".daedal" / "config.toml"
    os.mkfifo(path)
    assert daedal("--help").code == 0
    path.unlink()
    path.mkdir()
    assert daedal("--help").code == 0


def test_a_project_does_not_choose_the_language(daedal: Daedal):
    (daedal.workspace / "daedal.toml").write_text('language = "zh"\n')
    done = daedal("config", "get", "language")
    assert "language is ignored: a project may not set it" in done.err
    assert not is_chinese(daedal("--help").out)


def test_a_language_that_nobody_speaks_is_refused_with_those_that_there_are(daedal: Daedal):
    for words in (["--lang", "fr"], ["exec", "hi", "--lang"], ["--lang=", "tools"]):
        done = daedal(*words)
        assert done.code == 2
        assert "--lang takes en, zh" in done.err
    settings(daedal, 'language = "fr"\n')
    done = daedal("config")
    assert done.code == 2
    assert "language" in done.err


def test_what_follows_two_dashes_is_left_as_it_is(daedal: Daedal):
    done = daedal("sandbox", "run", "--lang", "zh", "--", "echo", "--lang", "en")
    assert "--lang en" in done.out or "没有什么能限制命令" in done.err


@requirement("RX-22")
def test_help_mistakes_and_errors_are_chinese_and_fit_the_terminal(daedal: Daedal):
    told = daedal("--lang", "zh", "exec", "--help", COLUMNS="80")
    assert "用法: daedal exec" in told.out
    assert "执行一条提示词直到结束" in told.out
    assert "显示本帮助并退出" in told.out
    assert max(columns(line) for line in told.out.splitlines() if "{" not in line) <= 80
    parts = daedal("--lang", "zh", "mcp", "add", "--help", COLUMNS="80")
    assert "服务器的名称" in parts.out
    assert max(columns(line) for line in parts.out.splitlines()) <= 80
    mistake = daedal("--lang", "zh", "exec", "--bogus")
    assert mistake.code == 2
    assert mistake.err == "错误：无法识别的参数: --bogus · 见 daedal exec --help\n"
    unknown = daedal("--lang", "zh", "exce")
    assert unknown.code == 2
    assert "没有命令“exce” · 是否想写 daedal exec？" in unknown.err


@requirement("RX-22")
def test_a_run_tells_of_itself_in_chinese_and_answers_as_the_model_does(daedal: Daedal, model):
    model([call("Bash", command="echo hi"), say("All is well.")])
    done = daedal("--lang", "zh", "exec", "--approval", "yolo", "look")
    assert done.code == 0
    assert done.out.strip() == "All is well."
    assert "模型调用：2 · 工具调用：1" in done.err
    listed = daedal("--lang", "zh", "sessions")
    head, row = listed.out.splitlines()[:2]
    assert head.startswith("ID")
    place = row.index("claude_sonnet_4") if "claude_sonnet_4" in row else row.index("claude")
    assert columns(head[: head.index("模型")]) == columns(row[:place])


@requirement("RX-22")
def test_what_programs_read_is_the_same_in_every_language(daedal: Daedal, model):
    model([say("One."), say("Two.")])
    english = daedal("exec", "--output-format", "json", "look").json
    chinese = daedal("--lang", "zh", "exec", "--output-format", "json", "look").json
    assert english.keys() == chinese.keys()
    assert chinese["result"] == "Two."
    checks = [json.loads(daedal("--lang", language, "doctor", "--json").out)["checks"] for language in ("en", "zh")]
    assert [check["name"] for check in checks[0]] == [check["name"] for check in checks[1]]
    assert [check["state"] for check in checks[0]] == [check["state"] for check in checks[1]]
    assert "沙箱" in {check["label"] for check in checks[1]}
    codes = [daedal("--lang", language, "exec", "--resume", "nobody", "hi").code for language in ("en", "zh")]
    assert codes[0] == codes[1]


@requirement("RX-22")
def test_a_server_speaks_its_language_to_people_and_the_words_of_the_protocol_to_programs(daedal: Daedal):
    introduction = {"clientInfo": {"name": "test", "version": "1"}}
    asked = [
        {"id": 1, "method": "thread/list", "params": {}},
        {"id": 2, "method": "initialize", "params": introduction},
        {"method": "initialized"},
        {"id": 3, "method": "nothing/there", "params": {}},
    ]
    done = daedal("--lang", "zh", "app-server", stdin="".join(f"{json.dumps(one)}\n" for one in asked))
    answers = {answer["id"]: answer for answer in done.lines}
    assert answers[1]["error"]["message"].startswith("Not initialized")
    assert answers[3]["error"]["code"] == -32601
    assert answers[3]["error"]["message"].startswith("未知的方法 nothing/there · ")


@requirement("RX-22")
def test_the_doctor_speaks_chinese_in_even_columns(daedal: Daedal):
    lines = daedal("--lang", "zh", "doctor").out.splitlines()
    [settings] = [line for line in lines if line.startswith("✓ 设置")]
    assert columns(settings[: settings.index("内置默认值")]) == columns("✓ ") + 15
    [bash] = [line for line in lines if line.startswith("✓ bash")]
    assert columns(bash[: bash.index("/")]) == columns("✓ ") + 15


def test_a_table_counts_columns_and_not_letters():
    shown = table(["名称", "n", "说明"], [["账本", "1", "一"], ["ascii", "22", "two"]]).splitlines()
    assert [columns(line[: line.index(mark)]) for line, mark in zip(shown, ["说明", "一", "two"], strict=True)] == [
        11
    ] * 3
    assert one_line("一二三四五", 6) == "一二…"
    assert one_line("一二三", 6) == "一二三"


@pytest.mark.parametrize("width", [1, 2, 7, 20])
def test_lines_of_help_lose_nothing_and_are_never_wider(width: int):
    text = "用于 test：以 JSON 对象写有事件各字段的文件（- 为标准输入），或 averyveryverylongword。"
    lines = wrapped(text, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(columns(line) <= max(width, 2) for line in lines)


def test_the_settings_of_reasoning_reach_the_model(daedal: Daedal, model):
    server = model([say("One."), say("Two.")])
    assert daedal("exec", "look").code == 0
    settings(daedal, '[agent]\nreasoning_language = "zh"\n')
    assert daedal("exec", "look").code == 0
    first, second = (json.dumps(request.json) for request in server.requests[:2])
    assert "Simplified Chinese" not in first
    assert "Write visible reasoning" in second


def test_every_language_is_documented_beside_the_other():
    root = Path(__file__).parents[2]
    english, chinese = (root / name for name in ("README.md", "README.zh.md"))
    assert "(README.zh.md)" in english.read_text("utf-8")
    assert "(README.md)" in chinese.read_text("utf-8")
    links = [{part.split(")")[0] for part in page.read_text("utf-8").split("](")[1:]} for page in (english, chinese)]
    assert links[0] - {"README.zh.md"} == links[1] - {"README.md"}
