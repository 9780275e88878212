"""One tree of errors, translated once at each border.

OnecRagError
├── PermanentError        trying again gives the same; recorded with its place, everything else goes on
│   ├── ProtectedError    a module protected by its author: what was known of it is closed, not kept
│   └── RefusedError      a model's endpoint takes others, not this: a text that is too long for it
├── RetryableError        the world may be better in a minute; the message goes back to its queue
│   └── EndpointError     a model's endpoint is down or overloaded
├── ConfigurationError    a setting is wrong; said at start, before any work
└── RequestError          the caller asked for something that can't be given
    ├── InvalidRequest
    ├── Unauthorized
    ├── Forbidden
    └── NotFound
"""


class OnecRagError(Exception):
    """Something went wrong that onec-rag knows by name."""


class PermanentError(OnecRagError):
    """A thing that can't be read, now or later.

    `reason` says why in one sentence, `path` names the member of the upload, `place` the spot inside it
    (`line 12`, `byte 1024`); both may be empty where they are not known.
    """

    def __init__(self, reason: str, path: str = "", place: str = "") -> None:
        super().__init__(": ".join(part for part in (path, place, reason) if part))
        self.reason = reason
        self.path = path
        self.place = place


class ProtectedError(PermanentError):
    """A module that its author has protected: it has no text for us, and the text it had before is not its own."""


class RefusedError(PermanentError):
    """A model's endpoint refuses what it is given; something else it may take."""


class RetryableError(OnecRagError):
    """A failure that may pass: an endpoint that is down, a database that wakes up.

    `retry_after` is the other side's wish in seconds, if it told one.
    """

    def __init__(self, reason: str, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


class EndpointError(RetryableError):
    """A model's endpoint is down or overloaded; `status` is that of its HTTP answer, None where none came."""

    def __init__(self, reason: str, retry_after: float | None = None, status: int | None = None) -> None:
        super().__init__(reason, retry_after)
        self.status = status


class ConfigurationError(OnecRagError):
    """A setting contradicts another one or the stored data; the message says what mends it."""


class RequestError(OnecRagError):
    """The base of what a caller did wrong."""


class InvalidRequest(RequestError):
    """The request is well-formed but asks for something impossible."""


class Unauthorized(RequestError):
    """No key, or a key that is not ours."""


class Forbidden(RequestError):
    """The key is known but may not do this."""


class NotFound(RequestError):
    """The named thing does not exist, or the caller may not see it."""
