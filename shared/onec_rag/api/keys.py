"""API keys: `onecrag_<id>_<mac>`. The mac is HMAC-SHA256 of the id, so a wrong key is refused without a database."""

import hmac
import re
import secrets
from hashlib import sha256

_KEY = re.compile(r"onecrag_([0-9a-f]{16})_([0-9a-f]{40})")


def new_key(secret: bytes) -> tuple[str, str]:
    """A fresh key: (its id, the key to show once)."""
    key_id = secrets.token_hex(8)
    return key_id, f"onecrag_{key_id}_{_mac(secret, key_id)}"


def checked_id(secret: bytes, key: str) -> str | None:
    """The id of a key that was made with this secret, else None; takes the same time for every wrong mac."""
    match = _KEY.fullmatch(key)
    if match is None or not secret:
        return None
    key_id, mac = match.groups()
    return key_id if hmac.compare_digest(mac, _mac(secret, key_id)) else None


def _mac(secret: bytes, key_id: str) -> str:
    return hmac.new(secret, key_id.encode(), sha256).hexdigest()[:40]
