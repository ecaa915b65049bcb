"""Tests of the built-in tools: real files, real processes."""
