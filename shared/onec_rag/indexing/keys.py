"""Where things lie in the bucket: uploads, loose objects, and the archives that the planner makes of them."""

import re

from onec_rag.errors import PermanentError

PREFIX = "uploads/"
SYNC = "sync/"
CONTENT = "content/"
STAGED = "staged/"
SOURCE_NAME = re.compile(r"[^\W_][\w.-]{0,62}")


def source_of(key: str, prefix: str = PREFIX) -> str:
    """`uploads/<source>/…/<name>` → the source's name; likewise below another prefix.

    Raises:
        PermanentError: the key is not below `<prefix><source>/`, or the source's name is not one.
    """
    parts = key.split("/")
    if len(parts) < 3 or f"{parts[0]}/" != prefix or not SOURCE_NAME.fullmatch(parts[1]) or not parts[-1]:
        raise PermanentError(
            f"an upload is put to {prefix}<source>/<name>; a source's name has letters, digits, _ . and -", key
        )
    return parts[1]


def staged_key(upload_id: str) -> str:
    """An upload's archive that is needed while it loads."""
    return f"{STAGED}{upload_id}.zip"


def content_key(source_name: str, upload_id: str) -> str:
    """An upload's archive that is kept while its release is the head: the next one takes from it what is unchanged."""
    return f"{CONTENT}{source_name}/{upload_id}.zip"
