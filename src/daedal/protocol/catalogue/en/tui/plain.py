"""What the chat says on a terminal that can do nothing."""

WORDS = {
    "tui.plain.welcome": "{model} · write a prompt, or /exit",
    "tui.plain.may_it": "May it? y: once · s: for this session · a: always · n: no · or say why not: ",
    "tui.plain.session": "s also allows {rule} until this session ends",
    "tui.plain.always": "a also writes {rule} into your own settings",
}
