"""A small server for machines: ``/healthz``, ``/readyz``, ``/metrics`` and ``/drain``.

It tells nothing of anybody: no id, no name, no card. It listens on this computer alone unless its operator says
otherwise, and takes orders from this computer alone in any case.
"""

import ipaddress
from typing import Final

import msgspec
import structlog
from aiohttp import web

from adapters.listening import Listener
from bot import metrics
from bot.gate import Gate
from bot.vitals import Vitals

log = structlog.get_logger()

ORDER_HEADER: Final = "X-Buraco-Order"
"""A page elsewhere cannot send it without the browser asking first, and it is never answered that it may."""
BODY_BYTES: Final = 1024
_SHUTDOWN_SECONDS: Final = 1.0


class OpsUnavailable(Exception):
    """It cannot be listened there; ``advice`` says what to do."""

    def __init__(self, problem: str, advice: str) -> None:
        super().__init__(f"{problem}: {advice}")
        self.problem = problem
        self.advice = advice


class OpsServer:
    """Serves the figures of one process."""

    def __init__(self, vitals: Vitals, gate: Gate, host: str, port: int, *, insist: bool = True) -> None:
        """Port 0 takes any free one; ``insist`` says whether it is a failure where it cannot be listened."""
        self._insist = insist
        self._vitals = vitals
        self._gate = gate
        self._host = host
        self._port = port
        routes = [
            web.get("/healthz", self._healthz),
            web.get("/readyz", self._readyz),
            web.get("/metrics", self._metrics),
            web.put("/drain", self._drain),
            web.delete("/drain", self._drain),
        ]
        self._listener = Listener(host, port, routes, body_bytes=BODY_BYTES, shutdown_seconds=_SHUTDOWN_SECONDS)

    async def start(self) -> str:
        """Listen; returns the address, empty where it cannot and need not be.

        Raises:
            OpsUnavailable: the host or port cannot be used.
        """
        try:
            await self._listener.start()
        except (OSError, OverflowError, UnicodeError) as error:
            if not self._insist:
                log.warning("ops.not_open", host=self._host, port=self._port, advice="set BURACO_HEALTH")
                return ""
            raise OpsUnavailable(
                f"health cannot be told on {self._host}:{self._port}: {getattr(error, 'strerror', None) or error}",
                "choose another address with BURACO_HEALTH, or off",
            ) from None
        return f"http://{self._host}:{self._listener.port}"

    async def stop(self) -> None:
        """Listen no more. May be called twice."""
        await self._listener.stop()

    async def _healthz(self, _: web.Request) -> web.Response:
        health = self._vitals.health()
        return _json(health, 200 if health.live else 503)

    async def _readyz(self, _: web.Request) -> web.Response:
        readiness = await self._vitals.readiness()
        return _json(readiness, 200 if readiness.ready else 503)

    async def _metrics(self, _: web.Request) -> web.Response:
        body = await self._vitals.figures()
        return web.Response(body=body, headers={"Content-Type": metrics.CONTENT_TYPE})

    async def _drain(self, request: web.Request) -> web.Response:
        if ORDER_HEADER not in request.headers or not _is_local(request.remote):
            return web.Response(status=403)
        self._gate.drain(on=request.method == "PUT")
        return _json({"draining": self._gate.is_draining}, 200)


def _is_local(address: str | None) -> bool:
    try:
        return ipaddress.ip_address(address or "").is_loopback
    except ValueError:
        return False


def _json(told: object, status: int) -> web.Response:
    body = msgspec.json.encode(told)
    return web.Response(
        status=status, body=body, content_type="application/json", headers={"Cache-Control": "no-store"}
    )
