"""What `daedal --eval` says to people."""

WORDS = {
    "cli.eval.example": """daedal --eval '{"tool":"Read","input":{"file_path":"README.md"}}'""",
    "cli.eval.about": "make one tool call by hand; the result is printed as JSON",
    "cli.eval.call": 'the call, as {"tool": NAME, "input": {…}}',
    "cli.eval.resume": "make the call in session ID instead of this folder's session for calls by hand",
    "cli.eval.malformed": """--eval takes '{{"tool": NAME, "input": {{…}}}}': {error}""",
}
