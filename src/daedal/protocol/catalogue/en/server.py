"""What the server says to people."""

WORDS = {
    "server.too_slow": (
        "disconnected: more than {size} bytes were waiting for this client, which did not read them · read faster, or "
        "connect again and resume its threads after the last event that was seen"
    ),
    "server.not_initialized": "Not initialized: initialize comes first",
    "server.already_initialized": "Already initialized",
    "server.unknown_method": "unknown method {method} · daedal app-server generate-json-schema writes down what there is",
    "server.id_in_use": "the id {id} belongs to another request of this connection that is not answered yet · count ids up",
    "server.overloaded": "{count} requests of this connection are under way already · wait for some of their answers",
    "server.engine_cannot": "this engine has no {what}",
    "server.never_asked": "an answer to request {id} arrived, but nothing was asked under that id",
    "server.bad_folder": "a folder's name holds no NUL · send its path",
    "server.bad_input": "input of type {type} cannot be given to a model here: {why}",
    "server.bad_policy": "{value} is no approval policy · untrusted, on-request or never; or ask, auto, yolo or never",
    "server.bad_sandbox": "{value} is no sandbox mode · read-only, workspace-write or danger-full-access",
    "server.detached_review": "a review on a thread of its own is not offered · start a thread and review there, inline",
    "server.bad_target": "the target of a review is uncommittedChanges, baseBranch, commit or custom: {why}",
    "server.listen_address": "{address} is no address to listen at · stdio://, unix://PATH or ws://127.0.0.1:PORT",
    "server.not_loopback": "{host} is not this machine alone · listen at 127.0.0.1, and let ssh or a proxy lead there",
    "server.socket_taken": "somebody is listening at {path} already · choose another path, or end the other server",
    "server.not_a_socket": "{path} exists and is no socket · choose another path",
    "server.cannot_listen": "cannot listen at {address}: {error}",
    "server.unreachable": "no server answers at {address}: {error} · start one with daedal app-server --listen {address}",
    "server.no_answer": "it says nothing within {seconds} s",
    "server.too_many_clients": "{count} clients are connected already · close one of them first",
    "server.token_short": "the token in {source} is shorter than {length} characters · make it longer",
    "server.token_unreadable": "the token file {path} cannot be read: {error}",
}
