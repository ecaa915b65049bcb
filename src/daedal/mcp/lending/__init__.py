"""How are our tools lent to others? Another agent's calls come in over MCP and are made by whoever has the tools.

This room knows the wire and the etiquette: what is offered, one call after another, asking the person at the other
end, and stopping what nobody waits for any more. It decides nothing: the gate stands where the call is made.
"""
