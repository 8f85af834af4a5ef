"""The stores of the contract, for what they keep of finished matches."""

from tests.contract.conftest import backend, store

__all__ = ["backend", "store"]
