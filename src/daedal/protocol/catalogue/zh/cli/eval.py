"""`daedal --eval` 对人说的话。"""

WORDS = {
    "cli.eval.example": """daedal --eval '{"tool":"Read","input":{"file_path":"README.md"}}'""",
    "cli.eval.about": "手动调用一次工具；结果以 JSON 输出",
    "cli.eval.call": '调用，写成 {"tool": NAME, "input": {…}}',
    "cli.eval.resume": "在会话 ID 中调用，而不是此目录用于手动调用的会话",
    "cli.eval.malformed": """--eval 需要 '{{"tool": NAME, "input": {{…}}}}'：{error}""",
}
