"""Does the house keep its own rules? Words, rooms, imports, docs and the acceptance matrix, compared with the code."""
