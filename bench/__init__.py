"""How fast is it, and how much memory does it take?"""
