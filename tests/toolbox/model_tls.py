"""Whose certificate does the scripted model show? One from an authority made for the test, trusted by nobody else."""

import ssl
from pathlib import Path

import trustme


class Authority:
    """A certificate authority of its own, with its certificate in a file."""

    def __init__(self, folder: Path) -> None:
        self._authority = trustme.CA()
        self.ca_file = str(folder / "authority.pem")
        self._authority.cert_pem.write_to_path(self.ca_file)

    def server_context(self, *names: str) -> ssl.SSLContext:
        """For `ModelServer(tls=…)`; without names, for loopback."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._authority.issue_cert(*(names or ("127.0.0.1", "localhost"))).configure_cert(context)
        return context
