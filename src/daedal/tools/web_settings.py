"""What can be set about the web?"""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

Name = Annotated[str, Meta(min_length=1)]


class SearchSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    backend: Annotated[
        Literal["searxng", "brave", "tavily", "provider"] | None,
        Meta(description="Who searches: searxng, brave, tavily, or provider (the model's own); none if not set."),
    ] = None
    url: Annotated[
        Name | None, Meta(description="Where the backend is; searxng needs it, brave and tavily have their own.")
    ] = None
    key_env: Annotated[
        Name | None,
        Meta(description="The environment variable that holds the key; BRAVE_API_KEY or TAVILY_API_KEY if not set."),
    ] = None


class WebSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    allow_private: Annotated[
        list[Name],
        Meta(
            description="Hosts (intranet.example), addresses and networks (10.1.0.0/16) that WebFetch may ask although "
            "they are not out on the Internet.",
            extra={"trusted_only": True},
        ),
    ] = []
    timeout_seconds: Annotated[float, Meta(gt=0, description="How long one WebFetch or WebSearch may take.")] = 60.0
    # A project that chose both the place and the variable could have any secret sent to it.
    search: Annotated[SearchSettings, Meta(description="Who answers WebSearch.", extra={"user_only": True})] = field(
        default_factory=SearchSettings
    )
