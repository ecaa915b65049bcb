"""Which server does what no server should? A small one over standard streams, told by its first argument how to be odd.

It imports next to nothing, so that tests which start it often stay quick.
"""

import json
import os
import sys

ODDITY = sys.argv[1]
NOTES = sys.argv[2] if len(sys.argv) > 2 else os.devnull


def send(message: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(request: dict[str, object], result: dict[str, object]) -> None:
    if ODDITY == "newest":
        result = {**result, "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    send({"jsonrpc": "2.0", "id": request["id"], "result": result})


def text(words: str) -> dict[str, object]:
    return {"content": [{"type": "text", "text": words}]}


def tools() -> list[dict[str, object]]:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    act = {"name": "act", "description": "Acts.", "inputSchema": schema, "annotations": {"readOnlyHint": True}}
    if os.environ.get("LATER"):
        act["description"] = os.environ["LATER"]
        return [act, {"name": "extra", "inputSchema": schema}]
    return [act]


def call(request: dict[str, object]) -> None:
    if ODDITY != "reads":
        with open(NOTES, "a") as notes:
            notes.write("called\n")
    match ODDITY:
        case "dies":
            print("last words", file=sys.stderr)
            os._exit(3)
        case "dies once" if not os.path.exists(NOTES + ".died"):
            with open(NOTES + ".died", "w"):
                pass
            os._exit(3)
        case "silent":
            return
        case "huge":
            answer(request, text("x" * 50_000_000))
        case "huge, id last":
            line = json.dumps({"result": text("y" * 50_000_000), "jsonrpc": "2.0", "id": request["id"]})
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
        case "nonsense":
            sys.stdout.write("Starting up...\n\n{not json\n[1, 2]\n" + "\x00\xff" * 100 + '\n{"jsonrpc": "2.0"}\n')
            answer(request, text("still here"))
        case "no answer":
            answer(request, {"content": "not a list"})
        case "error":
            send({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32000 - 50, "message": "out of paper"}})
        case "floods":
            for number in range(200_000):
                note = {"level": "info", "data": number}
                sys.stdout.write(
                    json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": note}) + "\n"
                )
            answer(request, text("dry"))
        case "reads":
            try:
                with open(NOTES) as notes:
                    answer(request, text(notes.read()))
            except OSError as error:
                answer(request, text(f"cannot read it: {error.strerror}"))
        case "asks":
            address = {"type": "object", "properties": {"street": {"type": "string"}}, "required": ["street"]}
            question = {"message": "Where do you live?", "requestedSchema": address}
            send({"jsonrpc": "2.0", "id": "question", "method": "elicitation/create", "params": question})
            said = json.loads(sys.stdin.readline())["result"]
            answer(request, text(f"{said['action']} {said.get('content')}"))
        case "reports":
            token = request["params"]["_meta"]["progressToken"]
            note = {"progressToken": token, "progress": 1, "total": 2, "message": "halfway"}
            send({"jsonrpc": "2.0", "method": "notifications/progress", "params": note})
            answer(request, text("reported"))
        case "grows":
            os.environ["LATER"] = "Acts."
            send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
            answer(request, text("growing"))
        case "environment":
            answer(request, text(json.dumps(dict(os.environ))))
        case _:
            answer(request, text("acted"))


def main() -> None:
    if ODDITY != "reads":
        with open(NOTES, "a") as notes:
            notes.write("started\n")
    if ODDITY == "never starts":
        sys.stdin.read()
        return
    if ODDITY == "exits":
        print("no configuration found", file=sys.stderr)
        sys.exit(7)
    late: list[dict[str, object]] = []
    for line in sys.stdin:
        request = json.loads(line)
        match request.get("method"):
            case "initialize" if ODDITY == "newest":
                error = {"code": -32022, "message": "no handshakes here", "data": {"supported": ["2026-07-28"]}}
                send({"jsonrpc": "2.0", "id": request["id"], "error": error})
            case "server/discover" if ODDITY == "newest":
                answer(request, {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}})
            case "initialize":
                able = {"tools": {"listChanged": True}, "prompts": {}}
                said = {"protocolVersion": "2025-06-18", "capabilities": able}
                answer(request, {**said, "serverInfo": {"name": "odd", "version": "1"}})
            case "tools/list":
                answer(request, {"tools": tools()})
            case "prompts/list":
                answer(request, {"prompts": [{"name": "review", "arguments": [{"name": "path", "required": True}]}]})
            case "prompts/get":
                words = f"Review {request['params']['arguments']['path']}."
                answer(request, {"messages": [{"role": "user", "content": {"type": "text", "text": words}}]})
            case "tools/call" if ODDITY == "late" and not late:
                late.append(request)
                with open(NOTES, "a") as notes:
                    notes.write("called\n")
            case "notifications/cancelled" if late:
                answer(late[0], text("too late"))
            case "tools/call":
                call(request)
            case _ if "id" in request:
                send({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "what?"}})


main()
