"""Tests of the `config` room."""
