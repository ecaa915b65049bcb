"""How do other programs lend us tools, and we them? The MCP client and servers."""
