"""What does the model read of a command that has ended?"""

from daedal.protocol.seams import Finish, Outcome
from daedal.tools.encodings import whole_characters
from daedal.tools.errors import INTERNAL, TRUNCATED
from daedal.tools.exit_codes import answer, signal_of

NOTHING = "(Bash completed with no output)"


def outcome_of(command: str, finish: Finish, timeout_s: float | None, *, hidden: str) -> Outcome:
    """`hidden` is what we put before the command; the shell quotes it in messages about the first line."""
    text = _stream(finish.stdout, is_cut=finish.stdout_truncated)
    errors = _stream(finish.stderr, is_cut=finish.stderr_truncated).replace(hidden, "")
    if errors:
        text = f"{text}\n--- stderr ---\n{errors}"
    code = finish.exit_code
    if finish.timed_out:
        note = f"{INTERNAL}Command timed out after {timeout_s:g} s and was ended with everything it had started."
        return Outcome(content=f"{note}\n{text}" if text else note, is_error=True, exit_code=code)
    if code == 0:
        return Outcome(content=text or NOTHING, exit_code=code)
    meaning = answer(command, code)
    if meaning is not None:
        note = f"(exit code {code}: {meaning})"
        return Outcome(content=f"{text.rstrip(chr(10))}\n{note}" if text else note, exit_code=code)
    signal = signal_of(code)
    note = f"Exit code {code}" + (f" (signal {signal})" if signal else "")
    return Outcome(content=f"{note}\n{text or '(no output)'}", is_error=True, exit_code=code)


def _stream(content: bytes, *, is_cut: bool) -> str:
    if not is_cut:
        return content.decode("utf-8", "replace")
    return f"{whole_characters(content).decode('utf-8', 'replace')}\n{TRUNCATED}"
