"""Tests of the room that starts processes and resolves paths."""
