"""A local server that speaks the protocol of chat completions, faults included."""

import json
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def says(text, *, tokens=(), **choice):
    """Return one choice; tokens are (token, {alternative: probability})."""
    import math

    content = [
        {
            "token": token,
            "logprob": 0.0,
            "top_logprobs": [
                {"token": name, "logprob": math.log(share)} for name, share in shares.items()
            ],
        }
        for token, shares in tokens
    ]
    logprobs = {"logprobs": {"content": content}} if content else {}
    return {
        "index": 0,
        "message": {"role": "assistant", "content": text},
        "finish_reason": "stop",
        **logprobs,
        **choice,
    }


def answer(*choices):
    return {"choices": list(choices), "usage": {"prompt_tokens": 100, "completion_tokens": 2}}


class Script:
    """What the server does: a function from the request's body and its number to a reply.

    A reply is a body, or (status, body, headers).
    """

    def __init__(self):
        self.reply = lambda _body, _number: answer(says("3"))
        self.requests, self.headers = [], []
        self.models = ["judge-1"]
        # Another reply to the question for models, as (status, body, headers).
        self.listed, self.n_listed = None, 0
        self.lock = threading.Lock()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        script = self.server.script
        script.n_listed += 1
        models = script.models
        if script.listed is not None:
            self._send(*script.listed)
        elif models is None:
            self._send(404, {"error": {"message": "not here"}}, {})
        else:
            self._send(200, {"data": [{"id": name} for name in models]}, {})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        script = self.server.script
        with script.lock:
            script.requests.append(body)
            script.headers.append(dict(self.headers))
            number = len(script.requests)
        reply = script.reply(body, number)
        self._send(*reply) if isinstance(reply, tuple) else self._send(200, reply, {})

    def _send(self, status, body, headers):
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Length": len(sent), **headers}.items():
            self.send_header(name, str(value))
        self.end_headers()
        with suppress(BrokenPipeError, ConnectionResetError):  # whoever asked would not wait
            self.wfile.write(sent)

    def log_message(self, *_args):
        pass


@contextmanager
def llm_server():
    """Give (address, script) of a running server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    server.script = Script()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", server.script
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
