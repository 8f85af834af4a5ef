"""Refusals as the Bot API words them."""

from typing import Any

Json = dict[str, Any]


class ApiError(Exception):
    """An answer that is not ok: a code, a description and perhaps parameters."""

    def __init__(self, code: int, description: str, parameters: Json | None = None) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters or {}

    def to_json(self) -> Json:
        """Give the body of the answer."""
        body: Json = {"ok": False, "error_code": self.code, "description": self.description}
        if self.parameters:
            body["parameters"] = self.parameters
        return body


def bad(description: str) -> ApiError:
    """Refuse a request that is wrong in itself (400)."""
    return ApiError(400, f"Bad Request: {description}")


def forbidden(description: str) -> ApiError:
    """Refuse what the bot may not do (403)."""
    return ApiError(403, f"Forbidden: {description}")


def too_many(seconds: int) -> ApiError:
    """Refuse for now (429)."""
    return ApiError(429, f"Too Many Requests: retry after {seconds}", {"retry_after": seconds})
