"""Serves the client API: python3 server.py --port N [--fault ID] [--write-env FILE]

Each answer closes its connection, chat comes in chunks, and header names are in lower case.
"""

import argparse
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from api import Api, Request, Response
from identity import environment

LARGEST_BODY = 1 << 20
CHUNK = 13


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def __getattr__(self, name):
        # The base class looks for one function for each method. Here one function answers them all.
        if name.startswith("do_"):
            return self.serve
        raise AttributeError(name)

    def serve(self):
        self.close_connection = True
        try:
            body = self.read_body()
        except ValueError:
            self.write(Response(400, "text/plain", b"The body could not be read.\n"))
            return
        path, _, query_string = self.path.partition("?")
        headers = [(name.lower(), value.strip(" \t")) for name, value in self.headers.items()]
        self.write(self.server.api.answer(Request(self.command, path, query_string, headers, body)))

    def read_body(self) -> bytes:
        if "chunked" in (self.headers.get("transfer-encoding") or "").lower():
            return self.read_chunks()
        length = int(self.headers.get("content-length") or 0)
        if not 0 <= length <= LARGEST_BODY:
            raise ValueError(length)
        return self.rfile.read(length)

    def read_chunks(self) -> bytes:
        body = b""
        while size := int(self.rfile.readline(99).split(b";")[0], 16):
            if not 0 <= size <= LARGEST_BODY - len(body):
                raise ValueError(size)
            body += self.rfile.read(size)
            self.rfile.readline(3)
        while self.rfile.readline(9999).strip():
            pass
        return body

    def write(self, response: Response) -> None:
        lines = [f"HTTP/1.1 {response.status} -", "connection: close", "cache-control: no-store"]
        if response.content_type:
            lines.append(f"content-type: {response.content_type}")
        if response.streamed:
            lines.append("transfer-encoding: chunked")
        lines += [f"{name}: {value}" for name, value in response.headers]
        self.wfile.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
        if self.command == "HEAD":
            return
        if not response.streamed:
            self.wfile.write(response.body)
            return
        for start in range(0, len(response.body), CHUNK):
            piece = response.body[start : start + CHUNK]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True

    def handle_error(self, *_):
        # A client that goes away early is nobody's error.
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(*_)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--fault")
    parser.add_argument("--write-env", type=Path)
    options = parser.parse_args()
    server = Server(("127.0.0.1", options.port), Handler)
    server.api = Api(options.fault)
    base_url = f"http://127.0.0.1:{server.server_port}"
    if options.write_env:
        options.write_env.write_text(environment(base_url))
    print(f"ready {base_url}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
