"""What do the user's rules say about a call?"""
