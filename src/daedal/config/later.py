"""Which settings are known by name although this version has no use for them?

Consulted only for keys that no room's settings have. Whoever builds the feature deletes its lines.
"""

LATER: dict[str, str] = {
    "agent.memory_compiler": "memory_compiler",
    "agent.plan_mode_allowed_tools": "plan_mode",
    "agent.temperature": "temperature",
    "aoi": "network",
    "serve": "serve",
}
"""Dotted key → the feature that it belongs to, worded in the catalogue as `config.feature.…`."""
