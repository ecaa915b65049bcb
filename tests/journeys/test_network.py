"""Does a run survive a bad network, and reach a model behind a company's certificate authority and proxy?"""

from pathlib import Path

import pytest

from tests.journeys.test_bad_input import QUICK, complained, configure
from tests.toolbox.model_proxy import ForwardProxy
from tests.toolbox.model_server import call, drop, fail, overloaded, say
from tests.toolbox.model_tls import Authority
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

STORY = say("Once upon a time there was an agent.", chunks=8)


@requirement("RX-18")
@pytest.mark.parametrize(
    "troubles",
    [
        [fail(429, retry_after="0")],
        [fail(500), fail(503)],
        [fail(529)],
        [drop(after=5, reply=STORY)],
        [drop(after=5, reply=STORY), drop(after=7, reply=STORY)],
        [drop(after=4, reply=STORY, how="reset"), overloaded(after=5, reply=STORY)],
    ],
)
def test_trouble_that_passes_is_waited_out_visibly_and_the_answer_is_printed_once(daedal: Daedal, model, troubles):
    configure(daedal, QUICK.replace("attempts_max = 3", "attempts_max = 4"))
    server = model([*troubles, STORY])
    run = daedal("exec", "Tell a story.")
    assert (run.code, run.out) == (0, "Once upon a time there was an agent.\n"), run.err
    assert run.err.count("trying again in") == len(troubles)
    assert len(server.requests) == len(troubles) + 1
    assert daedal.rows("SELECT attempts, error FROM model_calls") == [(len(troubles) + 1, None)]
    assert len({request.body for request in server.requests}) == 1


@requirement("RX-18")
def test_a_tool_call_is_not_run_twice_because_the_stream_broke_after_it(daedal: Daedal, model):
    configure(daedal, QUICK)
    act = call("Bash", command="echo ran >> log")
    model([drop(after=6, reply=act + say("And more to say.")), act, say("Done.")])
    assert daedal("exec", "Go.", "--approval", "yolo").code == 0
    assert (daedal.workspace / "log").read_text() == "ran\n"


@requirement("RX-18")
def test_a_server_that_is_not_there_is_trouble_for_later(daedal: Daedal, model):
    configure(daedal, QUICK)
    model([say("never")])
    run = daedal("exec", "Hello.", ANTHROPIC_BASE_URL="http://127.0.0.1:9")
    complained(run, 75, "127.0.0.1:9")
    assert run.err.count("trying again in") == 2


def test_a_certificate_authority_of_ones_own_is_trusted_when_named_and_only_then(daedal: Daedal, model, tmp_path: Path):
    configure(daedal, QUICK)
    authority = Authority(tmp_path)
    model([say("Safe.")], tls=authority.server_context())
    complained(daedal("exec", "Hello."), 2, "certificate", "ca_file")
    configure(daedal, f'{QUICK}ca_file = "{authority.ca_file}"\n')
    assert daedal("exec", "Hello.").out == "Safe.\n"


def test_a_proxy_from_the_environment_is_used(daedal: Daedal, model):
    server = model([say("Through the proxy.")])
    with ForwardProxy() as proxy:
        run = daedal(
            "exec",
            "Hello.",
            HTTP_PROXY=proxy.url,
            NO_PROXY="",
            no_proxy="",
            ANTHROPIC_BASE_URL=f"http://model.example:{server.port}",
        )
        assert run.out == "Through the proxy.\n", run.err
        assert proxy.seen == [f"POST http://model.example:{server.port}/v1/messages"]
