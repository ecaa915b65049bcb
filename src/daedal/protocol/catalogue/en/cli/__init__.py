"""What every command says to people. What only one says stands in the file of its name."""

WORDS = {
    "cli.error": "error: {message}",
    "cli.bug": (
        "error: Daedal itself failed ({kind}: {message}) · what was recorded is kept; "
        "set DAEDAL_DEBUG=1 to see where, and please report it"
    ),
    "cli.warning": "warning: {message}",
    "cli.usage_error": "error: {message} · see {prog} --help",
    "cli.unknown_command": 'there is no command "{word}" · see daedal --help, or daedal exec "{word} …" for a prompt',
    "cli.unknown_command_near": 'there is no command "{word}" · did you mean daedal {near}?',
    "cli.unknown_flag": "unknown option {word} · see daedal --help",
    "cli.no_such_language": "--lang takes {known}, not “{language}” · daedal --lang en --help",
    "cli.output_lost": (
        "standard output cannot be written: {error} · what was recorded is kept; see daedal sessions, and daedal export"
    ),
    "cli.not_whole_number": '"{text}" is no whole number from 1 on',
    "cli.not_an_amount": '"{text}" is no amount greater than zero, as 0.50',
    "cli.destructive_warning": "--allow-destructive: rm and mv may run inside the project; what they take away is gone",
    "cli.no_sandbox_warning": (
        "{how}: commands run with all of your rights; nothing confines what they read, write or reach"
    ),
    "cli.overview": """\
daedal exec "find out why the tests fail and fix it"

A coding agent you can leave alone, because everything it does is on the record and by the rules.

commands (each has --help):
{commands}

also:
  daedal -p PROMPT            the same as daedal exec PROMPT
  daedal --eval JSON          one tool call by hand, for instance '{{"tool":"Read","input":{{"file_path":"README.md"}}}}'
  daedal --lang en|zh …       the language of what is said, for every command (else: `language` in the config, $LANG)
  daedal --version

exit codes:
  0 done · 1 failed · 2 usage or configuration · 53 a limit was reached
  75 provider trouble, worth trying later · 130 interrupted""",
    "cli.no_current_folder": "the current folder does not exist any more · go to another one",
}
