"""Who plays a Codex that behaves badly? A program with its protocol, that does what the variable ODD says."""

import json
import os
import sys
from pathlib import Path
from typing import Any

THREAD, TURN = "01a1e273-20a5-75e3-91d8-274199ace69d", "turn-1"


def main() -> None:
    odd = os.environ["ODD"]
    if odd == "dies":
        sys.exit("cannot be bothered")
    for line in sys.stdin:
        message = json.loads(line)
        match message.get("method"):
            case "initialize":
                print("I am not JSON\n[1, 2]\n{", flush=True)
                answer(message, {"userAgent": "odd"})
            case "thread/start":
                wide = odd == "no walls"
                sandbox = {"type": "dangerFullAccess" if wide else "workspaceWrite"}
                answer(message, {"thread": {"id": THREAD}, "sandbox": sandbox})
            case "turn/start":
                answer(message, {"turn": {"id": TURN}})
                behave(odd, message["params"])
            case "turn/interrupt":
                answer(message, {})
                over("interrupted")
            case "turn/steer":
                answer(message, {"turnId": TURN})
            case None if message.get("id") == 7:
                ask(8, "late", "touch late")
            case None if message.get("id") == 8:
                Path("answers").write_text(json.dumps(message["result"]))
                finish("early")
                say("Done.")
                over("completed")
            case _:
                pass


def behave(odd: str, params: dict[str, Any]) -> None:
    match odd:
        case "unasked":
            done = {"type": "commandExecution", "id": "call_1", "command": "/bin/sh -c 'touch x'", "cwd": os.getcwd()}
            tell("item/completed", item={**done, "status": "completed", "exitCode": 0, "aggregatedOutput": ""})
        case "late":
            ask(7, "early", "touch early")
        case "stranger":
            send({"id": 9, "method": "item/commandExecution/requestApproval", "params": {"threadId": "other"}})
            answered = json.loads(sys.stdin.readline())
            say(f"I was told {answered['error']['message']}.")
            over("completed")
        case _:
            say(params["input"][0]["text"])
            over("completed")


def ask(number: int, item_id: str, command: str) -> None:
    item = {"type": "commandExecution", "id": item_id, "command": command, "status": "inProgress"}
    tell("item/started", item=item)
    params = {"threadId": THREAD, "turnId": TURN, "itemId": item_id, "command": command}
    send({"id": number, "method": "item/commandExecution/requestApproval", "params": params})


def finish(item_id: str) -> None:
    done = {"type": "commandExecution", "id": item_id, "status": "completed", "exitCode": 0, "aggregatedOutput": "ok"}
    tell("item/completed", item=done)


def say(text: str) -> None:
    tell("item/completed", item={"type": "agentMessage", "id": "m", "text": text})


def over(status: str) -> None:
    tell("turn/completed", turn={"id": TURN, "status": status})


def answer(message: dict[str, Any], result: dict[str, Any]) -> None:
    send({"id": message["id"], "result": result})


def tell(method: str, **params: Any) -> None:
    send({"method": method, "params": {"threadId": THREAD, "turnId": TURN, **params}})


def send(message: dict[str, Any]) -> None:
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    main()
