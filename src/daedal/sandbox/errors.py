"""What can go wrong before a process exists?

SpawnFailed   it could not be started; its text says why in one sentence
"""


class SpawnFailed(Exception):
    pass
