"""What `daedal completion` says to people."""

WORDS = {
    "cli.completion.example": "source <(daedal completion bash)",
    "cli.completion.about": "print the completion script for bash, zsh or fish",
    "cli.completion.shell": "which shell",
}
