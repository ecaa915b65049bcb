"""What argparse says by itself, word for word, so that other languages can say it too."""

WORDS = {
    "cli.argparse.usage": "usage: ",
    "cli.argparse.positionals": "positional arguments",
    "cli.argparse.options": "options",
    "cli.argparse.help": "show this help message and exit",
    "cli.argparse.argument": "argument %(argument_name)s: %(message)s",
    "cli.argparse.unrecognized": "unrecognized arguments: %s",
    "cli.argparse.required": "the following arguments are required: %s",
    "cli.argparse.choice": "invalid choice: %(value)r (choose from %(choices)s)",
    "cli.argparse.value": "invalid %(type)s value: %(value)r",
    "cli.argparse.expected_one": "expected one argument",
    "cli.argparse.expected_most": "expected at most one argument",
    "cli.argparse.expected_least": "expected at least one argument",
    "cli.argparse.ignored": "ignored explicit argument %r",
    "cli.argparse.exclusive": "not allowed with argument %s",
}
