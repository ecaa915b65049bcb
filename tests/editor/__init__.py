"""Does `daedal acp` serve editors? The library's client side against the real program, and rude editors by hand."""
