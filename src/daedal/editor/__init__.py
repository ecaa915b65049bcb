"""How does an editor drive a thread? Agent Client Protocol over stdio, through `client`."""
