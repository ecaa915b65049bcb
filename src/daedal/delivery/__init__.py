"""How does a SPEC.md become verified software? The unattended run and sync loops."""
