"""What is the least that an agent must do? A loop in plain standard library, with nothing on the record.

    ANTHROPIC_BASE_URL=http://127.0.0.1:PORT python bench/floor.py "the prompt"

It keeps the history as a list, sends it whole each time over one kept-alive connection, prints text as it streams,
runs what the model asks for, and ends when the model asks for nothing. No ledger, gate, retry, or limit.
"""

import http.client
import json
import os
import subprocess
import sys

TOOLS = [
    {
        "name": "Read",
        "description": "Reads a file.",
        "input_schema": {
            "type": "object",
            "properties": {"file_path": {"type": "string"}},
            "required": ["file_path"],
        },
    },
    {
        "name": "Bash",
        "description": "Runs a command.",
        "input_schema": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
    },
]


def connect():
    host, _, port = os.environ["ANTHROPIC_BASE_URL"].removeprefix("http://").partition(":")
    return http.client.HTTPConnection(host, int(port or 80), timeout=60)


def ask(connection, messages):
    """Sends the whole history and returns the blocks of the reply, printing text while it arrives."""
    request = {"model": "claude-opus-4-6", "max_tokens": 8192, "stream": True, "tools": TOOLS, "messages": messages}
    headers = {
        "content-type": "application/json",
        "x-api-key": os.environ.get("ANTHROPIC_API_KEY", ""),
        "anthropic-version": "2023-06-01",
    }
    connection.request("POST", "/v1/messages", json.dumps(request), headers)
    response = connection.getresponse()
    if response.status != 200:
        raise SystemExit(f"{response.status}: {response.read().decode()}")
    blocks, arguments = [], {}
    for line in response:
        if not line.startswith(b"data: "):
            continue
        event = json.loads(line[6:])
        if event["type"] == "content_block_start":
            blocks.append(event["content_block"])
        elif event["type"] == "content_block_delta":
            delta, at = event["delta"], event["index"]
            if delta["type"] == "text_delta":
                blocks[at]["text"] += delta["text"]
                sys.stdout.write(delta["text"])
                sys.stdout.flush()
            elif delta["type"] == "input_json_delta":
                arguments[at] = arguments.get(at, "") + delta["partial_json"]
    for at, text in arguments.items():
        blocks[at]["input"] = json.loads(text)
    return blocks


def act(block):
    """Runs one tool call and returns its result as the model reads it."""
    if block["name"] == "Read":
        with open(block["input"]["file_path"], encoding="utf-8") as file:
            return "".join(f"{number:6}\t{line}" for number, line in enumerate(file, 1))
    command = ["bash", "-c", block["input"]["command"]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    return done.stdout + done.stderr


def main():
    messages = [{"role": "user", "content": sys.argv[1]}]
    connection = connect()
    while True:
        blocks = ask(connection, messages)
        messages.append({"role": "assistant", "content": blocks})
        results = [
            {"type": "tool_result", "tool_use_id": block["id"], "content": act(block)}
            for block in blocks
            if block["type"] == "tool_use"
        ]
        if not results:
            print()
            return
        messages.append({"role": "user", "content": results})


if __name__ == "__main__":
    main()
