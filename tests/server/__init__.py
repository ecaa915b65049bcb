"""Is the protocol served as it is written down?"""
