"""Client of Cloud FFmpeg in one file: copy it into your project. Python 3.10 or newer, standard library only.

    client = Client("https://media.example.com", "cff_...")
    record = client.run("-i {{in_1}} -vf scale=-2:480 {{out_1}}",
                        inputs={"in_1": "https://example.com/a.mov"}, outputs={"out_1": "small.mp4"})
    client.download(record["output_files"]["out_1"]["storage_url"], "small.mp4")
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import random
import shutil
import socket
import time
import uuid
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

Record = dict[str, Any]

ATTEMPTS = 5
TIMEOUT_SECONDS = 60
LONGEST_WAIT_SECONDS = 60


class ApiError(Exception):
    """The service refused the request; `status` is that of HTTP, `detail` what it answered."""

    def __init__(self, status: int, detail: Any, request_id: str | None) -> None:
        super().__init__(f"{status}: {_sentences(detail)} [request {request_id}]")
        self.status = status
        self.detail = detail
        self.request_id = request_id


class CommandFailed(Exception):
    """A command that `run` waited for has failed; `record` says why."""

    def __init__(self, record: Record) -> None:
        super().__init__(f"{record['error_status']}: {record['error_message']}")
        self.record = record


class Warned(UserWarning):
    """What the service noticed about a command that it accepted."""


class WebhookRefused(Exception):
    """The request is not from the service, or was changed on its way: answer 400."""


class Client:
    """Calls of one account. A POST carries an Idempotency-Key, so a lost answer does not run a command twice."""

    def __init__(self, url: str, api_key: str) -> None:
        self._url = url.rstrip("/")
        self._api_key = api_key

    def submit(
        self,
        command: str | Sequence[str],
        inputs: Mapping[str, str],
        outputs: Mapping[str, str],
        **fields: Any,
    ) -> str:
        """Returns the id of the command; several commands are a chain.

        `fields` are further fields of the request, such as vcpu_count. Warnings of the service are issued as Warned.
        """
        body: Record = {"input_files": dict(inputs), "output_files": dict(outputs)}
        if isinstance(command, str):
            body["ffmpeg_command"] = command
            accepted = self.call("POST", "/v1/run-ffmpeg-command", body | fields)
        else:
            body["ffmpeg_commands"] = list(command)
            accepted = self.call("POST", "/v1/run-chained-ffmpeg-commands", body | fields)
        for warning in accepted.get("warnings") or []:
            text = warning.get("message") if isinstance(warning, dict) else warning
            warnings.warn(str(text or warning), Warned, stacklevel=2)
        return str(accepted["command_id"])

    def wait(
        self,
        command_id: str,
        poll_seconds: float = 1,
        timeout_seconds: float | None = None,
        on_poll: Callable[[Record], object] | None = None,
    ) -> Record:
        """Returns the record of the command once it has ended, failed or not.

        Raises TimeoutError after timeout_seconds; the command goes on. on_poll gets each record on the way.
        """
        began = time.monotonic()
        while True:
            record: Record = self.call("GET", f"/v1/commands/{quote(command_id, safe='')}")
            if on_poll is not None:
                on_poll(record)
            if record["status"] in ("SUCCESS", "FAILED"):
                return record
            if timeout_seconds is not None and time.monotonic() - began >= timeout_seconds:
                raise TimeoutError(f"{command_id} is {record['status']} after {timeout_seconds} s")
            time.sleep(poll_seconds)

    def run(
        self,
        command: str | Sequence[str],
        inputs: Mapping[str, str],
        outputs: Mapping[str, str],
        **fields: Any,
    ) -> Record:
        """Submits and waits. Raises CommandFailed."""
        record = self.wait(self.submit(command, inputs, outputs, **fields))
        if record["status"] == "FAILED":
            raise CommandFailed(record)
        return record

    def upload(self, path: str, **fields: Any) -> Record:
        """Sends a local file straight to the storage, part by part. Its storage_url can be an input."""
        body = {"filename": os.path.basename(path), "size_bytes": os.path.getsize(path)}
        session = self.call("POST", "/v1/files/init-upload", body | fields)
        parts = []
        with open(path, "rb") as file:
            for number, url in enumerate(session["upload_urls"], start=1):
                part = file.read(session["part_size"])
                request = Request(url, part, {"Content-Type": "application/octet-stream"}, method="PUT")
                with _open(request) as response:
                    parts.append({"part_number": number, "etag": response.headers["ETag"]})
        file_id = quote(session["file_id"], safe="")
        record: Record = self.call("POST", f"/v1/files/{file_id}/complete-upload", {"parts": parts})
        return record

    @staticmethod
    def download(url: str, path: str) -> None:
        """Writes what a storage_url opens. The file has its name once it is whole."""
        with _open(Request(url)) as response, open(f"{path}.part", "wb") as file:
            shutil.copyfileobj(response, file)
            expected = response.headers["Content-Length"]
        if expected is not None and os.path.getsize(f"{path}.part") != int(expected):
            raise ConnectionError(f"{path}: the connection broke before the end")
        os.replace(f"{path}.part", path)

    def call(self, method: str, path: str, body: Record | None = None) -> Any:
        """Any call of the API. Raises ApiError, or URLError if no answer came."""
        headers = {"X-API-KEY": self._api_key, "Content-Type": "application/json"}
        if method == "POST":
            headers["Idempotency-Key"] = str(uuid.uuid4())
        data = None if body is None else json.dumps(body).encode()
        with _open(Request(self._url + path, data, headers, method=method)) as response:
            text = response.read()
            return json.loads(text) if text else None


def _sentences(detail: Any) -> str:
    """The mistakes of a 422, each with its place."""
    if not isinstance(detail, list):
        return str(detail)
    return "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in detail)


def _open(request: Request) -> Any:
    """Sends a request, again after 429, 502, 503, 504 or no answer."""
    for attempt in range(1, ATTEMPTS + 1):
        wait = min(LONGEST_WAIT_SECONDS, 2 ** (attempt - 2)) * random.uniform(0.5, 1)
        try:
            return urlopen(request, timeout=TIMEOUT_SECONDS)
        except HTTPError as error:
            after = float(error.headers.get("Retry-After") or 0)
            again = error.code in (429, 502, 503, 504) or (error.code == 409 and after > 0)
            if not again or attempt == ATTEMPTS or after > LONGEST_WAIT_SECONDS:
                text = error.read()
                try:
                    detail = json.loads(text)["detail"]
                except (ValueError, KeyError, TypeError):
                    detail = text.decode(errors="replace")[:500]
                raise ApiError(error.code, detail, error.headers.get("X-Request-Id")) from None
            wait = max(wait, after)
        except (URLError, TimeoutError, ConnectionError) as error:
            reason = error.reason if isinstance(error, URLError) else error
            # A name that does not exist and a port where nothing listens stay so: no further attempt.
            lasting = isinstance(reason, (socket.gaierror, ConnectionRefusedError))
            if lasting or attempt == ATTEMPTS:
                where = urlsplit(request.full_url)
                raise URLError(f"no answer from {where.scheme}://{where.netloc}: {reason}") from error
        time.sleep(wait)
    raise AssertionError("unreachable")


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    tolerance_seconds: float = 300,
) -> Any:
    """Verifies a request of a webhook (Standard Webhooks) and returns its body, parsed. Raises WebhookRefused.

    Pass the body as it was received: the signature is of its bytes. An event can come more than once, with
    the same webhook-id.
    """
    by_name = {name.lower(): value for name, value in headers.items()}
    try:
        message_id = by_name["webhook-id"]
        timestamp = by_name["webhook-timestamp"]
        signatures = by_name["webhook-signature"].split(" ")
        seconds = float(timestamp)
    except (KeyError, ValueError):
        raise WebhookRefused("the request needs webhook-id, webhook-timestamp, webhook-signature") from None
    if not abs(time.time() - seconds) <= tolerance_seconds:
        raise WebhookRefused(f"webhook-timestamp {timestamp} is too far from this host's time")
    signed = f"{message_id}.{timestamp}.".encode() + body
    for each in [secret] if isinstance(secret, str) else secret:
        key = base64.b64decode(each.removeprefix("whsec_"))
        digest = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        # Compares in constant time.
        if any(hmac.compare_digest(f"v1,{digest}".encode(), found.encode()) for found in signatures):
            return json.loads(body)
    raise WebhookRefused("no signature of webhook-signature is of this secret and body")
