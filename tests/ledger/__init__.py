"""Does the ledger keep what it was given?"""
