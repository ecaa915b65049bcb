"""How do colleagues' agents reach this one? The AOI daemon: identity, ACL, queries, tasks."""
