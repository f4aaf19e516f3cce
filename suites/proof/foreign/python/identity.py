"""People, their documents and their tokens. Everything random is drawn when the server starts."""

import base64
import hashlib
import hmac
import json
import secrets
import time
from typing import NamedTuple, Optional

SCOPES = (
    "ACTIVITY AGENTS ANNOUNCEMENTS ANSWERS CHAT COLLECTIONS DOCPERMISSIONS DOCUMENTS ENTITIES FEEDBACK "
    "INSIGHTS MCP PEOPLE PINS SEARCH SHORTCUTS SUMMARIZE TOOLS VERIFICATION"
).split()
SERVICE_KINDS = ("USER", "GLOBAL")
OAUTH_KINDS = ("OAUTH", "GOOGLE", "AZURE", "OKTA", "ONELOGIN")
EXTERNAL_KINDS = OAUTH_KINDS[1:]
JWT_KINDS = ("OAUTH", "OKTA")
AUDIENCE = "client-api"
DAY = 86400


class Document(NamedTuple):
    heading: str
    text: str
    owner: Optional[str]


class Token(NamedTuple):
    kind: str
    scopes: frozenset
    email: Optional[str]
    expires: Optional[float]
    foreign: bool


URSULA, NOOR, THIRD = "Ursula.Okoro@people.example", "noor@people.example", "t.h.i.r.d@people.example"
PEOPLE = {email.lower(): email for email in (URSULA, NOOR, THIRD)}
FIRST = URSULA
OWNERS = {"USER": URSULA, "GLOBAL": None, "AZURE": THIRD}
MARKERS = {email: "heron" + secrets.token_hex(9) for email in PEOPLE.values()}
QUERIES = {URSULA: "orchard ledger", NOOR: "lighthouse rota", THIRD: "ferry receipts"}
DOCUMENTS = [
    *(Document(f"Welcome to floor {n}", f"How to find the kitchen, the printer and a desk on floor {n}.", None) for n in range(12)),
    Document("Orchard", "The company grows apples. Everybody may pick some.", None),
    Document("Lighthouse", "The lighthouse project ended in spring.", None),
    *(Document(QUERIES[email].title(), f"{QUERIES[email]}: {marker} is what I wrote down.", email) for email, marker in MARKERS.items()),
]

_KEYS = {kind: secrets.token_bytes(32) for kind in JWT_KINDS}
_ISSUERS = {f"https://{kind.lower()}.issuer.example": kind for kind in JWT_KINDS}
_issued: dict[str, Token] = {}


def issue_all() -> dict[str, str]:
    """Issues one token of every kind and variant, and returns them by the name of their variable."""
    everything = frozenset(SCOPES)
    neither = everything - {"SEARCH", "CHAT"}
    now = time.time()
    variants = {
        "": (everything, None),
        **{f"_{scope}": (frozenset([scope]), None) for scope in SCOPES},
        "_ALL_BUT_SEARCH": (everything - {"SEARCH"}, None),
        "_ALL_BUT_CHAT": (everything - {"CHAT"}, None),
        "_UNSCOPED": (neither, None),
        "_EXPIRED": (everything, now - DAY),
        "_EXPIRED_UNSCOPED": (neither, now - DAY),
        "_FUTURE_EXPIRY": (everything, now + DAY),
    }
    tokens = {}
    for kind in SERVICE_KINDS + OAUTH_KINDS:
        email = OWNERS.get(kind, URSULA)
        for suffix, (scopes, expires) in variants.items():
            tokens[f"{kind}_TOKEN{suffix}"] = _issue(Token(kind, scopes, email, expires, False))
        if kind in OAUTH_KINDS:
            tokens[f"{kind}_TOKEN_FOREIGN"] = _issue(Token(kind, everything, email, None, True))
    return tokens


def _issue(token: Token) -> str:
    if token.kind in JWT_KINDS:
        return _sign(token)
    # Opaque tokens have an odd number of characters, from 11 to 431.
    length = 11 + 2 * secrets.randbelow(211)
    secret = "".join(secrets.choice("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789-._~") for _ in range(length))
    _issued[secret] = token
    return secret


def _sign(token: Token) -> str:
    issuer = next(name for name, kind in _ISSUERS.items() if kind == token.kind)
    claims = {
        "iss": issuer,
        "aud": "another-client" if token.foreign else AUDIENCE,
        "sub": token.email,
        "perm": sorted(token.scopes),
        "jti": secrets.token_hex(5),
        "exp": int(token.expires or time.time() + DAY),
    }
    signed = f"{_encode({'typ': 'at+jwt', 'alg': 'HS256'})}.{_encode(claims)}"
    return f"{signed}.{_signature(token.kind, signed)}"


def read_token(text: str, check_signature: bool = True) -> Optional[Token]:
    """The token that this text is, or None if nobody issued it."""
    return _issued.get(text) or _read_jwt(text, check_signature)


def _read_jwt(text: str, check_signature: bool) -> Optional[Token]:
    try:
        signed, signature = text.rsplit(".", 1)
        header, payload = signed.split(".")
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        kind = _ISSUERS[claims["iss"]]
        # The signature covers the header, so only the header that this server wrote passes.
        if check_signature and not hmac.compare_digest(signature.encode(), _signature(kind, signed).encode()):
            return None
        email, expires, foreign = claims["sub"], claims["exp"], claims["aud"] != AUDIENCE
        return Token(kind, frozenset(claims["perm"]), email, expires, foreign)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _signature(kind: str, signed: str) -> str:
    return _base64url(hmac.new(_KEYS[kind], signed.encode(), hashlib.sha256).digest())


def _encode(value: dict) -> str:
    return _base64url(json.dumps(value).encode())


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def environment(base_url: str) -> str:
    """The .env file that describes this server to the suite."""
    values = {
        "TARGET_BASE_URL": base_url,
        "CONFORMANCE_CLAIMS": "user global oauth google azure okta onelogin scopes",
        "USER_EMAIL": URSULA,
        "ACT_AS_EMAIL": NOOR,
        "AZURE_EMAIL": THIRD,
        "UNKNOWN_EMAIL": "nobody@people.example",
        "USER_PRIVATE_QUERY": QUERIES[URSULA],
        "USER_PRIVATE_MARKER": MARKERS[URSULA],
        "ACT_AS_PRIVATE_QUERY": QUERIES[NOOR],
        "ACT_AS_PRIVATE_MARKER": MARKERS[NOOR],
        **issue_all(),
    }
    return "".join(f'{name}="{value}"\n' for name, value in values.items())
