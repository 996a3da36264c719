"""JSON over HTTP from a server that may send anything: bounded, in time, and to nobody else."""

import json
import math
import time
import urllib.error
import urllib.request
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPMessage
from typing import IO, Any

# Twenty samples of a few hundred tokens, each with twenty alternatives, take half of it.
MOST_BYTES = 32_000_000
_PIECE = 65_536
_MOST_DIGITS = 18
# What reading an answer may raise where the server is down, slow, or not what the protocol says.
FAULTS = (OSError, ValueError, HTTPException, RecursionError)


class _Stay(urllib.request.HTTPRedirectHandler):
    """Goes nowhere else: the key is for the address that the administrator named."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> None:
        del req, fp, code, msg, headers, newurl


_OPENER = urllib.request.build_opener(_Stay)


def fetched(request: urllib.request.Request, *, timeout: float) -> dict[str, Any]:
    """Return the JSON object that answers a request, with nothing in it that cannot be stored.

    Numbers that are not finite or have more than 18 digits are null; NUL and lone surrogates are
    replaced.

    Raises
    ------
    urllib.error.HTTPError
        For a status that is no success, a redirect included.
    OSError, ValueError, HTTPException, RecursionError
        Where nothing came in ``timeout`` seconds, or not what the protocol says.
    """
    until = time.monotonic() + timeout
    with _OPENER.open(request, timeout=timeout) as answer:
        pieces, n_bytes = [], 0
        while piece := answer.read1(_PIECE):
            pieces.append(piece)
            n_bytes += len(piece)
            if n_bytes > MOST_BYTES:
                raise ValueError(f"the answer has more than {MOST_BYTES:,} bytes")
            if time.monotonic() > until:
                raise TimeoutError(f"the answer was not whole after {timeout:g} seconds")
    found = _storable(
        json.loads(
            b"".join(pieces),
            parse_constant=_no_number,
            parse_float=_finite,
            parse_int=_short,
        )
    )
    if not isinstance(found, dict):
        raise ValueError("the answer is no JSON object")  # noqa: TRY004 -- of data, not of a type
    return found


def said(fault: urllib.error.HTTPError) -> str:
    """Return what a refusing answer says, in a line."""
    text = ""
    try:
        with fault:
            text = fault.read(2_000).decode("utf-8", "replace")
        text = str(json.loads(text)["error"]["message"])
    except (*FAULTS, KeyError, TypeError):  # plain text, a page, or cut off
        text = " ".join(text.split())
    if 300 <= fault.code < 400:
        address = fault.headers.get("Location", "nowhere")
        text = f"it sends on to {address}; if that is right, name that address as the endpoint"
    return str(_storable(f"{fault.code} {fault.reason}: {text[:300]}"))


def asked_pause(fault: urllib.error.HTTPError) -> float:
    """Return the seconds that a Retry-After asks for, as a number or as a date; 0 for none."""
    asked = fault.headers.get("Retry-After", "")
    try:
        seconds = float(asked)
    except ValueError:
        try:
            moment = parsedate_to_datetime(asked)
        except ValueError:
            return 0.0
        at = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        seconds = (at - datetime.now(UTC)).total_seconds()
    return seconds if seconds > 0 else 0.0


def _storable(value: Any) -> Any:  # noqa: ANN401 -- any JSON
    if isinstance(value, str):
        return value.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_storable(part) for part in value]
    if isinstance(value, dict):
        return {_storable(name): _storable(part) for name, part in value.items()}
    return value


def _no_number(_name: str) -> None:
    return None


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _short(digits: str) -> int | None:
    return int(digits) if len(digits) <= _MOST_DIGITS else None
