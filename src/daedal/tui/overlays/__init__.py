"""What is put up over the composer and has the keyboard? One file for each: cards, pickers, the viewer."""
