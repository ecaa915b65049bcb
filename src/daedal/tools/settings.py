"""What can be set about the tools?"""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from daedal.tools.web_settings import WebSettings

TRUSTED_ONLY = {"trusted_only": True}
"""What runs, and what it can reach, is not for a stranger's project to say."""


class ShellSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    prefer: Annotated[
        Literal["auto", "bash", "powershell", "pwsh"],
        Meta(description="Which shell runs commands; auto takes bash, else pwsh, else powershell."),
    ] = "auto"
    path: Annotated[str, Meta(description="The shell's executable; empty looks for it on PATH.")] = ""


class ToolSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    enabled: Annotated[
        list[str], Meta(description="The built-in tools that are offered; empty offers all.", extra=TRUSTED_ONLY)
    ] = []
    defer: Annotated[
        bool,
        Meta(description="Describe tools that are seldom needed only when the model looks them up with ToolSearch."),
    ] = True
    bash_timeout_seconds: Annotated[
        int,
        Meta(
            ge=0,
            description="How long a command may run unless the call says otherwise; 0 sets no cap.",
            extra={"user_only": True},
        ),
    ] = 120
    mcp_call_timeout_seconds: Annotated[
        int,
        Meta(
            ge=1,
            description="How long a call of an MCP server's tool may take unless the server's entry says otherwise.",
            extra={"user_only": True},
        ),
    ] = 120
    mcp_wait_seconds: Annotated[
        int,
        Meta(
            ge=0,
            description="How long a first request waits for MCP servers of which no session knows yet what they offer.",
            extra={"user_only": True},
        ),
    ] = 10
    shell: Annotated[ShellSettings, Meta(description="The shell that runs commands.", extra=TRUSTED_ONLY)] = field(
        default_factory=ShellSettings
    )
    web: Annotated[WebSettings, Meta(description="What WebFetch may reach, and who answers WebSearch.")] = field(
        default_factory=WebSettings
    )
