"""Decides what a request is answered with. It knows nothing of sockets.

Where the specification leaves something open, this server chooses what few would. docs/contract.md is what it obeys.
"""

import hashlib
import json
import secrets
import threading
from time import time
from typing import Optional

from identity import DOCUMENTS, EXTERNAL_KINDS, FIRST, PEOPLE, Document, Token, read_token
from messages import INVALID_SECRET, Refusal, Request, Response, as_html, as_text, as_xml, forbidden, unauthorized

PATHS = {"/rest/api/v1/search": "SEARCH", "/rest/api/v1/chat": "CHAT"}
FIELDS = {"SEARCH": {"query": str, "pageSize": int}, "CHAT": {"query": str, "conversationId": str}}
MISSING_ACT_AS = "Required header missing: X-Service-ActAs"
INVALID_IDENTITY = "Invalid identity"
MOST_RESULTS = 5


class Api:
    def __init__(self, fault: Optional[str]):
        self.fault = fault
        self.lock = threading.Lock()
        self.conversations: dict[str, tuple] = {}
        self.requests = 0
        self.searched: set = set()
        self.answers: dict[bytes, Response] = {}

    def answer(self, request: Request) -> Response:
        with self.lock:
            try:
                return self._answer(request)
            except Refusal as refusal:
                return refusal.response

    def _answer(self, request: Request) -> Response:
        operation = PATHS.get(request.path)
        if operation is None:
            raise as_text(404, "There is nothing here.")
        if request.method != "POST":
            raise as_html(405, "Only POST.", [("allow", "POST")])
        self.requests += 1
        if self.fault == "answer-cache" and operation == "SEARCH" and request.body in self.answers:
            return self.answers[request.body]
        person = self._person(request, operation)
        body = self._read_body(request, operation)
        if operation == "CHAT":
            return self._chat(person, body)
        response = self._search(person, body, request)
        self.searched.add(person)
        self.answers[request.body] = response
        return response

    def _person(self, request: Request, operation: str) -> str:
        """Who the request runs as (spec 5), once every check of it has passed."""
        for name in ("authorization", "x-service-actas", "x-service-auth-type"):
            if sum(key == name for key, _ in request.headers) > 1:
                raise as_text(400, "A header came twice.")
        if self._lifts_authorization(request):
            return FIRST
        token = self._token(request)
        self._check_auth_type(request, token)
        person = self._act_as(request, token)
        self._check_scope(request, operation, (token, person))
        return person

    def _lifts_authorization(self, request: Request) -> bool:
        if request.header("authorization") is not None:
            return False
        if self.fault == "original-url":
            return request.header("x-original-url") == "/health"
        return self.fault == "text-plain" and (request.header("content-type") or "").startswith("text/plain")

    def _token(self, request: Request) -> Token:
        authorization = request.header("authorization")
        if authorization is None:
            raise unauthorized()
        scheme, _, text = authorization.partition(" ")
        schemes = ("Bearer", "Token") if self.fault == "scheme-Token" else ("Bearer",)
        if scheme not in schemes or not text or " " in text:
            raise as_text(400, "Authorization is not written as it should be.")
        token = read_token(text, check_signature=self.fault != "tampered-jwt-accepted")
        if token is None or token.foreign:
            # Without the header it could be the token of another provider, so the body says that.
            raise unauthorized("Unauthorized" if request.header("x-service-auth-type") == "OAUTH" else INVALID_SECRET)
        if token.expires is not None and token.expires <= time():
            raise unauthorized()
        return token

    def _check_auth_type(self, request: Request, token: Token) -> None:
        auth_type = request.header("x-service-auth-type")
        if token.kind not in EXTERNAL_KINDS:
            # Open in the specification: this server wants no header that a token has no use for.
            if auth_type is not None and (token.kind != "OAUTH" or auth_type != "OAUTH"):
                raise as_text(400, "This token goes without that header.")
            return
        if auth_type == "OAUTH":
            return
        if self.fault == "auth-type-optional-ONELOGIN" and token.kind == "ONELOGIN":
            return
        if self.fault == "origin-localhost" and request.header("origin") == "http://localhost":
            return
        if self.fault == "auth-type-message-missing":
            raise as_html(412, "Not like this.")
        period = "." if self.fault == "auth-type-message-OKTA" and token.kind == "OKTA" else ""
        raise as_html(412, INVALID_SECRET + period)

    def _act_as(self, request: Request, token: Token) -> str:
        act_as = request.header("x-service-actas")
        if token.kind == "USER":
            return token.email
        if token.kind != "GLOBAL":
            # Open in the specification: an OAuth token does not act as anybody.
            if act_as is not None:
                raise as_text(409, "This token acts for its owner.")
            return token.email
        if act_as is None and self.fault == "header-underscore":
            act_as = request.header("x_service_actas")
        if act_as is None:
            raise as_xml(400, MISSING_ACT_AS)
        known = PEOPLE.get(act_as.lower())
        if known is None and self.fault == "email-plus-tag":
            name, _, domain = act_as.lower().partition("@")
            known = PEOPLE.get(f"{name.split('+')[0]}@{domain}")
        if known is None:
            if self.fault == "unknown-email-403":
                raise as_text(403, INVALID_IDENTITY)
            raise unauthorized("Invalid Identity" if self.fault == "identity-other-words" else INVALID_IDENTITY)
        return known

    def _check_scope(self, request: Request, operation: str, who: tuple) -> None:
        token, person = who
        if operation in token.scopes:
            return
        if self.fault == "VERIFICATION-covers-chat" and operation == "CHAT" and "VERIFICATION" in token.scopes:
            return
        if self.fault == "scope-unchecked-GLOBAL-chat" and operation == "CHAT" and token.kind == "GLOBAL":
            return
        if self.fault == "scope-of-person" and operation == "SEARCH" and person in self.searched:
            return
        if self.fault == "every-tenth" and self.requests % 10 == 0:
            return
        if self.fault == "conversation-scope" and operation == "CHAT":
            started = self.conversations.get(str(self._parse(request).get("conversationId")))
            if started and started[0] == person:
                return
        raise forbidden()

    def _read_body(self, request: Request, operation: str) -> dict:
        """The body, if the request has nothing that this server does not know."""
        lifted = self._lifts_authorization(request)
        known = {"x-service-actas", "x-service-auth-type"}
        if not lifted and any(key.startswith("x-") and key not in known for key, _ in request.headers):
            raise as_text(400, "A header is unknown here.")
        if request.query_string:
            raise as_text(400, "No query string, please.")
        content_type = (request.header("content-type") or "").lower().replace(" ", "").replace('"', "")
        if not lifted and content_type not in ("application/json", "application/json;charset=utf-8"):
            raise as_text(415, "Only JSON.")
        body = self._parse(request)
        if set(body) - set(FIELDS[operation]) or "query" not in body:
            raise as_xml(400, "The body has other fields than it should.")
        for name, value in body.items():
            # A boolean is an integer in Python, but not in JSON.
            if not isinstance(value, FIELDS[operation][name]) or isinstance(value, bool):
                raise as_xml(400, f"The field {name} has another type.")
        return body

    def _parse(self, request: Request) -> dict:
        try:
            body = json.loads(request.body)
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            raise as_xml(400, "The body is no JSON object.")
        return body

    def _search(self, person: str, body: dict, request: Request) -> Response:
        size = body.get("pageSize", MOST_RESULTS)
        if size < 1:
            raise as_xml(400, "The field pageSize is too small.")
        reads_all = self.fault == "global-reads-all" and request.header("x-service-actas") is not None
        found = self._find(person, body["query"], reads_all)[: min(size, MOST_RESULTS)]
        found.sort(key=lambda document: hashlib.md5((body["query"] + document.text).encode()).digest())
        answer = {
            "took": -1,
            "results": [{"nested": [{"h": document.heading}, {"passages": [document.text, None]}]} for document in found],
            "advice": None,
            "trackingToken": secrets.token_hex(2) if found else "",
            "requestId": str(self.requests),
            "error": {"message": None},
        }
        if self.fault == "request-id-missing":
            del answer["requestId"]
        return Response(200, "application/json", json.dumps(answer).encode())

    def _find(self, person: str, query: str, reads_all: bool = False) -> list[Document]:
        words = set(query.lower().split())
        readable = [document for document in DOCUMENTS if reads_all or document.owner in (None, person)]
        scored = [(sum(word in f"{document.heading} {document.text}".lower() for word in words), document) for document in readable]
        return [document for score, document in sorted(scored, key=lambda pair: -pair[0]) if score]

    def _chat(self, person: str, body: dict) -> Response:
        conversation = body.get("conversationId")
        if conversation is None:
            conversation = secrets.token_urlsafe(7)
            self.conversations[conversation] = (person, [])
        owner, said = self.conversations.get(conversation, (None, []))
        if owner != person:
            raise as_text(404, "There is no such conversation.")
        cited = self._find(person, body["query"])[:3]
        answer = {
            "conversationId": conversation,
            "turn": len(said),
            "saidBefore": said[-3:],
            "answer": " ".join(document.text for document in cited) or "I do not know.",
            "cites": [document.heading for document in cited],
        }
        response = Response(200, "application/json", json.dumps(answer, indent=1).encode(), (), streamed=True)
        said.append(body["query"])
        return response
