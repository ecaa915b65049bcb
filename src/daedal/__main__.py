"""`python -m daedal` is the same door as the `daedal` command."""

from daedal.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
