public import JSONRPC

/// An object on the wire.
public protocol DescribedObject: WireObject, Hashable {}
