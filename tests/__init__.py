"""Everything Daedal promises, shown from outside: journeys by the front door, faults, and one folder per room."""
