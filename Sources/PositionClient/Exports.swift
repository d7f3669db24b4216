// What this library's interface speaks of, so that a program needs no import but this library's.
@_exported public import JSONRPC
@_exported public import PositionProtocol
@_exported public import Positioning
