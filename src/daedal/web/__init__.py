"""What does a person see in the browser? Chat, approvals, deliverables, audit, through `client`."""
