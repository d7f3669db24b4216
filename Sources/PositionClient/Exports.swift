// The modules whose types this library's interface uses, so that a program imports only this one.
@_exported public import JSONRPC
@_exported public import PositionProtocol
@_exported public import Positioning
