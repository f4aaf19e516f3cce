"""Requests, responses and the shapes of refusals: text, XML, HTML or nothing at all."""

import secrets
from collections.abc import Iterable
from typing import NamedTuple, Optional

INVALID_SECRET = "Invalid Secret"


class Request(NamedTuple):
    method: str
    path: str
    query_string: str
    headers: list  # pairs of a name in lower case and a value
    body: bytes

    def header(self, name: str) -> Optional[str]:
        return next((value for key, value in self.headers if key == name), None)


class Response(NamedTuple):
    status: int
    content_type: Optional[str]
    body: bytes
    headers: Iterable = ()
    streamed: bool = False


class Refusal(Exception):
    def __init__(self, response: Response):
        super().__init__(response.status)
        self.response = response


def as_text(status: int, line: str, headers: Iterable = ()) -> Refusal:
    body = f"The request was refused.\r\n{line}\r\nReference {secrets.token_hex(3)}\r\n"
    return Refusal(Response(status, "text/plain; charset=us-ascii", body.encode(), headers))


def as_xml(status: int, line: str) -> Refusal:
    body = f'<?xml version="1.0"?>\n<fault status="{status}"><why lang="en">{line}</why><retry/></fault>'
    return Refusal(Response(status, "application/xml", body.encode()))


def as_html(status: int, line: str, headers: Iterable = ()) -> Refusal:
    body = f"<!doctype html><title>{status}</title><h1>Sorry</h1><p>{line}</p>"
    return Refusal(Response(status, "text/html", body.encode(), headers))


def unauthorized(line: str = "Unauthorized") -> Refusal:
    return as_text(401, line, [("www-authenticate", "Bearer")])


def forbidden() -> Refusal:
    return Refusal(Response(403, None, b""))
