"""Which words do all rooms share? Threads, turns, items, events, records, seams; no I/O.

The one room whose files others import by name: `from daedal.protocol.items import AgentMessage`. Its files are the
words themselves, and a single list of them here would load all of them for whoever needs one.
"""
