"""What can go wrong before a process exists, or with the place in which it runs?

SpawnFailed   it could not be started; its text says why in one sentence
 └ JailGone   the jail in which it should start, or ran, has ended
"""


class SpawnFailed(Exception):
    pass


class JailGone(SpawnFailed):
    pass
