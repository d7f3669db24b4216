"""Values of the protocol to and from JSON, by the type hints of their dataclasses."""

import dataclasses
import functools
import re
from datetime import datetime
from typing import Any, Callable, Dict, List, Tuple, Type, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from ._errors import Unexpected

Value = TypeVar("Value")
Reader = Callable[[Any], Any]


def wire_name(name: str) -> str:
    """The protocol's name of a member: `horizontal_accuracy` is `horizontalAccuracy` there."""
    return re.sub(r"_([a-z])", lambda match: match[1].upper(), name.rstrip("_"))


def decode(kind: Type[Value], json: Any) -> Value:
    """Makes a value of what the daemon sent; members that this package does not know are ignored."""
    try:
        return cast(Value, _reader(cast(Any, kind))(json))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Unexpected(f"the daemon sent no {kind.__name__}: {error!r}") from error


def encode(value: Any) -> Any:
    """The JSON of a value; what is None is left out."""
    if dataclasses.is_dataclass(value):
        members = ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
        return {wire_name(name): encode(one) for name, one in members if one is not None}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [encode(one) for one in value]
    return value


@functools.lru_cache(maxsize=None)
def _reader(kind: Any) -> Reader:
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _object_reader(kind)
    if kind is datetime:
        # Before Python 3.11 the Z is not understood.
        return lambda json: datetime.fromisoformat(json.replace("Z", "+00:00"))
    if kind is float:
        return float
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is list:
        read = _reader(arguments[0])
        return lambda json: [read(one) for one in json]
    if origin is dict:
        read_value = _reader(arguments[1])
        return lambda json: {key: read_value(one) for key, one in json.items()}
    if origin is Union and arguments[1:] == (type(None),):
        return _reader(arguments[0])
    return lambda json: json


def _object_reader(kind: Any) -> Reader:
    hints = get_type_hints(kind)
    required: List[Tuple[str, str, Reader]] = []
    optional: List[Tuple[str, str, Reader]] = []
    for field in dataclasses.fields(kind):
        row = (field.name, wire_name(field.name), _reader(hints[field.name]))
        (required if field.default is dataclasses.MISSING else optional).append(row)

    def read(json: Dict[str, Any]) -> Any:
        values = {name: reader(json[wire]) for name, wire, reader in required}
        for name, wire, reader in optional:
            if wire in json:
                values[name] = reader(json[wire])
        return kind(**values)

    return read
