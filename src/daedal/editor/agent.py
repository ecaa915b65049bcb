"""What can an editor ask for? The methods of the Agent Client Protocol, each in terms of a session.

The library calls them by name. Whatever an editor adds in `_meta` arrives in `rest` and means nothing here.
"""

import asyncio
import os
from collections.abc import Sequence
from typing import Any

from acp import PROTOCOL_VERSION
from acp.schema import (
    AgentCapabilities,
    AuthMethodAgent,
    ClientCapabilities,
    CloseSessionResponse,
    Implementation,
    InitializeResponse,
    ListSessionsResponse,
    LoadSessionResponse,
    McpCapabilities,
    NewSessionResponse,
    PromptCapabilities,
    PromptResponse,
    ResumeSessionResponse,
    SessionCapabilities,
    SessionCloseCapabilities,
    SessionListCapabilities,
    SessionResumeCapabilities,
    SetSessionConfigOptionResponse,
    SetSessionModeResponse,
)

from daedal import __version__
from daedal.editor.errors import unknown_session, untimely, wrong
from daedal.editor.line import Line
from daedal.editor.listing import commands_update, sessions_of
from daedal.editor.program import Program
from daedal.editor.prompts import Block, inputs
from daedal.editor.servers import entries_of
from daedal.editor.session import Session
from daedal.protocol.catalogue import say

SETUP = "setup"


class EditorAgent:
    def __init__(self, program: Program, line: Line) -> None:
        self._program = program
        self._line = line
        self._sessions: dict[str, Session] = {}
        self._is_introduced = False

    def on_connect(self, conn: Any) -> None:
        self._line.editor = conn

    async def initialize(
        self, protocol_version: int, client_capabilities: ClientCapabilities | None = None, **rest: Any
    ) -> InitializeResponse:
        """There is one version so far. An editor that asked for another one leaves, or makes do."""
        del protocol_version, rest
        self._is_introduced = True
        elicitation = client_capabilities.elicitation if client_capabilities is not None else None
        self._line.has_forms = elicitation is not None and elicitation.form is not None
        return InitializeResponse(
            protocol_version=PROTOCOL_VERSION,
            agent_info=Implementation(name="daedal", title="Daedal", version=__version__),
            agent_capabilities=AgentCapabilities(
                load_session=True,
                mcp_capabilities=McpCapabilities(http=True, sse=True),
                prompt_capabilities=PromptCapabilities(image=True, audio=False, embedded_context=True),
                session_capabilities=SessionCapabilities(
                    list=SessionListCapabilities(),
                    resume=SessionResumeCapabilities(),
                    close=SessionCloseCapabilities(),
                ),
            ),
            auth_methods=[AuthMethodAgent(id=SETUP, name=say("editor.setup"), description=say("editor.setup.about"))],
        )

    async def authenticate(self, method_id: str, **rest: Any) -> None:
        """Settings and keys are read anew for each session, so there is nothing to do but to try again."""
        del rest
        if method_id != SETUP:
            raise wrong(say("editor.unknown_login", method=method_id))

    async def new_session(
        self,
        cwd: str,
        additional_directories: Sequence[str] | None = None,
        mcp_servers: Sequence[Any] | None = None,
        **rest: Any,
    ) -> NewSessionResponse:
        del rest
        session = await self._opened(cwd, None, mcp_servers, additional_directories)
        return NewSessionResponse(session_id=session.id, modes=session.standing.modes, config_options=session.options())

    async def load_session(
        self,
        cwd: str,
        session_id: str,
        mcp_servers: Sequence[Any] | None = None,
        additional_directories: Sequence[str] | None = None,
        **rest: Any,
    ) -> LoadSessionResponse:
        del rest
        session = await self._opened(cwd, session_id, mcp_servers, additional_directories)
        await session.replay()
        return LoadSessionResponse(modes=session.standing.modes, config_options=session.options())

    async def resume_session(
        self,
        session_id: str,
        cwd: str,
        additional_directories: Sequence[str] | None = None,
        mcp_servers: Sequence[Any] | None = None,
        **rest: Any,
    ) -> ResumeSessionResponse:
        """The same, for an editor that still has the conversation."""
        del rest
        session = await self._opened(cwd, session_id, mcp_servers, additional_directories)
        return ResumeSessionResponse(modes=session.standing.modes, config_options=session.options())

    async def list_sessions(
        self, cwd: str | None = None, cursor: str | None = None, **rest: Any
    ) -> ListSessionsResponse:
        del cursor, rest
        self._require_introduction()
        return await sessions_of(self._program, None if cwd is None else _folder(cwd))

    async def prompt(self, session_id: str, prompt: Sequence[Block], **rest: Any) -> PromptResponse:
        del rest
        return await self._session(session_id).prompt(inputs(prompt))

    async def cancel(self, session_id: str, **rest: Any) -> None:
        """A notification: nobody waits for an answer, not even that there is no such session."""
        del rest
        session = self._sessions.get(session_id)
        if session is not None:
            await session.cancel()

    async def set_session_mode(self, session_id: str, mode_id: str, **rest: Any) -> SetSessionModeResponse:
        del rest
        await self._session(session_id).switch(mode_id)
        return SetSessionModeResponse()

    async def set_config_option(
        self, config_id: str, session_id: str, *, value: str | bool, **rest: Any
    ) -> SetSessionConfigOptionResponse:
        del rest
        session = self._session(session_id)
        await session.choose(config_id, str(value))
        return SetSessionConfigOptionResponse(config_options=session.options())

    async def close_session(self, session_id: str, **rest: Any) -> CloseSessionResponse:
        del rest
        session = self._session(session_id)
        del self._sessions[session_id]
        await session.close()
        return CloseSessionResponse()

    async def close(self) -> None:
        """The editor has left: turns are interrupted, each keeps its record."""
        sessions = list(self._sessions.values())
        self._sessions.clear()
        await asyncio.gather(*(session.close() for session in sessions), return_exceptions=True)

    async def _opened(
        self,
        cwd: str,
        session_id: str | None,
        mcp_servers: Sequence[Any] | None,
        additional_directories: Sequence[str] | None,
    ) -> Session:
        self._require_introduction()
        folder = _folder(cwd)
        servers, notices = entries_of(mcp_servers or ())
        session = self._sessions.get(session_id or "")
        if session is None:
            session = Session(self._program, self._line, folder, servers)
            await (session.start() if session_id is None else session.load(session_id))
            self._sessions[session.id] = session
        elif servers != session.servers:
            notices.append(say("editor.servers_later", id=session.id))
        for notice in notices:
            session.notice(notice)
        if additional_directories:
            session.notice(say("editor.folders_unused", folders=", ".join(additional_directories)))
        update = commands_update(await session.commands())
        # After the answer to this request, which is what tells the editor the session's id.
        asyncio.get_running_loop().call_soon(self._line.outbox.put, session.id, update)
        return session

    def _session(self, session_id: str) -> Session:
        self._require_introduction()
        if session_id not in self._sessions:
            raise unknown_session(session_id)
        return self._sessions[session_id]

    def _require_introduction(self) -> None:
        if not self._is_introduced:
            raise untimely(say("editor.not_introduced"))


def _folder(path: str) -> str:
    """Without links, as our threads name their folders. Raises RequestError."""
    if not os.path.isabs(path):
        raise wrong(say("editor.relative_folder", path=path))
    if "\0" in path or not os.path.isdir(path):
        raise wrong(say("engine.no_such_folder", path=path))
    return os.path.realpath(path)
