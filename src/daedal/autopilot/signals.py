"""Does a text ask for long research? For a goal its subject is enough; an ordinary prompt must say it very strongly.

An ordinary prompt that becomes a goal goes on by itself and leaves state in the project, so weak words such as "long
term", "optimize", "research" or "verify" never do it, alone or together.
"""

import re

from daedal.protocol.goals import GoalStrategy

PROMPT_MIN = 120
"""Characters. Whoever hands over hours of work says more than this."""
METHODS_MIN = 2

SUBJECTS = re.compile(
    r"\b(research|investigat\w+|debug\w*|diagnos\w+|root.caus\w*|optimi[sz]\w+|speed up|benchmark\w*|profil(?:e|ing)"
    r"|implement\w*|migrat\w+|port(?:ing)?\b|refactor\w*|rewrit\w+|reproduc\w+|explor\w+|experiment\w*|tun(?:e|ing))\b",
    re.IGNORECASE,
)
"""What is to be done."""

METHODS = (
    re.compile(r"\b(iterat\w+|one (?:change|thing|experiment) at a time|round after round)\b", re.IGNORECASE),
    re.compile(r"\bhypothes[ie]s\b", re.IGNORECASE),
    re.compile(r"\bexperiments?\b", re.IGNORECASE),
    re.compile(r"\b(measur\w+|benchmark\w*|profil(?:e|ing)|metrics?|baseline)\b", re.IGNORECASE),
    re.compile(
        r"\b(?:different|several|multiple|many|various|other|all) (?:approaches|strategies|ideas|ways)\b", re.IGNORECASE
    ),
    re.compile(
        r"\b(?:log|journal|notes?|record|track) (?:of )?(?:\w+ ){0,3}(?:findings|results|attempts|tried|failed)\b",
        re.IGNORECASE,
    ),
    re.compile(r"\bautoresearch\b", re.IGNORECASE),
)
"""How, that only long work is done. Each counts once."""

DURATIONS = re.compile(
    r"\b(?:do not|don'?t|never) (?:stop|give up|come back)\b[^.!?\n]{0,60}\b(?:until|before|unless)\b"
    r"|\bkeep (?:going|working|iterating|trying|experimenting|at it)\b[^.!?\n]{0,80}\buntil\b"
    r"|\b(?:work|run|continue|go on|proceed) (?:\w+ ){0,3}(?:autonomously|unattended|on your own|by yourself)\b"
    r"|\b(?:autonomously|unattended|overnight|over the weekend)\b"
    r"|\bfor (?:as long as it takes|(?:several|many|the next \w+|\d+) (?:hours|days))\b"
    r"|\bas long as it takes\b|\bno matter how long\b|\bwithout (?:asking|stopping|waiting for) me\b",
    re.IGNORECASE,
)
"""That nobody waits for it."""

REFUSALS = re.compile(
    r"\b(?:do not|don'?t|no need to|without|stop|never|instead of|rather than) (?:\w+ ){0,2}"
    r"(?:iterat\w+|keep going|keep working|keep iterating|run(?:ning)? (?:autonomously|unattended|overnight)"
    r"|work(?:ing)? (?:autonomously|unattended|overnight)|go(?:ing)? on|autoresearch)"
    r"|\bjust (?:a )?(?:quick|tell me|explain|answer|one)\b|\bin (?:one|a single) (?:turn|step|go)\b",
    re.IGNORECASE,
)
QUESTION = re.compile(
    r"^\W*(?:(?:can|could|would|should|do|does|did|is|are|was|were|will|have|has) .*\?\s*$"
    r"|(?:what|why|how|who|where|when|which|explain|describe|summari[sz]e|translate|list|tell me|review)\b)",
    re.IGNORECASE | re.DOTALL,
)
FENCED = re.compile(r"(?ms)^\s*(```|~~~).*?(?:^\s*\1\s*$|\Z)")
QUOTED = re.compile(r"(?m)^\s*>.*$|`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”")


def strategy_for(objective: str) -> GoalStrategy:
    """For what was set as a goal already."""
    text = _own_words(objective)
    methods = sum(1 for method in METHODS if method.search(text))
    is_long = bool(SUBJECTS.search(text)) and (methods > 0 or bool(DURATIONS.search(text)))
    return GoalStrategy.RESEARCH if is_long or methods >= METHODS_MIN else GoalStrategy.SIMPLE


def is_worth_a_goal(prompt: str) -> bool:
    """For an ordinary prompt: subject, duration and at least two methods of long work, in the person's own words."""
    if prompt.lstrip().startswith("/") or len(prompt) < PROMPT_MIN:
        return False
    text = _own_words(prompt)
    if len(text) < PROMPT_MIN or QUESTION.search(text) or REFUSALS.search(text):
        return False
    methods = sum(1 for method in METHODS if method.search(text))
    return bool(SUBJECTS.search(text)) and bool(DURATIONS.search(text)) and methods >= METHODS_MIN


def _own_words(text: str) -> str:
    """Without what is quoted: an issue or a log that is pasted in asks for nothing."""
    return QUOTED.sub(" ", FENCED.sub(" ", text)).strip()
