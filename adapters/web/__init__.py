"""The browser room: play without any token, on one computer or in one network."""

from adapters.web.room import RoomUnavailable, WebRoom

__all__ = ["RoomUnavailable", "WebRoom"]
