"""What can go wrong."""

from typing import Any, Dict, Optional, Type

from ._values import ERROR_NAMES


class PositiondError(Exception):
    """Any error of this package."""

    #: What to do about it, in words; None if there is nothing to say.
    remedy: Optional[str] = None


class ConnectionFailed(PositiondError, ConnectionError):
    """The daemon cannot be reached, or the connection was lost before it answered."""

    def __init__(self, message: str, remedy: Optional[str] = None) -> None:
        super().__init__(message)
        self.remedy = remedy


class Closed(PositiondError):
    """The program has closed the client."""

    def __init__(self) -> None:
        super().__init__("the client is closed")


class Unexpected(PositiondError):
    """The daemon sent what the protocol does not allow, or has another major version of it."""


class RequestError(PositiondError):
    """The daemon's answer to a request is an error.

    `docs/protocol.md` lists the codes. The codes that programs treat most often have subclasses.
    """

    def __init__(self, code: int, message: str, data: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data or {}
        #: The code's name, such as `notFound`; its number as text if this package does not know it.
        self.name = ERROR_NAMES.get(code, str(code))
        self.remedy = self.data.get("remedy")


class NotPermitted(RequestError):
    """The program may not know the position, or not what it asked for; `remedy` says who can change that."""


class InvalidParams(RequestError):
    """A parameter does not fit; `data` has its path, what was found and what is expected."""


class NotFound(RequestError):
    """There is no such subscription, region or durable name."""


class Unavailable(RequestError):
    """This device cannot do what was requested."""


class LimitExceeded(RequestError):
    """A limit is reached; `data` has its name and value."""


_CLASSES: Dict[str, Type[RequestError]] = {
    "denied": NotPermitted,
    "restricted": NotPermitted,
    "disabled": NotPermitted,
    "notDetermined": NotPermitted,
    "accuracyLimited": NotPermitted,
    "invalidParams": InvalidParams,
    "notFound": NotFound,
    "unavailable": Unavailable,
    "limitExceeded": LimitExceeded,
}


def request_error(error: Any) -> RequestError:
    """The exception for the member `error` of an answer."""
    code, message, data = error["code"], error["message"], error.get("data")
    return _CLASSES.get(ERROR_NAMES.get(code, ""), RequestError)(code, message, data)
