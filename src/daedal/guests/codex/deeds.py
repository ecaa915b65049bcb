"""What does Codex want to do, what has it done? Its questions, the items they are about, and how each ended."""

import asyncio
from collections.abc import Mapping
from typing import Any, cast

from msgspec import Struct

from daedal.guests.codex import calls
from daedal.guests.codex.borrowing import ASK_LENT, meant
from daedal.guests.inbox import Message
from daedal.guests.lent import Lent
from daedal.protocol.model import CallRequested

ASK_COMMAND = "item/commandExecution/requestApproval"
ASK_PATCH = "item/fileChange/requestApproval"
ASKING = (ASK_COMMAND, ASK_PATCH, ASK_LENT)
EFFECTS = (
    *("commandExecution", "fileChange", "mcpToolCall", "webSearch", "imageView", "imageGeneration"),
    *("collabAgentToolCall", "subAgentActivity"),
)
"""Items that do something."""
CALLS = ("function_call", "custom_tool_call")
OUTPUTS = ("function_call_output", "custom_tool_call_output")
ITEM_S = 0.05
"""The end of an item may be told a little later than the model's result of it, or not at all."""
SCRIPTS = ("exec", "wait")
"""What newer models do everything with: a program that calls tools, and waiting for one that takes long."""
SCRIPTED = "exec-"
"""How ids of calls begin that a script makes."""
WENT_ON = "output"
"""The type of what stands for an item that has no end: what Codex told its model instead."""
UNTOLD = "Codex went on: it still runs, or its sandbox stopped it. Codex does not say which."


class Ask(Struct, frozen=True):
    """A question of Codex that waits for our answer."""

    request_id: Any
    item_id: str
    is_lent: bool = False
    """Of a tool that we lend: it waits for the result."""


class Deeds:
    """The deeds of one thread of Codex."""

    def __init__(self, workspace: str, lent: Mapping[str, Lent]) -> None:
        self._workspace = workspace
        self._lent = lent
        self.asks: dict[str, Ask] = {}
        """By the id of our call."""
        self.unasked: dict[str, Message] = {}
        """What was done without a question: items, by the id of our call."""
        self._items: dict[str, Message] = {}
        self._ends: dict[str, asyncio.Future[Message]] = {}
        """Of calls that run, by the id of the item."""
        self._known: set[str] = set()
        """Items that were asked about, or told of."""
        self._declared: list[str] = []
        """The calls of the model's reply, in its order."""
        self._answered: set[str] = set()
        """Those that the model has a result of."""
        self._is_reply_over = False
        self._others = 0
        """Deeds without an id of their own."""
        self.is_scripted = False
        """Whether the reply has a script in it: which calls that makes, nobody knows before it asks."""
        self.is_raw = False
        """Whether we hear what passes between Codex and its model; not so in a thread that was resumed."""

    # What comes in.

    def hear_raw(self, item: Message) -> None:
        """An item of the dialogue between Codex and its model."""
        self.is_raw = True
        kind, call_id = item.get("type"), str(item.get("call_id"))
        if kind in OUTPUTS:
            self._answered.add(call_id)
            if call_id in self._ends:
                told = {"type": WENT_ON, "text": _output(item.get("output"))}
                asyncio.get_running_loop().call_later(ITEM_S, _settle, self._ends[call_id], told)
        elif kind in CALLS:
            if self._is_reply_over:
                self._declared, self._is_reply_over, self.is_scripted = [], False, False
            if item.get("name") in SCRIPTS and kind == "custom_tool_call":
                self.is_scripted = True
            else:
                self._declared.append(call_id)

    def reply_over(self) -> None:
        self._is_reply_over = True

    def begun(self, item: Message) -> None:
        self._items[str(item.get("id"))] = item

    def ended(self, item: Message) -> bool:
        """True where somebody was asked about it; whoever lets it run hears of it here."""
        item_id = str(item.get("id"))
        if item_id in self._ends:
            _settle(self._ends[item_id], item)
        return item_id in self._known

    def asks_again(self, message: Message) -> bool:
        """Whether it is about something that runs: stopped by its own walls, it asks to run without them."""
        params = message["params"]
        self._known.add(_item_id(params))
        end = self._ends.get(_item_id(params))
        if end is None or end.done() or params.get("approvalId"):
            return False
        end.set_result(message)
        return True

    def went_on(self) -> None:
        """The model is told of all its calls now, whether we were told how they ended or not."""
        for end in self._ends.values():
            told = {"type": WENT_ON, "text": UNTOLD}
            asyncio.get_running_loop().call_later(ITEM_S, _settle, end, told)

    def let_go(self, reason: str) -> None:
        """Nothing more will be heard of what runs."""
        for end in self._ends.values():
            _settle(end, {"type": WENT_ON, "text": reason})

    # What our engine makes of it.

    @property
    def is_complete(self) -> bool:
        """Whether all calls of the reply have asked, or have been done already, or wait for one that has asked."""
        asked = {ask.item_id for ask in self.asks.values()} | self._answered
        is_held_up = any(ask.is_lent for ask in self.asks.values())
        if not self._is_reply_over or self.is_scripted:
            return False
        return is_held_up or asked.issuperset(self._declared)

    def order(self, call: CallRequested) -> int:
        ask = self.asks.get(call.id)
        item_id = ask.item_id if ask is not None else call.id
        return self._declared.index(item_id) if item_id in self._declared else len(self._declared)

    def asked(self, message: Message) -> CallRequested:
        params = message["params"]
        item_id = _item_id(params)
        call_id = str(params.get("approvalId") or item_id)
        self.is_scripted = self.is_scripted or item_id.startswith(SCRIPTED)
        self.asks[call_id] = Ask(message["id"], item_id, message["method"] == ASK_LENT)
        if message["method"] == ASK_LENT:
            return calls.lent_call(call_id, meant(params, self._lent), params)
        if message["method"] == ASK_PATCH:
            return calls.patch_call(call_id, self._items.get(item_id, {}))
        return calls.command_call(call_id, params, self._workspace)

    def done_unasked(self, item: Message) -> CallRequested | None:
        """None where it does nothing."""
        item_id = str(item.get("id"))
        if item.get("type") not in EFFECTS:
            return None
        self._known.add(item_id)
        self.unasked[item_id] = item
        match item["type"]:
            case "commandExecution":
                return calls.command_call(item_id, item, self._workspace)
            case "fileChange":
                return calls.patch_call(item_id, item)
            case _:
                return calls.other_call(item_id, item)

    def planned(self, params: Message, turn_id: str) -> CallRequested:
        self._others += 1
        call = calls.plan_call(f"plan_{turn_id}_{self._others}", params)
        self.unasked[call.id] = {"type": calls.PLAN, "plan": params.get("plan") or []}
        return call

    def typed(self, params: Message, turn_id: str) -> CallRequested:
        """Something was typed into a command that runs."""
        self._others += 1
        item = {"type": "typed", "command": params.get("stdin"), "cwd": self._workspace, "status": "sent"}
        call = calls.command_call(f"typed_{turn_id}_{self._others}", item, self._workspace)
        self.unasked[call.id] = item
        return call

    def is_command(self, ask: Ask) -> bool:
        return self._items.get(ask.item_id, {}).get("type") == "commandExecution"

    def end_of(self, ask: Ask) -> "asyncio.Future[Message]":
        """Comes when it has ended, or when Codex goes on without that."""
        if ask.item_id not in self._ends or self._ends[ask.item_id].done():
            self._ends[ask.item_id] = asyncio.get_running_loop().create_future()
        return self._ends[ask.item_id]

    def settle(self, ask: Ask) -> None:
        """Nobody waits for its end any more."""
        self._ends.pop(ask.item_id, None)
        self._items.pop(ask.item_id, None)

    def forget(self) -> None:
        """The turn is over: whatever was asked needs no answer."""
        self.asks.clear()
        self.unasked.clear()
        self._ends.clear()
        self._items.clear()
        self._answered.clear()
        self._declared = []


def _item_id(params: Message) -> str:
    return str(params.get("itemId") or params.get("callId"))


def _settle(end: "asyncio.Future[Message]", how: Message) -> None:
    if not end.done():
        end.set_result(how)


def _output(output: Any) -> str:
    if isinstance(output, str):
        return output
    parts = cast("list[Any]", output) if isinstance(output, list) else []
    return "\n".join(str(cast("Message", part).get("text", "")) for part in parts if isinstance(part, dict))
