"""What can go wrong on the caller's side of the API, under one base.

ClientError
├── ApiError            the request was not carried out; `status` and `detail` are the API's
│   ├── Unauthorized    401: no key, or a wrong one
│   ├── Forbidden       403: the key may not do this
│   ├── NotFound        404
│   ├── Unavailable     429, 502, 503, 504: later, perhaps
│   └── Unreachable     nobody answers at the address; `status` is 0
├── LoadFailed          the upload arrived and could not be loaded
├── LoadHeld            it arrived and waits for somebody to confirm it
├── VectorsMissing      it was loaded, full text finds it, and the service can't make its vectors
├── UploadRefused       what is to be uploaded is nothing that the service reads
└── SettingsInvalid     a setting of the client can't be read
"""


class ClientError(Exception):
    """Something went wrong that the client knows by name; its text is for a person."""


class ApiError(ClientError):
    """The API said no. `detail` is its own explanation."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


class Unauthorized(ApiError):
    """No key, or a key that is not in force."""


class Forbidden(ApiError):
    """The key is known but may not do this."""


class NotFound(ApiError):
    """The named thing does not exist, or the key may not see it."""


class Unavailable(ApiError):
    """The service is starting, busy or away; `retry_after` is in seconds."""

    def __init__(self, status: int, detail: str, retry_after: float) -> None:
        super().__init__(status, detail)
        self.retry_after = retry_after


class Unreachable(ApiError):
    """The address is wrong, or nothing listens there."""

    def __init__(self, detail: str) -> None:
        super().__init__(0, detail)


class LoadFailed(ClientError):
    """An upload that arrived but did not become searchable; the text is the service's reason."""


class LoadHeld(ClientError):
    """An upload that would remove a large part of its source; the text tells how to confirm it."""


class VectorsMissing(ClientError):
    """A release that stays without its vectors; the text is the service's reason."""


class UploadRefused(ClientError):
    """A path that is nothing the service reads, or that holds nothing."""


class SettingsInvalid(ClientError):
    """The file or variable that is named in the text is not what it should be."""
